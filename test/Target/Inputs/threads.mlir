// Two kernels at L3 (docs/threads.md), written by hand: inputs for the tests of the three readers.
//
// naive: 16 x 16 threads, one element each, operands read from global memory.
// staged: 32 x 32 tile, 64 threads with 4 x 4 elements, k tiles of 8; A through 4-byte and B through 16-byte cp.async
// into two slots; fragments in private memory.

module {
  gpu.module @sgemm_naive attributes {tgc.source = "kernel sgemm(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = A @ B }\nschedule naive for sgemm {}"} {
    gpu.func @sgemm_naive(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
        %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %ldA: i64 loc("ldA"),
        %B: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["K", "N"]} loc("B"), %ldB: i64 loc("ldB"),
        %C: memref<?xf32> {llvm.noalias, tgc.dims = ["M", "N"]} loc("C"), %ldC: i64 loc("ldC")) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>, tgc.launch = #tgc.launch<threads = 256, tile = <16x16>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant 0.0 : f32
      %tid = gpu.thread_id x loc("thread")
      %block = gpu.block_id x loc("block")
      %n1 = arith.addi %N, %c15 : index
      %tilesN = arith.divui %n1, %c16 : index loc("tilesN")
      %bm = arith.divui %block, %tilesN : index
      %bn = arith.remui %block, %tilesN : index
      %m0 = arith.muli %bm, %c16 : index loc("m0")
      %n0 = arith.muli %bn, %c16 : index loc("n0")
      %ty = arith.divui %tid, %c16 : index
      %tx = arith.remui %tid, %c16 : index
      %row = arith.addi %m0, %ty : index loc("row")
      %col = arith.addi %n0, %tx : index loc("col")
      %inM = arith.cmpi slt, %row, %M : index loc("rowInside")
      %inN = arith.cmpi slt, %col, %N : index loc("colInside")
      %row64 = arith.index_cast %row : index to i64
      %col64 = arith.index_cast %col : index to i64
      %acc = memref.alloca() : memref<1x1xf32, #gpu.address_space<private>> loc("acc")
      memref.store %zero, %acc[%c0, %c0] : memref<1x1xf32, #gpu.address_space<private>>
      %aoff = arith.muli %row64, %ldA : i64
      %arow = tgc.advance %A, %aoff : memref<?xf32> loc("aRow")
      scf.for %k = %c0 to %K step %c1 {
        %a = scf.if %inM -> f32 {
          %v = memref.load %arow[%k] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        } loc("a")
        %k64 = arith.index_cast %k : index to i64
        %boff = arith.muli %k64, %ldB : i64
        %brow = tgc.advance %B, %boff : memref<?xf32>
        %b = scf.if %inN -> f32 {
          %v = memref.load %brow[%col] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        } loc("b")
        %c = memref.load %acc[%c0, %c0] : memref<1x1xf32, #gpu.address_space<private>>
        %r = math.fma %a, %b, %c : f32
        memref.store %r, %acc[%c0, %c0] : memref<1x1xf32, #gpu.address_space<private>>
      } loc("k")
      %inside = arith.andi %inM, %inN : i1
      scf.if %inside {
        %coff = arith.muli %row64, %ldC : i64
        %crow = tgc.advance %C, %coff : memref<?xf32>
        %v = memref.load %acc[%c0, %c0] : memref<1x1xf32, #gpu.address_space<private>>
        memref.store %v, %crow[%col] : memref<?xf32>
      }
      gpu.return
    }
  }

  gpu.module @sgemm_staged {
    gpu.func @sgemm_staged(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
        %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %ldA: i64 loc("ldA"),
        %B: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["K", "N"]} loc("B"), %ldB: i64 loc("ldB"),
        %C: memref<?xf32> {llvm.noalias, tgc.dims = ["M", "N"]} loc("C"), %ldC: i64 loc("ldC"))
        workgroup(%As: memref<2x8x36xf32, #gpu.address_space<workgroup>> loc("As"),
                  %Bs: memref<2x8x32xf32, #gpu.address_space<workgroup>> loc("Bs")) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    tgc.launch = #tgc.launch<threads = 64, tile = <32x32>, min_blocks = 2>,
                    tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>]} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c31 = arith.constant 31 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      %tid = gpu.thread_id x loc("thread")
      %block = gpu.block_id x loc("block")
      %n1 = arith.addi %N, %c31 : index
      %tilesN = arith.divui %n1, %c32 : index loc("tilesN")
      %bm = arith.divui %block, %tilesN : index
      %bn = arith.remui %block, %tilesN : index
      %m0 = arith.muli %bm, %c32 : index loc("m0")
      %n0 = arith.muli %bn, %c32 : index loc("n0")
      %ty = arith.divui %tid, %c8 : index
      %tx = arith.remui %tid, %c8 : index
      %row = arith.muli %ty, %c4 : index loc("row")
      %col = arith.muli %tx, %c4 : index loc("col")
      // copies: A, 4 passes of 8 rows x 8 k; B, one pass of 8 k x 8 vectors
      %aK = arith.remui %tid, %c8 : index loc("aK")
      %aRow = arith.divui %tid, %c8 : index loc("aRow")
      %bK = arith.divui %tid, %c8 : index loc("bK")
      %bVec = arith.remui %tid, %c8 : index
      %bCol = arith.muli %bVec, %c4 : index loc("bCol")
      %am = arith.addi %m0, %aRow : index loc("aM")
      %am64 = arith.index_cast %am : index to i64
      %aoff = arith.muli %am64, %ldA : i64
      %aFrom = tgc.advance %A, %aoff : memref<?xf32> loc("aFrom")
      %bn0 = arith.addi %n0, %bCol : index loc("bN")
      %bleft = arith.subi %N, %bn0 : index
      %bpos = arith.maxsi %bleft, %c0 : index
      %bvalid = arith.minsi %bpos, %c4 : index loc("bValid")
      %acc = memref.alloca() : memref<4x4xf32, #gpu.address_space<private>> loc("acc")
      %fa = memref.alloca() : memref<4xf32, #gpu.address_space<private>> loc("fragA")
      %fb = memref.alloca() : memref<4xf32, #gpu.address_space<private>> loc("fragB")
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          memref.store %zero, %acc[%i, %j] : memref<4x4xf32, #gpu.address_space<private>>
        } {tgc.unroll} loc("j")
      } {tgc.unroll} loc("i")
      // slots 0 and 1: tile kt goes to slot kt % 2; the loop's first turn copies tile 0 and consumes nothing
      %kEnd = arith.addi %K, %c8 : index
      %last = scf.for %k0 = %c0 to %kEnd step %c8 iter_args(%slot = %c0) -> (index) {
        scf.for %p = %c0 to %c4 step %c1 {
          %r8 = arith.muli %p, %c8 : index
          %r = arith.addi %aRow, %r8 : index
          %m = arith.addi %m0, %r : index
          %k = arith.addi %k0, %aK : index
          %inM = arith.cmpi slt, %m, %M : index
          %inK = arith.cmpi slt, %k, %K : index
          %in = arith.andi %inM, %inK : i1
          %valid = arith.select %in, %c1, %c0 : index
          %r64 = arith.index_cast %r8 : index to i64
          %off = arith.muli %r64, %ldA : i64
          %src = tgc.advance %aFrom, %off : memref<?xf32>
          tgc.cp_async %src[%k], %As[%slot, %aK, %r], 4 valid %valid : memref<?xf32>, memref<2x8x36xf32, #gpu.address_space<workgroup>>
        } {tgc.unroll} loc("pass")
        %k = arith.addi %k0, %bK : index
        %inK = arith.cmpi slt, %k, %K : index
        %valid = arith.select %inK, %bvalid, %c0 : index
        %k64 = arith.index_cast %k : index to i64
        %boff = arith.muli %k64, %ldB : i64
        %src = tgc.advance %B, %boff : memref<?xf32>
        tgc.cp_async %src[%bn0], %Bs[%slot, %bK, %bCol], 16 valid %valid : memref<?xf32>, memref<2x8x32xf32, #gpu.address_space<workgroup>>
        tgc.cp_async_commit
        %notFirst = arith.cmpi ne, %k0, %c0 : index
        scf.if %notFirst {
          %prev = arith.subi %c1, %slot : index loc("ready")
          scf.for %kk = %c0 to %c8 step %c1 {
            %va = vector.load %As[%prev, %kk, %row] {alignment = 16 : i64} : memref<2x8x36xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            vector.store %va, %fa[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
            %vb = vector.load %Bs[%prev, %kk, %col] {alignment = 16 : i64} : memref<2x8x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            vector.store %vb, %fb[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
            scf.for %i = %c0 to %c4 step %c1 {
              scf.for %j = %c0 to %c4 step %c1 {
                %a = memref.load %fa[%i] : memref<4xf32, #gpu.address_space<private>>
                %b = memref.load %fb[%j] : memref<4xf32, #gpu.address_space<private>>
                %c = memref.load %acc[%i, %j] : memref<4x4xf32, #gpu.address_space<private>>
                %r = math.fma %a, %b, %c : f32
                memref.store %r, %acc[%i, %j] : memref<4x4xf32, #gpu.address_space<private>>
              } {tgc.unroll} loc("j")
            } {tgc.unroll} loc("i")
          } {tgc.unroll} loc("kk")
        }
        tgc.cp_async_wait 0
        gpu.barrier
        %next = arith.addi %slot, %c1 : index
        %wrap = arith.cmpi eq, %next, %c2 : index
        %nextSlot = arith.select %wrap, %c0, %next : index
        scf.yield %nextSlot : index
      } loc("k0")
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %r = arith.addi %row, %i : index
          %m = arith.addi %m0, %r : index loc("m")
          %cc = arith.addi %col, %j : index
          %n = arith.addi %n0, %cc : index loc("n")
          %inM = arith.cmpi slt, %m, %M : index
          %inN = arith.cmpi slt, %n, %N : index
          %in = arith.andi %inM, %inN : i1
          scf.if %in {
            %m64 = arith.index_cast %m : index to i64
            %off = arith.muli %m64, %ldC : i64
            %crow = tgc.advance %C, %off : memref<?xf32>
            %v = memref.load %acc[%i, %j] : memref<4x4xf32, #gpu.address_space<private>>
            memref.store %v, %crow[%n] : memref<?xf32>
          }
        } {tgc.unroll} loc("j")
      } {tgc.unroll} loc("i")
      gpu.return
    }
  }
}
