//===- ScheduleResources.cpp - what a block of a schedule takes -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "tgc/Support/KernelInterface.h"
#include "tgc/Support/TargetLimits.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tgc;

ScheduleResources tgc::getResources(const Kernel &kernel) {
  ScheduleAttr schedule = kernel.schedule;
  SIMTAttr distribution = schedule.getDistribution();
  int64_t threads = distribution.getNumThreads();
  int64_t tm = distribution.getEach()[0], tn = distribution.getEach()[1];
  ScheduleResources result;
  result.accumulators = tm * tn;
  result.fragments = (tm + tn) * (schedule.getPrefetch() ? 2 : 1);
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    const Operand &operand = *kernel.find(stage.getOperand());
    SmallVector<int64_t, 2> tile = getOperandTile(operand, schedule.getBlock());
    auto storage = getStagedLayout(stage, operand).getStorageShape(tile);
    result.sharedBytes += llvm::alignTo(schedule.getPipeline() * storage[0] * storage[1] * kElementBytes, 16);
    if (stage.getBy() == CopyKind::Registers)
      result.copied += llvm::divideCeil(tile[0] * tile[1], threads);
  }
  int64_t share = TargetLimits::kRegistersPerSm / (threads * schedule.getBlocksPerSm());
  result.registerLimit =
      std::min<int64_t>(llvm::alignDown(share, TargetLimits::kRegisterUnit), TargetLimits::kRegistersPerThread);
  return result;
}

/// Whether the factors of `getResources` are what they should be, and their products fit 64 bits.
static bool isMeasurable(const Kernel &kernel) {
  auto inRange = [](int64_t value) { return value >= 1 && value <= kMaxOvershoot; };
  ScheduleAttr schedule = kernel.schedule;
  return schedule.getDistribution() && schedule.getStages() && inRange(schedule.getPipeline()) &&
         inRange(schedule.getBlocksPerSm()) &&
         llvm::all_of(schedule.getStages().getAsRange<StageAttr>(), [&](StageAttr stage) {
           return kernel.find(stage.getOperand()) && stage.getPad() >= 0 && stage.getPad() <= kMaxExtent;
         });
}

std::optional<ScheduleResources> tgc::getScheduleResources(gpu::GPUFuncOp func) {
  auto kernels = getKernels(func->getParentOfType<gpu::GPUModuleOp>());
  if (failed(kernels))
    return std::nullopt;
  const auto *kernel = llvm::find_if(*kernels, [&](const Kernel &kernel) { return kernel.func == func; });
  if (kernel == kernels->end() || !isMeasurable(*kernel))
    return std::nullopt;
  return getResources(*kernel);
}
