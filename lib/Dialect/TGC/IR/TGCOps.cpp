//===- TGCOps.cpp - verification and custom syntax -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/TGC.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tgc;

#define GET_OP_CLASSES
#include "tgc/Dialect/TGC/IR/TGCOps.cpp.inc"

/// The logical (rows, columns) of a tile, without a leading buffer dimension.
static ArrayRef<int64_t> tileShape(TileType type) { return type.getShape().take_back(2); }

/// Checks that `type` is no tile with buffers, of which an operation on elements must name one.
static LogicalResult verifyOneBuffer(Operation *op, TileType type) {
  if (type.getRank() == 2)
    return success();
  return op->emitOpError() << "works on one buffer of a tile, got " << type << "; use tgc.slice";
}

/// Checks that `width` elements are an access.
static LogicalResult verifyWidth(Operation *op, int64_t width) {
  if (width == 1 || width == 2 || width == 4)
    return success();
  return op->emitOpError() << "width " << width << ", expects 1, 2 or 4 elements";
}

/// Checks that `region`, if present, maps a product and `extras` elements to one f32.
static LogicalResult verifyEpilogue(Operation *op, Region &region, size_t extras, ArrayRef<int64_t> axes) {
  if (axes.size() != extras)
    return op->emitOpError() << "has " << extras << " extras but " << axes.size() << " axes";
  for (int64_t axis : axes)
    if (axis < 0 || axis > 2)
      return op->emitOpError() << "axis " << axis << ", expects 0 (row), 1 (column) or 2 (both)";
  if (region.empty()) {
    if (extras)
      return op->emitOpError() << "has extras but no region that uses them";
    return success();
  }
  Block &block = region.front();
  if (block.getNumArguments() != 1 + extras)
    return op->emitOpError() << "region has " << block.getNumArguments() << " arguments, expects " << 1 + extras
                             << ": the product and one element per extra";
  auto isF32 = [](Type type) { return type.isF32(); };
  if (!llvm::all_of(block.getArgumentTypes(), isF32))
    return op->emitOpError() << "region arguments must be f32";
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || yield.getValues().size() != 1 || !yield.getValues()[0].getType().isF32())
    return op->emitOpError() << "region must yield one f32";
  return success();
}

LogicalResult MatmulOp::verify() {
  SmallVector<MemRefType, 3> types;
  for (auto [name, value] : {std::pair<StringRef, Value>("A", getA()), {"B", getB()}, {"C", getC()}}) {
    auto type = cast<MemRefType>(value.getType());
    if (type.getRank() != 2)
      return emitOpError() << "operand " << name << " has " << type.getRank() << " dimensions, expects 2";
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || (strides[0] != 1 && strides[1] != 1))
      return emitOpError() << "operand " << name << " of type " << type << " needs one stride of 1";
    types.push_back(type);
  }
  auto same = [&](int i, int di, int j, int dj, StringRef what) -> LogicalResult {
    int64_t a = types[i].getDimSize(di), b = types[j].getDimSize(dj);
    if (a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
      return emitOpError() << what << ": " << a << " and " << b << " differ";
    return success();
  };
  if (failed(same(0, 1, 1, 0, "columns of A and rows of B")) || failed(same(0, 0, 2, 0, "rows of A and rows of C")) ||
      failed(same(1, 1, 2, 1, "columns of B and columns of C")))
    return failure();
  for (auto [extra, axis] : llvm::zip(getExtras(), getExtraAxes())) {
    int64_t rank = cast<MemRefType>(extra.getType()).getRank();
    if (rank != (axis == 2 ? 2 : 1))
      return emitOpError() << "extra of " << rank << " dimensions is indexed along axis " << axis
                           << ", expects 1 dimension for axis 0 or 1, and 2 for axis 2";
  }
  return verifyEpilogue(*this, getEpilogue(), getExtras().size(), getExtraAxes());
}

//===----------------------------------------------------------------------===//
// WorkOp
//===----------------------------------------------------------------------===//

// tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <16x16> walk grouped 8 attr-dict region
ParseResult WorkOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type index = builder.getIndexType();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  if (arguments.size() != 5)
    return parser.emitError(loc, "expects five arguments: m, n, k0, k1, batch");
  for (auto &argument : arguments)
    argument.type = index;
  SMLoc sizesLoc;
  StringRef walk;
  if (parser.parseKeyword("of") || parser.getCurrentLocation(&sizesLoc) ||
      parser.parseOperandList(sizes, 3, OpAsmParser::Delimiter::Paren) ||
      parser.resolveOperands(sizes, index, result.operands) || parser.parseKeyword("tile"))
    return failure();
  auto tile = dyn_cast_or_null<ShapeAttr>(ShapeAttr::parse(parser, {}));
  SMLoc walkLoc;
  if (!tile || parser.parseKeyword("walk") || parser.getCurrentLocation(&walkLoc) || parser.parseKeyword(&walk))
    return failure();
  std::optional<WalkKind> kind = symbolizeWalkKind(walk);
  if (!kind)
    return parser.emitError(walkLoc, "expects 'rows' or 'grouped', got '") << walk << "'";
  result.addAttribute(getTileAttrName(result.name), tile);
  result.addAttribute(getWalkAttrName(result.name), WalkKindAttr::get(builder.getContext(), *kind));
  if (*kind == WalkKind::Grouped) {
    int64_t group;
    if (parser.parseInteger(group))
      return failure();
    result.addAttribute(getWalkGroupAttrName(result.name), builder.getI64IntegerAttr(group));
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void WorkOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer, [&](BlockArgument arg) { printer.printOperand(arg); });
  printer << ") of (" << getMSize() << ", " << getNSize() << ", " << getKSize() << ") tile ";
  getTile().print(printer);
  printer << " walk " << stringifyWalkKind(getWalk());
  if (getWalk() == WalkKind::Grouped)
    printer << ' ' << getWalkGroup();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getTileAttrName(), getWalkAttrName(), getWalkGroupAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult WorkOp::verify() {
  if (getBody().getNumArguments() != 5)
    return emitOpError() << "region has " << getBody().getNumArguments() << " arguments, expects m, n, k0, k1, batch";
  if (!getTile().isTile())
    return emitOpError() << "tile is " << getTile() << ", expects BM x BN, 1 to " << kMaxTileExtent << " each";
  if (getWalkGroup() > kMaxTileExtent)
    return emitOpError() << "walk group " << getWalkGroup() << " is out of range: [1, " << kMaxTileExtent << "]";
  if ((getWalk() == WalkKind::Grouped) != (getWalkGroup() > 0))
    return emitOpError() << "walk grouped needs a group of at least 1 row of tiles, walk rows none";
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

LogicalResult WindowOp::verify() {
  size_t rank = cast<MemRefType>(getSource().getType()).getRank();
  if (rank != 1 && rank != 2)
    return emitOpError() << "source has " << rank << " dimensions, expects a vector or a matrix";
  if (getOffsets().size() != rank || getLimits().size() != rank)
    return emitOpError() << "source has " << rank << " dimensions, but there are " << getOffsets().size()
                         << " offsets and " << getLimits().size() << " limits";
  if (getInBounds() && getInBounds()->size() != rank)
    return emitOpError() << "in_bounds has " << getInBounds()->size() << " entries, expects " << rank;
  if (!getTile().getType().isGlobal())
    return emitOpError() << "yields a global tile, got " << getTile().getType();
  return success();
}

LogicalResult AllocOp::verify() {
  if (getTile().getType().isGlobal() || getTile().getType().isShared())
    return emitOpError() << "allocates register tiles, got " << getTile().getType() << "; shared tiles live in a ring";
  return success();
}

LogicalResult FillOp::verify() {
  TileType type = getTile().getType();
  if (type.isGlobal() || type.isShared())
    return emitOpError() << "sets a register tile, got " << type;
  return verifyOneBuffer(*this, type);
}

LogicalResult SliceOp::verify() {
  TileType from = getSource().getType(), to = getResult().getType();
  if (from.isGlobal())
    return emitOpError() << "of a window is a tgc.window of its own";
  if (static_cast<int64_t>(getOffsets().size()) != from.getRank())
    return emitOpError() << "source has " << from.getRank() << " dimensions, but there are " << getOffsets().size()
                         << " offsets";
  if (from.getPlace() != to.getPlace())
    return emitOpError() << "changes the place from " << from.getPlace() << " to " << to.getPlace();
  for (auto [outer, inner] : llvm::zip(tileShape(from), tileShape(to)))
    if (inner > outer)
      return emitOpError() << "result " << to << " is larger than the source";
  if (!from.isShared() && (to.getRank() != 2 || tileShape(from) != tileShape(to)))
    return emitOpError() << "of a register tile selects one whole buffer";
  return success();
}

LogicalResult CopyOp::verify() {
  TileType from = getSource().getType(), to = getDest().getType();
  if (from.getShape() != to.getShape())
    return emitOpError() << "source " << from << " and destination " << to << " differ in shape";
  if (to.isGlobal())
    return emitOpError() << "to global memory is tgc.store";
  if (failed(verifyOneBuffer(*this, from)) || failed(verifyWidth(*this, getWidth())))
    return failure();
  if (getKind() == CopyKind::Registers)
    return emitOpError() << "through registers is two copies, with a #tgc.copy_regs tile between";
  if (getKind() == CopyKind::CpAsync && !(from.isGlobal() && to.isShared()))
    return emitOpError() << "by cp_async goes from global to shared memory, not from " << from << " to " << to;
  return success();
}

LogicalResult ProductOp::verify() {
  auto distribution = dyn_cast<TileDistribution>(getAcc().getType().getPlace());
  if (!distribution)
    return emitOpError() << "accumulates in a distributed register tile, got " << getAcc().getType();
  for (Value operand : getOperands())
    if (failed(verifyOneBuffer(*this, cast<TileType>(operand.getType()))))
      return failure();
  ArrayRef<int64_t> acc = tileShape(getAcc().getType()), a = tileShape(getA().getType()),
                    b = tileShape(getB().getType());
  if (a[0] != acc[0] || b[1] != acc[1] || a[1] != b[0])
    return emitOpError() << "of " << a[0] << "x" << a[1] << " and " << b[0] << "x" << b[1] << " is not " << acc[0]
                         << "x" << acc[1];
  for (auto [value, dim] : {std::pair<Value, unsigned>(getA(), 0u), {getB(), 1u}}) {
    auto type = cast<TileType>(value.getType());
    auto fragment = dyn_cast<FragmentAttr>(type.getPlace());
    if (fragment ? (fragment.getDim() != dim || fragment.getOf() != getAcc().getType().getPlace())
                 : !(type.isGlobal() || type.isShared()))
      return emitOpError() << "operand " << type << " is no fragment of the accumulator along dim " << dim
                           << " and neither global nor shared";
  }
  return success();
}

LogicalResult StoreOp::verify() {
  if (!isa<TileDistribution>(getAcc().getType().getPlace()))
    return emitOpError() << "stores a distributed register tile, got " << getAcc().getType();
  if (!getDest().getType().isGlobal() || getAcc().getType().getShape() != getDest().getType().getShape())
    return emitOpError() << "writes a global window of the accumulator's shape, got " << getDest().getType();
  for (Value extra : getExtras())
    if (!cast<TileType>(extra.getType()).isGlobal())
      return emitOpError() << "extra of type " << extra.getType() << " is no window";
  if (failed(verifyWidth(*this, getWidth())))
    return failure();
  return verifyEpilogue(*this, getEpilogue(), getExtras().size(), getExtraAxes());
}

LogicalResult CpAsyncOp::verify() {
  if (getBytes() != 4 && getBytes() != 8 && getBytes() != 16)
    return emitOpError() << "of " << getBytes() << " bytes; the hardware copies 4, 8 or 16";
  auto dest = cast<MemRefType>(getDest().getType());
  if (static_cast<int64_t>(getDestIndices().size()) != dest.getRank())
    return emitOpError() << "destination has " << dest.getRank() << " dimensions, but there are "
                         << getDestIndices().size() << " indices";
  return success();
}
