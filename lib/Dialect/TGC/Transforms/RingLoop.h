//===- RingLoop.h - the loop around a ring -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DIALECT_TGC_TRANSFORMS_RINGLOOP_H
#define TGC_LIB_DIALECT_TGC_TRANSFORMS_RINGLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tgc/Dialect/TGC/IR/TGC.h"

namespace tgc {

/// A loop that fills and empties one slot of one ring a turn, by role.
struct RingLoop {
  RingOp ring;
  mlir::scf::ForOp loop;
  AcquireOp acquire;
  CommitOp commit;
  WaitOp wait;
  ReleaseOp release;
  llvm::SmallVector<mlir::Operation *> windows; ///< windows and the index arithmetic of their offsets
  llvm::SmallVector<mlir::Operation *> loads;   ///< copies from global memory to registers
  llvm::SmallVector<mlir::Operation *> copies;  ///< copies from global memory to the slot
  llvm::SmallVector<mlir::Operation *> stores;  ///< copies from registers to the slot
  llvm::SmallVector<mlir::Operation *> compute; ///< everything else, between wait and release
};

/// The loop that consumes `ring`. Fails after a diagnostic if the loop has another form: for example one that reads a
/// slot and then fills the same one.
mlir::FailureOr<RingLoop> matchRingLoop(RingOp ring);

} // namespace tgc

#endif
