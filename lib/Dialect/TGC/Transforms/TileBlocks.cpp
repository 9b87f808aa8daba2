//===- TileBlocks.cpp - one output tile a block -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// tgc.matmul becomes tgc.work: an accumulator in registers, a loop over k tiles whose operands are windows of global
// memory, and a store. With BK = 1 (the naive kernel) no k is past the end, and the windows say so.
//
// Tests: test/Dialect/TGC/tile-blocks.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/IndexMath.h"

#define DEBUG_TYPE "tgc-tile-blocks"

namespace tgc {
#define GEN_PASS_DEF_TILEBLOCKSPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

/// `loc` under `name`, which the emitters print.
static Location named(Location loc, StringRef name) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

/// Where the first of `clauses` that the program has stands, or `otherwise`.
static Location getFirstClauseLoc(gpu::GPUFuncOp func, ArrayRef<StringRef> clauses,
                                  std::optional<Location> otherwise = std::nullopt) {
  if (auto locs = func->getAttrOfType<DictionaryAttr>("tgc.clause_locs"))
    for (StringRef clause : clauses)
      if (auto loc = locs.getAs<LocationAttr>(clause))
        return loc;
  return otherwise ? *otherwise : getClauseLoc(func, clauses.front());
}

/// Says how the product is tiled and walked. `storeWidth`: elements that the schedule may write at a time.
static void explainTiles(const Kernel &kernel, int64_t storeWidth) {
  using llvm::Twine;
  ScheduleAttr schedule = kernel.schedule;
  SIMTAttr distribution = schedule.getDistribution();
  ShapeAttr block = schedule.getBlock(), warps = distribution.getWarps(), lanes = distribution.getLanes(),
            each = distribution.getEach(), group = distribution.getGroup();
  auto done = [&](StringRef clause, const Twine &message) {
    emitDecision(kernel.func, DEBUG_TYPE, clause, Decision::Done, message);
  };
  done("block", "a block computes " + Twine(block[0]) + "x" + Twine(block[1]) + " elements of " + kernel.c.name + ", " +
                    Twine(block[2]) + " k at a time, with " + Twine(distribution.getNumThreads()) + " threads");
  done("warp", Twine(warps[0]) + "x" + Twine(warps[1]) + " warps stand side by side, each with " +
                   Twine(lanes[0] * each[0]) + "x" + Twine(lanes[1] * each[1]) + " elements");
  done("lanes", Twine(lanes[0]) + "x" + Twine(lanes[1]) + " lanes, each with " + Twine(each[0]) + "x" + Twine(each[1]) +
                    " elements in groups of " + Twine(group[0]) + "x" + Twine(group[1]));
  done("product", (schedule.getInner() == InnerLoop::I ? Twine("rows") : Twine("columns")) +
                      " of the register tile run innermost" + (schedule.getZigzag() ? ", there and back" : "") + "; " +
                      Twine(schedule.getUnroll()) + " of " + Twine(block[2]) + " k steps are unrolled");
  if (storeWidth == 1)
    done("store", kernel.c.name + " is written an element at a time");
  if (schedule.getWalk() == WalkKind::Grouped && schedule.getWalkGroup() > 1)
    done("walk", "blocks go down " + Twine(schedule.getWalkGroup()) +
                     " rows of tiles, then to the next column, so that blocks that run at once share rows of " +
                     kernel.a.name + " and columns of " + kernel.b.name + " in L2");
  else
    done("walk", "blocks take the tiles of " + kernel.c.name + " row by row");
}

static LogicalResult tileBlocks(Kernel &kernel) {
  MatmulOp matmul = kernel.matmul;
  ScheduleAttr schedule = kernel.schedule;
  SIMTAttr distribution = schedule.getDistribution();
  MLIRContext *context = matmul.getContext();
  Location loc = matmul.getLoc();
  OpBuilder builder(matmul);
  IndexMath math(builder, loc);
  ShapeAttr block = schedule.getBlock();
  int64_t bm = block[0], bn = block[1], bk = block[2];

  Value zero = math.constant(0), one = math.constant(1), step = math.constant(bk);
  Value zeroF32 = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  Value m = memref::DimOp::create(builder, loc, matmul.getA(), zero);
  Value k = memref::DimOp::create(builder, loc, matmul.getA(), one);
  Value n = memref::DimOp::create(builder, loc, matmul.getB(), one);
  auto work = WorkOp::create(builder, loc, m, n, k, ShapeAttr::get(context, {bm, bn}), *schedule.getWalk(),
                             schedule.getWalkGroup());
  Block *body = builder.createBlock(&work.getBody());
  body->addArguments(SmallVector<Type>(5, builder.getIndexType()), SmallVector<Location>(5, loc));
  YieldOp::create(builder, loc);
  builder.setInsertionPointToStart(body);

  auto global = GlobalAttr::get(context);
  auto tileType = [&](int64_t rows, int64_t cols, Attribute place) {
    return TileType::get(context, {rows, cols}, builder.getF32Type(), place);
  };
  auto window = [&](Value source, ArrayRef<Value> offsets, ArrayRef<Value> limits, ArrayRef<int64_t> shape,
                    DenseBoolArrayAttr inBounds = {}) {
    return WindowOp::create(builder, loc, TileType::get(context, shape, builder.getF32Type(), global), source, offsets,
                            limits, inBounds);
  };
  auto acc = AllocOp::create(builder, named(loc, "acc"), tileType(bm, bn, distribution));
  FillOp::create(builder, loc, acc, zeroF32);

  auto loop = scf::ForOp::create(builder, loc, work.getK0(), work.getK1(), step);
  IndexMath::setName(loop.getInductionVar(), bk == 1 ? "k" : "k0");
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    DenseBoolArrayAttr insideA, insideB;
    if (bk == 1) {
      insideA = builder.getDenseBoolArrayAttr({false, true});
      insideB = builder.getDenseBoolArrayAttr({true, false});
    }
    Value a = window(matmul.getA(), {work.getM(), at}, {m, work.getK1()}, {bm, bk}, insideA);
    Value b = window(matmul.getB(), {at, work.getN()}, {work.getK1(), n}, {bk, bn}, insideB);
    ProductOp::create(builder, getFirstClauseLoc(kernel.func, {"product", "thread", "block"}), acc, a, b,
                      *schedule.getInner(), schedule.getZigzag(),
                      schedule.getUnroll() == bk ? 0 : schedule.getUnroll());
  }

  bool vector = schedule.getStore() == StoreForm::Vector;
  int64_t requested = vector ? getRequestedStoreWidth(kernel) : 1;
  int64_t width = getPermittedWidth(kernel.func, kernel.c, requested, /*wholePieces=*/true);
  if (vector)
    emitDecision(kernel.func, DEBUG_TYPE, "store", Decision::Done,
                 kernel.c.name + " is written " + llvm::Twine(width * kElementBytes) + " bytes at a time");
  if (width < requested)
    emitDecision(kernel.func, DEBUG_TYPE, "store", Decision::Declined,
                 kernel.c.name + " is not written " + llvm::Twine(requested * kElementBytes) +
                     " bytes at a time: this kernel serves calls without the alignment for it");
  Value c = window(matmul.getC(), {work.getM(), work.getN()}, {m, n}, {bm, bn});
  SmallVector<Value> extras;
  for (auto [extra, axis] : llvm::zip(matmul.getExtras(), matmul.getExtraAxes())) {
    if (axis == 2)
      extras.push_back(window(extra, {work.getM(), work.getN()}, {m, n}, {bm, bn}));
    else if (axis == 1)
      extras.push_back(window(extra, {work.getN()}, {n}, {1, bn}));
    else
      extras.push_back(window(extra, {work.getM()}, {m}, {bm, 1}));
  }
  Location storeLoc = getFirstClauseLoc(kernel.func, {"store"}, loc);
  auto store = StoreOp::create(builder, storeLoc, acc, c, extras, matmul.getExtraAxes(), matmul.getAccumulate(), width);
  store.getEpilogue().takeBody(matmul.getEpilogue());

  explainTiles(kernel, requested);
  emitDecision(kernel.func, DEBUG_TYPE, "blocks_per_sm", Decision::Done,
               "a launch bound of " + llvm::Twine(distribution.getNumThreads()) + " threads and " +
                   llvm::Twine(schedule.getBlocksPerSm()) + (schedule.getBlocksPerSm() == 1 ? " block" : " blocks") +
                   " per SM: at most " + llvm::Twine(getResources(kernel).registerLimit) + " registers a thread");
  kernel.func->setAttr("tgc.launch", LaunchAttr::get(context, distribution.getNumThreads(), work.getTile(),
                                                     schedule.getBlocksPerSm(), schedule.getWalkGroup()));
  if (matmul.getAccumulate())
    kernel.func->setAttr("tgc.reads_output", UnitAttr::get(context));
  matmul.erase();
  return success();
}

namespace {
struct TileBlocks : tgc::impl::TileBlocksPassBase<TileBlocks> {
  void runOnOperation() override {
    auto kernels = getCheckedKernels(getOperation());
    if (failed(kernels))
      return signalPassFailure();
    for (Kernel &kernel : *kernels)
      if (failed(tileBlocks(kernel)))
        return signalPassFailure();
  }
};
} // namespace
