// What the passes on the loop around a ring find when it is not as tgc-stage-shared and tgc-tile-threads leave it.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared))' -o %t.mlir
// DEFINE: %{pipeline} = not tgc-opt --pass-pipeline='builtin.module(gpu.module(tgc-pipeline-copies))' 2>&1

// RUN: sed -e '/tgc.wait/d' -e '/tgc.product/d' %t.mlir | %{pipeline} | FileCheck %s --check-prefix=NO-WAIT
// NO-WAIT: error: 'tgc.ring' op is not consumed by a loop of its own: expects a loop that waits and releases
// RUN: sed -e 's/%%[0-9]*\(:2 = tgc.acquire.*\)/&\n%%second\1/' %t.mlir | %{pipeline} | FileCheck %s --check-prefix=ACQUIRE
// ACQUIRE: error: 'tgc.acquire' op is the second in its loop: expects one ring and one acquire a turn
// RUN: sed -e 's/%%[0-9]*\(:2 = tgc.wait.*\)/&\n%%second\1/' %t.mlir | %{pipeline} | FileCheck %s --check-prefix=WAIT
// WAIT: error: 'tgc.wait' op is the second in its loop: expects one wait a turn
// RUN: sed -e '/tgc.commit/d' %t.mlir | %{pipeline} | FileCheck %s --check-prefix=COMMIT
// COMMIT: error: 'tgc.ring' op is not filled and emptied in one turn of its loop: expects acquire, commit, wait and release
// RUN: sed -e 's/step %%c8/step %%dim/' %t.mlir | %{pipeline} | FileCheck %s --check-prefix=STEP
// STEP: error: 'scf.for' op has a step that is no constant of at most 65536: the k tile must be known to pipeline

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-tile-blocks,tgc-stage-shared,tgc-tile-threads,tgc-pipeline-copies))' -o %t.mlir
// DEFINE: %{prefetch} = not tgc-opt --pass-pipeline='builtin.module(gpu.module(tgc-prefetch-fragments))' 2>&1

// RUN: sed -e 's/tgc.product.*/&\ngpu.barrier/' %t.mlir | %{prefetch} | FileCheck %s --check-prefix=BARRIER
// BARRIER: error: 'gpu.barrier' op is neither slice, copy nor product: these k steps cannot be rotated
// RUN: sed -e '/tgc.slice.*<32x1/d' -e 's/tgc.copy %%[0-9]*, \(%%[0-9]*\) width 4 : <32x1xf32, #tgc.shared<col_major>>/tgc.copy %%column, \1 : <32x1xf32, #tgc.global>/' -e 's/%%[0-9]*:2 = tgc.wait/%%column = tgc.window %%arg0[%%arg3, %%arg5] limit[%%dim, %%arg6] : memref<?x?xf32, strided<[?, 1]>> -> <32x1xf32, #tgc.global>\n&/' %t.mlir | %{prefetch} | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: error: 'tgc.copy' op does not copy a slice of a staged tile to a fragment: nothing to prefetch from

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @f {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, thread = <4x8>, lanes = <4x8>, stages = [#tgc.stage<operand = "A", order = k_major>, #tgc.stage<operand = "B">], prefetch = true, pipeline = 2>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
