// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-tile-blocks))' | FileCheck %s

// A schedule that was not completed is refused.
// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-tile-blocks))' 2>&1 | FileCheck %s --check-prefix=INCOMPLETE
// INCOMPLETE: error: 'gpu.func' op has an incomplete schedule; run tgc-complete-schedule first

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>

// CHECK-LABEL: gpu.func @block
// CHECK-SAME: tgc.launch = #tgc.launch<threads = 256, tile = <128x128>, min_blocks = 2>
// CHECK: %[[C16:.*]] = arith.constant 16 : index
// CHECK: %[[M:.*]] = memref.dim %[[A:.*]], %{{.*}}
// CHECK: %[[K:.*]] = memref.dim %[[A]], %{{.*}}
// CHECK: %[[N:.*]] = memref.dim %[[B:.*]], %{{.*}}
// CHECK: tgc.work (%[[m:.*]], %[[n:.*]], %[[k0:.*]], %[[k1:.*]], %{{.*}}) of (%[[M]], %[[N]], %[[K]]) tile <128x128> walk rows {
// CHECK-NEXT: %[[ACC:.*]] = tgc.alloc : <128x128xf32, #tgc.simt<warps = <8x1>, lanes = <2x16>, each = <8x8>, group = <1x1>>>
// CHECK-NEXT: tgc.fill %[[ACC]], %{{.*}}
// CHECK-NEXT: scf.for %[[k:.*]] = %[[k0]] to %[[k1]] step %[[C16]] {
// CHECK-NEXT: %[[a:.*]] = tgc.window %[[A]][%[[m]], %[[k]]] limit[%[[M]], %[[k1]]] : {{.*}} -> <128x16xf32, #tgc.global>
// CHECK-NEXT: %[[b:.*]] = tgc.window %[[B]][%[[k]], %[[n]]] limit[%[[k1]], %[[N]]] : {{.*}} -> <16x128xf32, #tgc.global>
// CHECK-NEXT: tgc.product %[[ACC]], %[[a]], %[[b]] order i_inner zigzag unroll 1 :
// CHECK-NEXT: }
// CHECK-NEXT: %[[c:.*]] = tgc.window %{{.*}}[%[[m]], %[[n]]] limit[%[[M]], %[[N]]]
// CHECK-NEXT: tgc.store %[[ACC]], %[[c]] : <128x128
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
gpu.module @block {
  gpu.func @block(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x128x16>, inner = i_inner, zigzag = true, blocks_per_sm = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// k by k: never past the end.
// CHECK-LABEL: gpu.func @naive
// CHECK-SAME: tgc.launch = #tgc.launch<threads = 256, tile = <16x16>, walk_group = 4>
// CHECK: tgc.work {{.*}} tile <16x16> walk grouped 4 {
// CHECK: tgc.window {{.*}} in_bounds [false, true] : {{.*}} -> <16x1xf32, #tgc.global>
// CHECK: tgc.window {{.*}} in_bounds [true, false] : {{.*}} -> <1x16xf32, #tgc.global>
gpu.module @naive {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<walk = grouped, walk_group = 4>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @unrolled
// CHECK: tgc.product {{.*}} unroll 2 :
gpu.module @unrolled {
  gpu.func @unrolled(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, unroll = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @accumulated
// CHECK-SAME: tgc.reads_output
// CHECK: tgc.store %{{.*}}, %{{.*}} accumulate :
gpu.module @accumulated {
  gpu.func @accumulated(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) accumulate : !mat, !mat, !mat
    gpu.return
  }
}

// Vector stores are as wide as facts allow: not at all,
// CHECK-LABEL: gpu.func @unproven
// CHECK: tgc.store %{{.*}}, %{{.*}} : <64x64
gpu.module @unproven {
  gpu.func @unproven(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// and 4 elements.
// CHECK-LABEL: gpu.func @proven
// CHECK: tgc.store %{{.*}}, %{{.*}} width 4 : <64x64
gpu.module @proven attributes {tgc.facts = [#tgc.fact<aligned "C" 16>, #tgc.fact<multiple "ldC" 4>, #tgc.fact<multiple "N" 4>]} {
  gpu.func @proven(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @halves
// CHECK: tgc.store %{{.*}}, %{{.*}} width 2 : <64x64
gpu.module @halves attributes {tgc.facts = [#tgc.fact<aligned "C" 8>, #tgc.fact<multiple "ldC" 4>, #tgc.fact<multiple "N" 4>]} {
  gpu.func @halves(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// The epilogue moves to the store; its operands become windows along their axes.
// CHECK-LABEL: gpu.func @epilogue
// CHECK: %[[ROW:.*]] = tgc.window %{{.*}}[%{{.*}}] limit[%{{.*}}] : memref<?xf32> -> <64x1xf32, #tgc.global>
// CHECK: %[[COL:.*]] = tgc.window %{{.*}}[%{{.*}}] limit[%{{.*}}] : memref<?xf32> -> <1x64xf32, #tgc.global>
// CHECK: tgc.store %{{.*}}, %{{.*}} extras(%[[ROW]], %[[COL]], %{{.*}} : {{.*}}) axes [0, 1, 2]
// CHECK: arith.addf
// CHECK: tgc.yield
gpu.module @epilogue {
  gpu.func @epilogue(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}, %u: memref<?xf32> {tgc.name = "u", tgc.dims = ["M"]}, %v: memref<?xf32> {tgc.name = "v", tgc.dims = ["N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) extras(%u, %v, %C : memref<?xf32>, memref<?xf32>, !mat) axes [0, 1, 2] : !mat, !mat, !mat {
    ^bb0(%p: f32, %x: f32, %y: f32, %z: f32):
      %0 = arith.addf %p, %x : f32
      %1 = arith.addf %0, %y : f32
      %2 = arith.addf %1, %z : f32
      tgc.yield %2 : f32
    }
    gpu.return
  }
}

// What is no product stays.
// CHECK-LABEL: gpu.func @other
// CHECK-NEXT: gpu.barrier
gpu.module @other {
  gpu.func @other() kernel {
    gpu.barrier
    gpu.return
  }
}
