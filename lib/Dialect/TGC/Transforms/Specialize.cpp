//===- Specialize.cpp - a kernel per set of facts -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// Wide accesses need alignment that only a launch knows. Where the schedule asks for them and the program does not
// state the facts, the kernel is cloned: `NAME_aligned` may rely on them, `NAME_any` on nothing. Later passes only read
// facts.
//
// Tests: test/Dialect/TGC/specialize.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "mlir/IR/Builders.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tgc-specialize"

namespace tgc {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

/// The facts that every access as wide as the schedule asks needs, beyond those already known.
static SmallVector<Attribute> getMissingFacts(const Kernel &kernel) {
  llvm::SetVector<Attribute> missing;
  Facts known(kernel.func);
  auto need = [&](const Operand &operand, int64_t width, bool wholePieces) {
    for (FactAttr fact : getAccessFacts(kernel.func, operand, width, wholePieces))
      if (!known.implies(fact))
        missing.insert(fact);
  };
  for (auto stage : kernel.schedule.getStages().getAsRange<StageAttr>()) {
    const Operand *operand = kernel.find(stage.getOperand());
    SmallVector<int64_t, 2> tile = getOperandTile(*operand, kernel.schedule.getBlock());
    need(*operand, getRequestedWidth(stage, *operand, tile), needsWholePieces(stage.getBy()));
  }
  if (kernel.schedule.getStore() == StoreForm::Vector)
    need(kernel.c, getRequestedStoreWidth(kernel), /*wholePieces=*/true);
  return missing.takeVector();
}

/// "A aligned to 16 bytes, ldA a multiple of 4".
static std::string describe(ArrayRef<Attribute> facts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(facts, os, [&](Attribute attribute) {
    auto fact = cast<FactAttr>(attribute);
    os << fact.getSubject().getValue();
    switch (fact.getKind()) {
    case FactKind::Aligned:
      os << " aligned to " << fact.getValue() << " bytes";
      break;
    case FactKind::Multiple:
      os << " a multiple of " << fact.getValue();
      break;
    case FactKind::AtMost:
      os << " at most " << fact.getValue();
      break;
    case FactKind::Equal:
      os << " = " << fact.getValue();
      break;
    }
  });
  return text;
}

namespace {
struct Specialize : tgc::impl::SpecializePassBase<Specialize> {
  void runOnOperation() override {
    auto kernels = getCheckedKernels(getOperation());
    if (failed(kernels))
      return signalPassFailure();
    for (Kernel &kernel : *kernels) {
      if (kernel.func->hasAttr("tgc.variant"))
        continue;
      SmallVector<Attribute> missing = getMissingFacts(kernel);
      if (missing.empty()) {
        emitDecision(kernel.func, DEBUG_TYPE, "variants", Decision::Done,
                     "one kernel: no access is wider than what every call allows");
        continue;
      }
      emitDecision(kernel.func, DEBUG_TYPE, "variants", Decision::Done,
                   "two kernels: 'aligned' for calls with " + describe(missing) +
                       ", 'any' for all others; the host takes the first whose facts hold");
      OpBuilder builder(kernel.func);
      std::string name = kernel.func.getName().str();
      auto aligned = cast<gpu::GPUFuncOp>(builder.clone(*kernel.func));
      aligned.setName(name + "_aligned");
      aligned->setAttr("tgc.variant", builder.getStringAttr("aligned"));
      aligned->setAttr("tgc.facts", builder.getArrayAttr(missing));
      kernel.func.setName(name + "_any");
      kernel.func->setAttr("tgc.variant", builder.getStringAttr("any"));
    }
  }
};
} // namespace
