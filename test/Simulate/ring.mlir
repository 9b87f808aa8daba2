// The ring, without a front end or a tiling pass: hand-written L2 of every stage of the worked example, lowered to threads
// by tgc-lower-to-threads alone. One C for all of them, bit for bit, at an odd shape, for one k and for none. What each
// wait, release, commit and barrier is good for: ring-mutants.test.
//
// A block computes 32 x 64 elements with two warps, 4 x 8 elements a thread in groups of 4 x 4; a k tile is 4 deep. A goes
// through shared memory k-major, one element at a time; B in pieces of 4, so that ldB has to be a multiple of 4.

// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel naive --size 257x129x65 --ld B=132 --hash > %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel block --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel staged --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel threads --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel pipelined --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel registers --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel prefetched --size 257x129x65 --ld B=132 --hash >> %t.ODD
// RUN: FileCheck %s --check-prefixes=CHECK,ODD < %t.ODD
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel naive --size 257x129x1 --ld B=132 --hash > %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel block --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel staged --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel threads --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel pipelined --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel registers --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel prefetched --size 257x129x1 --ld B=132 --hash >> %t.ONE
// RUN: FileCheck %s --check-prefixes=CHECK,ONE < %t.ONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel naive --size 257x129x0 --ld B=132 --hash > %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel block --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel staged --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel threads --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel pipelined --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel registers --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: tgc-simulate %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' --kernel prefetched --size 257x129x0 --ld B=132 --hash >> %t.NONE
// RUN: FileCheck %s --check-prefixes=CHECK,NONE < %t.NONE

// ODD: naive 257x129x65: 27 blocks, 0 barriers,
// ONE: naive 257x129x1: 27 blocks, 0 barriers,
// NONE: naive 257x129x0: 27 blocks, 0 barriers, 0 fma,
// CHECK-SAME: correct, {{.*}} hash [[HASH:[0-9a-f]+]]
// CHECK-NEXT: block {{.*}}, correct, {{.*}} hash [[HASH]]
// CHECK-NEXT: staged {{.*}}, correct, {{.*}} hash [[HASH]]
// CHECK-NEXT: threads {{.*}}, correct, {{.*}} hash [[HASH]]
// CHECK-NEXT: pipelined {{.*}}, correct, {{.*}} hash [[HASH]]
// CHECK-NEXT: registers {{.*}}, correct, {{.*}} hash [[HASH]]
// CHECK-NEXT: prefetched {{.*}}, correct, {{.*}} hash [[HASH]]

!mat = memref<?x?xf32, strided<[?, 1]>>
!c = !tgc.tile<32x64xf32, #tgc.global>
!acc = !tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>
!a1 = !tgc.tile<32x1xf32, #tgc.global>
!b1 = !tgc.tile<1x64xf32, #tgc.global>
!a = !tgc.tile<32x4xf32, #tgc.global>
!b = !tgc.tile<4x64xf32, #tgc.global>
!as = !tgc.tile<32x4xf32, #tgc.shared<col_major, pad = 4>>
!bs = !tgc.tile<4x64xf32, #tgc.shared<row_major>>
!ring1 = !tgc.ring<1, !as, !bs>
!ring3 = !tgc.ring<3, !as, !bs>
!as1 = !tgc.tile<32x1xf32, #tgc.shared<col_major, pad = 4>>
!bs1 = !tgc.tile<1x64xf32, #tgc.shared<row_major>>
!fa = !tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>>
!fb = !tgc.tile<1x64xf32, #tgc.fragment<dim 1 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>>
!fas = !tgc.tile<2x32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>>
!fbs = !tgc.tile<2x1x64xf32, #tgc.fragment<dim 1 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <4x4>>>>
!pa = !tgc.tile<32x4xf32, #tgc.copy_regs<threads = 64, width = 1, dim = 1>>
!pb = !tgc.tile<4x64xf32, #tgc.copy_regs<threads = 64, width = 1, dim = 1>>

// One k at a time from global memory: k is never past the end.
gpu.module @naive {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        scf.for %k = %k0 to %k1 step %c1 {
          %a = tgc.window %A[%m, %k] limit [%M, %k1] in_bounds [false, true] : !mat -> !a1
          %b = tgc.window %B[%k, %n] limit [%k1, %N] in_bounds [true, false] : !mat -> !b1
          tgc.product %acc, %a, %b : !acc, !a1, !b1
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// k tiles of 4 from global memory; the last one is short and reads zeros.
gpu.module @block {
  gpu.func @block(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        scf.for %k = %k0 to %k1 step %c4 {
          %a = tgc.window %A[%m, %k] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%k, %n] limit [%k1, %N] : !mat -> !b
          tgc.product %acc, %a, %b : !acc, !a, !b
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// Through a ring of one slot: the slot is read until the release, so the acquire that follows is a barrier.
gpu.module @staged {
  gpu.func @staged(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        %ring = tgc.ring : !ring1
        scf.for %k = %k0 to %k1 step %c4 {
          %a = tgc.window %A[%m, %k] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%k, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring1
          tgc.copy %a, %at by cp_async : !a -> !as
          tgc.copy %b, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring1
          %ar, %br = tgc.wait %ring : !ring1
          tgc.product %acc, %ar, %br : !acc, !as, !bs
          tgc.release %ring : !ring1
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// k steps on fragments.
gpu.module @threads {
  gpu.func @threads(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        %ring = tgc.ring : !ring1
        %fa = tgc.alloc : !fa
        %fb = tgc.alloc : !fb
        scf.for %k = %k0 to %k1 step %c4 {
          %a = tgc.window %A[%m, %k] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%k, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring1
          tgc.copy %a, %at by cp_async : !a -> !as
          tgc.copy %b, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring1
          %ar, %br = tgc.wait %ring : !ring1
          scf.for %kk = %c0 to %c4 step %c1 {
            %ak = tgc.slice %ar[%c0, %kk] : !as -> !as1
            tgc.copy %ak, %fa width 4 : !as1 -> !fa
            %bk = tgc.slice %br[%kk, %c0] : !bs -> !bs1
            tgc.copy %bk, %fb width 4 : !bs1 -> !fb
            tgc.product %acc, %fa, %fb : !acc, !fa, !fb
          } {tgc.unroll}
          tgc.release %ring : !ring1
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// Three slots: two are filled before the loop, each turn fills the one that the turn before has freed. The wait between
// makes a barrier at the acquire superfluous.
gpu.module @pipelined {
  gpu.func @pipelined(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        %ring = tgc.ring : !ring3
        %fa = tgc.alloc : !fa
        %fb = tgc.alloc : !fb
        scf.for %ahead = %c0 to %c2 step %c1 {
          %off = arith.muli %ahead, %c4 : index
          %kp = arith.addi %k0, %off : index
          %a = tgc.window %A[%m, %kp] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%kp, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring3
          tgc.copy %a, %at by cp_async : !a -> !as
          tgc.copy %b, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring3
        } {tgc.unroll}
        scf.for %k = %k0 to %k1 step %c4 {
          %ar, %br = tgc.wait %ring in_flight 1 : !ring3
          %kn = arith.addi %k, %c8 : index
          %a = tgc.window %A[%m, %kn] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%kn, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring3
          tgc.copy %a, %at by cp_async : !a -> !as
          tgc.copy %b, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring3
          scf.for %kk = %c0 to %c4 step %c1 {
            %ak = tgc.slice %ar[%c0, %kk] : !as -> !as1
            tgc.copy %ak, %fa width 4 : !as1 -> !fa
            %bk = tgc.slice %br[%kk, %c0] : !bs -> !bs1
            tgc.copy %bk, %fb width 4 : !bs1 -> !fb
            tgc.product %acc, %fa, %fb : !acc, !fa, !fb
          } {tgc.unroll}
          tgc.release %ring : !ring3
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// The same with copies through registers: loads before the k steps, stores to the slot after them.
gpu.module @registers {
  gpu.func @registers(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        %ring = tgc.ring : !ring3
        %fa = tgc.alloc : !fa
        %fb = tgc.alloc : !fb
        %pa = tgc.alloc : !pa
        %pb = tgc.alloc : !pb
        scf.for %ahead = %c0 to %c2 step %c1 {
          %off = arith.muli %ahead, %c4 : index
          %kp = arith.addi %k0, %off : index
          %a = tgc.window %A[%m, %kp] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%kp, %n] limit [%k1, %N] : !mat -> !b
          tgc.copy %a, %pa : !a -> !pa
          tgc.copy %b, %pb : !b -> !pb
          %at, %bt = tgc.acquire %ring : !ring3
          tgc.copy %pa, %at : !pa -> !as
          tgc.copy %pb, %bt : !pb -> !bs
          tgc.commit %ring : !ring3
        } {tgc.unroll}
        scf.for %k = %k0 to %k1 step %c4 {
          %ar, %br = tgc.wait %ring in_flight 1 : !ring3
          %kn = arith.addi %k, %c8 : index
          %a = tgc.window %A[%m, %kn] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%kn, %n] limit [%k1, %N] : !mat -> !b
          tgc.copy %a, %pa : !a -> !pa
          tgc.copy %b, %pb : !b -> !pb
          %at, %bt = tgc.acquire %ring : !ring3
          scf.for %kk = %c0 to %c4 step %c1 {
            %ak = tgc.slice %ar[%c0, %kk] : !as -> !as1
            tgc.copy %ak, %fa width 4 : !as1 -> !fa
            %bk = tgc.slice %br[%kk, %c0] : !bs -> !bs1
            tgc.copy %bk, %fb width 4 : !bs1 -> !fb
            tgc.product %acc, %fa, %fb : !acc, !fa, !fb
          } {tgc.unroll}
          tgc.copy %pa, %at : !pa -> !as
          tgc.copy %pb, %bt : !pb -> !bs
          tgc.commit %ring : !ring3
          tgc.release %ring : !ring3
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}

// Two buffers of fragments: each k step loads those of the next one, the last step of a tile those of the next tile.
gpu.module @prefetched {
  gpu.func @prefetched(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]},
      %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %M = memref.dim %A, %c0 : !mat
      %K = memref.dim %A, %c1 : !mat
      %N = memref.dim %B, %c1 : !mat
      tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
        %acc = tgc.alloc : !acc
        tgc.fill %acc, %zero : !acc
        %ring = tgc.ring : !ring3
        %fas = tgc.alloc : !fas
        %fbs = tgc.alloc : !fbs
        scf.for %ahead = %c0 to %c2 step %c1 {
          %off = arith.muli %ahead, %c4 : index
          %kp = arith.addi %k0, %off : index
          %a = tgc.window %A[%m, %kp] limit [%M, %k1] : !mat -> !a
          %b = tgc.window %B[%kp, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring3
          tgc.copy %a, %at by cp_async : !a -> !as
          tgc.copy %b, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring3
        } {tgc.unroll}
        %ai, %bi = tgc.wait %ring in_flight 1 : !ring3
        %fa0 = tgc.slice %fas[%c0, %c0, %c0] : !fas -> !fa
        %fb0 = tgc.slice %fbs[%c0, %c0, %c0] : !fbs -> !fb
        %a0 = tgc.slice %ai[%c0, %c0] : !as -> !as1
        tgc.copy %a0, %fa0 width 4 : !as1 -> !fa
        %b0 = tgc.slice %bi[%c0, %c0] : !bs -> !bs1
        tgc.copy %b0, %fb0 width 4 : !bs1 -> !fb
        scf.for %k = %k0 to %k1 step %c4 {
          %ar, %br = tgc.front %ring : !ring3
          %kn = arith.addi %k, %c8 : index
          %an = tgc.window %A[%m, %kn] limit [%M, %k1] : !mat -> !a
          %bn = tgc.window %B[%kn, %n] limit [%k1, %N] : !mat -> !b
          %at, %bt = tgc.acquire %ring : !ring3
          tgc.copy %an, %at by cp_async : !a -> !as
          tgc.copy %bn, %bt by cp_async width 4 : !b -> !bs
          tgc.commit %ring : !ring3
          scf.for %kk = %c0 to %c3 step %c1 {
            %next = arith.addi %kk, %c1 : index
            %even = arith.remui %kk, %c2 : index
            %odd = arith.remui %next, %c2 : index
            %fan = tgc.slice %fas[%odd, %c0, %c0] : !fas -> !fa
            %fbn = tgc.slice %fbs[%odd, %c0, %c0] : !fbs -> !fb
            %ak = tgc.slice %ar[%c0, %next] : !as -> !as1
            tgc.copy %ak, %fan width 4 : !as1 -> !fa
            %bk = tgc.slice %br[%next, %c0] : !bs -> !bs1
            tgc.copy %bk, %fbn width 4 : !bs1 -> !fb
            %fap = tgc.slice %fas[%even, %c0, %c0] : !fas -> !fa
            %fbp = tgc.slice %fbs[%even, %c0, %c0] : !fbs -> !fb
            tgc.product %acc, %fap, %fbp : !acc, !fa, !fb
          } {tgc.unroll}
          tgc.release %ring : !ring3
          %aw, %bw = tgc.wait %ring in_flight 1 : !ring3
          %faz = tgc.slice %fas[%c0, %c0, %c0] : !fas -> !fa
          %fbz = tgc.slice %fbs[%c0, %c0, %c0] : !fbs -> !fb
          %az = tgc.slice %aw[%c0, %c0] : !as -> !as1
          tgc.copy %az, %faz width 4 : !as1 -> !fa
          %bz = tgc.slice %bw[%c0, %c0] : !bs -> !bs1
          tgc.copy %bz, %fbz width 4 : !bs1 -> !fb
          %fal = tgc.slice %fas[%c1, %c0, %c0] : !fas -> !fa
          %fbl = tgc.slice %fbs[%c1, %c0, %c0] : !fbs -> !fb
          tgc.product %acc, %fal, %fbl : !acc, !fa, !fb
        }
        %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
        tgc.store %acc, %c : !acc -> !c
      }
      gpu.return
  }
}
