//===- TGCTypes.cpp - tiles and rings -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/TGC.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tgc;

#define GET_TYPEDEF_CLASSES
#include "tgc/Dialect/TGC/IR/TGCTypes.cpp.inc"

void TGCDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tgc/Dialect/TGC/IR/TGCTypes.cpp.inc"
      >();
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  Attribute place;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      parser.parseComma() || parser.parseAttribute(place) || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, element, place);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t dim : getShape())
    printer << dim << 'x';
  printer << getElementType() << ", " << getPlace() << '>';
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                               Attribute place) {
  if (shape.size() < 2 || shape.size() > 3)
    return emitError() << "tile has " << shape.size()
                       << " dimensions, expects rows x columns, or buffers x rows x columns";
  for (int64_t dim : shape)
    if (dim < 1 || dim > kMaxTileExtent)
      return emitError() << "tile extent " << dim << " is out of range: [1, " << kMaxTileExtent << "]";
  if (!element.isF32())
    return emitError() << "tile of " << element << ", expects f32";
  ArrayRef<int64_t> tile = shape.take_back(2);
  if (auto simt = dyn_cast<TileDistribution>(place)) {
    auto whole = simt.getTileShape();
    if (whole[0] != tile[0] || whole[1] != tile[1])
      return emitError() << "distribution covers " << whole[0] << "x" << whole[1] << " elements, but the tile has "
                         << tile[0] << "x" << tile[1];
    return success();
  }
  if (auto fragment = dyn_cast<FragmentAttr>(place)) {
    unsigned dim = fragment.getDim();
    if (dim > 1)
      return emitError() << "fragment dim " << dim << ", expects 0 (rows) or 1 (columns)";
    if (tile[dim] != fragment.getOf().getTileShape()[dim] || tile[1 - dim] != 1)
      return emitError() << "fragment along dim " << dim << " has " << fragment.getOf().getTileShape()[dim]
                         << " elements of one k, but the tile is " << tile[0] << "x" << tile[1];
    return success();
  }
  if (shape.size() == 3)
    return emitError() << "only register tiles have buffers: " << place << " has a leading dimension";
  if (isa<GlobalAttr>(place))
    return success();
  if (auto regs = dyn_cast<CopyRegsAttr>(place)) {
    int64_t width = regs.getWidth();
    if (regs.getThreads() < 1 || (width != 1 && width != 2 && width != 4) || regs.getDim() > 1)
      return emitError() << place << " needs at least 1 thread, a width of 1, 2 or 4, and dim 0 or 1";
    if (tile[regs.getDim()] % width != 0)
      return emitError() << "pieces of " << width << " elements do not divide rows of " << tile[regs.getDim()];
    return success();
  }
  if (auto shared = dyn_cast<SharedAttr>(place)) {
    if (shared.getPad() < 0 || shared.getPad() > kMaxTileExtent)
      return emitError() << "pad " << shared.getPad() << " is out of range: [0, " << kMaxTileExtent << "]";
    int64_t swizzle = shared.getSwizzle();
    if (swizzle != 0 && swizzle != 2 && swizzle != 4 && swizzle != 8)
      return emitError() << "swizzle " << swizzle << ", expects 2, 4 or 8";
    return success();
  }
  return emitError() << "place " << place << " is none of global, shared, simt, fragment, copy_regs";
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots, ArrayRef<TileType> tiles) {
  if (slots < 1 || slots > kMaxTileExtent)
    return emitError() << "ring of " << slots << " slots, expects 1 to " << kMaxTileExtent;
  if (tiles.empty())
    return emitError() << "ring holds no tile";
  for (TileType tile : tiles) {
    if (!tile.isShared())
      return emitError() << "ring holds shared tiles only, got " << tile;
    // Whole tiles only: a slice has its source's layout, but fewer elements.
    auto shared = dyn_cast<SharedAttr>(tile.getPlace());
    if (!shared || !shared.getSwizzle())
      continue;
    int64_t permuted = kChunkElements * shared.getSwizzle(), fast = tile.getShape()[shared.getFastDim()];
    if (fast % permuted != 0)
      return emitError() << "swizzle " << shared.getSwizzle() << " permutes " << permuted
                         << " elements of a row, but a row has " << fast;
  }
  return success();
}
