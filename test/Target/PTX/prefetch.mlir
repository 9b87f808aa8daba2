// RUN: tgc-translate --tgc-to-ptx %s | FileCheck %s

// LLVM keeps the order of a pipelined loop at the end of a k tile, where the fragments of the next tile are loaded before
// the last products of this one. The loads stay between the barrier and the next copy; LLVM would sink them into the next
// turn if the copy came first.

// CHECK: .pragma "nounroll";
// CHECK-COUNT-3: ld.shared.v4
// CHECK-NOT: ld.shared
// CHECK: cp.async.wait_group 0;
// CHECK-NOT: ld.shared
// CHECK: bar.sync 0;
// CHECK-NOT: cp.async
// CHECK-COUNT-1: ld.shared.v4
// CHECK-NOT: ld.shared
// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.commit_group;
// CHECK-NOT: ld.shared
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: ld.shared

#shared = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>
gpu.module @prefetch {
  gpu.func @prefetch(%K: index, %A: memref<?xf32> {llvm.noalias, llvm.readonly}, %C: memref<?xf32> {llvm.noalias})
      workgroup(%S: memref<2x4x128xf32, #shared>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %tid = gpu.thread_id x
    %row = arith.divui %tid, %c32 : index
    %lane = arith.remui %tid, %c32 : index
    %col = arith.muli %lane, %c4 : index
    %acc = memref.alloca() : memref<4xf32, #private>
    %frag = memref.alloca() : memref<2x4xf32, #private>
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %zero, %acc[%i] : memref<4xf32, #private>
    } {tgc.unroll}
    %first = arith.muli %tid, %c4 : index
    tgc.cp_async %A[%first], %S[%c0, %row, %col], 16 : memref<?xf32>, memref<2x4x128xf32, #shared>
    tgc.cp_async_commit
    tgc.cp_async_wait 0
    gpu.barrier
    %v0 = vector.load %S[%c0, %c0, %col] {alignment = 16 : i64} : memref<2x4x128xf32, #shared>, vector<4xf32>
    vector.store %v0, %frag[%c0, %c0] : memref<2x4xf32, #private>, vector<4xf32>
    %end = scf.for %k = %c0 to %K step %c4 iter_args(%slot = %c0) -> (index) {
      scf.for %kk = %c0 to %c3 step %c1 {
        %next = arith.addi %kk, %c1 : index
        %nextHalf = arith.andi %next, %c1 : index
        %half = arith.andi %kk, %c1 : index
        %v = vector.load %S[%slot, %next, %col] {alignment = 16 : i64} : memref<2x4x128xf32, #shared>, vector<4xf32>
        vector.store %v, %frag[%nextHalf, %c0] : memref<2x4xf32, #private>, vector<4xf32>
        scf.for %i = %c0 to %c4 step %c1 {
          %a = memref.load %frag[%half, %i] : memref<2x4xf32, #private>
          %c = memref.load %acc[%i] : memref<4xf32, #private>
          %r = math.fma %a, %a, %c : f32
          memref.store %r, %acc[%i] : memref<4xf32, #private>
        } {tgc.unroll}
      } {tgc.unroll}
      tgc.cp_async_wait 0
      gpu.barrier
      %slot1 = arith.addi %slot, %c1 : index
      %wrap = arith.cmpi eq, %slot1, %c2 : index
      %nextSlot = arith.select %wrap, %c0, %slot1 : index
      %v = vector.load %S[%nextSlot, %c0, %col] {alignment = 16 : i64} : memref<2x4x128xf32, #shared>, vector<4xf32>
      vector.store %v, %frag[%c0, %c0] : memref<2x4xf32, #private>, vector<4xf32>
      %k512 = arith.muli %k, %c512 : index
      %from = arith.addi %k512, %first : index
      tgc.cp_async %A[%from], %S[%slot, %row, %col], 16 : memref<?xf32>, memref<2x4x128xf32, #shared>
      tgc.cp_async_commit
      scf.for %i = %c0 to %c4 step %c1 {
        %a = memref.load %frag[%c1, %i] : memref<2x4xf32, #private>
        %c = memref.load %acc[%i] : memref<4xf32, #private>
        %r = math.fma %a, %a, %c : f32
        memref.store %r, %acc[%i] : memref<4xf32, #private>
      } {tgc.unroll}
      scf.yield %nextSlot : index
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %at = arith.addi %first, %i : index
      %x = memref.load %acc[%i] : memref<4xf32, #private>
      memref.store %x, %C[%at] : memref<?xf32>
    } {tgc.unroll}
    gpu.return
  }
}
