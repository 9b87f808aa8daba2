// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-tile-threads))' | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>

// CHECK-LABEL: gpu.func @staged
// CHECK: %[[FA:.*]] = tgc.alloc : <32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>>
// CHECK-NEXT: %[[FB:.*]] = tgc.alloc : <1x64xf32, #tgc.fragment<dim 1 of
// CHECK-NEXT: scf.for
// CHECK: %[[R:.*]]:2 = tgc.wait
// CHECK: scf.for %[[KK:.*]] = %[[C0:.*]] to %{{.*}} step %{{.*}} {
// CHECK-NEXT: %[[AK:.*]] = tgc.slice %[[R]]#0[%[[C0]], %[[KK]]] : {{.*}} -> <32x1xf32
// CHECK-NEXT: tgc.copy %[[AK]], %[[FA]] width 4 :
// CHECK-NEXT: %[[BK:.*]] = tgc.slice %[[R]]#1[%[[KK]], %[[C0]]] : {{.*}} -> <1x64xf32
// CHECK-NEXT: tgc.copy %[[BK]], %[[FB]] width 4 :
// CHECK-NEXT: tgc.product %{{.*}}, %[[FA]], %[[FB]] :
// CHECK-NEXT: } {tgc.unroll}
// CHECK-NEXT: tgc.release
gpu.module @staged {
  gpu.func @staged(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Element by element across rows, and as wide as padding leaves pieces aligned; unrolled as asked.
// CHECK-LABEL: gpu.func @against_the_order
// CHECK: tgc.copy %{{.*}}, %{{.*}} : <32x1xf32, #tgc.shared<row_major>> ->
// CHECK: tgc.copy %{{.*}}, %{{.*}} width 2 : <1x64xf32, #tgc.shared<row_major, pad = 2>> ->
// CHECK: } {tgc.unroll = 2 : i64}
gpu.module @against_the_order {
  gpu.func @against_the_order(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B", pad = 2>], unroll = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// A slice keeps the swizzle of its source, however small it is.
// CHECK-LABEL: gpu.func @swizzled
// CHECK: tgc.slice {{.*}} -> <64x1xf32, #tgc.shared<row_major, swizzle = 2>>
// CHECK: tgc.copy {{.*}} width 4 : <1x64xf32, #tgc.shared<row_major, swizzle = 8>>
gpu.module @swizzled {
  gpu.func @swizzled(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", swizzle = 2>, #tgc.stage<operand = "B", swizzle = 8>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Operands that are not staged are read from windows, with their bounds.
// CHECK-LABEL: gpu.func @unstaged
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[K1:[a-z0-9]+]] step
// CHECK: scf.for %[[KK:.*]] =
// CHECK: %[[AT:.*]] = arith.addi %[[K]], %[[KK]]
// CHECK: %[[W:.*]] = tgc.window %{{.*}}[%{{.*}}, %[[AT]]] limit[%{{.*}}, %[[K1]]] : {{.*}} -> <32x1xf32, #tgc.global>
// CHECK: tgc.copy %[[W]], %{{.*}} : <32x1xf32, #tgc.global> -> <32x1xf32, #tgc.fragment
gpu.module @unstaged {
  gpu.func @unstaged(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Without thread there are no fragments.
// CHECK-LABEL: gpu.func @no_thread
// CHECK-NOT: fragment
// CHECK: tgc.product
gpu.module @no_thread {
  gpu.func @no_thread(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
