//===- Passes.h - tgc's tile-level passes and the whole pipeline -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TGC_TRANSFORMS_PASSES_H
#define TGC_DIALECT_TGC_TRANSFORMS_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "tgc/Dialect/TGC/IR/TGC.h"

#include <string>

namespace tgc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"

/// Options of the whole pipeline.
struct LoweringOptions {
  std::string target; ///< whose limits hold; empty: that of each module, or else sm_90
  /// Name of a pass ("tgc-stage-shared" or "stage-shared"): tiling passes after it are left out. Empty: none.
  std::string after;
  /// With `after`: stop there instead of going on to threads.
  bool stop = false;
};

/// The names of the passes that `LoweringOptions::after` takes, in order.
llvm::ArrayRef<llvm::StringRef> getLoweringPassNames();

/// Adds L1 (or linalg) to L3 to `pm`, whose anchor is builtin.module. Fails, having added nothing, if
/// `options.after` names no pass.
mlir::LogicalResult buildLoweringPipeline(mlir::OpPassManager &pm, const LoweringOptions &options = {});

/// Registers `--tgc-pipeline[=target=sm_90 after=PASS stop]`.
void registerTGCPipelines();

} // namespace tgc

#endif
