//===- CompleteSchedule.cpp - what a missing clause means -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// The one place that knows the simplest meaning of a clause left out (docs/schedule.md). Decides only: what cannot be
// decided because extents do not divide stays null, for CheckSchedule to report.
//
// Tests: test/Dialect/TGC/complete-schedule.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"

#define DEBUG_TYPE "tgc-complete-schedule"

namespace tgc {
#define GEN_PASS_DEF_COMPLETESCHEDULEPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

/// Lane arrangements in the order in which they are tried where a schedule names none: square-ish ones first, which
/// read the fewest distinct elements per warp.
static constexpr int64_t kLaneChoices[][2] = {{4, 8}, {8, 4}, {2, 16}, {16, 2}, {1, 32}, {32, 1}};

static bool divides(int64_t divisor, int64_t value) { return divisor > 0 && value % divisor == 0; }

/// `block` alone: each thread gets every 16th row and column, as 8 warps of 2 x 16 lanes; smaller powers of two where
/// 16 does not divide. Null if no whole number of warps covers the tile.
static SIMTAttr dealOut(MLIRContext *context, int64_t bm, int64_t bn) {
  auto shape = [&](int64_t a, int64_t b) { return ShapeAttr::get(context, {a, b}); };
  int64_t laneN = kDefaultSide;
  while (!divides(laneN, bn))
    laneN /= 2;
  int64_t laneM = kWarpSize / laneN;
  if (!divides(laneM, bm))
    return {};
  int64_t warps = kDefaultSide * kDefaultSide / kWarpSize;
  while (!divides(laneM * warps, bm))
    warps /= 2;
  return SIMTAttr::get(context, shape(warps, 1), shape(laneM, laneN), shape(bm / (laneM * warps), bn / laneN),
                       shape(1, 1));
}

/// Whether `shape` is left out or has `rank` extents in the range that CheckSchedule asks for.
static bool isInRange(ShapeAttr shape, unsigned rank) {
  return !shape || (shape.size() == rank &&
                    llvm::all_of(shape.getDims(), [](int64_t extent) { return extent >= 1 && extent <= kMaxExtent; }));
}

/// The distribution that block, warp, thread, group and lanes describe, or null if they do not divide.
static SIMTAttr deriveDistribution(MLIRContext *context, ScheduleAttr::Fields &f) {
  auto shape = [&](int64_t a, int64_t b) { return ShapeAttr::get(context, {a, b}); };
  int64_t bm = f.block[0], bn = f.block[1];
  if (!f.warp && !f.thread) {
    SIMTAttr dealt = dealOut(context, bm, bn);
    if (dealt && f.lanes && f.lanes != dealt.getLanes())
      return {};
    return dealt;
  }
  if (f.thread) {
    if (!f.group)
      f.group = f.thread;
    if (!f.lanes) {
      for (auto [laneM, laneN] : kLaneChoices) {
        int64_t wm = laneM * f.thread[0], wn = laneN * f.thread[1];
        if (f.warp ? (wm == f.warp[0] && wn == f.warp[1]) : (divides(wm, bm) && divides(wn, bn))) {
          f.lanes = shape(laneM, laneN);
          break;
        }
      }
    }
    if (!f.lanes)
      return {};
    if (!f.warp)
      f.warp = shape(f.lanes[0] * f.thread[0], f.lanes[1] * f.thread[1]);
  } else if (!f.lanes) {
    for (auto [laneM, laneN] : kLaneChoices)
      if (divides(laneM, f.warp[0]) && divides(laneN, f.warp[1])) {
        f.lanes = shape(laneM, laneN);
        break;
      }
    if (!f.lanes)
      return {};
  }
  if (f.lanes[0] * f.lanes[1] != kWarpSize || !divides(f.lanes[0], f.warp[0]) || !divides(f.lanes[1], f.warp[1]) ||
      !divides(f.warp[0], bm) || !divides(f.warp[1], bn))
    return {};
  ShapeAttr each = shape(f.warp[0] / f.lanes[0], f.warp[1] / f.lanes[1]);
  if (f.thread && f.thread != each)
    return {};
  ShapeAttr group = f.group ? f.group : shape(1, 1);
  if (!divides(group[0], each[0]) || !divides(group[1], each[1]))
    return {};
  return SIMTAttr::get(context, shape(bm / f.warp[0], bn / f.warp[1]), f.lanes, each, group);
}

/// All k steps of a tile, or else as many as divide them and fit the registers with what they load ahead.
static int64_t getDefaultUnroll(Kernel kernel, ScheduleAttr::Fields f) {
  int64_t bk = f.block[2];
  if (f.prefetch)
    return bk;
  for (f.unroll = bk; f.unroll > 1; --f.unroll) {
    if (bk % f.unroll != 0)
      continue;
    kernel.schedule = ScheduleAttr::get(kernel.schedule.getContext(), f);
    if (!isMeasurable(kernel))
      return bk;
    ScheduleResources needs = getResources(kernel);
    if (needs.getRegisters() <= needs.registerLimit)
      return f.unroll;
  }
  return f.unroll;
}

ScheduleAttr tgc::completeSchedule(const Kernel &kernel) {
  MLIRContext *context = kernel.schedule.getContext();
  ScheduleAttr::Fields f = kernel.schedule.getFields();
  bool tiled = static_cast<bool>(f.block);
  if (!tiled)
    f.block = getNaiveBlock(context);
  f.distribution = {};
  bool inRange = isInRange(f.block, 3) && isInRange(f.warp, 2) && isInRange(f.thread, 2) && isInRange(f.group, 2) &&
                 isInRange(f.lanes, 2);
  if (inRange && (tiled || (!f.warp && !f.thread && !f.lanes)))
    f.distribution = deriveDistribution(context, f);
  if (!f.stages)
    f.stages = ArrayAttr::get(context, {});
  if (!f.pipeline)
    f.pipeline = 1;
  if (!f.inner)
    f.inner = InnerLoop::J;
  if (!f.store)
    f.store = StoreForm::Scalar;
  if (!f.walk)
    f.walk = WalkKind::Rows;
  if (!f.blocksPerSm)
    f.blocksPerSm = 1;
  if (!f.unroll && inRange)
    f.unroll = getDefaultUnroll(kernel, f);
  return ScheduleAttr::get(context, f);
}

/// "128x256".
static std::string describe(ShapeAttr shape) {
  return llvm::join(llvm::map_range(shape.getDims(), [](int64_t extent) { return std::to_string(extent); }), "x");
}

/// What clauses that are left out mean for this schedule.
static void explainDefaults(gpu::GPUFuncOp func, ScheduleAttr given, ScheduleAttr complete) {
  auto explain = [&](StringRef clause, const llvm::Twine &message) {
    emitDecision(func, DEBUG_TYPE, clause, Decision::Default, message);
  };
  SIMTAttr distribution = complete.getDistribution();
  if (!distribution)
    return; // an error, which tgc-check-schedule reports
  if (!given.getBlock())
    explain("block", "no block: " + describe(complete.getBlock()) +
                         ", a thread an element, and operands are read from global memory k by k");
  if (!given.getThread())
    explain("thread", "no thread: each thread has the " + describe(distribution.getEach()) +
                          " elements that are its share of the block tile, and reads operands one by one instead of "
                          "through fragments");
  if (given.getThread() && !given.getWarp())
    explain("warp", "no warp: " + describe(complete.getWarp()) + ", lanes times thread tile");
  if (given.getThread() && !given.getLanes())
    explain("lanes", "no lanes: " + describe(complete.getLanes()) +
                         ", the first arrangement of 32 that fits warp and block tile");
  if (given.getThread() && !given.getGroup())
    explain("group", "no group: a thread's " + describe(complete.getGroup()) + " elements are one contiguous piece");
  if (!given.getStages() || given.getStages().empty())
    explain("stage", "no stage: both operands are read from global memory by every thread that needs them");
  if (!given.getPipeline() && given.getStages() && !given.getStages().empty())
    explain("pipeline", "no pipeline: 1 stage, so a block waits for each k tile before it multiplies it");
  if (!given.getPrefetch() && given.getThread() && given.getStages() && given.getStages().size() == 2)
    explain("prefetch", "no prefetch: fragments are loaded in the k step that uses them");
  if (!given.getInner())
    explain("product", "no order: j_inner, along rows of the register tile");
  if (!given.getUnroll() && given.getBlock())
    explain("product",
            "no unroll: " + (complete.getUnroll() == complete.getBlock()[2]
                                 ? "all " + llvm::Twine(complete.getBlock()[2]) + " k steps of a tile"
                                 : llvm::Twine(complete.getUnroll()) + " of " + llvm::Twine(complete.getBlock()[2]) +
                                       " k steps of a tile: more would load more ahead than registers hold"));
  if (!given.getStore())
    explain("store", "no store: scalar, an element at a time");
  if (!given.getWalk())
    explain("walk", "no walk: blocks take the tiles of C row by row");
  if (!given.getBlocksPerSm())
    explain("blocks_per_sm", "no blocks_per_sm: 1, so that a thread may have up to 255 registers");
}

namespace {
struct CompleteSchedule : tgc::impl::CompleteSchedulePassBase<CompleteSchedule> {
  void runOnOperation() override {
    auto kernels = getKernels(getOperation());
    if (failed(kernels))
      return signalPassFailure();
    for (Kernel &kernel : *kernels) {
      ScheduleAttr complete = completeSchedule(kernel);
      explainDefaults(kernel.func, kernel.schedule, complete);
      kernel.func->setAttr("tgc.schedule", complete);
    }
  }
};
} // namespace
