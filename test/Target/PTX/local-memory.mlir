// RUN: tgc-translate --tgc-to-ptx %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: local-memory.mlir:[[#@LINE+2]]:3: warning: 'k' keeps 16 bytes of private memory outside registers: an index is not a constant after unrolling
gpu.module @m {
  gpu.func @k(%n: index, %A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %p[%i] : memref<4xf32, #gpu.address_space<private>>
    }
    %y = memref.load %p[%n] : memref<4xf32, #gpu.address_space<private>>
    memref.store %y, %A[%c0] : memref<?xf32>
    gpu.return
  }
}
