//===- Decisions.cpp - what a pass decided, as remarks -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/Decisions.h"

#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace mlir;
using namespace tgc;

Location tgc::getClauseLoc(gpu::GPUFuncOp func, StringRef clause) {
  auto locs = func->getAttrOfType<DictionaryAttr>("tgc.clause_locs");
  if (!locs)
    return func.getLoc();
  if (auto loc = locs.getAs<LocationAttr>(clause))
    return loc;
  return func->getParentOp()->getLoc(); // where the schedule begins
}

void tgc::emitDecision(gpu::GPUFuncOp func, StringRef pass, StringRef clause, Decision decision,
                       const llvm::Twine &message) {
  if (!func.getContext()->getRemarkEngine())
    return;
  // Passes of several kernels run at once, but a context has one engine.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  Location loc = getClauseLoc(func, clause);
  remark::RemarkOpts options = remark::RemarkOpts::name(clause).category(pass).function(func.getName());
  SmallString<256> storage;
  StringRef text = message.toStringRef(storage);
  switch (decision) {
  case Decision::Default:
    remark::analysis(loc, options) << text;
    break;
  case Decision::Done:
    remark::passed(loc, options) << text;
    break;
  case Decision::Declined:
    remark::missed(loc, options) << text;
    break;
  }
}
