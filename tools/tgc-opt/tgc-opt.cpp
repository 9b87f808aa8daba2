//===- tgc-opt.cpp - runs tgc's passes on MLIR -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Conversion/TGCToThreads/Passes.h"
#include "tgc/Conversion/ThreadsToNVVM/Passes.h"
#include "tgc/Dialect/AllDialects.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions({}); // those that LLVM's libraries have registered
  registerTransformsPasses();
  tgc::registerThreadsToNVVMPasses();
  tgc::registerTGCPasses();
  tgc::registerTGCToThreadsPasses();
  tgc::registerTGCPipelines();
  DialectRegistry registry;
  tgc::registerDialects(registry);
  return asMainReturnCode(MlirOptMain(argc, argv, "tgc-opt: tile programs through tgc's passes\n", registry));
}
