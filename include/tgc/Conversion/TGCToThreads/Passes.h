//===- Passes.h - L2 to L3 -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

//===----------------------------------------------------------------------===//

#ifndef TGC_CONVERSION_TGCTOTHREADS_PASSES_H
#define TGC_CONVERSION_TGCTOTHREADS_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tgc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tgc/Conversion/TGCToThreads/Passes.h.inc"

} // namespace tgc

#endif
