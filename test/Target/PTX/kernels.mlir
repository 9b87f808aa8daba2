// RUN: split-file %s %t
// RUN: tgc-translate --tgc-to-ptx %t/one-source.mlir | FileCheck %s --check-prefix=ONE
// RUN: tgc-translate --tgc-to-ptx %t/two-sources.mlir | FileCheck %s --check-prefix=TWO
// RUN: not tgc-translate --tgc-to-ptx %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// The kernels of a module are compiled apart, and what concerns the whole file is said once.

// ONE-COUNT-1: .version
// ONE-COUNT-1: .target
// ONE: .entry first(
// ONE: .file 1 "program.tgc"
// ONE-NOT: .version
// ONE-NOT: .target
// ONE: .entry second(
// ONE-NOT: .file

// Kernels of two sources share one numbering of them.

// TWO-COUNT-1: .version
// TWO: .entry first(
// TWO: .loc [[FIRST:[0-9]+]] 3 1
// TWO: .entry second(
// TWO: .loc [[SECOND:[0-9]+]] 4 1
// TWO-DAG: .file [[FIRST]] "program.tgc"
// TWO-DAG: .file [[SECOND]] "other.tgc"

// NONE: none.mlir:1:1: error: 'gpu.module' op holds no kernel

//--- one-source.mlir
gpu.module @m {
  gpu.func @first(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index loc("program.tgc":3:1)
    memref.store %x, %A[%c0] : memref<?xf32> loc("program.tgc":3:1)
    gpu.return loc("program.tgc":3:1)
  } loc("program.tgc":3:1)
  gpu.func @second(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index loc("program.tgc":4:1)
    memref.store %x, %A[%c0] : memref<?xf32> loc("program.tgc":4:1)
    gpu.return loc("program.tgc":4:1)
  } loc("program.tgc":4:1)
}
//--- two-sources.mlir
gpu.module @m {
  gpu.func @first(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index loc("program.tgc":3:1)
    memref.store %x, %A[%c0] : memref<?xf32> loc("program.tgc":3:1)
    gpu.return loc("program.tgc":3:1)
  } loc("program.tgc":3:1)
  gpu.func @second(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index loc("other.tgc":4:1)
    memref.store %x, %A[%c0] : memref<?xf32> loc("other.tgc":4:1)
    gpu.return loc("other.tgc":4:1)
  } loc("other.tgc":4:1)
}
//--- none.mlir
gpu.module @m {
}
