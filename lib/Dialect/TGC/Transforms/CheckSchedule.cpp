//===- CheckSchedule.cpp - every legality rule of a schedule -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// All rules, before anything is rewritten. Each is one function that reports at its clause with the numbers and the
// fix; its label stands in docs/schedule.md, here and in test/Dialect/TGC/check-schedule.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/KernelInterface.h"
#include "tgc/Support/TargetLimits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tgc-check-schedule"

namespace tgc {
#define GEN_PASS_DEF_CHECKSCHEDULEPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

namespace {

std::string str(ShapeAttr shape) {
  return llvm::join(llvm::map_range(shape.getDims(), [](int64_t d) { return std::to_string(d); }), "x");
}

class Checker {
public:
  Checker(const Kernel &kernel, const TargetLimits *limits)
      : kernel(kernel), schedule(kernel.schedule), limits(limits) {}

  LogicalResult run() {
    // In order: later rules rely on earlier ones.
    return success(succeeded(ranges()) && succeeded(dependencies()) && succeeded(complete()) && succeeded(lanes()) &&
                   succeeded(threadTile()) && succeeded(warpTile()) && succeeded(threadCount()) &&
                   succeeded(stages()) && succeeded(prefetch()) && succeeded(unroll()) && succeeded(store()) &&
                   succeeded(pipelineDepth()) &&
                   (!limits || (succeeded(sharedBytes()) && succeeded(occupancy()) && succeeded(registers()))));
  }

private:
  InFlightDiagnostic error(StringRef clause) { return mlir::emitError(getClauseLoc(kernel.func, clause)); }

  LogicalResult incomplete() {
    return kernel.func->emitOpError() << "has an incomplete schedule; run tgc-complete-schedule first";
  }

  /// Whether the schedule says what its clauses mean, and nothing else.
  LogicalResult complete() { return completeSchedule(kernel) == schedule ? success() : incomplete(); }

  /// rule: range
  LogicalResult ranges() {
    ShapeAttr block = schedule.getBlock();
    if (!block || !schedule.getStages() || !schedule.getPipeline() || !schedule.getInner() || !schedule.getStore() ||
        !schedule.getWalk() || !schedule.getBlocksPerSm())
      return incomplete();
    if (block.size() != 3)
      return error("block") << "block " << str(block) << " has " << block.size()
                            << (block.size() == 1 ? " extent" : " extents") << "; write BMxBNxBK";
    for (auto [clause, shape] : {std::pair<StringRef, ShapeAttr>("warp", schedule.getWarp()),
                                 {"thread", schedule.getThread()},
                                 {"group", schedule.getGroup()},
                                 {"lanes", schedule.getLanes()}})
      if (shape && shape.size() != 2)
        return error(clause) << clause << " " << str(shape) << " has " << shape.size()
                             << (shape.size() == 1 ? " extent" : " extents") << "; write two, as in 8x8";
    for (auto [clause, shape] : {std::pair<StringRef, ShapeAttr>("block", block),
                                 {"warp", schedule.getWarp()},
                                 {"thread", schedule.getThread()},
                                 {"group", schedule.getGroup()},
                                 {"lanes", schedule.getLanes()}})
      if (shape)
        for (int64_t extent : shape.getDims())
          if (extent < 1 || extent > kMaxExtent)
            return error(clause) << clause << " extent " << extent << " is out of range: [1, " << kMaxExtent << "]";
    auto in = [&](StringRef clause, int64_t value, int64_t low, int64_t high) -> LogicalResult {
      if (value < low || value > high)
        return error(clause) << clause << " " << value << " is out of range: [" << low << ", " << high << "]";
      return success();
    };
    if (failed(in("pipeline", schedule.getPipeline(), 1, 64)) ||
        failed(in("blocks_per_sm", schedule.getBlocksPerSm(), 1, limits ? limits->blocksPerSm : kMaxExtent)))
      return failure();
    if (schedule.getWalk() == WalkKind::Grouped)
      return in("walk", schedule.getWalkGroup(), 1, kMaxOvershoot);
    if (schedule.getWalkGroup())
      return error("walk") << "walk rows takes no group, but walk_group is " << schedule.getWalkGroup()
                           << "; use walk grouped " << schedule.getWalkGroup() << ", or leave it out";
    return success();
  }

  /// rule: needs
  LogicalResult dependencies() {
    if (!getClauseGiven("block") && (schedule.getThread() || schedule.getWarp() || schedule.getLanes())) {
      StringRef clause = schedule.getThread() ? "thread" : schedule.getWarp() ? "warp" : "lanes";
      return error(clause) << clause << " tiles a block tile, but the schedule has none; add block BMxBNxBK";
    }
    if (schedule.getGroup() && !schedule.getThread())
      return error("group") << "group " << str(schedule.getGroup())
                            << " arranges the elements of a thread tile, but the schedule has none; add thread TMxTN";
    bool staged = !schedule.getStages().empty();
    if (schedule.getPipeline() > 1 && !staged)
      return error("pipeline") << "pipeline " << schedule.getPipeline()
                               << " has nothing to pipeline: no operand is staged; add stage " << kernel.a.name
                               << " or stage " << kernel.b.name;
    return success();
  }

  /// rule: lanes
  LogicalResult lanes() {
    ShapeAttr lanes = schedule.getLanes();
    if (lanes && lanes[0] * lanes[1] != kWarpSize)
      return error("lanes") << "lanes " << str(lanes) << " are " << lanes[0] * lanes[1] << " lanes, but a warp has "
                            << kWarpSize << "; use 4x8, 8x4, 2x16, 16x2, 1x32 or 32x1";
    return success();
  }

  /// rule: thread-tile
  LogicalResult threadTile() {
    ShapeAttr thread = schedule.getThread(), group = schedule.getGroup(), warp = schedule.getWarp(),
              lanes = schedule.getLanes();
    if (!thread)
      return success();
    for (unsigned dim : {0u, 1u})
      if (group && thread[dim] % group[dim] != 0)
        return error("group") << "thread tile " << str(thread) << " is not divisible into groups of " << str(group)
                              << ": " << thread[dim] << " % " << group[dim] << " = " << thread[dim] % group[dim]
                              << "; use a group that divides it";
    if (!lanes) {
      if (warp)
        return error("thread") << "no arrangement of " << kWarpSize << " lanes with thread tile " << str(thread)
                               << " makes warp tile " << str(warp) << ": " << warp[0] * warp[1] << " elements are not "
                               << kWarpSize << " * " << thread[0] * thread[1]
                               << ", or do not divide; leave out warp, or make it lanes times thread";
      return error("thread") << "no arrangement of " << kWarpSize << " lanes with thread tile " << str(thread)
                             << " divides block tile " << schedule.getBlock()[0] << "x" << schedule.getBlock()[1]
                             << "; use extents that are powers of two, or write lanes";
    }
    for (unsigned dim : {0u, 1u})
      if (warp && lanes[dim] * thread[dim] != warp[dim])
        return error("warp") << "warp tile " << str(warp) << " is not lanes " << str(lanes) << " times thread tile "
                             << str(thread) << ": " << lanes[dim] << " * " << thread[dim] << " = "
                             << lanes[dim] * thread[dim] << ", not " << warp[dim] << "; leave out warp, or make it "
                             << lanes[0] * thread[0] << "x" << lanes[1] * thread[1];
    return success();
  }

  /// rule: warp-tile
  LogicalResult warpTile() {
    ShapeAttr warp = schedule.getWarp(), block = schedule.getBlock(), lanes = schedule.getLanes();
    if (!warp) {
      if (schedule.getDistribution())
        return success();
      if (lanes)
        return error("lanes") << "lanes " << str(lanes)
                              << " arranges the lanes of a warp tile, but the schedule has neither "
                                 "warp nor thread; add one";
      return error("block") << "block tile " << block[0] << "x" << block[1] << " cannot be dealt out to warps of "
                            << kWarpSize << " lanes; use extents divisible by 16, or add warp and thread";
    }
    for (unsigned dim : {0u, 1u})
      if (block[dim] % warp[dim] != 0)
        return error("warp") << "block tile " << block[0] << "x" << block[1] << " is not divisible into warp tiles of "
                             << str(warp) << ": " << block[dim] << " % " << warp[dim] << " = " << block[dim] % warp[dim]
                             << "; use a warp tile that divides it";
    if (!schedule.getThread())
      for (unsigned dim : {0u, 1u})
        if (!lanes || warp[dim] % lanes[dim] != 0)
          return error("warp") << "warp tile " << str(warp) << " cannot be dealt out to " << kWarpSize
                               << " lanes; use extents that are powers of two and at least 32 elements";
    return success();
  }

  /// rule: threads
  LogicalResult threadCount() {
    int64_t threads = schedule.getDistribution().getNumThreads();
    if (threads > TargetLimits::kThreadsPerBlock) {
      ShapeAttr warps = schedule.getDistribution().getWarps();
      return error(schedule.getWarp() && getClauseGiven("warp") ? "warp"
                   : getClauseGiven("thread")                   ? "thread"
                                                                : "block")
             << "block tile " << schedule.getBlock()[0] << "x" << schedule.getBlock()[1] << " in " << str(warps)
             << " warps needs " << threads << " threads, but a block has at most " << TargetLimits::kThreadsPerBlock
             << "; use larger warp or thread tiles";
    }
    return success();
  }

  /// rule: stage
  LogicalResult stages() {
    llvm::SmallPtrSet<Attribute, 2> seen;
    for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
      std::string clause = ("stage " + stage.getOperand().getValue()).str();
      if (!getClauseGiven("block"))
        return error(clause) << "stage needs a block tile; add block BMxBNxBK";
      const Operand *operand = kernel.find(stage.getOperand());
      if (!operand)
        return error(clause) << "stage names '" << stage.getOperand().getValue()
                             << "', but the product's operands are '" << kernel.a.name << "' and '" << kernel.b.name
                             << "'";
      if (!seen.insert(stage.getOperand()).second)
        return error(clause) << "operand '" << operand->name << "' is staged twice; keep one stage clause";
      SmallVector<int64_t, 2> tile = getOperandTile(*operand, schedule.getBlock());
      SharedAttr layout = getStagedLayout(stage, *operand);
      int64_t fast = tile[layout.getFastDim()];
      if (stage.getPad() < 0 || stage.getPad() > kMaxExtent)
        return error(clause) << "pad " << stage.getPad() << " is out of range: [0, " << kMaxExtent << "]";
      int64_t swizzle = stage.getSwizzle();
      if (swizzle) {
        if (swizzle != 2 && swizzle != 4 && swizzle != 8)
          return error(clause) << "swizzle " << swizzle << ", expects 2, 4 or 8: rows after which the pattern repeats";
        if (stage.getPad())
          return error(clause) << "pad " << stage.getPad() << " and swizzle " << swizzle
                               << " exclude each other; keep one";
        if (fast % (swizzle * kChunkElements) != 0)
          return error(clause) << "swizzle " << swizzle << " permutes " << swizzle * kChunkElements
                               << " elements of a row, but rows of " << operand->name << " in shared memory have "
                               << fast << ": " << fast << " % " << swizzle * kChunkElements << " = "
                               << fast % (swizzle * kChunkElements) << "; use a smaller swizzle, or pad";
      }
      int64_t bytes = stage.getBytes();
      if (bytes != 0 && bytes != 4 && bytes != 8 && bytes != 16)
        return error(clause) << "by " << kindName(stage.getBy()) << " " << bytes << ": an access is 4, 8 or 16 bytes";
      if (stage.getBy() == CopyKind::CpAsync && bytes > kElementBytes) {
        if (layout.getFastDim() != operand->fastDim)
          return error(clause)
                 << "cp.async " << bytes << " cannot transpose: " << operand->name << " is "
                 << (operand->fastDim == operand->kDim ? "contiguous along k in global memory"
                                                       : "contiguous across k in global memory")
                 << " but not in shared memory, where a copied element stands alone; use cp.async 4, or by registers";
        int64_t run = layout.getContiguousRun(tile) * kElementBytes;
        if (run < bytes)
          return error(clause) << "cp.async " << bytes << " needs rows in shared memory that are a multiple of "
                               << bytes << " bytes, but " << fast << " + pad " << stage.getPad() << " elements are "
                               << (fast + stage.getPad()) * kElementBytes << " bytes; use a pad that is a multiple of "
                               << bytes / kElementBytes << ", or cp.async " << run;
      }
      if (bytes > kElementBytes && tile[operand->fastDim] % (bytes / kElementBytes) != 0)
        return error(clause) << "accesses of " << bytes << " bytes do not divide the " << tile[operand->fastDim]
                             << " contiguous elements of a tile of " << operand->name << "; use "
                             << getRequestedWidth(StageAttr::get(stage.getContext(), stage.getOperand(),
                                                                 stage.getOrder(), stage.getPad(), swizzle,
                                                                 stage.getBy(), 0),
                                                  *operand, tile) *
                                    kElementBytes;
    }
    return success();
  }

  /// rule: prefetch
  LogicalResult prefetch() {
    if (!schedule.getPrefetch())
      return success();
    if (!schedule.getThread())
      return error("prefetch")
             << "prefetch loads register fragments ahead, but the schedule has none; add thread TMxTN";
    for (const Operand *operand : {&kernel.a, &kernel.b})
      if (!schedule.getStageOf(operand->name))
        return error("prefetch") << "prefetch loads fragments from shared memory, but operand '" << operand->name
                                 << "' is not staged; add stage " << operand->name;
    if (schedule.getPipeline() < 2)
      return error("prefetch") << "prefetch reads the next tile before it leaves this one, but pipeline is "
                               << schedule.getPipeline() << "; use pipeline 2 or more";
    if (schedule.getBlock()[2] % 2 != 0)
      return error("prefetch") << "prefetch alternates two fragments and needs an even number of k steps, but BK is "
                               << schedule.getBlock()[2] << "; use an even BK";
    if (schedule.getUnroll() != schedule.getBlock()[2])
      return error("product") << "prefetch needs every k step unrolled, but unroll is " << schedule.getUnroll()
                              << " of BK = " << schedule.getBlock()[2] << "; leave out unroll";
    return success();
  }

  /// rule: unroll
  LogicalResult unroll() {
    int64_t bk = schedule.getBlock()[2], unroll = schedule.getUnroll();
    if (unroll < 1 || bk % unroll != 0)
      return error("product") << "unroll " << unroll << " does not divide BK = " << bk << "; use a divisor of " << bk;
    return success();
  }

  /// rule: store
  LogicalResult store() {
    if (schedule.getStore() != StoreForm::Vector)
      return success();
    int64_t group = schedule.getDistribution().getGroup()[1];
    if (kernel.c.fastDim != 1)
      return error("store") << "store vector writes along rows, but " << kernel.c.name
                            << " is col_major; use store scalar";
    if (group % 2 != 0)
      return error("store") << "store vector needs at least 2 neighbouring columns in a thread, but groups have "
                            << group << "; use thread ... in " << schedule.getDistribution().getGroup()[0]
                            << "x4, or store scalar";
    return success();
  }

  /// rule: depth
  LogicalResult pipelineDepth() {
    int64_t reach = (schedule.getPipeline() + 1) * schedule.getBlock()[2];
    if (reach > kMaxOvershoot)
      return error("pipeline") << "pipeline " << schedule.getPipeline() << " with BK = " << schedule.getBlock()[2]
                               << " reaches " << reach << " elements past k, limit " << kMaxOvershoot
                               << "; use fewer stages or a smaller BK";
    return success();
  }

  /// rule: shared-bytes
  LogicalResult sharedBytes() {
    int64_t bytes = getResources(kernel).sharedBytes;
    ShapeAttr block = schedule.getBlock();
    if (bytes > limits->sharedBytesPerBlock)
      return error(schedule.getPipeline() > 1 ? "pipeline" : "block")
             << "block tile " << str(block) << " with " << schedule.getPipeline()
             << (schedule.getPipeline() == 1 ? " stage" : " stages") << " needs " << bytes
             << " bytes of shared memory (padding included), but " << limits->name << " allows "
             << limits->sharedBytesPerBlock << " per block; use fewer stages or a smaller BK";
    int64_t perSm = schedule.getBlocksPerSm() * (bytes + TargetLimits::kSharedBytesReserved);
    if (perSm > limits->sharedBytesPerSm)
      return error("blocks_per_sm") << "blocks_per_sm " << schedule.getBlocksPerSm() << " of " << bytes
                                    << " bytes of shared memory each (and " << TargetLimits::kSharedBytesReserved
                                    << " reserved) need " << perSm << ", but an SM of " << limits->name << " has "
                                    << limits->sharedBytesPerSm << "; use fewer blocks or stages";
    return success();
  }

  /// rule: blocks-per-sm
  LogicalResult occupancy() {
    int64_t threads = schedule.getDistribution().getNumThreads() * schedule.getBlocksPerSm();
    if (threads > limits->threadsPerSm)
      return error("blocks_per_sm") << "blocks_per_sm " << schedule.getBlocksPerSm() << " of "
                                    << schedule.getDistribution().getNumThreads() << " threads are " << threads
                                    << " threads, but an SM of " << limits->name << " holds " << limits->threadsPerSm
                                    << "; use fewer blocks";
    return success();
  }

  /// rule: registers
  LogicalResult registers() {
    ScheduleResources needs = getResources(kernel);
    if (needs.getRegisters() <= needs.registerLimit)
      return success();
    ShapeAttr each = schedule.getDistribution().getEach();
    StringRef clause = getClauseGiven("thread") ? "thread" : getClauseGiven("warp") ? "warp" : "block";
    InFlightDiagnostic diagnostic = error(clause);
    diagnostic << "thread tile " << str(each) << " needs about " << needs.getRegisters() << " registers ("
               << needs.accumulators << " accumulators, " << needs.fragments << " fragments, ";
    if (needs.copied)
      diagnostic << needs.copied << " for copies through registers, ";
    if (needs.direct)
      diagnostic << needs.direct << " for operands that are not staged, ";
    diagnostic << ScheduleResources::kOtherRegisters << " others), but " << schedule.getDistribution().getNumThreads()
               << " threads and " << schedule.getBlocksPerSm()
               << (schedule.getBlocksPerSm() == 1 ? " block" : " blocks") << " per SM leave " << needs.registerLimit
               << " per thread; use a smaller thread tile, ";
    if (needs.direct && schedule.getUnroll() > 1)
      diagnostic << "unroll less, ";
    diagnostic << (needs.direct ? "or stage the operands" : "or more threads");
    return diagnostic;
  }

  static StringRef kindName(CopyKind kind) { return kind == CopyKind::CpAsync ? "cp.async" : stringifyCopyKind(kind); }

  /// Whether the program itself wrote `clause`.
  bool getClauseGiven(StringRef clause) {
    if (auto locs = kernel.func->getAttrOfType<DictionaryAttr>("tgc.clause_locs"))
      return static_cast<bool>(locs.get(clause));
    return clause == "block"    ? schedule.getBlock() != getNaiveBlock(schedule.getContext())
           : clause == "thread" ? static_cast<bool>(schedule.getThread())
                                : static_cast<bool>(schedule.getWarp());
  }

  const Kernel &kernel;
  ScheduleAttr schedule;
  const TargetLimits *limits; ///< null: only the rules for any target
};

} // namespace

LogicalResult tgc::checkSchedule(const Kernel &kernel, const TargetLimits *limits) {
  return Checker(kernel, limits).run();
}

FailureOr<SmallVector<Kernel>> tgc::getCheckedKernels(gpu::GPUModuleOp module) {
  auto kernels = getKernels(module);
  if (succeeded(kernels))
    for (const Kernel &kernel : *kernels)
      if (failed(checkSchedule(kernel)))
        return failure();
  return kernels;
}

namespace {
struct CheckSchedule : tgc::impl::CheckSchedulePassBase<CheckSchedule> {
  using CheckSchedulePassBase::CheckSchedulePassBase;

  void runOnOperation() override {
    FailureOr<const TargetLimits *> limits = resolveTarget(getOperation(), target);
    if (failed(limits))
      return signalPassFailure();
    auto kernels = getKernels(getOperation());
    if (failed(kernels))
      return signalPassFailure();
    bool ok = true;
    for (Kernel &kernel : *kernels)
      ok &= succeeded(checkSchedule(kernel, *limits));
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
