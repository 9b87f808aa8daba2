// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-pipeline-copies))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-pipeline-copies,tgc-pipeline-copies))' | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>

// CHECK-LABEL: gpu.func @three
// CHECK: %[[RING:.*]] = tgc.ring : <3,
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[P:.*]] = %{{.*}} to %[[C2]] step %{{.*}} {
// CHECK: %[[OFF:.*]] = arith.muli %[[P]], %{{.*}}
// CHECK: %[[AT:.*]] = arith.addi %[[K0:[a-z0-9]+]], %[[OFF]]
// CHECK: %[[a:.*]] = tgc.window %{{.*}}[%{{.*}}, %[[AT]]] limit[%{{.*}}, %[[K1:[a-z0-9]+]]]
// CHECK: tgc.acquire
// CHECK-NEXT: tgc.copy %[[a]],
// CHECK-NEXT: tgc.copy
// CHECK-NEXT: tgc.commit
// CHECK-NEXT: } {tgc.comment = "Fill the pipeline. Tiles past the last k are zeros.", tgc.unroll}
// CHECK: scf.for %[[K:.*]] = %[[K0]] to %[[K1]] step
// CHECK-NEXT: %[[R:.*]]:2 = tgc.wait %[[RING]] in_flight 1
// CHECK-NEXT: %[[C16:.*]] = arith.constant 16 : index
// CHECK-NEXT: %[[AHEAD:.*]] = arith.addi %[[K]], %[[C16]]
// CHECK-NEXT: %[[b:.*]] = tgc.window %{{.*}}[%{{.*}}, %[[AHEAD]]] limit[%{{.*}}, %[[K1]]]
// CHECK-NEXT: tgc.window
// CHECK-NEXT: tgc.acquire
// CHECK-NEXT: tgc.copy %[[b]],
// CHECK-NEXT: tgc.copy
// CHECK-NEXT: tgc.commit
// CHECK-NEXT: tgc.product %{{.*}}, %[[R]]#0, %[[R]]#1
// CHECK-NEXT: tgc.release
// CHECK-NEXT: }
gpu.module @three {
  gpu.func @three(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], pipeline = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Two slots: all copies have arrived when the wait is over.
// CHECK-LABEL: gpu.func @two
// CHECK: tgc.ring : <2,
// CHECK: tgc.wait %{{.*}} : <2,
gpu.module @two {
  gpu.func @two(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Through registers: loads before the product, stores and the commit after it, with the slot acquired in between.
// CHECK-LABEL: gpu.func @registers
// CHECK: %[[P:.*]] = tgc.alloc : {{.*}}copy_regs
// CHECK: tgc.wait
// CHECK: tgc.copy %{{.*}}, %[[P]]
// CHECK: %[[S:.*]]:2 = tgc.acquire
// CHECK: tgc.copy %{{.*}}, %[[S]]#1
// CHECK-NOT: tgc.commit
// CHECK: tgc.product
// CHECK: tgc.copy %[[P]], %[[S]]#0
// CHECK: tgc.commit
// CHECK: tgc.release
gpu.module @registers {
  gpu.func @registers(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "A", by = registers>, #tgc.stage<operand = "B">], pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// k is inside at the tile of the turn, but not ahead of it: the promise goes, that of other dimensions stays.
// CHECK-LABEL: gpu.func @k_by_k
// CHECK: tgc.window {{.*}} in_bounds [false, false] : {{.*}} -> <64x1xf32
// CHECK: tgc.window {{.*}} in_bounds [false, false] : {{.*}} -> <1x64xf32
// CHECK: tgc.window {{.*}} in_bounds [false, false] : {{.*}} -> <64x1xf32
// CHECK: tgc.window {{.*}} in_bounds [false, false] : {{.*}} -> <1x64xf32
// CHECK: tgc.store
gpu.module @k_by_k {
  gpu.func @k_by_k(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x1>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// One slot: nothing to do.
// CHECK-LABEL: gpu.func @one
// CHECK: tgc.ring : <1,
// CHECK-NEXT: scf.for
// CHECK-NEXT: tgc.window
gpu.module @one {
  gpu.func @one(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @nothing_staged
// CHECK-NOT: tgc.ring
// CHECK: tgc.product
gpu.module @nothing_staged {
  gpu.func @nothing_staged(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
