// Schedules that keep every rule, most of them barely; each then goes down to threads.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-check-schedule))' -o /dev/null
// RUN: tgc-opt %s --tgc-pipeline -o /dev/null

// On a target with less shared memory one of them breaks a rule; an unknown target is refused, a suffix is not.
// RUN: not tgc-opt %s --tgc-pipeline=target=sm_86 2>&1 | FileCheck %s --check-prefix=SMALLER
// SMALLER: error: loc("pipeline"): block tile 128x128x32 with 5 stages needs 163840 bytes of shared memory (padding included), but sm_86 allows 101376 per block; use fewer stages or a smaller BK
// RUN: tgc-opt %s --tgc-pipeline=target=sm_90a -o /dev/null
// RUN: not tgc-opt %s --tgc-pipeline=target=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown target 'sm_1'; known are sm_80, sm_86, sm_89, sm_90, sm_100, sm_120

// The module's own target is the one that counts.
// RUN: sed -e 's/@legal {/@legal attributes {tgc.target = "sm_86"} {/' %s > %t.mlir
// RUN: not tgc-opt %t.mlir --tgc-pipeline 2>&1 | FileCheck %s --check-prefix=SMALLER

!mat = memref<?x?xf32, strided<[?, 1]>>
#naive = {warp = loc("warp"), thread = loc("thread"), group = loc("group"), lanes = loc("lanes"), "stage A" = loc("stage A"), pipeline = loc("pipeline"), prefetch = loc("prefetch"), product = loc("product"), store = loc("store")}
#block = {block = loc("block")}
#all = {block = loc("block"), warp = loc("warp"), thread = loc("thread"), group = loc("group"), lanes = loc("lanes"),
  "stage A" = loc("stage A"), "stage B" = loc("stage B"), "stage C" = loc("stage C"), pipeline = loc("pipeline"), prefetch = loc("prefetch"),
  product = loc("product"), store = loc("store"), walk = loc("walk"), blocks_per_sm = loc("blocks_per_sm")}

gpu.module @legal {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @deepest(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <16x16x1>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 64>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @warp_fits_lanes(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x256x8>, warp = <32x32>, thread = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major>, #tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @shortest_prefetch(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x2>, thread = <4x4>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 2, prefetch = true>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // Sixty registers below the limit by the estimate.
  gpu.func @fast(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x256x8>, warp = <32x128>, thread = <8x16>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async, bytes = 4>, #tgc.stage<operand = "B", by = cp_async, bytes = 16>], pipeline = 3, prefetch = true, inner = i_inner, zigzag = true, walk = grouped, walk_group = 8, blocks_per_sm = 1>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // 64 + 16 + 16 + 20 = 116 of 128 registers.
  gpu.func @registers_at_the_limit(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x16>, thread = <8x8>, stages = [#tgc.stage<operand = "A", by = registers>, #tgc.stage<operand = "B", by = registers>], pipeline = 2, blocks_per_sm = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @one_warp(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #block, tgc.schedule = #tgc.schedule<block = <2x16x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @one_row(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <1x64x8>, thread = <1x2>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @five_stages(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x32>, thread = <8x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 5>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
