//===- TargetLimits.cpp - what one GPU generation allows -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tgc;

//                                       shared/block  shared/SM  threads/SM  blocks/SM
static constexpr TargetLimits kTargets[] = {
    {llvm::StringLiteral("sm_80"), 163 * 1024, 164 * 1024, 2048, 32},
    {llvm::StringLiteral("sm_86"), 99 * 1024, 100 * 1024, 1536, 16},
    {llvm::StringLiteral("sm_89"), 99 * 1024, 100 * 1024, 1536, 24},
    {llvm::StringLiteral("sm_90"), 227 * 1024, 228 * 1024, 2048, 32},
    {llvm::StringLiteral("sm_100"), 227 * 1024, 228 * 1024, 2048, 32},
    {llvm::StringLiteral("sm_120"), 99 * 1024, 100 * 1024, 1536, 24},
};

llvm::ArrayRef<TargetLimits> tgc::getTargets() { return kTargets; }

const TargetLimits *tgc::getTargetLimits(llvm::StringRef name) {
  name = name.rtrim("af");
  const auto *found = llvm::find_if(kTargets, [&](const TargetLimits &target) { return target.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

std::string tgc::listTargets() {
  return llvm::join(llvm::map_range(kTargets, [](const TargetLimits &target) { return target.name; }), ", ");
}

llvm::StringRef tgc::getTargetName(gpu::GPUModuleOp module, llvm::StringRef wanted) {
  if (!wanted.empty())
    return wanted;
  auto own = module->getAttrOfType<StringAttr>("tgc.target");
  return own ? own.getValue() : "sm_90";
}

FailureOr<const TargetLimits *> tgc::resolveTarget(gpu::GPUModuleOp module, llvm::StringRef wanted) {
  auto find = [&](llvm::StringRef name) -> FailureOr<const TargetLimits *> {
    if (const TargetLimits *limits = getTargetLimits(name))
      return limits;
    return module.emitError() << "unknown target '" << name << "'; known are " << listTargets();
  };
  FailureOr<const TargetLimits *> own = find(getTargetName(module, ""));
  FailureOr<const TargetLimits *> target = find(getTargetName(module, wanted));
  if (failed(own) || failed(target) || *own == *target || !module->hasAttr("tgc.target"))
    return target;
  if (*target < *own) // kTargets is ordered
    return module.emitError() << "the schedule is on " << (*own)->name << ", newer than the target " << (*target)->name
                              << "; build it for " << (*own)->name << " or newer, or change 'on " << (*own)->name
                              << "'";
  module.emitRemark() << "the schedule is on " << (*own)->name << "; it is checked against the limits of "
                      << (*target)->name << " and compiled for that";
  return target;
}
