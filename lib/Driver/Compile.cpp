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

/// Warns of kernels that spill or keep private arrays in memory, which the estimate of registers cannot foresee, and of
/// what the assembler itself warns of.
static void warnOfResources(const Cubin &cubin, gpu::GPUModuleOp kernels) {
  for (const KernelResources &kernel : cubin.kernels) {
    if (kernel.localBytes == 0 && kernel.spillStoreBytes == 0 && kernel.spillLoadBytes == 0)
      continue;
    Operation *func = kernels.lookupSymbol(kernel.symbol);
    emitWarning(func ? func->getLoc() : kernels.getLoc())
        << "'" << kernel.symbol << "' does not fit " << kernel.registers << " registers: " << kernel.localBytes
        << " bytes of local memory per thread, " << kernel.spillStoreBytes << " bytes of spill stores and "
        << kernel.spillLoadBytes
        << " of loads; use a smaller thread tile or BK, fewer blocks_per_sm, or stage the operands";
  }
  for (const std::string &note : cubin.notes)
    kernels.emitWarning() << note;
}

FailureOr<Cubin> tgc::compileToCubin(ModuleOp module, Backend backend, StringRef target) {
  FailureOr<std::string> ptx = compileToPTX(module, backend, target);
  if (failed(ptx))
    return failure();
  gpu::GPUModuleOp kernels = *module.getOps<gpu::GPUModuleOp>().begin();
  FailureOr<Cubin> cubin = assemblePTX(*ptx, getTargetName(kernels, target), kernels.getLoc());
  if (succeeded(cubin))
    warnOfResources(*cubin, kernels);
  return cubin;
}
