// A 128 x 128 x 16 tile in two shared buffers, 256 threads with 8 x 8 elements: the size of kernel that the simulator's
// speed is measured on. Copies are plain, so that barriers alone order them. C += A @ B, A stored as K x M.

module {
  gpu.module @accumulate {
    gpu.func @accumulate(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
        %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["K", "M"]} loc("A"), %ldA: i64 loc("ldA"),
        %B: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["K", "N"]} loc("B"), %ldB: i64 loc("ldB"),
        %C: memref<?xf32> {llvm.noalias, tgc.dims = ["M", "N"]} loc("C"), %ldC: i64 loc("ldC"))
        workgroup(%As: memref<16x128xf32, #gpu.address_space<workgroup>> loc("As"),
                  %Bs: memref<16x128xf32, #gpu.address_space<workgroup>> loc("Bs")) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>, tgc.reads_output,
                    tgc.launch = #tgc.launch<threads = 256, tile = <128x128>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c127 = arith.constant 127 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      %n1 = arith.addi %N, %c127 : index
      %tilesN = arith.divui %n1, %c128 : index
      %bm = arith.divui %block, %tilesN : index
      %bn = arith.remui %block, %tilesN : index
      %m0 = arith.muli %bm, %c128 : index
      %n0 = arith.muli %bn, %c128 : index
      %ty = arith.divui %tid, %c16 : index
      %tx = arith.remui %tid, %c16 : index
      %row = arith.muli %ty, %c8 : index
      %col = arith.muli %tx, %c8 : index
      %acc = memref.alloca() : memref<8x8xf32, #gpu.address_space<private>>
      %fa = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
      %fb = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          memref.store %zero, %acc[%i, %j] : memref<8x8xf32, #gpu.address_space<private>>
        } {tgc.unroll}
      } {tgc.unroll}
      scf.for %k0 = %c0 to %K step %c16 {
        scf.for %p = %c0 to %c8 step %c1 {
          %p256 = arith.muli %p, %c256 : index
          %e = arith.addi %tid, %p256 : index
          %kk = arith.divui %e, %c128 : index
          %x = arith.remui %e, %c128 : index
          %k = arith.addi %k0, %kk : index
          %k64 = arith.index_cast %k : index to i64
          %inK = arith.cmpi slt, %k, %K : index
          %m = arith.addi %m0, %x : index
          %inM = arith.cmpi slt, %m, %M : index
          %inA = arith.andi %inK, %inM : i1
          %a = scf.if %inA -> f32 {
            %off = arith.muli %k64, %ldA : i64
            %at = tgc.advance %A, %off : memref<?xf32>
            %v = memref.load %at[%m] : memref<?xf32>
            scf.yield %v : f32
          } else {
            scf.yield %zero : f32
          }
          memref.store %a, %As[%kk, %x] : memref<16x128xf32, #gpu.address_space<workgroup>>
          %n = arith.addi %n0, %x : index
          %inN = arith.cmpi slt, %n, %N : index
          %inB = arith.andi %inK, %inN : i1
          %b = scf.if %inB -> f32 {
            %off = arith.muli %k64, %ldB : i64
            %at = tgc.advance %B, %off : memref<?xf32>
            %v = memref.load %at[%n] : memref<?xf32>
            scf.yield %v : f32
          } else {
            scf.yield %zero : f32
          }
          memref.store %b, %Bs[%kk, %x] : memref<16x128xf32, #gpu.address_space<workgroup>>
        } {tgc.unroll}
        gpu.barrier // written before read
        scf.for %kk = %c0 to %c16 step %c1 {
          scf.for %i = %c0 to %c8 step %c4 {
            %r = arith.addi %row, %i : index
            %va = vector.load %As[%kk, %r] {alignment = 16 : i64} : memref<16x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            vector.store %va, %fa[%i] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
            %c = arith.addi %col, %i : index
            %vb = vector.load %Bs[%kk, %c] {alignment = 16 : i64} : memref<16x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
            vector.store %vb, %fb[%i] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
          } {tgc.unroll}
          scf.for %i = %c0 to %c8 step %c1 {
            scf.for %j = %c0 to %c8 step %c1 {
              %a = memref.load %fa[%i] : memref<8xf32, #gpu.address_space<private>>
              %b = memref.load %fb[%j] : memref<8xf32, #gpu.address_space<private>>
              %c = memref.load %acc[%i, %j] : memref<8x8xf32, #gpu.address_space<private>>
              %r = math.fma %a, %b, %c : f32
              memref.store %r, %acc[%i, %j] : memref<8x8xf32, #gpu.address_space<private>>
            } {tgc.unroll}
          } {tgc.unroll}
        } {tgc.unroll}
        gpu.barrier // read before written again
      }
      scf.for %i = %c0 to %c8 step %c1 {
        %r = arith.addi %row, %i : index
        %m = arith.addi %m0, %r : index
        %inM = arith.cmpi slt, %m, %M : index
        %m64 = arith.index_cast %m : index to i64
        %off = arith.muli %m64, %ldC : i64
        %at = tgc.advance %C, %off : memref<?xf32>
        scf.for %j = %c0 to %c8 step %c1 {
          %cc = arith.addi %col, %j : index
          %n = arith.addi %n0, %cc : index
          %inN = arith.cmpi slt, %n, %N : index
          %in = arith.andi %inM, %inN : i1
          scf.if %in {
            %old = memref.load %at[%n] : memref<?xf32>
            %v = memref.load %acc[%i, %j] : memref<8x8xf32, #gpu.address_space<private>>
            %sum = arith.addf %old, %v : f32
            memref.store %sum, %at[%n] : memref<?xf32>
          }
        } {tgc.unroll}
      } {tgc.unroll}
      gpu.return
    }
  }
}
