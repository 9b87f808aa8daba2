//===- Passes.td - tile-level passes -----------------------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TGC_TRANSFORMS_PASSES_TD
#define TGC_DIALECT_TGC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseLinalgPass : Pass<"tgc-raise-linalg", "::mlir::ModuleOp"> {
  let summary = "turns functions that hold one scheduled linalg.matmul into tgc kernels";
  let description = [{
    A `func.func` on memrefs whose body is `linalg.matmul` with a `tgc.schedule`
    attribute, optionally preceded by a `linalg.fill` of the output with 0, becomes a
    `gpu.module` and `gpu.func` of the same name holding `tgc.matmul`. Without the
    fill the product is accumulated, which is what `linalg.matmul` means.

    Functions without `tgc.schedule` are left alone. A scheduled function that holds
    anything else, or a matmul with indexing maps of its own, is an error.

    Before:
    ```mlir
    func.func @mm(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
      linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
      return
    }
    ```
    After:
    ```mlir
    gpu.module @mm {
      gpu.func @mm(%A: memref<?x?xf32, strided<[?, 1]>>, ...) kernel attributes {tgc.schedule = #tgc.schedule<>} {
        tgc.matmul ins(%A, %B) outs(%C) accumulate : ...
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::tgc::TGCDialect"];
}

def CompleteSchedulePass : Pass<"tgc-complete-schedule", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fills in what a schedule leaves out and derives the distribution";
  let description = [{
    Decides, checks nothing and rewrites nothing: docs/schedule.md has the table of
    what a missing clause means. `distribution` stays null where the extents do not
    divide; `tgc-check-schedule` then says which.

    Before: `#tgc.schedule<block = <128x128x16>>`

    After: `#tgc.schedule<block = <128x128x16>, warp = <16x128>, ..., pipeline = 1, distribution = <...>>`
  }];
}

def CheckSchedulePass : Pass<"tgc-check-schedule", "::mlir::gpu::GPUModuleOp"> {
  let summary = "refuses schedules that break a rule, at the clause, before anything is rewritten";
  let description = [{
    Every rule of docs/schedule.md, checked on the completed schedule against the
    limits of the target: what passes is never refused by ptxas or at launch. The
    target is that of the option, else the module's `tgc.target`, else sm_90. An
    option that differs from `tgc.target` is remarked; an older one is refused.
  }];
  let options = [Option<"target", "target", "std::string", /*default=*/"\"\"", "target whose limits hold: sm_80, sm_86, sm_89, sm_90, sm_100, sm_120">];
}

def SpecializePass : Pass<"tgc-specialize", "::mlir::gpu::GPUModuleOp"> {
  let summary = "clones a kernel per set of facts: 16-byte aligned operands, or any";
  let description = [{
    A run-time fact never makes a schedule illegal: where a schedule asks for accesses
    wider than one element, the kernel becomes two. `NAME_aligned` may rely on
    `tgc.facts` (pointer alignment, leading dimensions, sizes), `NAME_any` on nothing.
    Facts that the program states (`where`, sizes that are numbers) need no variant.

    Before: `gpu.func @f(...)`

    After: `gpu.func @f_aligned(...) attributes {tgc.variant = "aligned", tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>]}`
    and `gpu.func @f_any(...) attributes {tgc.variant = "any"}`
  }];
}

def TileBlocksPass : Pass<"tgc-tile-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "L1 to L2: one output tile a block, a loop over k tiles, operands read from windows";
  let description = [{
    Consumes `block`, `walk`, `product`, `store`, `blocks_per_sm` and the distribution.

    Before:
    ```mlir
    tgc.matmul ins(%A, %B) outs(%C) : ...
    ```
    After:
    ```mlir
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <128x128> walk rows {
      %acc = tgc.alloc : !tgc.tile<128x128xf32, #tgc.simt<...>>
      tgc.fill %acc, %zero : ...
      scf.for %k = %k0 to %k1 step %c16 {
        %a = tgc.window %A[%m, %k] limit [%M, %k1] : ... -> !tgc.tile<128x16xf32, #tgc.global>
        %b = tgc.window %B[%k, %n] limit [%k1, %N] : ... -> !tgc.tile<16x128xf32, #tgc.global>
        tgc.product %acc, %a, %b : ...
      }
      %c = tgc.window %C[%m, %n] limit [%M, %N] : ...
      tgc.store %acc, %c : ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect", "::tgc::TGCDialect"];
}

def StageSharedPass : Pass<"tgc-stage-shared", "::mlir::gpu::GPUModuleOp"> {
  let summary = "stages operands in shared memory: a ring of one slot";
  let description = [{
    Consumes `stage`. The width of each copy is what the clause asks for, as far as
    the function's facts allow.

    Before:
    ```mlir
    tgc.product %acc, %a, %b
    ```
    After:
    ```mlir
    %as, %bs = tgc.acquire %ring
    tgc.copy %a, %as by cp_async
    tgc.copy %b, %bs by cp_async width 4
    tgc.commit %ring
    %ar, %br = tgc.wait %ring
    tgc.product %acc, %ar, %br
    tgc.release %ring
    ```
  }];
}

def TileThreadsPass : Pass<"tgc-tile-threads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "products of tiles become k steps on register fragments";
  let description = [{
    Consumes `thread`. Fragments are read with the widest access that the shared
    layout and the thread's groups allow.

    Before:
    ```mlir
    tgc.product %acc, %ar, %br
    ```
    After:
    ```mlir
    scf.for %kk = %c0 to %c8 step %c1 {
      %ak = tgc.slice %ar[%c0, %kk]
      tgc.copy %ak, %fragA width 4
      %bk = tgc.slice %br[%kk, %c0]
      tgc.copy %bk, %fragB width 4
      tgc.product %acc, %fragA, %fragB
    } {tgc.unroll}
    ```
  }];
}

def PipelineCopiesPass : Pass<"tgc-pipeline-copies", "::mlir::gpu::GPUModuleOp"> {
  let summary = "gives the ring its slots and copies tiles ahead of their use";
  let description = [{
    Consumes `pipeline`. With n slots, a prologue fills n - 1 of them; each turn waits
    for its tile, starts the copy of the tile n - 1 ahead, and multiplies. Tiles past
    the end are zeros, so there is no branch. A copy through registers loads before
    the product and stores after it.

    Before:
    ```mlir
    scf.for %k = %k0 to %k1 step %c8 { acquire; copy; commit; wait; product; release }
    ```
    After, n = 3:
    ```mlir
    scf.for %p = %c0 to %c2 step %c1 { acquire; copy; commit } {tgc.unroll}
    scf.for %k = %k0 to %k1 step %c8 { wait in_flight 1; acquire; copy %k + 16; commit; product; release }
    ```
  }];
}

def PrefetchFragmentsPass : Pass<"tgc-prefetch-fragments", "::mlir::gpu::GPUModuleOp"> {
  let summary = "double-buffers fragments: step k + 1 is loaded before the product of step k, across tiles";
  let description = [{
    Consumes `prefetch`. The last step of a tile loads the first fragments of the next
    one, right after waiting for it. Needs two fragments per k step, an even number of
    steps and two slots or more.

    Before:
    ```mlir
    scf.for %k = ... { wait in_flight 1; acquire; copy %k + 16; commit; k steps 0..7; release }
    ```
    After:
    ```mlir
    wait in_flight 1; fragments of step 0
    scf.for %k = ... {
      acquire; copy %k + 16; commit
      scf.for %kk = 0 to 7 { fragments of step kk + 1; product of step kk }
      release; wait in_flight 1; fragments of the next tile's step 0
      product of step 7
    }
    ```
  }];
}

def VerifyThreadsPass : Pass<"tgc-verify-threads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "checks that kernels keep the L3 contract of docs/threads.md";
  let description = [{
    Reports every operation, type and index that the three readers of L3 do not agree
    on: operations outside the table, `fastmath` flags, private memory indexed by
    anything but constants and counters of fully unrolled loops, vectors that are not
    passed straight from a load to a store.
  }];
}

#endif
