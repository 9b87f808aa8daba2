//===- Module.cpp - what the text and the header share -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "Names.h"
#include "Writer.h"
#include "tgc/Target/CUDA/CUDA.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::cuda;

static LogicalResult checkName(gpu::GPUFuncOp func) {
  // The names of the host header are taken in the kernel's namespace.
  static constexpr StringLiteral header[] = {"Arguments", "Kernel", "Status",        "check",
                                             "choose",    "launch", "workspaceBytes"};
  if (!isUsableName(func.getName()) || llvm::is_contained(header, func.getName()))
    return func.emitOpError()
           << "cannot be a C++ function: '" << func.getName()
           << "' is not an identifier, is reserved, or is spelt in capitals as macros are; rename it";
  return success();
}

LogicalResult tgc::checkKernelNames(ModuleOp module) {
  llvm::StringMap<Operation *> kernels;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    for (auto func : gpuModule.getOps<gpu::GPUFuncOp>()) {
      if (failed(checkName(func)))
        return failure();
      auto [it, isNew] = kernels.try_emplace(func.getName(), func);
      if (!isNew) {
        auto diag = func.emitOpError() << "'" << func.getName() << "' is the second kernel of that name in this file";
        diag.attachNote(it->second->getLoc()) << "the first is here";
        return failure();
      }
    }
  return success();
}

static LogicalResult checkFunction(gpu::GPUFuncOp func) {
  if (!func.isKernel())
    return func.emitOpError("is not a kernel: L3 has no calls (docs/threads.md)");
  if (!func.getBody().hasOneBlock())
    return func.emitOpError() << "has " << func.getBody().getBlocks().size()
                              << " blocks; L3 is structured: one (docs/threads.md)";
  for (auto [i, buffer] : llvm::enumerate(func.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getElementType().isF32() || !type.getLayout().isIdentity())
      return func.emitOpError() << "workgroup attribution " << i << " has type " << type
                                << ", expects f32, a static shape and no layout (docs/threads.md)";
  }
  if (func.getNumPrivateAttributions() > 0)
    return func.emitOpError("has private attributions; private memory is memref.alloca at L3 (docs/threads.md)");
  return success();
}

FailureOr<std::vector<ModuleInterface>> tgc::cuda::getModules(ModuleOp module) {
  std::vector<ModuleInterface> modules;
  llvm::StringMap<Operation *> nameSpaces;
  if (failed(checkKernelNames(module)))
    return failure();
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    for (auto func : gpuModule.getOps<gpu::GPUFuncOp>())
      if (failed(checkFunction(func)))
        return failure();
    for (auto func : gpuModule.getOps<gpu::GPUFuncOp>()) {
      auto first = *gpuModule.getOps<gpu::GPUFuncOp>().begin();
      if (func.getFunctionType() != first.getFunctionType())
        return func.emitOpError() << "has other arguments than '" << first.getName()
                                  << "', the first kernel of its gpu.module: " << func.getFunctionType() << " against "
                                  << first.getFunctionType();
    }
    auto interface = getKernelInterface(gpuModule);
    if (failed(interface))
      return failure();
    auto [it, isNew] = nameSpaces.try_emplace(getNamespace(*interface), gpuModule);
    if (!isNew) {
      auto diag = gpuModule.emitOpError() << "'" << interface->name << "' needs the C++ namespace "
                                          << getNamespace(*interface) << ", which is taken";
      diag.attachNote(it->second->getLoc()) << "by this module";
      return failure();
    }
    modules.push_back({gpuModule, std::move(*interface)});
  }
  if (modules.empty())
    return module.emitError("there is no gpu.module to print");
  return modules;
}

std::string tgc::cuda::getNamespace(const KernelInterface &interface) {
  std::string name = getUsableName(interface.name);
  return llvm::StringRef(name).starts_with("tgc_") ? name : "tgc_" + name;
}

std::string tgc::cuda::describeFact(FactAttr fact) {
  std::string subject = fact.getSubject().str(), value = std::to_string(fact.getValue());
  switch (fact.getKind()) {
  case FactKind::Aligned:
    return subject + " aligned to " + value + " bytes";
  case FactKind::Multiple:
    return subject + " % " + value + " == 0";
  case FactKind::AtMost:
    return subject + " <= " + value;
  case FactKind::Equal:
    return subject + " == " + value;
  }
  llvm_unreachable("all kinds are listed");
}

void tgc::cuda::printFileComment(raw_ostream &os, llvm::ArrayRef<ModuleInterface> modules, StringRef title) {
  os << "// ";
  llvm::interleaveComma(modules, os, [&](const ModuleInterface &entry) { os << entry.interface.name; });
  os << ": " << title << ".\n// Generated by tgc: edit the tile program, not this file.\n";
  for (const ModuleInterface &entry : modules) {
    if (entry.interface.source.empty())
      continue;
    os << "//\n";
    printComment(os, entry.interface.source, "   ");
  }
  os << '\n';
}

void tgc::cuda::printWrappedComment(raw_ostream &os, StringRef text) {
  while (text.size() + 3 > kColumns) {
    size_t at = text.rfind(' ', kColumns - 3);
    if (at == StringRef::npos)
      break;
    os << "// " << text.take_front(at) << '\n';
    text = text.drop_front(at + 1);
  }
  os << "// " << text << '\n';
}
