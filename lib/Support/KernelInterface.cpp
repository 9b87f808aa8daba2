//===- KernelInterface.cpp - how a kernel is called -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/KernelInterface.h"

#include "tgc/Support/TargetLimits.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tgc;

StringRef tgc::getValueName(Value value) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().strref();
  return {};
}

int64_t tgc::getSharedBytes(gpu::GPUFuncOp func, SmallVectorImpl<int64_t> *offsets) {
  int64_t bytes = 0;
  for (BlockArgument buffer : func.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (offsets)
      offsets->push_back(bytes);
    bytes += llvm::alignTo(type.getNumElements() * type.getElementTypeBitWidth() / 8, 16);
  }
  return bytes;
}

/// Bytes of an array of f32, or the largest number if they are more.
static uint64_t getBytes(MemRefType type) {
  uint64_t bytes = sizeof(float);
  for (uint64_t extent : type.getShape())
    bytes = llvm::SaturatingMultiply(bytes, extent);
  return bytes;
}

LogicalResult tgc::checkArrays(gpu::GPUFuncOp func) {
  uint64_t shared = 0, mostShared = 0, local = 0;
  for (auto [i, buffer] : llvm::enumerate(func.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getElementType().isF32() || !type.getLayout().isIdentity())
      return func.emitOpError() << "workgroup attribution " << i << " has type " << type
                                << ", expects f32, a static shape and no layout (docs/threads.md)";
    shared = llvm::SaturatingAdd(shared, getBytes(type));
  }
  for (const TargetLimits &target : getTargets())
    mostShared = std::max<uint64_t>(mostShared, target.sharedBytesPerBlock);
  if (shared > mostShared)
    return func.emitOpError() << "has " << shared << " bytes of workgroup attributions, but no target has more than "
                              << mostShared << " bytes of shared memory per block";
  func.walk([&](memref::AllocaOp array) {
    if (array.getType().hasStaticShape())
      local = llvm::SaturatingAdd(local, getBytes(array.getType()));
  });
  // CUDA C++ Programming Guide, technical specifications per compute capability.
  constexpr uint64_t kMostLocal = 512 * 1024;
  if (local > kMostLocal)
    return func.emitOpError() << "has " << local << " bytes of private arrays, but a thread has at most " << kMostLocal
                              << " bytes of local memory";
  return success();
}

static FailureOr<std::vector<KernelArgument>> getArguments(gpu::GPUFuncOp func) {
  std::vector<KernelArgument> arguments;
  for (auto [i, value] : llvm::enumerate(func.getArguments().take_front(func.getFunctionType().getNumInputs()))) {
    KernelArgument argument;
    argument.name = getValueName(value).str();
    if (auto name = func.getArgAttrOfType<StringAttr>(i, "tgc.name"))
      argument.name = name.str();
    if (argument.name.empty())
      return func.emitOpError() << "argument " << i << " has no name (loc(\"M\") or tgc.name)";
    Type type = value.getType();
    if (type.isIndex())
      argument.kind = KernelArgument::Size;
    else if (type.isInteger(64))
      argument.kind = KernelArgument::LeadingDimension;
    else if (type.isF32())
      argument.kind = KernelArgument::Scalar;
    else if (auto memref = dyn_cast<MemRefType>(type); memref && memref.getRank() == 1) {
      argument.kind = KernelArgument::Pointer;
      argument.written = !func.getArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName());
      auto dims = func.getArgAttrOfType<ArrayAttr>(i, "tgc.dims");
      if (!dims)
        return func.emitOpError() << "pointer argument '" << argument.name << "' has no tgc.dims";
      for (auto dim : dims.getAsRange<StringAttr>())
        argument.dims.push_back(dim.str());
    } else {
      return func.emitOpError() << "argument '" << argument.name << "' has type " << type
                                << ", expects index, i64, f32 or memref<?xf32>";
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

static void appendFacts(Operation *op, StringRef attr, std::vector<FactAttr> &facts) {
  if (auto list = op->getAttrOfType<ArrayAttr>(attr))
    llvm::append_range(facts, list.getAsRange<FactAttr>());
}

FailureOr<KernelInterface> tgc::getKernelInterface(gpu::GPUModuleOp module) {
  KernelInterface interface;
  interface.name = module.getName().str();
  if (auto source = module->getAttrOfType<StringAttr>("tgc.source"))
    interface.source = source.str();
  appendFacts(module, "tgc.facts", interface.whereFacts);
  for (auto func : module.getOps<gpu::GPUFuncOp>()) {
    auto first = *module.getOps<gpu::GPUFuncOp>().begin();
    if (func.getFunctionType() != first.getFunctionType())
      return func.emitOpError() << "has other arguments than '" << first.getName()
                                << "', the first kernel of its gpu.module: " << func.getFunctionType() << " against "
                                << first.getFunctionType();
    auto launch = func->getAttrOfType<LaunchAttr>("tgc.launch");
    if (!launch)
      return func.emitOpError() << "has no tgc.launch: it is not at L3";
    if (failed(checkArrays(func)))
      return failure();
    if (interface.arguments.empty()) {
      auto arguments = getArguments(func);
      if (failed(arguments))
        return failure();
      interface.arguments = std::move(*arguments);
      interface.readsOutput = func->hasAttr("tgc.reads_output");
    }
    KernelVariant variant;
    variant.symbol = func.getName().str();
    if (auto name = func->getAttrOfType<StringAttr>("tgc.variant"))
      variant.variant = name.str();
    appendFacts(func, "tgc.facts", variant.facts);
    variant.threads = launch.getThreads();
    variant.tileM = launch.getTile()[0];
    variant.tileN = launch.getTile()[1];
    variant.walkGroup = launch.getWalkGroup();
    variant.minBlocks = launch.getMinBlocks();
    variant.sharedBytes = getSharedBytes(func);
    interface.variants.push_back(std::move(variant));
  }
  if (interface.variants.empty())
    return module.emitOpError() << "holds no kernel";
  return interface;
}
