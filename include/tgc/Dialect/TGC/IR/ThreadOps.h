//===- ThreadOps.h - the operations of L3 -----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TGC_IR_THREADOPS_H
#define TGC_DIALECT_TGC_IR_THREADOPS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace tgc {

/// Whether a thread program may hold `op`: whether ThreadOps.def lists it.
bool isThreadOp(mlir::Operation *op);

} // namespace tgc

#endif
