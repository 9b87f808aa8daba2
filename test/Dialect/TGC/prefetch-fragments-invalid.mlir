// What the pass finds missing when it is run alone; tgc-check-schedule says so earlier.

// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-prefetch-fragments))' 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: 'scf.for' op has no k steps on fragments to prefetch for; run tgc-tile-threads first
// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-prefetch-fragments))' 2>&1 | FileCheck %s --check-prefix=PROLOGUE
// PROLOGUE: error: 'scf.for' op is not preceded by a prologue that fills 0 slots; run tgc-pipeline-copies with 2 stages or more first
// RUN: not tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-pipeline-copies,tgc-prefetch-fragments,tgc-prefetch-fragments))' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: 'tgc.front' op stands between the copies and the wait of its ring's slot, or after the release: the loop cannot be pipelined
// RUN: sed -e 's/32x64x4/32x64x3/; s/prefetch = true, //' %s > %t.mlir
// RUN: tgc-opt %t.mlir --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-pipeline-copies))' | sed -e 's/pipeline = 3/prefetch = true, pipeline = 3/' > %t.odd.mlir
// RUN: not tgc-opt %t.odd.mlir --pass-pipeline='builtin.module(gpu.module(tgc-prefetch-fragments))' 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: 'scf.for' op is not an even number of k steps on two fragments: they cannot be rotated

!mat = memref<?x?xf32, strided<[?, 1]>>

gpu.module @f {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x4>, thread = <4x8>, group = <4x4>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major, pad = 4, by = cp_async>, #tgc.stage<operand = "B", by = cp_async>], prefetch = true, pipeline = 3>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
