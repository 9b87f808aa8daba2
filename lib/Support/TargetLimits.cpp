//===- TargetLimits.cpp - what one GPU generation allows -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/STLExtras.h"

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
