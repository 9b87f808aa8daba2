//===- PipelineCopies.cpp - copies ahead of their use -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// The staged loop [loads | acquire, copies, commit | wait | compute | release] becomes, with n slots,
//
//   for p in 0 .. n-1:  loads(k0 + p * BK); acquire; copies; commit          (unrolled)
//   for k:  wait in_flight n-2;  loads(k + (n-1) * BK); acquire; copies; commit;  compute;  release
//
// where copies from registers to shared memory, and the commit with them, come after the compute. No peeling and no
// predicate: a window past the end reads zeros, and adding zeros to zeros' products changes nothing.
//
// Tests: test/Dialect/TGC/pipeline-copies.mlir, test/Simulate/ring.mlir.
//
//===----------------------------------------------------------------------===//

#include "RingLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/Decisions.h"
#include "tgc/Support/IndexMath.h"

#define DEBUG_TYPE "tgc-pipeline-copies"

namespace tgc {
#define GEN_PASS_DEF_PIPELINECOPIESPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

FailureOr<RingLoop> tgc::matchRingLoop(RingOp ring) {
  RingLoop result;
  result.ring = ring;
  for (Operation *user : ring.getRing().getUsers()) {
    auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
    if (isa<WaitOp>(user) && loop)
      result.loop = loop;
  }
  if (!result.loop || !result.loop.getInitArgs().empty())
    return ring.emitOpError() << "is not consumed by a loop of its own: expects a loop that waits and releases";
  for (Operation &op : result.loop.getBody()->without_terminator()) {
    if (auto acquire = dyn_cast<AcquireOp>(op)) {
      if (result.acquire || acquire.getRing() != ring.getRing())
        return acquire.emitOpError() << "is the second in its loop: expects one ring and one acquire a turn";
      result.acquire = acquire;
    } else if (auto commit = dyn_cast<CommitOp>(op)) {
      result.commit = commit;
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      if (result.wait)
        return wait.emitOpError() << "is the second in its loop: expects one wait a turn";
      result.wait = wait;
    } else if (auto release = dyn_cast<ReleaseOp>(op)) {
      result.release = release;
    } else if (isa<WindowOp, arith::AddIOp, arith::ConstantOp>(op)) {
      result.windows.push_back(&op);
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      if (isa<CopyRegsAttr>(copy.getDest().getType().getPlace()))
        result.loads.push_back(copy);
      else if (copy.getDest().getDefiningOp<AcquireOp>())
        (isa<CopyRegsAttr>(copy.getSource().getType().getPlace()) ? result.stores : result.copies).push_back(copy);
      else
        result.compute.push_back(&op);
    } else {
      result.compute.push_back(&op);
    }
  }
  if (!result.acquire || !result.commit || !result.wait || !result.release)
    return ring.emitOpError()
           << "is not filled and emptied in one turn of its loop: expects acquire, commit, wait and release";
  for (Operation *op : result.compute)
    if (op->isBeforeInBlock(result.wait) || result.release->isBeforeInBlock(op))
      return op->emitOpError()
             << "stands between the copies and the wait of its ring's slot, or after the release: the loop "
                "cannot be pipelined";
  return result;
}

static LogicalResult setSlots(RingOp ring, int64_t slots) {
  auto emitError = [&] { return ring.emitOpError() << "cannot be pipelined as tgc.schedule says: "; };
  auto old = ring.getRing().getType();
  auto type = RingType::getChecked(emitError, ring.getContext(), slots, old.getTiles());
  if (!type)
    return failure();
  ring.getRing().setType(type);
  return success();
}

static LogicalResult pipeline(RingOp ring, int64_t slots) {
  FailureOr<RingLoop> matched = matchRingLoop(ring);
  if (failed(matched))
    return failure();
  RingLoop &parts = *matched;
  scf::ForOp loop = parts.loop;
  Location loc = ring.getLoc();
  if (failed(setSlots(ring, slots)))
    return failure();

  // Everything that fills the slot of the tile at k, cloned with k moved.
  Value k = loop.getInductionVar();
  auto cloneInto = [&](OpBuilder &builder, Value at, ArrayRef<Operation *> ops, IRMapping &mapping) {
    mapping.map(k, at);
    for (Operation *op : ops) {
      auto window = dyn_cast<WindowOp>(builder.clone(*op, mapping));
      if (!window || !window.getInBounds())
        continue;
      // What is inside at k need not be inside ahead of it.
      SmallVector<bool> inBounds(*window.getInBounds());
      for (auto [dim, from, to] : llvm::enumerate(cast<WindowOp>(op).getOffsets(), window.getOffsets()))
        inBounds[dim] &= from == to;
      window.setInBounds(inBounds);
    }
  };
  SmallVector<Operation *> producer(parts.windows);
  llvm::append_range(producer, parts.loads);
  producer.push_back(parts.acquire);
  llvm::append_range(producer, parts.copies);
  llvm::append_range(producer, parts.stores);
  producer.push_back(parts.commit);

  OpBuilder builder(loop);
  IndexMath math(builder, loc);
  auto bk = getConstantIntValue(OpFoldResult(loop.getStep()));
  if (!bk || *bk > kMaxTileExtent)
    return loop.emitOpError() << "has a step that is no constant of at most " << kMaxTileExtent
                              << ": the k tile must be known to pipeline";
  auto prologue = scf::ForOp::create(builder, loc, math.constant(0), math.constant(slots - 1), math.constant(1));
  prologue->setAttr("tgc.unroll", builder.getUnitAttr());
  prologue->setAttr("tgc.comment", builder.getStringAttr("Fill the pipeline. Tiles past the last k are zeros."));
  IndexMath::setName(prologue.getInductionVar(), "ahead");
  builder.setInsertionPointToStart(prologue.getBody());
  IRMapping first;
  cloneInto(builder,
            math.materialize(math.add(loop.getLowerBound(), math.mul(prologue.getInductionVar(), math.attr(*bk)))),
            producer, first);

  // In the loop the producer works n - 1 tiles ahead, after the wait that frees its slot.
  builder.setInsertionPointAfter(parts.wait);
  Value ahead = arith::AddIOp::create(builder, loc, k, math.constant((slots - 1) * *bk));
  SmallVector<Operation *> before(parts.windows), after;
  llvm::append_range(before, parts.loads);
  before.push_back(parts.acquire);
  llvm::append_range(before, parts.copies);
  if (parts.stores.empty()) {
    before.push_back(parts.commit);
  } else {
    llvm::append_range(after, parts.stores);
    after.push_back(parts.commit);
  }
  IRMapping mapping;
  cloneInto(builder, ahead, before, mapping);
  builder.setInsertionPoint(parts.release);
  for (Operation *op : after)
    builder.clone(*op, mapping);
  parts.wait.setInFlight(slots - 2);
  for (Operation *op : llvm::reverse(producer))
    if (op->use_empty())
      op->erase();
  return success();
}

/// Says how far copies run ahead, and which only half do.
static void explain(gpu::GPUFuncOp func, int64_t slots) {
  using llvm::Twine;
  emitDecision(func, DEBUG_TYPE, "pipeline", Decision::Done,
               Twine(slots) + " slots: asynchronous copies of a k tile start " + Twine(slots - 1) +
                   (slots == 2 ? " tile" : " tiles") + " before it is multiplied, and " + Twine(slots - 2) +
                   " stay in flight at its wait");
  auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    if (stage.getBy() == CopyKind::Plain)
      emitDecision(func, DEBUG_TYPE, "pipeline", Decision::Declined,
                   "plain copies of " + stage.getOperand().getValue() +
                       " do not overlap: a thread waits for each load before it stores; use cp.async or registers");
    else if (stage.getBy() == CopyKind::Registers && slots > 2) // one tile ahead is what two slots ask for
      emitDecision(func, DEBUG_TYPE, "pipeline", Decision::Declined,
                   "copies of " + stage.getOperand().getValue() +
                       " through registers overlap with one k tile only: loaded before its product, stored after it");
  }
}

namespace {
struct PipelineCopies : tgc::impl::PipelineCopiesPassBase<PipelineCopies> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
      if (!schedule || schedule.getPipeline() < 2)
        continue;
      SmallVector<RingOp> rings;
      func.walk([&](RingOp ring) { rings.push_back(ring); });
      for (RingOp ring : rings)
        if (ring.getRing().getType().getSlots() == 1) {
          if (failed(pipeline(ring, schedule.getPipeline())))
            return signalPassFailure();
          explain(func, schedule.getPipeline());
        }
    }
  }
};
} // namespace
