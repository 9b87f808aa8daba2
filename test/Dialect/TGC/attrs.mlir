// Attributes in full and with everything left out.

// RUN: tgc-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: tgc-opt --allow-unregistered-dialect %s | tgc-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: test.a01 = #tgc.shape<128x256x8>
// CHECK-SAME: test.a02 = #tgc.stage<operand = "A">
// CHECK-SAME: test.a03 = #tgc.stage<operand = "A", order = k_major, pad = 4, swizzle = 8, by = cp_async, bytes = 16>
// CHECK-SAME: test.a04 = #tgc.schedule<>
// CHECK-SAME: test.a05 = #tgc.schedule<block = <128x256x8>, warp = <32x128>, thread = <8x16>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A">], pipeline = 3, prefetch = true, inner = i_inner, zigzag = true, unroll = 4, store = vector, walk = grouped, walk_group = 8, blocks_per_sm = 2, distribution = <warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>>
// CHECK-SAME: test.a06 = #tgc.schedule<inner = j_inner, store = scalar, walk = rows>
// CHECK-SAME: test.a07 = #tgc.simt<warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>
// CHECK-SAME: test.a08 = #tgc.fragment<dim 1 of <warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>>
// CHECK-SAME: test.a09 = #tgc.shared<row_major>
// CHECK-SAME: test.a10 = #tgc.shared<col_major, pad = 4, swizzle = 2>
// CHECK-SAME: test.a11 = #tgc.global
// CHECK-SAME: test.a12 = #tgc.copy_regs<threads = 256, width = 4, dim = 1>
// CHECK-SAME: test.a13 = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>, #tgc.fact<at_most "M" 64>, #tgc.fact<equal "N" 8>]
// CHECK-SAME: test.a14 = #tgc.launch<threads = 256, tile = <128x256>>
// CHECK-SAME: test.a15 = #tgc.launch<threads = 256, tile = <128x256>, min_blocks = 2>
// CHECK-SAME: test.a16 = !tgc.ring<2, <8x4xf32, #tgc.shared<row_major>>>
module attributes {
  test.a01 = #tgc.shape<128x256x8>,
  test.a02 = #tgc.stage<operand = "A", order = row_major, pad = 0, swizzle = 0, by = plain, bytes = 0>,
  test.a03 = #tgc.stage<bytes = 16, by = cp_async, swizzle = 8, pad = 4, order = k_major, operand = "A">,
  test.a04 = #tgc.schedule<>,
  test.a05 = #tgc.schedule<distribution = <warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>, blocks_per_sm = 2,
    walk_group = 8, walk = grouped, store = vector, unroll = 4, zigzag = true, inner = i_inner, prefetch = true, pipeline = 3,
    stages = [#tgc.stage<operand = "A">], lanes = <4x8>, group = <4x4>, thread = <8x16>, warp = <32x128>, block = <128x256x8>>,
  test.a06 = #tgc.schedule<walk = rows, store = scalar, inner = j_inner>,
  test.a07 = #tgc.simt<warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>,
  test.a08 = #tgc.fragment<dim 1 of <warps = <4x2>, lanes = <4x8>, each = <8x16>, group = <4x4>>>,
  test.a09 = #tgc.shared<row_major>,
  test.a10 = #tgc.shared<col_major, pad = 4, swizzle = 2>,
  test.a11 = #tgc.global,
  test.a12 = #tgc.copy_regs<threads = 256, width = 4, dim = 1>,
  test.a13 = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>, #tgc.fact<at_most "M" 64>, #tgc.fact<equal "N" 8>],
  test.a14 = #tgc.launch<threads = 256, tile = <128x256>>,
  test.a15 = #tgc.launch<threads = 256, tile = <128x256>, min_blocks = 2>,
  test.a16 = !tgc.ring<2, !tgc.tile<8x4xf32, #tgc.shared<row_major>>>
} {}
