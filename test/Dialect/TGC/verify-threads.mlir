// The contract of L3: what is in, what is not, with the full message.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-verify-threads))' -split-input-file -verify-diagnostics

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
// Legal: private memory indexed by constants, by counters of fully unrolled loops, and by arithmetic on both.
gpu.module @legal {
  gpu.func @f(%A: memref<?xf32>, %i: index) workgroup(%s: memref<2x8xf32, #shared>) kernel {
    %x = memref.alloca() : memref<8xf32, #private>
    %one = memref.alloca() : memref<f32, #private>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    scf.for %a = %c0 to %c2 step %c1 {
      scf.for %b = %c0 to %c4 step %c1 {
        %0 = arith.muli %a, %c4 : index
        %1 = arith.addi %0, %b : index
        %v = memref.load %A[%i] : memref<?xf32>
        memref.store %v, %x[%1] : memref<8xf32, #private>
      } {tgc.unroll}
    } {tgc.unroll}
    %v = vector.load %A[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    vector.store %v, %x[%c4] : memref<8xf32, #private>, vector<4xf32>
    %w = vector.load %x[%c4] : memref<8xf32, #private>, vector<2xf32>
    vector.store %w, %s[%i, %c2] {alignment = 8 : i64} : memref<2x8xf32, #shared>, vector<2xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error @below {{'arith.divsi' op is no operation of L3; see docs/threads.md for those there are}}
    %0 = arith.divsi %i, %c8 : index
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %0 = memref.load %A[%i] : memref<?xf32>
    // expected-error @below {{'arith.addf' op has fastmath flags; L3 rounds every operation, so remove them}}
    %1 = arith.addf %0, %0 fastmath<contract> : f32
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %0 = memref.load %A[%i] : memref<?xf32>
    // expected-error @below {{'math.fma' op has fastmath flags; L3 rounds every operation, so remove them}}
    %1 = math.fma %0, %0, %0 fastmath<nnan> : f32
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    // expected-error @below {{'memref.store' op indexes private memory by a value that is no constant after unrolling: the array would leave the registers}}
    memref.store %v, %x[%i] : memref<8xf32, #private>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
// A loop that is not unrolled, or not fully, or not of constant length.
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    scf.for %a = %c0 to %c8 step %c1 {
      // expected-error @below {{'memref.store' op indexes private memory by a value that is no constant after unrolling: the array would leave the registers}}
      memref.store %v, %x[%a] : memref<8xf32, #private>
    }
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    scf.for %a = %c0 to %c8 step %c1 {
      // expected-error @below {{'memref.store' op indexes private memory by a value that is no constant after unrolling: the array would leave the registers}}
      memref.store %v, %x[%a] : memref<8xf32, #private>
    } {tgc.unroll = 4 : i64}
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    scf.for %a = %c0 to %i step %c1 {
      // expected-error @below {{'memref.store' op indexes private memory by a value that is no constant after unrolling: the array would leave the registers}}
      memref.store %v, %x[%a] : memref<8xf32, #private>
    } {tgc.unroll}
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
// A value that a loop carries.
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    %r = scf.for %a = %c0 to %c8 step %c1 iter_args(%b = %c0) -> (index) {
      // expected-error @below {{'memref.store' op indexes private memory by a value that is no constant after unrolling: the array would leave the registers}}
      memref.store %v, %x[%b] : memref<8xf32, #private>
      scf.yield %b : index
    } {tgc.unroll}
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error @below {{'vector.load' op is used by 'arith.addf': vectors go straight to a vector.store}}
    %0 = vector.load %A[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    // expected-error @below {{'vector.load' op of 16 bytes needs alignment = 16}}
    %0 = vector.load %A[%i] : memref<?xf32>, vector<4xf32>
    vector.store %0, %x[%c0] : memref<8xf32, #private>, vector<4xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    %0 = vector.load %x[%c0] : memref<8xf32, #private>, vector<2xf32>
    // expected-error @below {{'vector.store' op of 8 bytes needs alignment = 8}}
    vector.store %0, %A[%i] {alignment = 16 : i64} : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = memref.alloca() : memref<8xf32, #private>
    %v = memref.load %A[%c0] : memref<?xf32>
    // expected-error @below {{'vector.load' op has type 'vector<3xf32>', but vectors of a thread program are 2 or 4 f32}}
    %0 = vector.load %x[%c0] : memref<8xf32, #private>, vector<3xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf64>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error @below {{'memref.load' op has type 'memref<?xf64>', expects f32 with identity layout}}
    %0 = memref.load %A[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?x?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error @below {{'memref.load' op has type 'memref<?x?xf32>', expects a global pointer memref<?xf32> or a static shared or private array}}
    %0 = memref.load %A[%i, %i] : memref<?x?xf32>
    gpu.return
  }
}

// -----

#private = #gpu.address_space<private>
#shared = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @f(%A: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error @below {{'arith.constant' op has type 'i32', expects index, i64, i1, f32, vector or memref}}
    %0 = arith.constant 1 : i32
    gpu.return
  }
}
