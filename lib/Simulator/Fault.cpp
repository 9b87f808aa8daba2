//===- Fault.cpp - what the simulator found wrong --------------------------===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fault.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;

/// "'acc': " for an operation whose result, or which itself, has a name that its location does not show.
static std::string describeName(Operation *op) {
  auto loc = dyn_cast<NameLoc>(op->getNumResults() == 1 ? op->getResult(0).getLoc() : op->getLoc());
  return loc && !isa<UnknownLoc>(loc.getChildLoc()) ? ("'" + loc.getName().strref() + "': ").str() : std::string();
}

void sim::reportFaults(ArrayRef<Fault> faults) {
  if (faults.empty())
    return;
  Operation *root = faults.front().op;
  while (Operation *parent = root->getParentOp())
    root = parent;
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState::LocationMap places;
  AsmState state(root, OpPrintingFlags().printNameLocAsPrefix(), &places);
  root->print(os, state);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');

  for (const Fault &fault : faults) {
    unsigned line = places.lookup(fault.op).first;
    StringRef kernel = fault.op->getParentOfType<gpu::GPUFuncOp>().getName(), operation = lines[line - 1].trim();
    InFlightDiagnostic error = fault.op->emitError() << describeName(fault.op) << fault.message;
    error.attachNote() << "line " << line << " of the thread program, in @" << kernel << ": " << operation;
  }
}
