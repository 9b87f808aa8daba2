// What the two kernels of threads.mlir do not show: loop-carried values that swap, a pointer that a loop advances, a
// branch with two results, a choice of pointers, a swizzle, vectors of two, 64-bit products of two sizes, names that
// C++ has taken, buffers that need alignment.

// RUN: tgc-translate --tgc-to-cuda %s -o %t.cu
// RUN: FileCheck %s --match-full-lines --strict-whitespace < %t.cu

module {
  gpu.module @ops {
    gpu.func @ops(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
        %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %ldA: i64 loc("ldA"),
        %B: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "K"]} loc("B"), %ldB: i64 loc("ldB"),
        %C: memref<?xf32> {llvm.noalias, tgc.dims = ["M", "N"]} loc("C"), %ldC: i64 loc("ldC"), %alpha: f32 loc("alpha"))
        workgroup(%s: memref<3x2xf32, #gpu.address_space<workgroup>> loc("odd"), %t: memref<64xf32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, tgc.launch = #tgc.launch<threads = 64, tile = <32x32>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %f0 = arith.constant 0.0 : f32
      %big = arith.constant 8 : i64
      %true = arith.constant true
      %tid = gpu.thread_id x
      // swap
      %a0, %b0 = scf.for %i = %c0 to %K step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
        %q = arith.addi %x, %i : index
        %v = memref.load %A[%q] : memref<?xf32>
        %w = memref.load %B[%y] : memref<?xf32>
        %sum = arith.addf %v, %w : f32
        memref.store %sum, %C[%y] : memref<?xf32>
        scf.yield %y, %x : index, index
      }
      memref.store %f0, %C[%a0] : memref<?xf32>
      memref.store %f0, %C[%b0] : memref<?xf32>
      // pointers
      %p, %count = scf.for %i = %c0 to %K step %c8 iter_args(%from = %A, %n = %c0) -> (memref<?xf32>, index) {
        %l = memref.load %from[%tid] : memref<?xf32>
        %old = memref.load %C[%n] : memref<?xf32>
        memref.store %l, %C[%n] : memref<?xf32>
        %neg = arith.negf %old : f32
        %mx = arith.maximumf %neg, %l : f32
        %mn = arith.minimumf %mx, %alpha : f32
        memref.store %mn, %C[%tid] : memref<?xf32>
        %next = tgc.advance %from, %big : memref<?xf32>
        %n1 = arith.addi %n, %c1 : index
        scf.yield %next, %n1 : memref<?xf32>, index
      } loc("k0")
      // select on pointers
      %in = arith.cmpi slt, %tid, %M : index
      %which = arith.select %in, %A, %B : memref<?xf32>
      %wv = memref.load %which[%tid] : memref<?xf32>
      memref.store %wv, %t[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      // two results
      %r0, %r1 = scf.if %in -> (f32, index) {
        %v = memref.load %t[%c3] : memref<64xf32, #gpu.address_space<workgroup>>
        %sq = arith.mulf %v, %v : f32
        scf.yield %sq, %c3 : f32, index
      } else {
        scf.yield %f0, %c0 : f32, index
      }
      memref.store %r0, %C[%r1] : memref<?xf32>
      // swizzle
      %chunk = arith.divui %tid, %c8 : index
      %rowx = arith.remui %tid, %c3 : index
      %x2 = arith.xori %chunk, %rowx : index
      %x3 = arith.muli %x2, %c2 : index
      %sw = arith.addi %x3, %c1 : index
      %sv = memref.load %t[%sw] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %sv, %s[%c1, %c0] : memref<3x2xf32, #gpu.address_space<workgroup>>
      // vectors of 2
      %acc = memref.alloca() : memref<2x2xf32, #gpu.address_space<private>> loc("double")
      %v2 = vector.load %t[%c2] {alignment = 8 : i64} : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      gpu.barrier
      vector.store %v2, %acc[%c1, %c0] : memref<2x2xf32, #gpu.address_space<private>>, vector<2xf32>
      %back = vector.load %acc[%c1, %c0] : memref<2x2xf32, #gpu.address_space<private>>, vector<2xf32>
      %M64 = arith.index_cast %M : index to i64
      %N64 = arith.index_cast %N : index to i64
      %mn64 = arith.muli %M64, %N64 : i64
      %Cend = tgc.advance %C, %mn64 : memref<?xf32>
      %K64 = arith.index_cast %K : index to i64
      %Cend2 = tgc.advance %Cend, %K64 : memref<?xf32>
      vector.store %back, %Cend2[%tid] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
      %not = arith.xori %in, %true : i1
      %anyN = arith.cmpi ne, %N, %c0 : index
      %both = arith.andi %not, %anyN : i1
      %fl = arith.cmpf ult, %alpha, %f0 : f32
      %or = arith.ori %both, %fl : i1
      scf.if %or {
        tgc.cp_async %A[%tid], %t[%tid], 4 : memref<?xf32>, memref<64xf32, #gpu.address_space<workgroup>>
        tgc.cp_async_commit
        tgc.cp_async_wait 1
      } else {
        gpu.barrier
        memref.store %f0, %C[%tid] : memref<?xf32>
      }
      scf.for %i = %c0 to %K step %c1 {
        scf.for %j = %c0 to %c8 step %c2 {
          %sub = arith.subi %K, %i : index
          %mxi = arith.maxsi %sub, %j : index
          memref.store %f0, %C[%mxi] : memref<?xf32>
        } {tgc.unroll = 2 : i64}
      }
      gpu.return
    }
  }
}

//CHECK:struct alignas(16) Shared {
//CHECK-NEXT:  float odd[3][2]; // 3 x 2 elements, 24 bytes
//CHECK-NEXT:  alignas(16) float tile[64]; // 64 elements, 256 bytes
//CHECK-NEXT:};
//CHECK-NEXT:static_assert(sizeof(Shared) == 288);
//CHECK-EMPTY:
//CHECK-NEXT:// A block computes 32 x 32 elements with 64 threads and 288 bytes of shared memory.
//CHECK-NEXT:extern "C" __global__ void __launch_bounds__(64, 1)
//CHECK-NEXT:ops(int M, int N, int K, const float *__restrict__ A, long long ldA, const float *__restrict__ B, long long ldB,
//CHECK-NEXT:    float *__restrict__ C, long long ldC, float alpha) {
//CHECK-NEXT:  extern __shared__ __align__(16) unsigned char sharedBytes[];
//CHECK-NEXT:  Shared &shared = *reinterpret_cast<Shared *>(sharedBytes);
//CHECK-EMPTY:
//CHECK-NEXT:  const int thread = threadIdx.x;
//CHECK-EMPTY:
//CHECK-NEXT:  int idx = 0;
//CHECK-NEXT:  int idx2 = 1;
//CHECK-NEXT:  for (int i = 0; i < K; ++i) {
//CHECK-NEXT:    C[idx2] = __fadd_rn(A[idx + i], B[idx2]);
//CHECK-NEXT:    const int nextIdx = idx2;
//CHECK-NEXT:    idx2 = idx;
//CHECK-NEXT:    idx = nextIdx;
//CHECK-NEXT:  }
//CHECK-EMPTY:
//CHECK-NEXT:  C[idx] = 0.0f;
//CHECK-NEXT:  C[idx2] = 0.0f;
//CHECK-EMPTY:
//CHECK-NEXT:  const float *from = A;
//CHECK-NEXT:  int idx3 = 0;
//CHECK-NEXT:  for (int k0 = 0; k0 < K; k0 += 8) {
//CHECK-NEXT:    const float value = from[thread];
//CHECK-NEXT:    const float value2 = C[idx3];
//CHECK-NEXT:    C[idx3] = value;
//CHECK-NEXT:    C[thread] = minimum(maximum(-value2, value), alpha);
//CHECK-NEXT:    from += 8;
//CHECK-NEXT:    ++idx3;
//CHECK-NEXT:  }
//CHECK-EMPTY:
//CHECK-NEXT:  const bool insideM = thread < M;
//CHECK-NEXT:  shared.tile[thread] = (insideM ? A : B)[thread];
//CHECK-NEXT:  __syncthreads();
//CHECK-NEXT:  float value = 0.0f;
//CHECK-NEXT:  int idx4 = 0;
//CHECK-NEXT:  if (insideM) {
//CHECK-NEXT:    const float value2 = shared.tile[3];
//CHECK-NEXT:    value = __fmul_rn(value2, value2);
//CHECK-NEXT:    idx4 = 3;
//CHECK-NEXT:  }
//CHECK-NEXT:  C[idx4] = value;
//CHECK-NEXT:  shared.odd[1][0] = shared.tile[((thread / 8) ^ (thread % 3)) * 2 + 1];
//CHECK-NEXT:  alignas(8) float double_[2][2];
//CHECK-NEXT:  const float2 vec = *reinterpret_cast<const float2 *>(&shared.tile[2]);
//CHECK-NEXT:  __syncthreads();
//CHECK-NEXT:  *reinterpret_cast<float2 *>(&double_[1][0]) = vec;
//CHECK-NEXT:  *reinterpret_cast<float2 *>(&C[static_cast<long long>(M) * N + K + thread]) =
//CHECK-NEXT:      *reinterpret_cast<const float2 *>(&double_[1][0]);
//CHECK-EMPTY:
//CHECK-NEXT:  if ((!insideM && N != 0) || !(alpha >= 0.0f)) {
//CHECK-NEXT:    copyAsync<4>(&shared.tile[thread], &A[thread]);
//CHECK-NEXT:    commitCopies();
//CHECK-NEXT:    waitCopies<1>();
//CHECK-NEXT:  } else {
//CHECK-NEXT:    __syncthreads();
//CHECK-NEXT:    C[thread] = 0.0f;
//CHECK-NEXT:  }
//CHECK-EMPTY:
//CHECK-NEXT:  for (int i = 0; i < K; ++i) {
//CHECK-NEXT:#pragma unroll 2
//CHECK-NEXT:    for (int j = 0; j < 8; j += 2)
//CHECK-NEXT:      C[max(K - i, j)] = 0.0f;
//CHECK-NEXT:  }
//CHECK-NEXT:}
