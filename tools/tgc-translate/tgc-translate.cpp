//===- tgc-translate.cpp - kernels at L3 to text -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Frontend/Frontend.h"
#include "tgc/Target/CUDA/CUDA.h"
#include "tgc/Target/PTX/PTX.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions({}); // those that LLVM's libraries have registered
  tgc::registerFrontendTranslation();
  tgc::registerCUDATranslations();
  tgc::registerPTXTranslation();
  return mlir::failed(mlir::mlirTranslateMain(
      argc, argv, "tgc-translate: tile programs to MLIR, and kernels at L3 to CUDA C++, a host header or PTX\n"));
}
