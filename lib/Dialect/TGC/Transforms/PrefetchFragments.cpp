//===- PrefetchFragments.cpp - fragments double-buffered across k steps and tiles -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// The k steps of a tile rotate by one across the tile's end:
//
//   wait; fragments(0) -> buffer 0
//   for k:  acquire; copies; commit                                         (as tgc-pipeline-copies left them)
//           for kk in 0 .. BK-2:  fragments(kk + 1) -> buffer (kk + 1) % 2;  product of buffer kk % 2
//           release; wait; fragments(0) of the next tile -> buffer 0
//           product of buffer 1
//
// The last turn loads fragments of a tile of zeros. Measured on an H200: with the copies after the last wait instead,
// ptxas uses 255 registers for nvcc's form of the 128x256x8 schedule, with them at the top 194 to 209.
//
// Tests: test/Dialect/TGC/prefetch-fragments.mlir, test/Compile/prefetch-order.mlir.
//
//===----------------------------------------------------------------------===//

#include "RingLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/Decisions.h"
#include "tgc/Support/IndexMath.h"

#define DEBUG_TYPE "tgc-prefetch-fragments"

namespace tgc {
#define GEN_PASS_DEF_PREFETCHFRAGMENTSPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

/// One k step: [slice, copy to fragment] per operand, then a product of the fragments.
struct Steps {
  scf::ForOp loop;
  SmallVector<std::pair<SliceOp, CopyOp>, 2> fragments;
  ProductOp product;
};

static FailureOr<Steps> matchSteps(RingLoop &parts) {
  Steps steps;
  for (Operation *op : parts.compute)
    if (auto loop = dyn_cast<scf::ForOp>(op))
      steps.loop = loop;
  auto isStep = [](Operation *op) { return !isa<arith::ConstantOp>(op); };
  if (!steps.loop || llvm::count_if(parts.compute, isStep) != 1)
    return parts.loop.emitOpError() << "has no k steps on fragments to prefetch for; run tgc-tile-threads first";
  for (Operation &op : steps.loop.getBody()->without_terminator()) {
    if (auto product = dyn_cast<ProductOp>(op)) {
      steps.product = product;
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      auto slice = copy.getSource().getDefiningOp<SliceOp>();
      auto fragment = copy.getDest().getDefiningOp<AllocOp>();
      if (!slice || slice.getSource().getDefiningOp() != parts.wait || !fragment)
        return copy.emitOpError() << "does not copy a slice of a staged tile to a fragment: nothing to prefetch from";
      auto isInLoop = [&](Operation *user) { return steps.loop->isProperAncestor(user); };
      if (!llvm::all_of(fragment->getUsers(), isInLoop) || !llvm::all_of(parts.wait->getUsers(), isInLoop))
        return copy.emitOpError() << "moves tiles that are used outside of these k steps: they cannot be rotated";
      steps.fragments.push_back({slice, copy});
    } else if (!isa<SliceOp>(op)) {
      return op.emitOpError() << "is neither slice, copy nor product: these k steps cannot be rotated";
    }
  }
  std::optional<APInt> trips = steps.loop.getStaticTripCount();
  auto countsFromZero = getConstantIntValue(OpFoldResult(steps.loop.getLowerBound())) == 0 &&
                        getConstantIntValue(OpFoldResult(steps.loop.getStep())) == 1 &&
                        steps.loop.getInitArgs().empty();
  if (!steps.product || steps.fragments.size() != 2 || !countsFromZero || !trips || trips->getSExtValue() < 2 ||
      trips->getSExtValue() % 2 != 0 || steps.fragments[0].second.getDest() == steps.fragments[1].second.getDest())
    return steps.loop.emitOpError() << "is not an even number of k steps on two fragments: they cannot be rotated";
  return steps;
}

static LogicalResult prefetch(RingOp ring) {
  FailureOr<RingLoop> matched = matchRingLoop(ring);
  if (failed(matched))
    return failure();
  RingLoop &parts = *matched;
  FailureOr<Steps> matchedSteps = matchSteps(parts);
  if (failed(matchedSteps))
    return failure();
  Steps &steps = *matchedSteps;
  scf::ForOp loop = parts.loop, inner = steps.loop;
  Location loc = ring.getLoc();
  auto prologue = dyn_cast_or_null<scf::ForOp>(loop->getPrevNode());
  auto filled = prologue ? prologue.getStaticTripCount() : std::nullopt;
  int64_t slots = ring.getRing().getType().getSlots();
  if (!filled || filled->getSExtValue() != slots - 1)
    return loop.emitOpError() << "is not preceded by a prologue that fills " << slots - 1
                              << " slots; run tgc-pipeline-copies with 2 stages or more first";

  OpBuilder builder(loop);
  IndexMath math(builder, loc);

  // Two buffers per fragment.
  int64_t last = steps.loop.getStaticTripCount()->getSExtValue() - 1;
  SmallVector<Value, 2> buffered, sources;
  for (auto &[slice, copy] : steps.fragments) {
    auto alloc = copy.getDest().getDefiningOp<AllocOp>();
    auto type = alloc.getTile().getType();
    SmallVector<int64_t, 3> shape = {2};
    llvm::append_range(shape, type.getShape());
    builder.setInsertionPoint(alloc);
    buffered.push_back(AllocOp::create(
        builder, alloc.getLoc(), TileType::get(type.getContext(), shape, type.getElementType(), type.getPlace())));
    sources.push_back(slice.getSource());
  }
  auto buffer = [&](unsigned i, OpFoldResult index) -> Value {
    auto type = steps.fragments[i].second.getDest().getType();
    Value zero = math.constant(0);
    return SliceOp::create(builder, loc, type, buffered[i], ValueRange{math.materialize(index), zero, zero});
  };
  auto loadFragments = [&](ValueRange tiles, OpFoldResult step, OpFoldResult index) {
    for (auto [i, fragment] : llvm::enumerate(steps.fragments)) {
      IRMapping mapping;
      mapping.map(inner.getInductionVar(), math.materialize(step));
      for (Value offset : fragment.first.getOffsets()) // constants may stand inside the loop that is left
        if (auto constant = getConstantIntValue(OpFoldResult(offset)))
          mapping.map(offset, math.constant(*constant));
      mapping.map(fragment.first.getSource(), tiles[i]);
      mapping.map(fragment.second.getDest(), buffer(i, index));
      builder.clone(*fragment.first, mapping);
      builder.clone(*fragment.second, mapping);
    }
  };
  auto multiply = [&](OpFoldResult index) {
    IRMapping mapping;
    for (auto [i, fragment] : llvm::enumerate(steps.fragments))
      mapping.map(fragment.second.getDest(), buffer(i, index));
    builder.clone(*steps.product, mapping);
  };
  // Which result of the ring each fragment is cut from.
  auto tilesOf = [&](Operation *slot) {
    SmallVector<Value, 2> tiles;
    for (Value source : sources)
      tiles.push_back(slot->getResult(cast<OpResult>(source).getResultNumber()));
    return tiles;
  };

  // Before the loop: the first tile's first fragments.
  builder.setInsertionPoint(loop);
  auto firstWait = WaitOp::create(builder, loc, ring, parts.wait.getInFlight());
  loadFragments(tilesOf(firstWait), math.attr(0), math.attr(0));

  // In the loop: the producer stays where tgc-pipeline-copies put it, the consumer rotates.
  Block *body = loop.getBody();
  builder.setInsertionPointToStart(body);
  auto front = FrontOp::create(builder, loc, ring);
  builder.setInsertionPoint(inner);
  auto rotated = scf::ForOp::create(builder, loc, math.constant(0), math.constant(last), math.constant(1));
  rotated->setAttr("tgc.unroll", builder.getUnitAttr());
  rotated->setAttr("tgc.comment",
                   builder.getStringAttr("The operands of step kk + 1 are on their way while step kk is multiplied."));
  Value kk = IndexMath::setName(rotated.getInductionVar(), "kk");
  builder.setInsertionPointToStart(rotated.getBody());
  OpFoldResult next = math.add(kk, math.attr(1));
  loadFragments(tilesOf(front), next, IndexMath::named(math.rem(next, math.attr(2)), "nextBuffer"));
  multiply(IndexMath::named(math.rem(kk, math.attr(2)), "buffer"));

  builder.setInsertionPoint(body->getTerminator());
  ReleaseOp::create(builder, loc, ring);
  auto wait = WaitOp::create(builder, loc, ring, parts.wait.getInFlight());
  wait->setAttr("tgc.comment",
                builder.getStringAttr("The next tile's first operands, before this tile's last product."));
  loadFragments(tilesOf(wait), math.attr(0), math.attr(0));
  multiply(math.attr(last % 2));

  SmallVector<AllocOp, 2> oldFragments;
  for (auto &fragment : steps.fragments)
    oldFragments.push_back(fragment.second.getDest().getDefiningOp<AllocOp>());
  parts.release.erase();
  inner.erase();
  parts.wait.erase();
  for (AllocOp alloc : oldFragments)
    alloc.erase();
  return success();
}

namespace {
struct PrefetchFragments : tgc::impl::PrefetchFragmentsPassBase<PrefetchFragments> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
      if (!schedule || !schedule.getPrefetch())
        continue;
      SmallVector<RingOp> rings;
      func.walk([&](RingOp ring) { rings.push_back(ring); });
      for (RingOp ring : rings) {
        if (failed(prefetch(ring)))
          return signalPassFailure();
        emitDecision(
            func, DEBUG_TYPE, "prefetch", Decision::Done,
            "two buffers of fragments: those of the next k step are loaded while this one is multiplied, those "
            "of the next k tile's first step right after its wait");
      }
    }
  }
};
} // namespace
