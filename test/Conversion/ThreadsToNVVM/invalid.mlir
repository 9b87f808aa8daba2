// RUN: tgc-opt %s --tgc-convert-to-nvvm --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'math.exp' op is no operation of L3; see docs/threads.md for those there are}}
    %0 = math.exp %x : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%x: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'arith.index_cast' op has type 'i16', which the thread level does not have; see docs/threads.md for those it has}}
    %0 = arith.index_cast %x : index to i16
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'vector.load' op has type 'vector<8xf32>', which the thread level does not have; see docs/threads.md for those it has}}
    %0 = vector.load %A[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = vector.load %A[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // expected-error@+1 {{'arith.addf' op has type 'vector<4xf32>', which only loads, stores and copies may have}}
    %1 = arith.addf %0, %0 : vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %p = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    %q = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    %c = arith.cmpi eq, %i, %i : index
    // expected-error@+1 {{'arith.select' op has type 'memref<4xf32, #gpu.address_space<private>>', which only loads, stores and copies may have}}
    %r = arith.select %c, %p, %q : memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'arith.mulf' op has fastmath flags; L3 rounds every operation, so remove them}}
    %0 = arith.mulf %x, %x fastmath<contract> : f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'gpu.thread_id' op is not along x; blocks and grids have one dimension at L3}}
    %0 = gpu.thread_id y
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'gpu.block_id' op is not along x; blocks and grids have one dimension at L3}}
    %0 = gpu.block_id z
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%n: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'scf.for' op counts in 'i64', expects index}}
    scf.for %i = %n to %n step %n : i64 {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'scf.for' op is to be unrolled fully (tgc.unroll), but its bounds and step are not constants; give the number of turns, as in tgc.unroll = 4}}
    scf.for %i = %c0 to %n step %c1 {
    } {tgc.unroll}
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'arith.constant' op 4294967296 does not fit the 32 bits of an index at L3; use i64}}
    %0 = arith.constant 4294967296 : index
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'memref.alloca' op makes 'memref<4xf32, #gpu.address_space<workgroup>>', expects #gpu.address_space<private>; shared memory is a workgroup attribution of the kernel}}
    %0 = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    scf.for %i = %n to %n step %n {
      // expected-error@+1 {{'memref.alloca' op is inside a loop or a condition, expects the kernel's entry block}}
      %0 = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{'vector.load' op moves 16 bytes, so it needs alignment = 16 : i64}}
    %0 = vector.load %A[%i] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %i: index) workgroup(%S: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = vector.load %A[%i] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    // expected-error@+1 {{'vector.store' op moves 8 bytes, so it needs alignment = 8 : i64}}
    vector.store %0, %S[%i] {alignment = 4 : i64} : memref<4xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op is not a kernel; functions at L3 are kernels, without calls}}
  gpu.func @k() {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op has private attributions; use memref.alloca for private memory}}
  gpu.func @k() private(%p: memref<4xf32, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op has no known_block_size; it says for how many threads the kernel is compiled}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op has known_block_size 16 x 16 x 1, expects one dimension of 1 to 1024 threads}}
  gpu.func @k() kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op argument 1 has type 'memref<?x?xf32>', expects index, i64, f32 or memref<?xf32>}}
  gpu.func @k(%n: index, %A: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op argument 0 has type 'memref<4xf64, #gpu.address_space<workgroup>>', expects shared memory of static shape and of f32}}
  gpu.func @k() workgroup(%S: memref<4xf64, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'llvm.func' op is not a kernel; a gpu.module at L3 holds gpu.func kernels only}}
  llvm.func @f()
}

// -----

gpu.module @m {
  gpu.func @k(%A: memref<?xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %private = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    // expected-error@+1 {{'tgc.cp_async' op writes 'memref<4xf32, #gpu.address_space<private>>', expects shared memory (#gpu.address_space<workgroup>)}}
    tgc.cp_async %A[%i], %private[%i], 4 : memref<?xf32>, memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}
