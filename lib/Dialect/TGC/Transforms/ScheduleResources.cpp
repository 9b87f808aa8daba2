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

/// Registers for `count` elements of `operand`, a fragment in each k step. With `prefetch` there are two of them. Where
/// the elements of several k steps are neighbours in shared memory, ptxas joins their loads.
static int64_t getFragmentRegisters(const Kernel &kernel, const Operand &operand, int64_t count) {
  ScheduleAttr schedule = kernel.schedule;
  if (schedule.getPrefetch())
    return 2 * count;
  StageAttr stage = schedule.getStageOf(operand.name);
  SharedAttr layout = stage ? getStagedLayout(stage, operand) : SharedAttr();
  if (!layout || layout.getFastDim() != operand.kDim)
    return count;
  return count * std::min(schedule.getUnroll(), layout.getContiguousRun(getOperandTile(operand, schedule.getBlock())));
}

/// Registers for reading `count` elements of `operand` in each k step straight from global memory, beside its fragment:
/// an address of two registers and a guard for each row. ptxas issues the loads of all unrolled steps together.
static int64_t getDirectRegisters(const Operand &operand, int64_t count, int64_t unroll) {
  constexpr int64_t kPerRow = 3, kPerUnrolledLoop = 12;
  int64_t rows = operand.fastDim == operand.kDim ? count : unroll;
  int64_t ahead = unroll > 1 ? (unroll - 1) * count + kPerUnrolledLoop : 0;
  return kPerRow * rows + ahead;
}

/// Registers for the pieces of `operand` that a thread copies through registers, of one element where nothing is known
/// of alignment. If neither rows nor threads divide the other, each piece also has an address, a guard and a position
/// of its own.
static int64_t getCopiedRegisters(const Operand &operand, ArrayRef<int64_t> tile, int64_t threads) {
  constexpr int64_t kPerIrregular = 5;
  int64_t pieces = llvm::divideCeil(tile[0] * tile[1], threads), perRow = tile[operand.fastDim];
  bool regular = threads % perRow == 0 || perRow % threads == 0;
  return regular ? pieces : kPerIrregular * pieces;
}

ScheduleResources tgc::getResources(const Kernel &kernel) {
  ScheduleAttr schedule = kernel.schedule;
  SIMTAttr distribution = schedule.getDistribution();
  int64_t threads = distribution.getNumThreads();
  int64_t tm = distribution.getEach()[0], tn = distribution.getEach()[1];
  ScheduleResources result;
  result.accumulators = tm * tn;
  for (auto [operand, count] : {std::pair(&kernel.a, tm), std::pair(&kernel.b, tn)}) {
    result.fragments += getFragmentRegisters(kernel, *operand, count);
    if (!schedule.getStageOf(operand->name))
      result.direct += getDirectRegisters(*operand, count, schedule.getUnroll());
  }
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    const Operand &operand = *kernel.find(stage.getOperand());
    SmallVector<int64_t, 2> tile = getOperandTile(operand, schedule.getBlock());
    auto storage = getStagedLayout(stage, operand).getStorageShape(tile);
    result.sharedBytes += llvm::alignTo(schedule.getPipeline() * storage[0] * storage[1] * kElementBytes, 16);
    if (stage.getBy() == CopyKind::Registers)
      result.copied += getCopiedRegisters(operand, tile, threads);
  }
  int64_t share = TargetLimits::kRegistersPerSm / (threads * schedule.getBlocksPerSm());
  result.registerLimit =
      std::min<int64_t>(llvm::alignDown(share, TargetLimits::kRegisterUnit), TargetLimits::kRegistersPerThread);
  return result;
}

bool tgc::isMeasurable(const Kernel &kernel) {
  auto inRange = [](int64_t value) { return value >= 1 && value <= kMaxOvershoot; };
  ScheduleAttr schedule = kernel.schedule;
  return schedule.getDistribution() && schedule.getStages() && inRange(schedule.getPipeline()) &&
         inRange(schedule.getBlocksPerSm()) && inRange(schedule.getUnroll()) &&
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
