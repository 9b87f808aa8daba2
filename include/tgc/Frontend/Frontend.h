//===- Frontend.h - tile programs (.tgc) to IR -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_FRONTEND_FRONTEND_H
#define TGC_FRONTEND_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>
#include <string>

namespace tgc {

/// Parses the tile program in the main buffer of `sourceMgr` into L1: one gpu.module `KERNEL_SCHEDULE` per
/// schedule, each with one gpu.func of the same name that holds a `tgc.matmul`. Null after a diagnostic
/// (`FILE:LINE:COL: error: ...` through the context's diagnostic engine).
mlir::OwningOpRef<mlir::ModuleOp> parseTileProgram(const llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context);

/// The tile program in canonical form (comments kept), or nothing after a diagnostic.
std::optional<std::string> formatTileProgram(const llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context);

/// Registers --import-tgc (tile program to L1) and --format-tgc (tile program in canonical form) for tgc-translate.
void registerFrontendTranslation();

} // namespace tgc

#endif
