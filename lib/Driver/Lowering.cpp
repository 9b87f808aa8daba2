//===- Lowering.cpp - a program through the pipeline -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Driver/Program.h"
#include "tgc/Support/NearMiss.h"
#include "tgc/Support/TargetLimits.h"
#include "tgc/Target/PTX/PTX.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;

void tgc::loadAllDialects(MLIRContext &context) {
  context
      .loadDialect<TGCDialect, affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                   gpu::GPUDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                   NVVM::NVVMDialect, scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  DialectRegistry translations;
  registerPTXDialectTranslations(translations);
  context.appendDialectRegistry(translations);
}

/// Whether `module` holds operations above L3.
static bool isAboveThreads(Operation *module) {
  return module
      ->walk([](Operation *op) {
        if (isa<AdvanceOp, CpAsyncOp, CpAsyncCommitOp, CpAsyncWaitOp>(op))
          return WalkResult::advance();
        return isa_and_nonnull<TGCDialect, linalg::LinalgDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

Error Program::raiseLinalg() {
  if (module->getOps<func::FuncOp>().empty())
    return Error::success();
  PassManager pm(module->getContext());
  pm.addPass(createRaiseLinalgPass());
  if (failed(pm.run(*module)))
    return llvm::make_error<ReportedError>();
  return Error::success();
}

Error Program::lower(StringRef target, StringRef after, bool stop) {
  LoweringOptions options;
  options.target = target.str();
  options.after = after.str();
  options.stop = stop;
  PassManager pm(module->getContext());
  if (failed(buildLoweringPipeline(pm, options))) {
    ArrayRef<StringRef> names = getLoweringPassNames();
    return createStringError("--after " + after + ": no such pass; the passes are " + llvm::join(names, ", ") +
                             didYouMean(after, names));
  }
  if (failed(pm.run(*module)))
    return llvm::make_error<ReportedError>();
  return Error::success();
}

Error Program::lowerToThreads(StringRef target, StringRef after) {
  if (isAboveThreads(*module) || !after.empty())
    return lower(target, after, /*stop=*/false);
  for (auto kernels : module->getOps<gpu::GPUModuleOp>()) // the pass that would have checked it does not run
    if (failed(resolveTarget(kernels, target)))
      return llvm::make_error<ReportedError>();
  return Error::success();
}

Error Program::runUpTo(StringRef target, StringRef after) { return lower(target, after, /*stop=*/true); }
