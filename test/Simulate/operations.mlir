// Every scalar operation of L3 and every form of control flow, each with a value known beforehand. C = A @ B where all
// are as expected, NaN elsewhere.

// RUN: tgc-simulate %s --size 40x20x33 | FileCheck %s
// RUN: tgc-simulate %s --size 17x33x6 --ld A=9 --offset A=1,C=2 | FileCheck %s
// CHECK: , correct,

// The checks can fail: another third, another order of zeros, another trip count.
// RUN: sed -e 's/0x3EAAAAAB/0x3EAAAAAA/' %s > %t.mlir
// RUN: not tgc-simulate %t.mlir --size 40x20x33 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed -e 's/maximumf %%minus0, %%plus0/maximumf %%minus0, %%minus0/' %s > %t.mlir
// RUN: not tgc-simulate %t.mlir --size 40x20x33 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed -e 's/to %%lanePlus1 step/to %%lane step/' %s > %t.mlir
// RUN: not tgc-simulate %t.mlir --size 40x20x33 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: C[0, 0] is nan, expected

module {
  gpu.module @operations {
    gpu.func @operations(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
        %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %ldA: i64 loc("ldA"),
        %B: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["N", "K"]} loc("B"), %ldB: i64 loc("ldB"),
        %C: memref<?xf32> {llvm.noalias, tgc.dims = ["N", "M"]} loc("C"), %ldC: i64 loc("ldC"),
        %alpha: f32 loc("alpha"), %beta: f32 loc("beta"))
        kernel attributes {known_block_size = array<i32: 48, 1, 1>, tgc.launch = #tgc.launch<threads = 48, tile = <48x1>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c5 = arith.constant 5 : index
      %c48 = arith.constant 48 : index
      %m1 = arith.constant -1 : index
      %one64 = arith.constant 1 : i64
      %true = arith.constant true
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      // Tiles are 48 x 1: the block number counts rows of tiles, then columns.
      %bm = arith.divui %block, %N : index
      %n = arith.remui %block, %N : index
      %m0 = arith.muli %bm, %c48 : index
      %m = arith.addi %m0, %tid : index
      %inside = arith.cmpi slt, %m, %M : index

      // Integers. Each check narrows %ok.
      %lane = arith.andi %tid, %c5 : index
      %lanePlus1 = arith.addi %lane, %c1 : index
      %or = arith.ori %lane, %c2 : index
      %xor = arith.xori %or, %c2 : index
      %i0 = arith.cmpi eq, %xor, %lane : index
      %below = arith.subi %lane, %c5 : index
      %clamped = arith.maxsi %below, %c0 : index
      %i1 = arith.cmpi sle, %clamped, %c0 : index
      %capped = arith.minsi %below, %m1 : index
      %i2 = arith.cmpi slt, %capped, %c0 : index
      %i3 = arith.cmpi ugt, %m1, %c48 : index
      %i4 = arith.cmpi sge, %c48, %m1 : index
      %big = arith.constant 5000000000 : i64
      %less = arith.subi %big, %one64 : i64
      %more = arith.addi %less, %one64 : i64
      %i5 = arith.cmpi eq, %more, %big : i64
      %lane64 = arith.index_cast %lane : index to i64
      %wide = arith.muli %lane64, %big : i64
      %unwide = arith.divui %wide, %big : i64
      %narrow = arith.index_cast %unwide : i64 to index
      %i6 = arith.cmpi eq, %narrow, %lane : index
      %i7 = arith.select %i6, %true, %i5 : i1
      %a01 = arith.andi %i0, %i1 : i1
      %a23 = arith.andi %i2, %i3 : i1
      %a45 = arith.andi %i4, %i5 : i1
      %a67 = arith.andi %i6, %i7 : i1
      %a03 = arith.andi %a01, %a23 : i1
      %a47 = arith.andi %a45, %a67 : i1
      %ints = arith.andi %a03, %a47 : i1

      // Floats, and the default scalars 1.25 and -0.75.
      %f1 = arith.constant 1.0 : f32
      %f3 = arith.constant 3.0 : f32
      %third = arith.constant 0x3EAAAAAB : f32
      %tiny = arith.constant 0x00000001 : f32
      %half = arith.constant 0.5 : f32
      %nan = arith.constant 0x7FC00000 : f32
      %plus0 = arith.constant 0.0 : f32
      %minus0 = arith.constant -0.0 : f32
      %quotient = arith.divf %f1, %f3 : f32
      %f0 = arith.cmpf oeq, %quotient, %third : f32
      // A subnormal is kept: half of twice the smallest.
      %twice = arith.addf %tiny, %tiny : f32
      %once = arith.mulf %twice, %half : f32
      %g1 = arith.cmpf oeq, %once, %tiny : f32
      %max0 = arith.maximumf %minus0, %plus0 : f32
      %inf0 = arith.divf %f1, %max0 : f32
      %g2 = arith.cmpf ogt, %inf0, %f1 : f32
      %min0 = arith.minimumf %plus0, %minus0 : f32
      %inf1 = arith.divf %f1, %min0 : f32
      %g3 = arith.cmpf olt, %inf1, %f1 : f32
      %maxNaN = arith.maximumf %nan, %f1 : f32
      %g4 = arith.cmpf uno, %maxNaN, %f1 : f32
      %neg = arith.negf %f3 : f32
      %difference = arith.subf %neg, %f1 : f32
      // 1.25 * -0.75 + -4 in one rounding.
      %fused = math.fma %alpha, %beta, %difference : f32
      %expected = arith.constant -4.9375 : f32
      %g5 = arith.cmpf ueq, %fused, %expected : f32
      // (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46 in one rounding, 0 in two.
      %next = arith.constant 0x3F800001 : f32
      %square = arith.constant 0xBF800002 : f32
      %rest = math.fma %next, %next, %square : f32
      %exact = arith.constant 0x28800000 : f32
      %g6 = arith.cmpf oeq, %rest, %exact : f32
      %b01 = arith.andi %f0, %g1 : i1
      %b23 = arith.andi %g2, %g3 : i1
      %b45 = arith.andi %g4, %g5 : i1
      %b03 = arith.andi %b01, %b23 : i1
      %b46 = arith.andi %b45, %g6 : i1
      %floats = arith.andi %b03, %b46 : i1

      // Lanes run different numbers of turns, and the values carried change places in each.
      %even, %odd, %turns = scf.for %i = %c0 to %lanePlus1 step %c1 iter_args(%x = %c0, %y = %c1, %t = %c0) -> (index, index, index) {
        %t1 = arith.addi %t, %c1 : index
        scf.yield %y, %x, %t1 : index, index, index
      }
      %parity = arith.andi %lanePlus1, %c1 : index
      %t0 = arith.cmpi eq, %even, %parity : index
      %sum = arith.addi %even, %odd : index
      %t1 = arith.cmpi eq, %sum, %c1 : index
      %t2 = arith.cmpi eq, %turns, %lanePlus1 : index
      %d01 = arith.andi %t0, %t1 : i1
      %control = arith.andi %d01, %t2 : i1

      %ok0 = arith.andi %ints, %floats : i1
      %ok = arith.andi %ok0, %control : i1

      // The product: pointers advance with k; lanes outside do not enter the loop.
      %acc = memref.alloca() : memref<2xf32, #gpu.address_space<private>>
      memref.store %plus0, %acc[%c1] : memref<2xf32, #gpu.address_space<private>>
      %mm = arith.select %inside, %m, %c0 : index
      %m64 = arith.index_cast %mm : index to i64
      %n64 = arith.index_cast %n : index to i64
      %aoff = arith.muli %m64, %ldA : i64
      %arow = tgc.advance %A, %aoff : memref<?xf32>
      %boff = arith.muli %n64, %ldB : i64
      %brow = tgc.advance %B, %boff : memref<?xf32>
      %end = arith.select %inside, %K, %c0 : index
      %pa, %pb = scf.for %k = %c0 to %end step %c1 iter_args(%qa = %arow, %qb = %brow) -> (memref<?xf32>, memref<?xf32>) {
        %p = arith.select %true, %qa, %B : memref<?xf32>
        %a = memref.load %p[%c0] : memref<?xf32>
        %b = memref.load %qb[%c0] : memref<?xf32>
        %c = memref.load %acc[%c1] : memref<2xf32, #gpu.address_space<private>>
        %r = math.fma %a, %b, %c : f32
        memref.store %r, %acc[%c1] : memref<2xf32, #gpu.address_space<private>>
        %na = tgc.advance %qa, %one64 : memref<?xf32>
        %nb = tgc.advance %qb, %one64 : memref<?xf32>
        scf.yield %na, %nb : memref<?xf32>, memref<?xf32>
      }
      scf.if %inside {
        %v = memref.load %acc[%c1] : memref<2xf32, #gpu.address_space<private>>
        %r, %column = scf.if %ok -> (f32, index) {
          scf.yield %v, %m : f32, index
        } else {
          scf.yield %nan, %m : f32, index
        }
        %coff = arith.muli %n64, %ldC : i64
        %crow = tgc.advance %C, %coff : memref<?xf32>
        memref.store %r, %crow[%column] : memref<?xf32>
      }
      gpu.return
    }
  }
}
