// RUN: tgc-opt %s --tgc-convert-to-nvvm | FileCheck %s

// Every loop with a mark, or with a barrier, says what LLVM may unroll, at the branch back; others leave it to LLVM.

// CHECK-DAG: #[[DISABLE:.+]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[FULL:.+]] = #llvm.loop_unroll<full = true>
// CHECK-DAG: #[[FOUR:.+]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[$NO:.+]] = #llvm.loop_annotation<unroll = #[[DISABLE]]>
// CHECK-DAG: #[[$ALL:.+]] = #llvm.loop_annotation<unroll = #[[FULL]]>
// CHECK-DAG: #[[$BY4:.+]] = #llvm.loop_annotation<unroll = #[[FOUR]]>

gpu.module @loops {
  // CHECK-LABEL: llvm.func @loops
  gpu.func @loops(%n: index, %A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // CHECK: llvm.store
    // CHECK: llvm.br {{.*}} {loop_annotation = #[[$NO]]}
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %A[%i] : memref<?xf32>
      gpu.barrier
    }
    // CHECK: llvm.store
    // CHECK-NOT: loop_annotation
    // CHECK: llvm.br
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %A[%i] : memref<?xf32>
    }
    // CHECK: llvm.store
    // CHECK: llvm.br {{.*}} {loop_annotation = #[[$ALL]]}
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %x, %A[%i] : memref<?xf32>
    } {tgc.unroll}
    // CHECK: llvm.store
    // CHECK: llvm.br {{.*}} {loop_annotation = #[[$BY4]]}
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %A[%i] : memref<?xf32>
    } {tgc.unroll = 4}
    gpu.return
  }
}
