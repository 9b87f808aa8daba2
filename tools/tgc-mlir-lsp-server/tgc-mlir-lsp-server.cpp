//===- tgc-mlir-lsp-server.cpp - tgc's MLIR in an editor --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/AllDialects.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LogicalResult.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions({}); // those that LLVM's libraries have registered
  DialectRegistry registry;
  tgc::registerDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
