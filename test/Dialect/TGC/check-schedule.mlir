// Every rule of a schedule: the message, and that it is located at its clause. Here the location of a clause is its name;
// in a tile program it is a line and a column (test/Driver). The labels are those of CheckSchedule.cpp and docs/schedule.md.

// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-check-schedule))' 2>&1 | FileCheck %s
// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-complete-schedule,tgc-check-schedule))' 2>&1 | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>
#naive = {warp = loc("warp"), thread = loc("thread"), group = loc("group"), lanes = loc("lanes"), "stage A" = loc("stage A"), pipeline = loc("pipeline"), prefetch = loc("prefetch"), product = loc("product"), store = loc("store")}
#block = {block = loc("block")}
#threadonly = {block = loc("block"), thread = loc("thread"), lanes = loc("lanes")}
#warp = {block = loc("block"), warp = loc("warp"), lanes = loc("lanes"), group = loc("group")}
#all = {block = loc("block"), warp = loc("warp"), thread = loc("thread"), group = loc("group"), lanes = loc("lanes"),
  "stage A" = loc("stage A"), "stage B" = loc("stage B"), "stage C" = loc("stage C"), pipeline = loc("pipeline"), prefetch = loc("prefetch"),
  product = loc("product"), store = loc("store"), walk = loc("walk"), blocks_per_sm = loc("blocks_per_sm")}

gpu.module @rules {
  // rule: range


  // CHECK: error: loc("block"): block 64x64 has 2 extents; write BMxBNxBK{{$}}
  gpu.func @r1(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): warp 32 has 1 extent; write two, as in 8x8{{$}}
  gpu.func @r2(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, warp = <32>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("thread"): thread 4x4x4 has 3 extents; write two, as in 8x8{{$}}
  gpu.func @r3(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("group"): group 4 has 1 extent; write two, as in 8x8{{$}}
  gpu.func @r4(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, group = <4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("lanes"): lanes 32 has 1 extent; write two, as in 8x8{{$}}
  gpu.func @r5(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, lanes = <32>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): block extent 0 is out of range: [1, 1024]{{$}}
  gpu.func @r6(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x0x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): block extent 1025 is out of range: [1, 1024]{{$}}
  gpu.func @r7(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x1025>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("lanes"): lanes extent 0 is out of range: [1, 1024]{{$}}
  gpu.func @r8(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, lanes = <0x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("thread"): thread extent 4611686018427387904 is out of range: [1, 1024]{{$}}
  gpu.func @r9(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4611686018427387904x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("pipeline"): pipeline 65 is out of range: [1, 64]{{$}}
  gpu.func @r10(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 65>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("pipeline"): pipeline -1 is out of range: [1, 64]{{$}}
  gpu.func @r11(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = -1>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("blocks_per_sm"): blocks_per_sm 33 is out of range: [1, 32]{{$}}
  gpu.func @r12(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, blocks_per_sm = 33>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("walk"): walk 0 is out of range: [1, 65536]{{$}}
  gpu.func @r13(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, walk = grouped>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("walk"): walk rows takes no group, but walk_group is 8; use walk grouped 8, or leave it out{{$}}
  gpu.func @r14(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, walk = rows, walk_group = 8>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: needs


  // CHECK: error: loc("thread"): thread tiles a block tile, but the schedule has none; add block BMxBNxBK{{$}}
  gpu.func @r15(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<thread = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): warp tiles a block tile, but the schedule has none; add block BMxBNxBK{{$}}
  gpu.func @r16(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<warp = <16x16>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("lanes"): lanes tiles a block tile, but the schedule has none; add block BMxBNxBK{{$}}
  gpu.func @r17(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("group"): group 4x4 arranges the elements of a thread tile, but the schedule has none; add thread TMxTN{{$}}
  gpu.func @r18(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, group = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("group"): group 3x4 arranges the elements of a thread tile, but the schedule has none; add thread TMxTN{{$}}
  gpu.func @r19(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #warp, tgc.schedule = #tgc.schedule<block = <64x64x8>, warp = <32x32>, group = <3x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("pipeline"): pipeline 2 has nothing to pipeline: no operand is staged; add stage A or stage B{{$}}
  gpu.func @r20(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: lanes


  // CHECK: error: loc("lanes"): lanes 4x4 are 16 lanes, but a warp has 32; use 4x8, 8x4, 2x16, 16x2, 1x32 or 32x1{{$}}
  gpu.func @r21(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, lanes = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: thread-tile


  // CHECK: error: loc("group"): thread tile 8x6 is not divisible into groups of 4x4: 6 % 4 = 2; use a group that divides it{{$}}
  gpu.func @r22(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <8x6>, group = <4x4>, lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // A warp tile that is too large for its lanes (block 128x256x8, as below, with thread 4x8 is legal at warp 32x32).
  // CHECK: error: loc("thread"): no arrangement of 32 lanes with thread tile 8x4 makes warp tile 32x256: 8192 elements are not 32 * 32, or do not divide; leave out warp, or make it lanes times thread{{$}}
  gpu.func @r23(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x256x8>, warp = <32x256>, thread = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("thread"): no arrangement of 32 lanes with thread tile 5x7 divides block tile 96x80; use extents that are powers of two, or write lanes{{$}}
  gpu.func @r24(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <96x80x8>, thread = <5x7>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): warp tile 64x64 is not lanes 4x8 times thread tile 8x8: 4 * 8 = 32, not 64; leave out warp, or make it 32x64{{$}}
  gpu.func @r25(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x8>, warp = <64x64>, thread = <8x8>, lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: warp-tile


  // CHECK: error: loc("warp"): block tile 96x128 is not divisible into warp tiles of 64x64: 96 % 64 = 32; use a warp tile that divides it{{$}}
  gpu.func @r26(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <96x128x8>, warp = <64x64>, thread = <8x16>, lanes = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("lanes"): lanes 8x4 arranges the lanes of a warp tile, but the schedule has neither warp nor thread; add one{{$}}
  gpu.func @r27(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, lanes = <8x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): block tile 33x32 cannot be dealt out to warps of 32 lanes; use extents divisible by 16, or add warp and thread{{$}}
  gpu.func @r28(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <33x32x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): block tile 1x16 cannot be dealt out to warps of 32 lanes; use extents divisible by 16, or add warp and thread{{$}}
  gpu.func @r29(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <1x16x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): warp tile 30x30 cannot be dealt out to 32 lanes; use extents that are powers of two and at least 32 elements{{$}}
  gpu.func @r30(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #warp, tgc.schedule = #tgc.schedule<block = <60x60x8>, warp = <30x30>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: threads


  // CHECK: error: loc("thread"): block tile 256x256 in 16x8 warps needs 4096 threads, but a block has at most 1024; use larger warp or thread tiles{{$}}
  gpu.func @r31(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #threadonly, tgc.schedule = #tgc.schedule<block = <256x256x8>, thread = <4x4>, lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): block tile 256x256 in 16x16 warps needs 8192 threads, but a block has at most 1024; use larger warp or thread tiles{{$}}
  gpu.func @r32(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #warp, tgc.schedule = #tgc.schedule<block = <256x256x8>, warp = <16x16>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: stage


  // CHECK: error: loc("stage A"): stage needs a block tile; add block BMxBNxBK{{$}}
  gpu.func @r33(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<stages = [#tgc.stage<operand = "A">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage C"): stage names 'C', but the product's operands are 'A' and 'B'{{$}}
  gpu.func @r34(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "C">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): operand 'A' is staged twice; keep one stage clause{{$}}
  gpu.func @r35(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "A", pad = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): pad -1 is out of range: [0, 1024]{{$}}
  gpu.func @r36(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", pad = -1>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): pad 1025 is out of range: [0, 1024]{{$}}
  gpu.func @r37(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", pad = 1025>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage B"): swizzle 3, expects 2, 4 or 8: rows after which the pattern repeats{{$}}
  gpu.func @r38(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", swizzle = 3>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage B"): pad 4 and swizzle 2 exclude each other; keep one{{$}}
  gpu.func @r39(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", pad = 4, swizzle = 2>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): swizzle 4 permutes 16 elements of a row, but rows of A in shared memory have 8: 8 % 16 = 8; use a smaller swizzle, or pad{{$}}
  gpu.func @r40(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", swizzle = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): by plain 12: an access is 4, 8 or 16 bytes{{$}}
  gpu.func @r41(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", bytes = 12>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): by cp.async 32: an access is 4, 8 or 16 bytes{{$}}
  gpu.func @r42(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", by = cp_async, bytes = 32>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): cp.async 16 cannot transpose: A is contiguous along k in global memory but not in shared memory, where a copied element stands alone; use cp.async 4, or by registers{{$}}
  gpu.func @r43(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, by = cp_async, bytes = 16>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // A stored by columns is k_major already.
  gpu.func @columns_need_no_transpose(%A: !col {tgc.name = "A", tgc.dims = ["K", "M"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, by = cp_async, bytes = 16>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !col, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage B"): cp.async 8 cannot transpose: B is contiguous along k in global memory but not in shared memory, where a copied element stands alone; use cp.async 4, or by registers{{$}}
  gpu.func @r45(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !col {tgc.name = "B", tgc.dims = ["N", "K"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", order = k_major, by = cp_async, bytes = 8>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !col, !mat
    gpu.return
  }

  // Padding that breaks 16-byte copies: a row of 128 elements and one more.
  // CHECK: error: loc("stage B"): cp.async 16 needs rows in shared memory that are a multiple of 16 bytes, but 128 + pad 1 elements are 516 bytes; use a pad that is a multiple of 4, or cp.async 4{{$}}
  gpu.func @r46(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x8>, stages = [#tgc.stage<operand = "B", pad = 1, by = cp_async, bytes = 16>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage B"): cp.async 16 needs rows in shared memory that are a multiple of 16 bytes, but 128 + pad 2 elements are 520 bytes; use a pad that is a multiple of 4, or cp.async 8{{$}}
  gpu.func @r47(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x8>, stages = [#tgc.stage<operand = "B", pad = 2, by = cp_async, bytes = 16>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("stage A"): accesses of 16 bytes do not divide the 6 contiguous elements of a tile of A; use 8{{$}}
  gpu.func @r48(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <32x32x6>, stages = [#tgc.stage<operand = "A", bytes = 16>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: prefetch


  // CHECK: error: loc("prefetch"): prefetch loads register fragments ahead, but the schedule has none; add thread TMxTN{{$}}
  gpu.func @r49(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 2, prefetch = true>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("prefetch"): prefetch loads fragments from shared memory, but operand 'B' is not staged; add stage B{{$}}
  gpu.func @r50(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, stages = [#tgc.stage<operand = "A">], pipeline = 2, prefetch = true>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("prefetch"): prefetch reads the next tile before it leaves this one, but pipeline is 1; use pipeline 2 or more{{$}}
  gpu.func @r51(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], prefetch = true>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("prefetch"): prefetch alternates two fragments and needs an even number of k steps, but BK is 7; use an even BK{{$}}
  gpu.func @r52(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x7>, thread = <4x4>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 2, prefetch = true>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("product"): prefetch needs every k step unrolled, but unroll is 4 of BK = 8; leave out unroll{{$}}
  gpu.func @r53(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 2, prefetch = true, unroll = 4>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: unroll


  // CHECK: error: loc("product"): unroll 3 does not divide BK = 8; use a divisor of 8{{$}}
  gpu.func @r54(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, unroll = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("product"): unroll 16 does not divide BK = 8; use a divisor of 8{{$}}
  gpu.func @r55(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, unroll = 16>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("product"): unroll -4 does not divide BK = 8; use a divisor of 8{{$}}
  gpu.func @r56(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, unroll = -4>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: store


  // CHECK: error: loc("store"): store vector writes along rows, but C is col_major; use store scalar{{$}}
  gpu.func @r57(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !col {tgc.name = "C", tgc.dims = ["N", "M"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !col
    gpu.return
  }

  // CHECK: error: loc("store"): store vector needs at least 2 neighbouring columns in a thread, but groups have 1; use thread ... in 4x4, or store scalar{{$}}
  gpu.func @r58(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, group = <4x1>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("store"): store vector needs at least 2 neighbouring columns in a thread, but groups have 1; use thread ... in 1x4, or store scalar{{$}}
  gpu.func @r59(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #naive, tgc.schedule = #tgc.schedule<store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: depth


  // CHECK: error: loc("pipeline"): pipeline 64 with BK = 1024 reaches 66560 elements past k, limit 65536; use fewer stages or a smaller BK{{$}}
  gpu.func @r60(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <16x16x1024>, stages = [#tgc.stage<operand = "A">], pipeline = 64>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: shared-bytes


  // CHECK: error: loc("pipeline"): block tile 256x128x64 with 3 stages needs 294912 bytes of shared memory (padding included), but sm_90 allows 232448 per block; use fewer stages or a smaller BK{{$}}
  gpu.func @r61(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <256x128x64>, warp = <64x64>, thread = <16x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // 229376 bytes without padding would fit.
  // CHECK: error: loc("pipeline"): block tile 128x128x32 with 7 stages needs 247296 bytes of shared memory (padding included), but sm_90 allows 232448 per block; use fewer stages or a smaller BK{{$}}
  gpu.func @r62(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x32>, thread = <8x8>, stages = [#tgc.stage<operand = "A", pad = 4>, #tgc.stage<operand = "B", pad = 4>], pipeline = 7>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  gpu.func @unpadded_fits(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x32>, thread = <8x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 7>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): block tile 128x128x512 with 1 stage needs 524288 bytes of shared memory (padding included), but sm_90 allows 232448 per block; use fewer stages or a smaller BK{{$}}
  gpu.func @r64(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x512>, thread = <8x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("blocks_per_sm"): blocks_per_sm 2 of 131072 bytes of shared memory each (and 1024 reserved) need 264192, but an SM of sm_90 has 233472; use fewer blocks or stages{{$}}
  gpu.func @r65(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x32>, thread = <8x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], pipeline = 4, blocks_per_sm = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: blocks-per-sm


  // CHECK: error: loc("blocks_per_sm"): blocks_per_sm 3 of 1024 threads are 3072 threads, but an SM of sm_90 holds 2048; use fewer blocks{{$}}
  gpu.func @r66(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x8>, thread = <4x4>, blocks_per_sm = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // rule: registers


  // CHECK: error: loc("thread"): thread tile 16x16 needs about 359 registers (256 accumulators, 32 fragments, 51 for operands that are not staged, 20 others), but 256 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or stage the operands{{$}}
  gpu.func @r67(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <256x256x64>, thread = <16x16>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("thread"): thread tile 32x32 needs about 1207 registers (1024 accumulators, 64 fragments, 99 for operands that are not staged, 20 others), but 64 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or stage the operands{{$}}
  gpu.func @r68(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <256x256x64>, thread = <32x32>, lanes = <4x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("warp"): thread tile 16x16 needs about 359 registers (256 accumulators, 32 fragments, 51 for operands that are not staged, 20 others), but 256 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or stage the operands{{$}}
  gpu.func @r69(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #warp, tgc.schedule = #tgc.schedule<block = <256x256x8>, warp = <64x128>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("block"): thread tile 32x32 needs about 1207 registers (1024 accumulators, 64 fragments, 99 for operands that are not staged, 20 others), but 256 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or stage the operands{{$}}
  gpu.func @r70(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #block, tgc.schedule = #tgc.schedule<block = <512x512x8>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // CHECK: error: loc("thread"): thread tile 8x8 needs about 132 registers (64 accumulators, 32 fragments, 16 for copies through registers, 20 others), but 256 threads and 2 blocks per SM leave 128 per thread; use a smaller thread tile, or more threads{{$}}
  gpu.func @r71(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x16>, thread = <8x8>, stages = [#tgc.stage<operand = "A", by = registers>, #tgc.stage<operand = "B", by = registers>], pipeline = 2, prefetch = true, blocks_per_sm = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // Both operands are staged.
  // CHECK: error: loc("thread"): thread tile 16x16 needs about 308 registers (256 accumulators, 32 fragments, 20 others), but 64 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or more threads{{$}}
  gpu.func @all_accumulators(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x128x8>, thread = <16x16>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major>, #tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // Four rows of A with an address and a guard each, and 15 steps loaded ahead: 4 * 3 + 15 * 4 + 12.
  // CHECK: error: loc("thread"): thread tile 4x4 needs about 128 registers (16 accumulators, 8 fragments, 84 for operands that are not staged, 20 others), but 128 threads and 8 blocks per SM leave 64 per thread; use a smaller thread tile, unroll less, or stage the operands{{$}}
  gpu.func @loads_of_unrolled_steps(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <64x32x16>, thread = <4x4>, unroll = 16, stages = [#tgc.stage<operand = "B">], blocks_per_sm = 8>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // Four steps of A are neighbours in shared memory: ptxas reads them at once.
  // CHECK: error: loc("thread"): thread tile 8x4 needs about 88 registers (32 accumulators, 36 fragments, 20 others), but 256 threads and 3 blocks per SM leave 80 per thread; use a smaller thread tile, or more threads{{$}}
  gpu.func @joined_loads(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <128x64x8>, thread = <8x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A">, #tgc.stage<operand = "B">], unroll = 8, blocks_per_sm = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // No whole number of rows of 12 elements for 256 threads.
  // CHECK: error: loc("thread"): thread tile 8x8 needs about 340 registers (64 accumulators, 16 fragments, 240 for copies through registers, 20 others), but 256 threads and 1 block per SM leave 255 per thread; use a smaller thread tile, or more threads{{$}}
  gpu.func @irregular_copies(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.clause_locs = #all, tgc.schedule = #tgc.schedule<block = <1024x16x12>, thread = <8x8>, lanes = <32x1>, stages = [#tgc.stage<operand = "A", order = k_major, by = registers>, #tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }

  // The location of the function stands in where a clause has none, as in MLIR without a tile program.


  // CHECK: check-schedule.mlir:[[@LINE+1]]:3: error: pipeline 2 has nothing to pipeline
  gpu.func @without_locations(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
