// What the simulator cannot run is an error at the operation.

// RUN: split-file %s %t
// RUN: not tgc-simulate %t/operation.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=OPERATION
// RUN: not tgc-simulate %t/type.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tgc-simulate %t/constant.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not tgc-simulate %t/dimension.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=DIMENSION
// RUN: not tgc-simulate %t/alloca.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=ALLOCA
// RUN: not tgc-simulate %t/layout.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not tgc-simulate %t/vector.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not tgc-simulate %t/unsigned.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not tgc-simulate %t/pointer.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not tgc-simulate %t/private.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: not tgc-simulate %t/threads.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not tgc-simulate %t/roles.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=ROLES
// RUN: not tgc-simulate %t/dims.mlir --size 1x1x1 2>&1 | FileCheck %s --check-prefix=DIMS

// OPERATION: error: 'arith.shli' op is no operation of L3; see docs/threads.md for those there are
// TYPE: error: a value of type 'f64' is not of L3: expected index, i64, i1, f32, vector<2xf32>, vector<4xf32> or a memref of f32
// CONSTANT: error: 'arith.constant' op 4294967296 does not fit the 32 bits of an index at L3; use i64
// DIMENSION: error: 'gpu.thread_id' op is not along x; blocks and grids have one dimension at L3
// ALLOCA: error: 'memref.alloca' op is not of L3: expected the private address space and the function's entry block
// LAYOUT: error: 'gpu.func' op workgroup attribution 0 has type 'memref<4x4xf32, strided<[5, 1]>, #gpu.address_space<workgroup>>', expects f32, a static shape and no layout (docs/threads.md)
// PRIVATE: error: 'memref.alloca' op has 'memref<4x4xf32, strided<[5, 1]>, #gpu.address_space<private>>', which is not of L3: expected f32, a static shape and no layout
// VECTOR: error: 'arith.addf' op computes on vectors; at L3 they are only loaded and stored
// UNSIGNED: error: 'scf.for' op compares without sign; at L3 the bounds of a loop are signed
// POINTER: error: 'arith.select' op uses a value of type 'memref<4xf32, #gpu.address_space<workgroup>>' that is no scalar or pointer of L3; only loads, stores and copies use a memref
// THREADS: error: launch of 2000 threads, 1 blocks per SM: expects 1 to 1024 of each
// ROLES: error: operand 'B' of kernel 'k' is written and has dimensions [K, N]; it is no factor, output or epilogue operand of a product
// DIMS: error: operand 'B' of kernel 'k' has dimensions [K, P]; expected one or two different ones of M, N, K

//--- operation.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = arith.shli %M, %N : index
    gpu.return
  }
}

//--- type.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = arith.constant 0.0 : f64
    gpu.return
  }
}

//--- constant.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = arith.constant 4294967296 : index
    gpu.return
  }
}

//--- dimension.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = gpu.thread_id y
    gpu.return
  }
}

//--- alloca.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = memref.alloca() : memref<4xf32>
    gpu.return
  }
}

//--- layout.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C"))
      workgroup(%s: memref<4x4xf32, strided<[5, 1]>, #gpu.address_space<workgroup>>)
      kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    gpu.return
  }
}

//--- vector.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = vector.load %A[%M] : memref<?xf32>, vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    gpu.return
  }
}

//--- unsigned.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    scf.for unsigned %i = %M to %N step %K {
    }
    gpu.return
  }
}

//--- pointer.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C"))
      workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>, %t: memref<4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %c = arith.cmpi slt, %M, %N : index
    %p = arith.select %c, %s, %t : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

//--- private.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    %0 = memref.alloca() : memref<4x4xf32, strided<[5, 1]>, #gpu.address_space<private>>
    gpu.return
  }
}

//--- threads.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 2000, tile = <1x1>>} {
    gpu.return
  }
}

//--- roles.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {tgc.dims = ["K", "N"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    gpu.return
  }
}

//--- dims.mlir
gpu.module @k {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %K: index loc("K"),
      %A: memref<?xf32> {llvm.readonly, tgc.dims = ["M", "K"]} loc("A"), %B: memref<?xf32> {llvm.readonly, tgc.dims = ["K", "P"]} loc("B"),
      %C: memref<?xf32> {tgc.dims = ["M", "N"]} loc("C")) kernel attributes {tgc.launch = #tgc.launch<threads = 1, tile = <1x1>>} {
    gpu.return
  }
}
