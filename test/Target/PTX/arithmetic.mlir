// RUN: tgc-translate --tgc-to-ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: not grep -F .ftz %t.ptx

// Every operation rounds by itself (ptxas contracts mul.f32 and add.f32, but not mul.rn.f32 and add.rn.f32), subnormals
// are kept, and maximum and minimum keep NaN.

// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: sub.rn.f32
// CHECK: div.rn.f32
// CHECK: max.NaN.f32
// CHECK: min.NaN.f32
// CHECK: fma.rn.f32
gpu.module @arithmetic {
  gpu.func @arithmetic(%A: memref<?xf32>, %x: f32, %y: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %y : f32
    %2 = arith.subf %1, %x : f32
    %3 = arith.divf %2, %y : f32
    %4 = arith.maximumf %3, %x : f32
    %5 = arith.minimumf %4, %y : f32
    %6 = math.fma %5, %x, %y : f32
    memref.store %6, %A[%c0] : memref<?xf32>
    gpu.return
  }
}
