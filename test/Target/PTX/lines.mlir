// RUN: tgc-translate --tgc-to-ptx %s | FileCheck %s

// Profilers show lines of the tile program: an operation's place is inside its name.

// CHECK: .loc [[FILE:[0-9]+]] 3 0
// CHECK: .loc [[FILE]] 7 5
// CHECK: mul.rn.f32
// CHECK: .loc [[FILE]] 9 5
// CHECK: st.global.b32
// CHECK: .file [[FILE]] "{{.*}}program.tgc"
gpu.module @lines {
  gpu.func @lines(%A: memref<?xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index loc("program.tgc":1:1)
    %y = arith.mulf %x, %x : f32 loc("y"("program.tgc":7:5))
    memref.store %y, %A[%c0] : memref<?xf32> loc("program.tgc":9:5)
    gpu.return loc("program.tgc":3:1)
  } loc("program.tgc":3:1)
}
