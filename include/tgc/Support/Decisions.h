//===- Decisions.h - what a pass decided, as remarks -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A decision is a remark of MLIR (mlir/IR/Remarks.h): its category is the pass, its name the clause, its function the
// kernel, its place the clause in the tile program. tgc-opt shows them with --remarks-filter, tgc explain in its
// report.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_DECISIONS_H
#define TGC_SUPPORT_DECISIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/Twine.h"

namespace tgc {

enum class Decision {
  Default, ///< what a clause that is left out means here; an analysis remark
  Done,    ///< what became of a clause; a passed remark
  Declined ///< what was asked for and not done, and why; a missed remark
};

/// Where `clause` stands in the tile program ("pipeline", "stage A"); the schedule's name if it is left out. Without
/// `tgc.clause_locs`, as in MLIR written by hand, the function.
mlir::Location getClauseLoc(mlir::gpu::GPUFuncOp func, llvm::StringRef clause);

/// Emits `message` if the context has a remark engine that wants it.
void emitDecision(mlir::gpu::GPUFuncOp func, llvm::StringRef pass, llvm::StringRef clause, Decision decision,
                  const llvm::Twine &message);

} // namespace tgc

#endif
