//===- TileThreads.cpp - k steps on register fragments -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// A product of tiles becomes a loop over k: each step copies a column of A and a row of B, as far as the thread's part
// of the accumulator needs them, to registers and multiplies those.
//
// Tests: test/Dialect/TGC/tile-threads.mlir.
//
//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"
#include "mlir/IR/Builders.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/IndexMath.h"

#define DEBUG_TYPE "tgc-tile-threads"

namespace tgc {
#define GEN_PASS_DEF_TILETHREADSPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

/// The name of the operand whose tile `value` is: that of its window, or of the window its ring slot was filled from.
static std::string getTileName(Value value, StringRef fallback) {
  if (auto window = value.getDefiningOp<WindowOp>()) {
    FailureOr<Operand> operand = getOperand(window.getSource());
    return succeeded(operand) ? operand->name.str() : fallback.str();
  }
  return fallback.str();
}

/// Says how a k step reads its fragment along `dim`, and why not in wider pieces.
static void explainFragment(ProductOp product, unsigned dim, int64_t width) {
  using llvm::Twine;
  auto func = product->getParentOfType<gpu::GPUFuncOp>();
  auto distribution = cast<SIMTAttr>(product.getAcc().getType().getPlace());
  Value source = dim == 0 ? product.getA() : product.getB();
  std::string name = getTileName(source, dim == 0 ? "A" : "B");
  auto layout = dyn_cast<TileLayout>(cast<TileType>(source.getType()).getPlace());
  emitDecision(func, DEBUG_TYPE, "thread", Decision::Done,
               "each k step reads " + Twine(distribution.getTileShape()[dim]) + " elements of " + name + " from " +
                   (layout ? "shared" : "global") + " memory, " + Twine(width * kElementBytes) + " bytes at a time");
  if (width == kChunkElements)
    return;
  StringRef reason = !layout ? "it is not staged"
                     : layout.getFastDim() != dim
                         ? "its neighbours lie in different rows of shared memory; stage it k_major"
                         : "a thread's groups, or the runs in shared memory, are shorter";
  emitDecision(func, DEBUG_TYPE, "thread", Decision::Default,
               "fragments of " + name + " are not read 16 bytes at a time: " + reason);
}

static LogicalResult tileThreads(ProductOp product) {
  MLIRContext *context = product.getContext();
  Location loc = product.getLoc();
  auto distribution = dyn_cast<SIMTAttr>(product.getAcc().getType().getPlace());
  int64_t depth = product.getA().getType().getShape()[1];
  if (!distribution || isa<FragmentAttr>(product.getA().getType().getPlace()))
    return success();
  for (Value operand : {Value(product.getA()), Value(product.getB())})
    if (auto window = operand.getDefiningOp<WindowOp>();
        !isa<TileLayout>(cast<TileType>(operand.getType()).getPlace()) && (!window || window.getOffsets().size() != 2))
      return product.emitOpError()
             << "operand " << operand.getType()
             << " is neither a window of a matrix nor a shared tile: no fragment can be cut from it";

  // Fragments live outside every loop of the tile program.
  auto work = product->getParentOfType<WorkOp>();
  if (!work)
    return product.emitOpError() << "stands outside of a tgc.work";
  OpBuilder builder(work.getBody().findAncestorOpInRegion(*product));
  std::array<Value, 2> sources = {product.getA(), product.getB()}, fragments;
  for (unsigned dim : {0u, 1u}) {
    SmallVector<int64_t, 2> shape = {1, 1};
    shape[dim] = distribution.getTileShape()[dim];
    std::string name = "frag" + getTileName(sources[dim], dim == 0 ? "A" : "B");
    fragments[dim] = AllocOp::create(
        builder, NameLoc::get(StringAttr::get(context, name), loc),
        TileType::get(context, shape, Float32Type::get(context), FragmentAttr::get(context, distribution, dim)));
  }

  builder.setInsertionPoint(product);
  IndexMath math(builder, loc);
  Value zero = math.constant(0);
  auto loop = scf::ForOp::create(builder, loc, zero, math.constant(depth), math.constant(1));
  loop->setAttr("tgc.unroll", product.getUnroll() ? Attribute(builder.getI64IntegerAttr(product.getUnroll()))
                                                  : builder.getUnitAttr());
  Value kk = IndexMath::setName(loop.getInductionVar(), "kk");
  builder.setInsertionPointToStart(loop.getBody());
  for (unsigned dim : {0u, 1u}) {
    auto type = cast<TileType>(sources[dim].getType());
    auto stepType = TileType::get(context, cast<TileType>(fragments[dim].getType()).getShape(), type.getElementType(),
                                  type.getPlace());
    int64_t width = 1;
    Value step;
    if (auto layout = dyn_cast<TileLayout>(type.getPlace())) {
      step =
          SliceOp::create(builder, loc, stepType, sources[dim], dim == 0 ? ValueRange{zero, kk} : ValueRange{kk, zero});
      if (layout.getFastDim() == dim) {
        width = layout.getContiguousRun(type.getShape());
        while (distribution.getGroup()[dim] % width != 0)
          width /= 2;
      }
    } else {
      auto window = sources[dim].getDefiningOp<WindowOp>();
      SmallVector<Value, 2> offsets(window.getOffsets());
      unsigned kDim = 1 - dim;
      offsets[kDim] = math.materialize(math.add(offsets[kDim], kk));
      step = WindowOp::create(builder, loc, stepType, window.getSource(), offsets, window.getLimits(),
                              window.getInBoundsAttr());
    }
    CopyOp::create(builder, loc, step, fragments[dim], CopyKind::Plain, width);
    explainFragment(product, dim, width);
  }
  ProductOp::create(builder, loc, product.getAcc(), fragments[0], fragments[1], product.getInner(), product.getZigzag(),
                    /*unroll=*/0);
  product.erase();
  return success();
}

namespace {
struct TileThreads : tgc::impl::TileThreadsPassBase<TileThreads> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
      if (!schedule || !schedule.getThread())
        continue;
      SmallVector<ProductOp> products;
      func.walk([&](ProductOp product) { products.push_back(product); });
      for (ProductOp product : products)
        if (failed(tileThreads(product)))
          return signalPassFailure();
    }
  }
};
} // namespace
