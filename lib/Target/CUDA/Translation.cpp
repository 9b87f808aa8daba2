//===- Translation.cpp - tgc-translate's CUDA targets ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Target/CUDA/CUDA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tgc/Dialect/TGC/IR/TGC.h"

using namespace mlir;

void tgc::registerCUDATranslations() {
  auto registerDialects = [](DialectRegistry &registry) {
    registry.insert<TGCDialect, arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  };
  TranslateFromMLIRRegistration cuda(
      "tgc-to-cuda", "print kernels at L3 as CUDA C++",
      [](ModuleOp module, raw_ostream &os) { return emitCUDA(module, os); }, registerDialects);
  TranslateFromMLIRRegistration header(
      "tgc-to-cuda-header", "print a C++ header that checks, selects and launches the kernels",
      [](ModuleOp module, raw_ostream &os) { return emitCUDAHeader(module, os); }, registerDialects);
}
