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

static LogicalResult stageShared(ProductOp product, ScheduleAttr schedule, int64_t threads) {
  auto func = product->getParentOfType<gpu::GPUFuncOp>();
  MLIRContext *context = product.getContext();
  Location loc = product.getLoc();

  struct Staged {
    OpOperand *use;
    WindowOp window;
    Operand operand;
    StageAttr stage;
  };
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
    if (StageAttr stage = schedule.getStageOf(operand->name))
      staged.push_back({&use, window, *operand, stage});
  }
  if (staged.empty())
    return success();

  // Checked: nobody may have asked tgc-check-schedule about this schedule.
  auto emitError = [&] { return product.emitOpError() << "cannot be staged as tgc.schedule says: "; };
  SmallVector<TileType> tiles;
  for (Staged &s : staged) {
    auto tile = TileType::getChecked(emitError, context, s.window.getTile().getType().getShape(),
                                     Type(Float32Type::get(context)), Attribute(getStagedLayout(s.stage, s.operand)));
    if (!tile)
      return failure();
    tiles.push_back(tile);
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
  };
  SmallVector<Move> moves;
  for (Staged &s : staged) {
    auto tile = s.window.getTile().getType();
    int64_t width = getPermittedWidth(func, s.operand, getRequestedWidth(s.stage, s.operand, tile.getShape()),
                                      needsWholePieces(s.stage.getBy()));
    if (s.stage.getBy() != CopyKind::Registers) {
      moves.push_back({s.window.getTile(), s.stage.getBy(), width});
      continue;
    }
    auto regs = CopyRegsAttr::get(context, threads, width, s.operand.fastDim);
    OpBuilder outside(product->getParentOp());
    std::string name = s.operand.name.lower() + "Piece";
    auto piece = AllocOp::create(outside, NameLoc::get(StringAttr::get(context, name), loc),
                                 TileType::get(context, tile.getShape(), Float32Type::get(context), regs));
    CopyOp::create(builder, loc, s.window.getTile(), piece, CopyKind::Plain, width);
    moves.push_back({piece, CopyKind::Plain, width});
  }
  auto acquire = AcquireOp::create(builder, loc, ring);
  for (auto [move, tile] : llvm::zip(moves, acquire.getTiles()))
    CopyOp::create(builder, loc, move.from, tile, move.kind, move.width);
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
