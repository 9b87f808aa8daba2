//===- Semantics.h - what a kernel should compute ---------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_SEMANTICS_H
#define TGC_DRIVER_SEMANTICS_H

#include "tgc/Runtime/Problem.h"

namespace tgc {

/// What the kernel of `module` computes, for the float64 reference: read off its `tgc.matmul` (L1) or `tgc.store` (L2),
/// whose epilogue is evaluated in double. At L3 neither is left: the plain product, added to C if a function has
/// `tgc.reads_output`; a kernel with further operands or scalars is an error. The result does not refer to the IR.
/// Emits an error on an operation that it cannot evaluate.
mlir::FailureOr<Semantics> getSemantics(mlir::gpu::GPUModuleOp module);

} // namespace tgc

#endif
