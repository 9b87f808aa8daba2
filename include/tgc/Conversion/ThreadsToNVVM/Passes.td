//===- Passes.td - from the thread program to NVVM ---------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_CONVERSION_THREADSTONVVM_PASSES_TD
#define TGC_CONVERSION_THREADSTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertToNVVMPass : Pass<"tgc-convert-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert thread programs (L3) to the llvm and nvvm dialects";
  let description = [{
    Converts every kernel of a gpu.module, as docs/threads.md defines it, in one step:

    - `index` is `i32`, and its sums and products do not overflow (`nsw`);
    - a global pointer is `!llvm.ptr<1>`, a shared memref an offset into one external array of dynamic shared memory,
      a private memref an `llvm.alloca`; there are no memref descriptors;
    - a loop with `tgc.unroll` is unrolled by LLVM, every other loop is kept from it.

    Any operation, type or attribute that the thread level does not have is an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif
