//===- Compile.cpp - L3 to text and binaries -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Compile.h"

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Runtime/CUDACompiler.h"
#include "tgc/Support/TargetLimits.h"
#include "tgc/Target/CUDA/CUDA.h"

using namespace mlir;
using namespace tgc;

StringRef tgc::getName(Backend backend) { return backend == Backend::PTX ? "ptx" : "cuda"; }

FailureOr<std::string> tgc::compileToCUDA(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(emitCUDA(module, os)))
    return failure();
  return text;
}

FailureOr<std::string> tgc::compileToPTX(ModuleOp module, Backend backend, StringRef target) {
  gpu::GPUModuleOp kernels = *module.getOps<gpu::GPUModuleOp>().begin();
  StringRef chip = getTargetName(kernels, target);
  if (backend == Backend::PTX)
    return translateToPTX(kernels, chip);
  FailureOr<std::string> text = compileToCUDA(module);
  if (failed(text))
    return failure();
  llvm::Expected<std::string> ptx = compileCUDA(*text, (kernels.getName() + ".cu").str(), chip);
  if (!ptx)
    return kernels.emitError() << llvm::toString(ptx.takeError());
  return std::move(*ptx);
}

FailureOr<Cubin> tgc::compileToCubin(ModuleOp module, Backend backend, StringRef target) {
  FailureOr<std::string> ptx = compileToPTX(module, backend, target);
  if (failed(ptx))
    return failure();
  gpu::GPUModuleOp kernels = *module.getOps<gpu::GPUModuleOp>().begin();
  return assemblePTX(*ptx, getTargetName(kernels, target), kernels.getLoc());
}
