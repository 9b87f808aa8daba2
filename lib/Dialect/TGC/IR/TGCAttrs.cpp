//===- TGCAttrs.cpp - shapes, schedules, layouts, distributions -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Support/IndexMath.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tgc;

#include "tgc/Dialect/TGC/IR/TGCEnums.cpp.inc"

#include "tgc/Dialect/TGC/IR/TGCAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tgc/Dialect/TGC/IR/TGCAttrs.cpp.inc"

void TGCDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tgc/Dialect/TGC/IR/TGCAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ShapeAttr
//===----------------------------------------------------------------------===//

Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> dims;
  if (parser.parseLess() || parser.parseDimensionList(dims, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), dims);
}

bool ShapeAttr::isTile() const {
  return size() == 2 && llvm::all_of(getDims(), [](int64_t extent) { return extent >= 1 && extent <= kMaxTileExtent; });
}

void ShapeAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleave(getDims(), printer.getStream(), "x");
  printer << '>';
}

//===----------------------------------------------------------------------===//
// ScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, ShapeAttr, ShapeAttr, ShapeAttr,
                                   ShapeAttr, ShapeAttr, ArrayAttr stages, int64_t, bool, std::optional<InnerLoop>,
                                   bool, int64_t, std::optional<StoreForm>, std::optional<WalkKind>, int64_t, int64_t,
                                   SIMTAttr) {
  if (stages)
    for (Attribute stage : stages)
      if (!isa<StageAttr>(stage))
        return emitError() << "stages holds " << stage << ", expects #tgc.stage";
  return success();
}

StageAttr ScheduleAttr::getStageOf(StringRef name) const {
  if (getStages())
    for (auto stage : getStages().getAsRange<StageAttr>())
      if (stage.getOperand() == name)
        return stage;
  return {};
}

ScheduleAttr::Fields ScheduleAttr::getFields() const {
  return {getBlock(),    getWarp(),      getThread(),      getGroup(),       getLanes(),  getStages(),
          getPipeline(), getPrefetch(),  getInner(),       getZigzag(),      getUnroll(), getStore(),
          getWalk(),     getWalkGroup(), getBlocksPerSm(), getDistribution()};
}

ScheduleAttr ScheduleAttr::get(MLIRContext *context, const Fields &f) {
  return get(context, f.block, f.warp, f.thread, f.group, f.lanes, f.stages, f.pipeline, f.prefetch, f.inner, f.zigzag,
             f.unroll, f.store, f.walk, f.walkGroup, f.blocksPerSm, dyn_cast_or_null<SIMTAttr>(f.distribution));
}

//===----------------------------------------------------------------------===//
// SIMTAttr
//===----------------------------------------------------------------------===//

LogicalResult SIMTAttr::verify(function_ref<InFlightDiagnostic()> emitError, ShapeAttr warps, ShapeAttr lanes,
                               ShapeAttr each, ShapeAttr group) {
  for (ShapeAttr shape : {warps, lanes, each, group})
    if (!shape.isTile())
      return emitError() << "expects warps, lanes, each and group of two extents of 1 to " << kMaxTileExtent;
  if (lanes[0] * lanes[1] != kWarpSize)
    return emitError() << "lanes " << lanes[0] << "x" << lanes[1] << " are " << lanes[0] * lanes[1]
                       << ", but a warp has " << kWarpSize;
  for (unsigned dim : {0u, 1u})
    if (each[dim] % group[dim] != 0)
      return emitError() << "each " << each[0] << "x" << each[1] << " is not divisible by group " << group[0] << "x"
                         << group[1];
  return success();
}

int64_t SIMTAttr::getNumThreads() const { return getWarps()[0] * getWarps()[1] * kWarpSize; }

std::array<int64_t, 2> SIMTAttr::getTileShape() const {
  return {getWarps()[0] * getLanes()[0] * getEach()[0], getWarps()[1] * getLanes()[1] * getEach()[1]};
}

std::array<int64_t, 2> SIMTAttr::getThreadTile() const { return {getEach()[0], getEach()[1]}; }

std::array<int64_t, 2> SIMTAttr::getGroupShape() const { return {getGroup()[0], getGroup()[1]}; }

std::array<int64_t, 2> SIMTAttr::getGroupStride() const {
  return {getLanes()[0] * getGroup()[0], getLanes()[1] * getGroup()[1]};
}

std::array<int64_t, 2> SIMTAttr::getOrigin(int64_t thread) const {
  int64_t warp = thread / kWarpSize, lane = thread % kWarpSize;
  int64_t warpN = getWarps()[1], laneN = getLanes()[1];
  return {warp / warpN * getLanes()[0] * getEach()[0] + lane / laneN * getGroup()[0],
          warp % warpN * laneN * getEach()[1] + lane % laneN * getGroup()[1]};
}

std::array<Value, 2> SIMTAttr::buildOrigin(OpBuilder &builder, Location loc, Value thread) const {
  IndexMath math(builder, loc);
  OpFoldResult warp = IndexMath::named(math.div(thread, math.attr(kWarpSize)), "warp");
  OpFoldResult lane = IndexMath::named(math.rem(thread, math.attr(kWarpSize)), "lane");
  OpFoldResult warpN = math.attr(getWarps()[1]), laneN = math.attr(getLanes()[1]);
  auto along = [&](unsigned dim, OpFoldResult warpAt, OpFoldResult laneAt) {
    int64_t warpTile = getLanes()[dim] * getEach()[dim];
    return math.materialize(math.add(math.mul(warpAt, math.attr(getWarps()[dim] == 1 ? 0 : warpTile)),
                                     math.mul(laneAt, math.attr(getLanes()[dim] == 1 ? 0 : getGroup()[dim]))));
  };
  Value row = along(0, math.div(warp, warpN), math.div(lane, laneN));
  Value col = along(1, math.rem(warp, warpN), math.rem(lane, laneN));
  return {row, col};
}

//===----------------------------------------------------------------------===//
// SharedAttr
//===----------------------------------------------------------------------===//

unsigned SharedAttr::getFastDim() const { return getOrder() == Order::RowMajor ? 1 : 0; }

std::array<int64_t, 2> SharedAttr::getStorageShape(ArrayRef<int64_t> shape) const {
  unsigned fast = getFastDim();
  return {shape[1 - fast], shape[fast] + getPad()};
}

int64_t SharedAttr::getContiguousRun(ArrayRef<int64_t> shape) const {
  int64_t pitch = getStorageShape(shape)[1];
  int64_t run = kChunkElements; // no access is wider than a chunk
  while (pitch % run != 0 || shape[getFastDim()] % run != 0)
    run /= 2;
  return run;
}

std::array<int64_t, 2> SharedAttr::getPosition(int64_t row, int64_t col) const {
  int64_t slow = getFastDim() == 1 ? row : col, fast = getFastDim() == 1 ? col : row;
  if (getSwizzle())
    fast = ((fast / kChunkElements) ^ (slow % getSwizzle())) * kChunkElements + fast % kChunkElements;
  return {slow, fast};
}

std::array<OpFoldResult, 2> SharedAttr::buildPosition(OpBuilder &builder, Location loc, OpFoldResult row,
                                                      OpFoldResult col) const {
  OpFoldResult slow = getFastDim() == 1 ? row : col, fast = getFastDim() == 1 ? col : row;
  if (getSwizzle()) {
    IndexMath math(builder, loc);
    OpFoldResult chunk = math.attr(kChunkElements);
    OpFoldResult permuted = math.bitXor(math.div(fast, chunk), math.rem(slow, math.attr(getSwizzle())));
    fast = math.add(math.mul(permuted, chunk), math.rem(fast, chunk));
  }
  return {slow, fast};
}

//===----------------------------------------------------------------------===//
// FactAttr, LaunchAttr
//===----------------------------------------------------------------------===//

LogicalResult FactAttr::verify(function_ref<InFlightDiagnostic()> emitError, FactKind kind, StringAttr subject,
                               int64_t value) {
  bool divides = kind == FactKind::Aligned || kind == FactKind::Multiple;
  if (value < divides)
    return emitError() << "fact " << stringifyFactKind(kind) << " " << subject << " " << value
                       << ": expects a value of at least " << int(divides);
  if (kind == FactKind::Aligned && !llvm::isPowerOf2_64(value))
    return emitError() << "pointer " << subject << " cannot be aligned to " << value << " bytes; use a power of 2";
  return success();
}

LogicalResult LaunchAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t threads, ShapeAttr tile,
                                 int64_t minBlocks, int64_t walkGroup) {
  constexpr int64_t kMost = 1024; // CUDA's limit of threads; blocks per SM are fewer
  if (threads < 1 || threads > kMost || minBlocks < 1 || minBlocks > kMost)
    return emitError() << "launch of " << threads << " threads, " << minBlocks << " blocks per SM: expects 1 to "
                       << kMost << " of each";
  if (walkGroup < 0 || walkGroup > kMaxTileExtent)
    return emitError() << "walk_group of a launch is " << walkGroup << ", expects 0 to " << kMaxTileExtent
                       << " rows of tiles";
  if (!tile.isTile())
    return emitError() << "tile of a launch is " << tile << ", expects two extents of 1 to " << kMaxTileExtent;
  return success();
}
