//===- Passes.h - from the thread program to NVVM ---------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_CONVERSION_THREADSTONVVM_PASSES_H
#define TGC_CONVERSION_THREADSTONVVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tgc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tgc/Conversion/ThreadsToNVVM/Passes.h.inc"

} // namespace tgc

#endif
