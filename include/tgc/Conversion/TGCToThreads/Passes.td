//===- Passes.td - L2 to L3 --------------------------------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_CONVERSION_TGCTOTHREADS_PASSES_TD
#define TGC_CONVERSION_TGCTOTHREADS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToThreadsPass : Pass<"tgc-lower-to-threads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turns what a block does (L2) into what each thread does (L3)";
  let description = [{
    Every tile program at L2, whichever of the tiling passes have run, becomes a
    correct thread program: tiles turn into private and shared arrays, copies and
    products into unrolled loops over what one thread holds, windows into guards.
    Barriers, wait counts and slot numbers follow from the ring:

    - `wait` waits for the thread's own copies, then is a barrier;
    - `acquire` is a barrier only if no `wait` lies between a `release` and it;
    - slot numbers are loop-carried counters that wrap by `select`, or the loop's
      own counter where a loop of constant length fills free slots.

    Needs: one `tgc.work` per function, arguments with `tgc.name` and `tgc.dims`.
    Guarantees: L3 as of docs/threads.md.

    Before:
    ```mlir
    %as = tgc.wait %ring in_flight 1 : !tgc.ring<3, !tgc.tile<128x8xf32, #tgc.shared<col_major, pad = 4>>>
    ```
    After:
    ```mlir
    tgc.cp_async_wait 1
    gpu.barrier
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::math::MathDialect"];
}

#endif
