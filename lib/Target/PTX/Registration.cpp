//===- Registration.cpp - tgc-translate --tgc-to-ptx ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Target/PTX/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace tgc;

static llvm::cl::opt<std::string> &getChip() {
  static llvm::cl::opt<std::string> chip("tgc-chip", llvm::cl::desc("GPU that PTX and cubins are for"),
                                         llvm::cl::value_desc("sm_NN"), llvm::cl::init("sm_80"));
  return chip;
}

static llvm::cl::opt<std::string> &getModuleName() {
  static llvm::cl::opt<std::string> name("tgc-module", llvm::cl::desc("gpu.module to translate, if there are several"),
                                         llvm::cl::value_desc("name"));
  return name;
}

/// The gpu.module that --tgc-module names, or the only one.
static FailureOr<gpu::GPUModuleOp> selectModule(ModuleOp top) {
  auto modules = llvm::to_vector(top.getOps<gpu::GPUModuleOp>());
  const std::string &name = getModuleName();
  if (name.empty() && modules.size() == 1)
    return modules.front();
  auto named = llvm::find_if(modules, [&](gpu::GPUModuleOp module) { return module.getName() == name; });
  if (named != modules.end())
    return *named;
  if (!name.empty())
    return emitError(top.getLoc()) << "no gpu.module is named '" << name << "'";
  return emitError(top.getLoc()) << "holds " << modules.size()
                                 << " gpu.modules, expects one; choose with --tgc-module=NAME";
}

static LogicalResult printPTX(ModuleOp top, raw_ostream &os) {
  auto module = selectModule(top);
  if (failed(module))
    return failure();
  auto ptx = translateToPTX(*module, getChip());
  if (failed(ptx))
    return failure();
  os << *ptx;
  return success();
}

static FailureOr<Cubin> assemble(ModuleOp top) {
  auto module = selectModule(top);
  if (failed(module))
    return failure();
  auto ptx = translateToPTX(*module, getChip());
  if (failed(ptx))
    return failure();
  return assemblePTX(*ptx, getChip(), module->getLoc());
}

static LogicalResult printCubin(ModuleOp top, raw_ostream &os) {
  auto cubin = assemble(top);
  if (failed(cubin))
    return failure();
  os << cubin->image;
  return success();
}

static LogicalResult printResources(ModuleOp top, raw_ostream &os) {
  auto cubin = assemble(top);
  if (failed(cubin))
    return failure();
  for (const KernelResources &kernel : cubin->kernels)
    os << kernel.symbol << ": registers " << kernel.registers << ", static shared " << kernel.sharedBytes << ", stack "
       << kernel.localBytes << ", spill stores " << kernel.spillStoreBytes << ", spill loads " << kernel.spillLoadBytes
       << "\n";
  for (const std::string &note : cubin->notes)
    os << "note: " << note << "\n";
  return success();
}

void tgc::registerPTXTranslation() {
  getChip();
  getModuleName();
  auto dialects = [](DialectRegistry &registry) {
    // Also those that the conversion loads: see AllDialects.h.
    registry.insert<TGCDialect, arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect,
                    vector::VectorDialect>();
    registerPTXDialectTranslations(registry);
  };
  static TranslateFromMLIRRegistration ptx("tgc-to-ptx", "Translate a thread program (L3) to PTX", printPTX, dialects);
  static TranslateFromMLIRRegistration cubin("tgc-to-cubin", "Assemble a thread program (L3)", printCubin, dialects);
  static TranslateFromMLIRRegistration resources(
      "tgc-to-resources", "Assemble a thread program (L3) and print registers, bytes and spills of each kernel",
      printResources, dialects);
}
