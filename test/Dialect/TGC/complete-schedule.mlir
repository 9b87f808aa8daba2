// What a missing clause means, as docs/schedule.md says. Filling in twice is filling in once.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-complete-schedule))' | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>

// CHECK-LABEL: gpu.func @naive
// CHECK-SAME: #tgc.schedule<block = <16x16x1>, stages = [], pipeline = 1, inner = j_inner, unroll = 1, store = scalar, walk = rows, blocks_per_sm = 1, distribution = <warps = <8x1>, lanes = <2x16>, each = <1x1>, group = <1x1>>>
gpu.module @naive {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Every 16th row and column.
// CHECK-LABEL: gpu.func @block
// CHECK-SAME: block = <128x64x8>, stages = [], pipeline = 1, inner = j_inner, unroll = 8, {{.*}}distribution = <warps = <8x1>, lanes = <2x16>, each = <8x4>, group = <1x1>>>
gpu.module @block {
  gpu.func @block(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Fewer warps where 16 does not divide.
// CHECK-LABEL: gpu.func @small_block
// CHECK-SAME: distribution = <warps = <2x1>, lanes = <4x8>, each = <1x1>, group = <1x1>>>
gpu.module @small_block {
  gpu.func @small_block(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <8x8x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Lanes: the first arrangement that divides.
// CHECK-LABEL: gpu.func @warp
// CHECK-SAME: warp = <32x64>, lanes = <4x8>, {{.*}}distribution = <warps = <4x2>, lanes = <4x8>, each = <8x8>, group = <1x1>>>
gpu.module @warp {
  gpu.func @warp(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x128x8>, warp = <32x64>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @flat_warp
// CHECK-SAME: lanes = <2x16>, {{.*}}distribution = <warps = <1x2>, lanes = <2x16>, each = <1x4>, group = <1x1>>>
gpu.module @flat_warp {
  gpu.func @flat_warp(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <2x128x8>, warp = <2x64>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// The warp tile is lanes times thread tile; elements lie together.
// CHECK-LABEL: gpu.func @thread
// CHECK-SAME: warp = <32x32>, thread = <8x4>, group = <8x4>, lanes = <4x8>, {{.*}}distribution = <warps = <4x4>, lanes = <4x8>, each = <8x4>, group = <8x4>>>
gpu.module @thread {
  gpu.func @thread(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x128x8>, thread = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @lanes_that_divide
// CHECK-SAME: warp = <16x64>, thread = <8x4>, group = <8x4>, lanes = <2x16>
gpu.module @lanes_that_divide {
  gpu.func @lanes_that_divide(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <16x128x8>, thread = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @lanes_from_the_warp
// CHECK-SAME: lanes = <8x4>
gpu.module @lanes_from_the_warp {
  gpu.func @lanes_from_the_warp(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x128x8>, warp = <64x16>, thread = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// What is said stays, legal or not: nothing is checked here.
// CHECK-LABEL: gpu.func @said
// CHECK-SAME: #tgc.schedule<block = <64x64x8>, warp = <16x32>, thread = <4x4>, group = <2x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", pad = 4>], pipeline = 3, prefetch = true, inner = i_inner, zigzag = true, unroll = 2, store = vector, walk = grouped, walk_group = 8, blocks_per_sm = 2, distribution = <warps = <4x2>, lanes = <4x8>, each = <4x4>, group = <2x4>>>
gpu.module @said {
  gpu.func @said(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, warp = <16x32>, thread = <4x4>, group = <2x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", pad = 4>], pipeline = 3, prefetch = true, inner = i_inner, zigzag = true, unroll = 2, store = vector, walk = grouped, walk_group = 8, blocks_per_sm = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// No distribution where extents do not divide, or are out of range.
// CHECK-LABEL: gpu.func @indivisible
// CHECK-SAME: blocks_per_sm = 1>} {
gpu.module @indivisible {
  gpu.func @indivisible(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <33x32x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @zero
// CHECK-SAME: blocks_per_sm = 1>} {
gpu.module @zero {
  gpu.func @zero(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <0x16x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// A distribution is derived, never believed.
// CHECK-LABEL: gpu.func @stale
// CHECK-SAME: distribution = <warps = <8x1>, lanes = <2x16>, each = <2x1>, group = <1x1>>>
gpu.module @stale {
  gpu.func @stale(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x16x8>, distribution = <warps = <1x1>, lanes = <4x8>, each = <1x1>, group = <1x1>>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Functions without a product are left alone.
// CHECK-LABEL: gpu.func @other
// CHECK-SAME: kernel {
gpu.module @other {
  gpu.func @other() kernel {
    gpu.return
  }
}

// As many k steps of what is not staged as fit: 44 + 4 * 3 + 7 * 4 + 12 = 96 of 96 registers.
// CHECK-LABEL: gpu.func @unroll_some
// CHECK-SAME: unroll = 8,
gpu.module @unroll_some {
  gpu.func @unroll_some(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x32x16>, thread = <4x4>, stages = [#tgc.stage<operand = "B">], blocks_per_sm = 5>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Two at once need 72 of 64 registers, one 56.
// CHECK-LABEL: gpu.func @unroll_one
// CHECK-SAME: unroll = 1,
gpu.module @unroll_one {
  gpu.func @unroll_one(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x32x16>, thread = <4x4>, stages = [#tgc.stage<operand = "B">], blocks_per_sm = 8>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// ptxas joins the loads of four steps of A, which stand side by side: 88 of 80 registers; of two: 72.
// CHECK-LABEL: gpu.func @unroll_two
// CHECK-SAME: unroll = 2,
gpu.module @unroll_two {
  gpu.func @unroll_two(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, thread = <8x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], blocks_per_sm = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// prefetch needs all of them.
// CHECK-LABEL: gpu.func @unroll_all_with_prefetch
// CHECK-SAME: unroll = 8,
gpu.module @unroll_all_with_prefetch {
  gpu.func @unroll_all_with_prefetch(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, thread = <8x8>, lanes = <4x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 2, prefetch = true, blocks_per_sm = 8>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
