// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-pipeline-copies,tgc-prefetch-fragments))' --mlir-print-local-scope | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>

// CHECK-LABEL: gpu.func @three
// CHECK: %[[RING:.*]] = tgc.ring : <3,
// CHECK: %[[FA:.*]] = tgc.alloc : <2x32x1xf32, #tgc.fragment<dim 0
// CHECK: %[[FB:.*]] = tgc.alloc : <2x1x64xf32, #tgc.fragment<dim 1
// CHECK: } {tgc.comment = "Fill the pipeline. Tiles past the last k are zeros.", tgc.unroll}
// CHECK: %[[W:.*]]:2 = tgc.wait %[[RING]] in_flight 1
// CHECK: tgc.copy %{{.*}}, %{{.*}} width 4 : <32x1xf32
// CHECK: tgc.copy %{{.*}}, %{{.*}} width 4 : <1x64xf32
// CHECK: scf.for
// CHECK: %[[R:.*]]:2 = tgc.front %[[RING]]
// CHECK-NOT: tgc.wait
// CHECK: tgc.acquire
// CHECK: tgc.commit
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: scf.for %[[KK:.*]] = %{{.*}} to %[[C3]] step
// CHECK: %[[NEXT:.*]] = arith.addi %[[KK]], %{{.*}}
// CHECK: %[[ODD:.*]] = arith.remui %[[NEXT]],
// CHECK: %[[TO:.*]] = tgc.slice %[[FA]][%[[ODD]],
// CHECK: %[[FROM:.*]] = tgc.slice %[[R]]#0[%{{.*}}, %[[NEXT]]]
// CHECK: tgc.copy %[[FROM]], %[[TO]] width 4
// CHECK: %[[EVEN:.*]] = arith.remui %[[KK]],
// CHECK: %[[MINE:.*]] = tgc.slice %[[FA]][%[[EVEN]],
// CHECK: tgc.product %{{.*}}, %[[MINE]],
// CHECK: } {tgc.comment = "The operands of step kk + 1 are on their way while step kk is multiplied.", tgc.unroll}
// CHECK: tgc.release
// CHECK: tgc.wait %[[RING]] in_flight 1
// CHECK: tgc.copy %{{.*}} width 4 : <32x1xf32
// CHECK: tgc.copy %{{.*}} width 4 : <1x64xf32
// CHECK: tgc.product
// CHECK-NEXT: }
// CHECK-NOT: tgc.product
gpu.module @three {
  gpu.func @three(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], prefetch = true, pipeline = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// The fewest k steps: one in the loop, one after it.
// CHECK-LABEL: gpu.func @two_steps
// CHECK: tgc.product
// CHECK: } {tgc.comment = "The operands of step kk + 1 are on their way while step kk is multiplied.", tgc.unroll}
// CHECK: tgc.product
gpu.module @two_steps {
  gpu.func @two_steps(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x2>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], prefetch = true, pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @not_asked
// CHECK-NOT: tgc.front
// CHECK-NOT: <2x32x1xf32
gpu.module @not_asked {
  gpu.func @not_asked(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
