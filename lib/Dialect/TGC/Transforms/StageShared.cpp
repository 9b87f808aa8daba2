//===- StageShared.cpp - operands through a ring of one slot -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// Each product whose operands are windows, and that the schedule stages, reads them from a slot of a ring instead. All
// staged operands of a k tile share the slot. A copy through registers is two copies here; tgc-pipeline-copies moves
// them apart.
//
// Tests: test/Dialect/TGC/stage-shared.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "mlir/IR/Builders.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"

#define DEBUG_TYPE "tgc-stage-shared"

namespace tgc {
#define GEN_PASS_DEF_STAGESHAREDPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

namespace {
/// An operand of a product on its way through shared memory.
struct Staged {
  OpOperand *use;
  WindowOp window;
  Operand operand;
  StageAttr stage;
  int64_t requested = 1, width = 1; ///< elements of a copy: what the schedule may have, what this kernel may have

  std::string getClause() const { return ("stage " + operand.name).str(); }
};
} // namespace

/// "cp.async".
static StringRef getWord(CopyKind kind) { return kind == CopyKind::CpAsync ? "cp.async" : stringifyCopyKind(kind); }

/// Says how `s` is stored and moved, and why not in wider pieces.
static void explain(gpu::GPUFuncOp func, const Staged &s, TileType tile, int64_t threads) {
  using llvm::Twine;
  auto layout = cast<SharedAttr>(tile.getPlace());
  ArrayRef<int64_t> shape = tile.getShape();
  unsigned fast = layout.getFastDim();
  bool transposes = fast != s.operand.fastDim;
  std::string clause = s.getClause();
  std::string text = (Twine(s.operand.name) + " is staged as " + Twine(shape[1 - fast]) + " rows of " +
                      Twine(shape[fast]) + (layout.getPad() ? " + " + Twine(layout.getPad()) : Twine()) + " elements" +
                      (layout.getSwizzle() ? ", swizzled by " + Twine(layout.getSwizzle()) : Twine()))
                         .str();
  int64_t copies = llvm::divideCeil(tile.getNumElements(), s.width * threads);
  text += (Twine(", by ") + getWord(s.stage.getBy()) + " of " + Twine(s.width * kElementBytes) + " bytes, " +
           Twine(copies) + (copies == 1 ? " copy" : " copies") + " a thread")
              .str();
  emitDecision(func, DEBUG_TYPE, clause, Decision::Done, text);
  // A width that nobody wrote was not asked for.
  if (s.width < s.requested)
    emitDecision(func, DEBUG_TYPE, clause, s.stage.getBytes() ? Decision::Declined : Decision::Default,
                 Twine(s.operand.name) + " moves " + Twine(s.width * kElementBytes) + " bytes at a time, not " +
                     Twine(s.requested * kElementBytes) + ": this kernel serves calls without the alignment for it");
  if (s.requested == kChunkElements || s.stage.getBytes())
    return;
  emitDecision(func, DEBUG_TYPE, clause, Decision::Default,
               Twine(s.operand.name) + " moves at most " + Twine(s.requested * kElementBytes) +
                   " bytes at a time, not 16: " +
                   (transposes && s.stage.getBy() == CopyKind::CpAsync
                        ? Twine("cp.async cannot transpose, and rows in shared memory run across those in global "
                                "memory")
                        : "a tile has " + Twine(shape[s.operand.fastDim]) +
                              " elements side by side in global memory, in shared memory " +
                              Twine(layout.getContiguousRun(shape))));
}

static LogicalResult stageShared(ProductOp product, ScheduleAttr schedule, int64_t threads) {
  auto func = product->getParentOfType<gpu::GPUFuncOp>();
  MLIRContext *context = product.getContext();

  SmallVector<Staged> staged;
  for (auto [index, kDim] : {std::pair(1u, 1u), {2u, 0u}}) { // operands a and b of the product
    OpOperand &use = product->getOpOperand(index);
    auto window = use.get().getDefiningOp<WindowOp>();
    if (!window)
      continue;
    FailureOr<Operand> operand = getOperand(window.getSource());
    if (failed(operand))
      return failure();
    operand->kDim = kDim;
    StageAttr stage = schedule.getStageOf(operand->name);
    if (!stage) {
      if (schedule.getBlock()[2] > 1)
        emitDecision(func, DEBUG_TYPE, ("stage " + operand->name).str(), Decision::Default,
                     operand->name + " is not staged: every thread reads what it needs from global memory");
      continue;
    }
    Staged s{&use, window, *operand, stage};
    s.requested = getRequestedWidth(stage, *operand, window.getTile().getType().getShape());
    s.width = getPermittedWidth(func, *operand, s.requested, needsWholePieces(stage.getBy()));
    staged.push_back(s);
  }
  if (staged.empty())
    return success();
  // The ring belongs to the pipeline clause, or else to what is staged.
  Location loc = getClauseLoc(func, schedule.getPipeline() > 1 ? "pipeline" : staged.front().getClause());

  // Checked: nobody may have asked tgc-check-schedule about this schedule.
  auto emitError = [&] { return product.emitOpError() << "cannot be staged as tgc.schedule says: "; };
  SmallVector<TileType> tiles;
  for (Staged &s : staged) {
    auto tile = TileType::getChecked(emitError, context, s.window.getTile().getType().getShape(),
                                     Type(Float32Type::get(context)), Attribute(getStagedLayout(s.stage, s.operand)));
    if (!tile)
      return failure();
    tiles.push_back(tile);
    explain(func, s, tile, threads);
  }
  auto type = RingType::getChecked(emitError, context, int64_t(1), ArrayRef(tiles));
  if (!type)
    return failure();
  OpBuilder builder(product->getParentOp());
  auto ring = RingOp::create(builder, loc, type);

  builder.setInsertionPoint(product);
  struct Move {
    Value from;
    CopyKind kind;
    int64_t width;
    Location loc;
  };
  SmallVector<Move> moves;
  for (Staged &s : staged) {
    auto tile = s.window.getTile().getType();
    Location at = getClauseLoc(func, s.getClause());
    if (s.stage.getBy() != CopyKind::Registers) {
      moves.push_back({s.window.getTile(), s.stage.getBy(), s.width, at});
      continue;
    }
    auto regs = CopyRegsAttr::get(context, threads, s.width, s.operand.fastDim);
    OpBuilder outside(product->getParentOp());
    std::string name = s.operand.name.lower() + "Piece";
    auto piece = AllocOp::create(outside, NameLoc::get(StringAttr::get(context, name), at),
                                 TileType::get(context, tile.getShape(), Float32Type::get(context), regs));
    CopyOp::create(builder, at, s.window.getTile(), piece, CopyKind::Plain, s.width);
    moves.push_back({piece, CopyKind::Plain, s.width, at});
  }
  auto acquire = AcquireOp::create(builder, loc, ring);
  for (auto [move, tile] : llvm::zip(moves, acquire.getTiles()))
    CopyOp::create(builder, move.loc, move.from, tile, move.kind, move.width);
  CommitOp::create(builder, loc, ring);
  auto wait = WaitOp::create(builder, loc, ring, /*in_flight=*/0);
  for (auto [s, tile] : llvm::zip(staged, wait.getTiles()))
    s.use->set(tile);
  builder.setInsertionPointAfter(product);
  ReleaseOp::create(builder, loc, ring);
  return success();
}

namespace {
struct StageShared : tgc::impl::StageSharedPassBase<StageShared> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
      auto launch = func->getAttrOfType<LaunchAttr>("tgc.launch");
      if (!schedule || !launch || !schedule.getStages())
        continue;
      SmallVector<ProductOp> products;
      func.walk([&](ProductOp product) { products.push_back(product); });
      for (ProductOp product : products)
        if (failed(stageShared(product, schedule, launch.getThreads())))
          return signalPassFailure();
    }
  }
};
} // namespace
