//===- ThreadOps.cpp - the operations of L3 ---------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/ThreadOps.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"

bool tgc::isThreadOp(mlir::Operation *op) {
  static const llvm::StringSet<> table = {
#define TGC_THREAD_OP(NAME) NAME,
#include "tgc/Dialect/TGC/IR/ThreadOps.def"
  };
  return table.contains(op->getName().getStringRef());
}
