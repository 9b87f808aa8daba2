// One kernel per diagnostic; none leaves output behind.

// RUN: tgc-translate --tgc-to-cuda --split-input-file --verify-diagnostics %s

gpu.module @not_l3 {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'memref.alloc' op is no operation of L3; see docs/threads.md for those there are}}
    %0 = memref.alloc() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @not_l3_i1 {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %true = arith.constant true
    // expected-error @below {{'arith.addi' op on i1 is no operation of L3; see docs/threads.md for those there are}}
    %0 = arith.addi %true, %true : i1
    gpu.return
  }
}

// -----

gpu.module @i32 {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'arith.constant' op has a value of type 'i32', which is not L3 (docs/threads.md)}}
    %0 = arith.constant 1 : i32
    gpu.return
  }
}

// -----

gpu.module @wide_constant {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'arith.constant' op 4294967296 does not fit the 32 bits of an index at L3; use i64}}
    %0 = arith.constant 4294967296 : index
    gpu.return
  }
}

// -----

gpu.module @fastmath {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %x: f32 loc("x")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'arith.addf' op has fastmath flags; L3 rounds every operation, so remove them}}
    %0 = arith.addf %x, %x fastmath<contract> : f32
    gpu.return
  }
}

// -----

gpu.module @dimension {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'gpu.thread_id' op is not along x; blocks and grids have one dimension at L3}}
    %0 = gpu.thread_id y
    gpu.return
  }
}

// -----

gpu.module @alloca {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    // expected-error @below {{'memref.alloca' op of 'memref<4xf32>' is not L3: private memory of f32 with a static shape (docs/threads.md)}}
    %0 = memref.alloca() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @readonly {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M"]} loc("A")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    // expected-error @below {{'memref.store' op writes through a pointer that is llvm.readonly}}
    memref.store %f0, %A[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @not_a_kernel {
  // expected-error @below {{'gpu.func' op is not a kernel; functions at L3 are kernels, without calls}}
  gpu.func @k() {
    gpu.return
  }
}

// -----

gpu.module @name {
  // expected-error @below {{'gpu.func' op cannot be a C++ function: 'launch' is not an identifier, is reserved, or is spelt in capitals as macros are; rename it}}
  gpu.func @launch(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @private {
  // expected-error @below {{'gpu.func' op has private attributions; use memref.alloca for private memory}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) private(%p: memref<4xf32, #gpu.address_space<private>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @workgroup {
  // expected-error @below {{'gpu.func' op workgroup attribution 0 has type 'memref<4xf16, #gpu.address_space<workgroup>>', expects f32, a static shape and no layout (docs/threads.md)}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) workgroup(%p: memref<4xf16, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @first {
  // expected-note @below {{the first is here}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}
gpu.module @second {
  // expected-error @below {{'gpu.func' op 'k' is the second kernel of that name in this file}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

// expected-note @below {{by this module}}
gpu.module @"a b" {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}
// expected-error @below {{'gpu.module' op 'a.b' needs the C++ namespace tgc_a_b, which is taken}}
gpu.module @"a.b" {
  gpu.func @l(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @family {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
  // expected-error @below {{'gpu.func' op has other arguments than 'k', the first kernel of its gpu.module: '(index) -> ()' against '(index, index) -> ()'}}
  gpu.func @l(%M: index loc("M")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

// expected-error @below {{there is no gpu.module to print}}
module {
}

// -----

gpu.module @vector {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf32> {tgc.dims = ["M"]} loc("A")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'vector.load' op has a value of type 'vector<3xf32>', which is not L3 (docs/threads.md)}}
    %0 = vector.load %A[%c0] : memref<?xf32>, vector<3xf32>
    gpu.return
  }
}

// -----

gpu.module @cp_async {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf32> {tgc.dims = ["M"]} loc("A")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %c0 = arith.constant 0 : index
    %x = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    // expected-error @below {{'tgc.cp_async' op into 'memref<4xf32, #gpu.address_space<private>>': it copies to shared memory only}}
    tgc.cp_async %A[%c0], %x[%c0], 4 : memref<?xf32>, memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

gpu.module @pointer {
  // expected-error @below {{'gpu.func' op argument 2 has type 'memref<?xf64>', expects 'memref<?xf32>' (docs/threads.md)}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf64> {tgc.dims = ["M"]} loc("A")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @blocks {
  // expected-error @below {{'gpu.func' op has 2 blocks; L3 is structured: use scf.for and scf.if}}
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    llvm.br ^next
  ^next:
    gpu.return
  }
}

// -----

gpu.module @index_cast {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %true = arith.constant true
    // expected-error @below {{'arith.index_cast' op from 'i1' to 'index' is not L3: index and i64 only (docs/threads.md)}}
    %0 = arith.index_cast %true : i1 to index
    gpu.return
  }
}

// -----

gpu.module @large {
  // expected-error @below {{'gpu.func' op has 8589934608 bytes of workgroup attributions, but no target has more than 232448 bytes of shared memory per block}}
  gpu.func @large() workgroup(%s: memref<1073741824x2xf32, #gpu.address_space<workgroup>>, %t: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @huge {
  // expected-error @below {{'gpu.func' op has 18446744073709551615 bytes of workgroup attributions, but no target has more than 232448 bytes of shared memory per block}}
  gpu.func @huge() workgroup(%s: memref<4294967296x4294967296xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

gpu.module @arrays {
  // expected-error @below {{'gpu.func' op has 524304 bytes of private arrays, but a thread has at most 524288 bytes of local memory}}
  gpu.func @arrays() kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    %a = memref.alloca() : memref<512x256xf32, #gpu.address_space<private>>
    %b = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}
