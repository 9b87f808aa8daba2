//===- CUDA.h - L3 as CUDA C++ -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TARGET_CUDA_CUDA_H
#define TGC_TARGET_CUDA_CUDA_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tgc {

/// Prints every kernel of every gpu.module in `module` (at L3, docs/threads.md) as CUDA C++ that depends on nothing
/// but CUDA's own headers. Byte-identical from run to run. Emits an error and prints nothing on an operation that is
/// not in L3.
mlir::LogicalResult emitCUDA(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints a C++ header that declares and launches the kernels of `module`: checks arguments, chooses the variant,
/// sets the shared-memory attribute, computes the grid in 64 bits, reports the workspace size, launches on a stream.
mlir::LogicalResult emitCUDAHeader(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Whether every kernel of `module` has a name that CUDA C++ can give it, and its own; it may be at any level that
/// tgc-specialize leads to. Emits an error on the first that has not.
mlir::LogicalResult checkKernelNames(mlir::ModuleOp module);

/// Registers `tgc-translate --tgc-to-cuda` and `--tgc-to-cuda-header`.
void registerCUDATranslations();

} // namespace tgc

#endif
