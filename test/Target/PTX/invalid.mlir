// RUN: split-file %s %t
// RUN: not tgc-translate --tgc-to-ptx --tgc-chip=sm_1x %t/one.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tgc-translate --tgc-to-ptx --tgc-chip=gfx90a %t/one.mlir 2>&1 | FileCheck %s --check-prefix=VENDOR
// RUN: not tgc-translate --tgc-to-ptx --tgc-chip=sm_75 %t/one.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tgc-translate --tgc-to-ptx --tgc-module=other %t/one.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tgc-translate --tgc-to-ptx %t/two.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not tgc-translate --tgc-to-ptx %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tgc-translate --tgc-to-ptx %t/level.mlir 2>&1 | FileCheck %s --check-prefix=LEVEL

// UNKNOWN: one.mlir:1:1: error: unknown chip 'sm_1x'; expects sm_80, sm_90 or another that LLVM {{[0-9.]+}} knows
// VENDOR: one.mlir:1:1: error: unknown chip 'gfx90a'; expects sm_80, sm_90 or another that LLVM {{[0-9.]+}} knows
// OLD: one.mlir:1:1: error: chip 'sm_75' is older than sm_80, the oldest with the instructions the thread level needs (cp.async)
// NAME: one.mlir:{{[0-9]+:[0-9]+}}: error: no gpu.module is named 'other'
// SEVERAL: two.mlir:{{[0-9]+:[0-9]+}}: error: holds 2 gpu.modules, expects one; choose with --tgc-module=NAME
// NONE: none.mlir:{{[0-9]+:[0-9]+}}: error: holds 0 gpu.modules, expects one; choose with --tgc-module=NAME
// LEVEL: level.mlir:3:10: error: 'math.exp' op is no operation of L3; see docs/threads.md for those there are

//--- one.mlir
gpu.module @one {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
//--- two.mlir
gpu.module @one {
}
gpu.module @two {
}
//--- none.mlir
module {
}
//--- level.mlir
gpu.module @one {
  gpu.func @k(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %0 = math.exp %x : f32
    gpu.return
  }
}
