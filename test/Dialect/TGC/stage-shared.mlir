// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-stage-shared))' | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>

// CHECK-LABEL: gpu.func @both
// CHECK: %[[RING:.*]] = tgc.ring : <1, <128x8xf32, #tgc.shared<col_major, pad = 4>>, <8x64xf32, #tgc.shared<row_major>>>
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[a:.*]] = tgc.window
// CHECK-NEXT: %[[b:.*]] = tgc.window
// CHECK-NEXT: %[[S:.*]]:2 = tgc.acquire %[[RING]]
// CHECK-NEXT: tgc.copy %[[a]], %[[S]]#0 by {{ ?}}cp_async : <128x8xf32, #tgc.global>
// CHECK-NEXT: tgc.copy %[[b]], %[[S]]#1 by {{ ?}}cp_async width 4 :
// CHECK-NEXT: tgc.commit %[[RING]]
// CHECK-NEXT: %[[R:.*]]:2 = tgc.wait %[[RING]] : <1,
// CHECK-NEXT: tgc.product %{{.*}}, %[[R]]#0, %[[R]]#1
// CHECK-NEXT: tgc.release %[[RING]]
// CHECK-NEXT: }
gpu.module @both attributes {tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>]} {
  gpu.func @both(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// One operand alone; without facts, element by element.
// CHECK-LABEL: gpu.func @unproven
// CHECK: tgc.ring : <1, <8x64xf32, #tgc.shared<row_major>>>
// CHECK: %[[a:.*]] = tgc.window %{{.*}} -> <128x8xf32, #tgc.global>
// CHECK: tgc.copy %{{.*}}, %{{.*}} by {{ ?}}cp_async : <8x64xf32
// CHECK: tgc.product %{{.*}}, %[[a]], %{{.*}}
gpu.module @unproven {
  gpu.func @unproven(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, stages = [#tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Through registers: two copies, of the same pieces.
// CHECK-LABEL: gpu.func @registers
// CHECK: %[[P:.*]] = tgc.alloc : <128x8xf32, #tgc.copy_regs<threads = 256, width = 2, dim = 1>>
// CHECK-NEXT: scf.for
// CHECK: tgc.copy %{{.*}}, %[[P]] width 2 : <128x8xf32, #tgc.global>
// CHECK-NEXT: %[[S:.*]] = tgc.acquire
// CHECK-NEXT: tgc.copy %[[P]], %[[S]] width 2 :
// CHECK-NEXT: tgc.commit
gpu.module @registers attributes {tgc.facts = [#tgc.fact<aligned "A" 16>, #tgc.fact<multiple "ldA" 4>, #tgc.fact<multiple "K" 4>]} {
  gpu.func @registers(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, stages = [#tgc.stage<operand = "A", by = registers, bytes = 8>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @swizzled
// CHECK: tgc.ring : <1, <64x8xf32, #tgc.shared<col_major, swizzle = 8>>, <8x64xf32, #tgc.shared<row_major, swizzle = 4>>>
gpu.module @swizzled {
  gpu.func @swizzled(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, swizzle = 8>, #tgc.stage<operand = "B", swizzle = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// row_major means the rows of the operand as it is stored: here its columns.
// CHECK-LABEL: gpu.func @by_columns
// CHECK: tgc.ring : <1, <64x8xf32, #tgc.shared<col_major>>, <8x64xf32, #tgc.shared<row_major>>>
gpu.module @by_columns {
  gpu.func @by_columns(%A: !col {tgc.name = "A", tgc.dims = ["K", "M"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B", order = k_major>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !col, !mat, !mat
    gpu.return
  }
}

// Nothing is staged, nothing changes.
// CHECK-LABEL: gpu.func @unstaged
// CHECK-NOT: tgc.ring
// CHECK: tgc.product %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}, <64x8xf32, #tgc.global>, <8x64xf32, #tgc.global>
// CHECK-NOT: tgc.ring
gpu.module @unstaged {
  gpu.func @unstaged(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
