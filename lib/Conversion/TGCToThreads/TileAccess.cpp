//===- TileAccess.cpp - copies, products and stores of one thread -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// A copy between global and shared memory is cut into pieces of `width` elements along the global operand's contiguous
// dimension. With F pieces in a row of S rows, piece p * threads + t (row-major) is thread t's in pass p:
//
//   threads % F == 0:  row t / F + p * (threads / F),  piece t % F         the usual case: the column never changes
//   F % threads == 0:  row p / (F / threads),          piece t + p % (F / threads) * threads
//   otherwise:         row (p * threads + t) / F,      piece (p * threads + t) % F
//
//===----------------------------------------------------------------------===//

#include "ThreadLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tgc;

constexpr int64_t kElementBytes = 4; // f32

/// Of a copy with more passes, so many are unrolled: ptxas keeps what their addresses need alive, and that of many does
/// not fit registers. In irregular passes the row and the column change.
constexpr int64_t kUnrolledPasses = 16, kUnrolledIrregularPasses = 8;

//===----------------------------------------------------------------------===//
// Builder helpers
//===----------------------------------------------------------------------===//

/// Runs `build` with the insertion point at the start of the function, where allocations and thread coordinates live.
static auto atEntry(OpBuilder &builder, gpu::GPUFuncOp func, llvm::function_ref<Value()> build) {
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = func.getBody().front();
  Block::iterator at = entry.begin();
  while (at != entry.end() && isa<memref::AllocaOp, gpu::ThreadIdOp>(*at))
    ++at;
  builder.setInsertionPoint(&entry, at);
  return build();
}

Value ThreadLowering::thread() {
  if (!threadId)
    threadId = atEntry(builder, target, [&] {
      return IndexMath::setName(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x), "thread");
    });
  return threadId;
}

std::array<Value, 2> ThreadLowering::origin(TileDistribution distribution) {
  auto found = origins.find(distribution);
  if (found != origins.end())
    return found->second;
  std::array<Value, 2> result;
  Value id = thread();
  atEntry(builder, target, [&] {
    builder.setInsertionPointAfter(id.getDefiningOp());
    result = distribution.buildOrigin(builder, loc, id);
    return result[0];
  });
  for (auto [value, name] : llvm::zip(result, std::array<StringRef, 2>{"row", "col"}))
    if (!getConstantIntValue(OpFoldResult(value)))
      IndexMath::setName(value, name);
  return origins[distribution] = result;
}

RegisterValue ThreadLowering::privateArray(ArrayRef<int64_t> shape, StringRef name) {
  RegisterValue value;
  value.shape.assign(shape.begin(), shape.end());
  SmallVector<int64_t> extents = llvm::filter_to_vector(shape, [](int64_t extent) { return extent != 1; });
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Private);
  auto type = MemRefType::get(extents, builder.getF32Type(), MemRefLayoutAttrInterface{}, space);
  value.array =
      atEntry(builder, target, [&] { return IndexMath::setName(memref::AllocaOp::create(builder, loc, type), name); });
  return value;
}

SmallVector<Value> ThreadLowering::privateIndices(const RegisterValue &tile, ArrayRef<OFR> indices) {
  SmallVector<OFR> all;
  if (tile.shape.size() > indices.size())
    all.push_back(tile.buffer);
  llvm::append_range(all, indices);
  SmallVector<Value> result;
  for (auto [index, extent] : llvm::zip_equal(all, tile.shape))
    if (extent != 1)
      result.push_back(math().materialize(index));
  return result;
}

Value ThreadLowering::loadPrivate(const RegisterValue &tile, ArrayRef<OFR> indices) {
  return memref::LoadOp::create(builder, loc, tile.array, privateIndices(tile, indices));
}

void ThreadLowering::storePrivate(Value value, const RegisterValue &tile, ArrayRef<OFR> indices) {
  memref::StoreOp::create(builder, loc, value, tile.array, privateIndices(tile, indices));
}

void ThreadLowering::unrolledLoop(int64_t lower, int64_t upper, int64_t step, StringRef name,
                                  function_ref<void(OFR)> body, int64_t unroll, StringRef comment) {
  if (upper - lower <= step) {
    if (lower < upper)
      body(builder.getIndexAttr(lower));
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, math().constant(lower), math().constant(upper), math().constant(step));
  loop->setAttr("tgc.unroll", unroll ? Attribute(builder.getI64IntegerAttr(unroll)) : builder.getUnitAttr());
  if (!comment.empty())
    loop->setAttr("tgc.comment", builder.getStringAttr(comment));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(IndexMath::setName(loop.getInductionVar(), name));
}

Value ThreadLowering::less(OFR a, OFR b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, math().materialize(a), math().materialize(b));
}

Value ThreadLowering::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

Value ThreadLowering::advance(Value pointer, OFR rows, const GlobalOperand &operand) {
  if (operand.rank == 1 || getConstantIntValue(rows) == 0)
    return pointer;
  Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), math().materialize(rows));
  Value offset = arith::MulIOp::create(builder, loc, wide, operand.leadingDimension);
  return AdvanceOp::create(builder, loc, pointer, offset);
}

Value ThreadLowering::pointerTo(const GlobalOperand &operand, OFR slow) {
  return advance(operand.pointer, slow, operand);
}

Value ThreadLowering::constantF32(float value) {
  return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(value));
}

VectorType ThreadLowering::vectorOf(int64_t width) { return VectorType::get({width}, builder.getF32Type()); }

SmallVector<Value> ThreadLowering::sharedIndices(const SharedValue &tile, OFR row, OFR col) {
  auto position = TileLayout(tile.layout)
                      .buildPosition(builder, loc, math().add(tile.offset[0], row), math().add(tile.offset[1], col));
  SmallVector<Value> indices;
  if (tile.slot)
    indices.push_back(math().materialize(tile.slot));
  for (OFR at : position)
    indices.push_back(math().materialize(at));
  return indices;
}

/// Offset of element `i` of a thread tile along `dim`, where `i` is a multiple of `step` and `step` divides a group.
OpFoldResult ThreadLowering::distributionOffset(TileDistribution distribution, unsigned dim, OFR i, int64_t step) {
  int64_t group = distribution.getGroupShape()[dim], stride = distribution.getGroupStride()[dim];
  if (distribution.getThreadTile()[dim] <= group)
    return i;
  if (step == group && stride % group == 0)
    return math().mul(i, math().attr(stride / group));
  OFR size = math().attr(group);
  return math().add(math().mul(math().div(i, size), math().attr(stride)), math().rem(i, size));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// One element of a shared tile or of a window, 0 outside.
Value ThreadLowering::loadElement(Value tile, OFR row, OFR col) {
  if (auto shared = sharedTiles.find(tile); shared != sharedTiles.end())
    return memref::LoadOp::create(builder, loc, shared->second.buffer, sharedIndices(shared->second, row, col));
  const WindowValue &window = windows.find(tile)->second;
  std::array<OFR, 2> logical = {row, col};
  Value inside;
  for (auto [dim, offset] : llvm::enumerate(window.offsets)) {
    StringRef symbol = window.operand.getDim(dim);
    logical[dim] = IndexMath::named(math().add(offset, logical[dim]), symbol.lower());
    if (!window.inBounds[dim])
      inside = both(inside, IndexMath::setName(less(logical[dim], window.limits[dim]), symbol.lower() + "Inside"));
  }
  unsigned fast = window.operand.fastDim;
  Value pointer = pointerTo(window.operand, logical[1 - fast]);
  auto load = [&]() -> Value {
    return memref::LoadOp::create(builder, loc, pointer, math().materialize(logical[fast]));
  };
  if (!inside)
    return load();
  auto guarded = scf::IfOp::create(builder, loc, builder.getF32Type(), inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  scf::YieldOp::create(builder, loc, load());
  builder.setInsertionPointToStart(guarded.elseBlock());
  scf::YieldOp::create(builder, loc, constantF32(0));
  return guarded.getResult(0);
}

void ThreadLowering::lowerFill(FillOp fill) {
  RegisterValue tile = registerTiles.lookup(fill.getTile());
  Value value = mapping.lookup(fill.getValue());
  bool isFragment = isa<FragmentAttr>(fill.getTile().getType().getPlace());
  ArrayRef<int64_t> shape = ArrayRef<int64_t>(tile.shape).take_back(isFragment ? 1 : 2);
  unrolledLoop(0, shape[0], 1, "i", [&](OFR i) {
    if (isFragment)
      storePrivate(value, tile, {i});
    else
      unrolledLoop(0, shape[1], 1, "j", [&](OFR j) { storePrivate(value, tile, {i, j}); });
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Fills `dest` with what this thread needs of k `k` of `source` (a window or shared tile): along `dim` of `of`.
LogicalResult ThreadLowering::copyFragment(Value source, const RegisterValue &dest, TileDistribution of, unsigned dim,
                                           OFR k, int64_t width) {
  Value first = origin(of)[dim];
  int64_t count = of.getThreadTile()[dim];
  auto shared = sharedTiles.find(source);
  if (width > 1) {
    if (shared == sharedTiles.end() || shared->second.layout.getFastDim() != dim)
      return emitError(loc) << "'tgc.copy' of " << width << " elements at a time runs across the storage order of "
                            << source.getType();
    if (of.getGroupShape()[dim] % width != 0 ||
        shared->second.layout.getContiguousRun(shared->second.slotShape) < width)
      return emitError(loc) << "'tgc.copy' of " << width << " elements at a time, but groups have "
                            << of.getGroupShape()[dim] << " elements and contiguous runs "
                            << shared->second.layout.getContiguousRun(shared->second.slotShape);
  }
  unrolledLoop(0, count, width, dim == 0 ? "i" : "j", [&](OFR i) {
    OFR at = math().add(first, distributionOffset(of, dim, i, width));
    OFR row = dim == 0 ? at : k, col = dim == 0 ? k : at;
    if (width == 1) {
      storePrivate(loadElement(source, row, col), dest, {i});
      return;
    }
    auto load = vector::LoadOp::create(builder, loc, vectorOf(width), shared->second.buffer,
                                       sharedIndices(shared->second, row, col));
    load.setAlignment(width * kElementBytes);
    vector::StoreOp::create(builder, loc, load, dest.array, privateIndices(dest, {i}));
  });
  return success();
}

LogicalResult ThreadLowering::copyPieces(CopyOp copy) {
  TileType type = copy.getSource().getType();
  auto window = windows.find(copy.getSource());
  bool fromGlobal = window != windows.end();
  auto regs = dyn_cast<CopyRegsAttr>(fromGlobal ? copy.getDest().getType().getPlace() : type.getPlace());
  auto shared = sharedTiles.find(copy.getDest());
  bool toShared = shared != sharedTiles.end();
  unsigned fastDim = fromGlobal ? window->second.operand.fastDim : regs.getDim();
  int64_t width = copy.getWidth();
  StringRef name = fromGlobal ? StringRef(window->second.operand.name) : "piece";
  std::string prefix = name.lower();

  if (regs && (regs.getWidth() != width || regs.getThreads() != threads || regs.getDim() != fastDim))
    return copy.emitOpError() << "does not move the pieces that " << regs << " describes";
  int64_t fastExtent = type.getShape()[fastDim], slowExtent = type.getShape()[1 - fastDim];
  if (fastExtent % width != 0)
    return copy.emitOpError() << "in pieces of " << width << " elements does not divide rows of " << fastExtent;
  bool sameOrder = toShared && shared->second.layout.getFastDim() == fastDim;
  bool wideStore = sameOrder && shared->second.layout.getContiguousRun(shared->second.slotShape) >= width;
  if (copy.getKind() == CopyKind::CpAsync && width > 1 && !wideStore)
    return copy.emitOpError() << "by cp_async of " << width * kElementBytes << " bytes needs " << width
                              << " contiguous elements in shared memory, but " << copy.getDest().getType()
                              << " has runs of "
                              << (sameOrder ? shared->second.layout.getContiguousRun(shared->second.slotShape) : 1);

  // Which piece this thread copies in which pass.
  int64_t perRow = fastExtent / width, pieces = perRow * slowExtent;
  OFR laneSlow = math().attr(0), laneFast = math().attr(0), id = thread();
  bool rowsAdvance = threads % perRow == 0, colsAdvance = !rowsAdvance && perRow % threads == 0;
  auto nameLane = [&](OFR value, StringRef what) {
    return isa<Value>(value) && value != OFR(threadId) ? IndexMath::named(value, (prefix + what).str()) : value;
  };
  StringRef slowName = fastDim == 1 ? "Row" : "Col", fastName = fastDim == 1 ? "Col" : "Row";
  if (rowsAdvance) {
    laneSlow = nameLane(math().div(id, math().attr(perRow)), slowName);
    laneFast = nameLane(math().mul(math().rem(id, math().attr(perRow)), math().attr(width)), fastName);
  } else if (colsAdvance) {
    laneFast = nameLane(math().mul(id, math().attr(width)), fastName);
  }
  OFR firstSlow, firstFast;
  Value base;
  if (fromGlobal) {
    const GlobalOperand &operand = window->second.operand;
    firstSlow = nameLane(math().add(window->second.offsets[1 - fastDim], laneSlow), operand.getDim(1 - fastDim));
    firstFast = nameLane(math().add(window->second.offsets[fastDim], laneFast), operand.getDim(fastDim));
    base = pointerTo(operand, firstSlow);
    if (base != operand.pointer)
      IndexMath::setName(base, prefix + "From");
  }
  RegisterValue piece;
  if (regs)
    piece = registerTiles.lookup(fromGlobal ? copy.getDest() : copy.getSource());
  else if (width > 1 && copy.getKind() != CopyKind::CpAsync)
    piece = privateArray({1, width}, prefix + "Piece");

  auto onePass = [&](OFR pass) {
    OFR passSlow = math().attr(0), passFast = math().attr(0);
    if (rowsAdvance) {
      passSlow = math().mul(pass, math().attr(threads / perRow));
    } else if (colsAdvance) {
      OFR across = math().attr(perRow / threads);
      passSlow = math().div(pass, across);
      passFast = math().mul(math().rem(pass, across), math().attr(threads * width));
    } else {
      OFR flat = math().add(math().mul(pass, math().attr(threads)), id);
      passSlow = math().div(flat, math().attr(perRow));
      passFast = math().mul(math().rem(flat, math().attr(perRow)), math().attr(width));
    }
    OFR slow = math().add(laneSlow, passSlow), fast = math().add(laneFast, passFast);
    OFR slot = regs ? pass : math().attr(0);

    auto element = [&](OFR e) {
      OFR at = math().add(fast, e);
      return fastDim == 1 ? std::pair(slow, at) : std::pair(at, slow);
    };
    auto store = [&](llvm::function_ref<Value(OFR)> valueOf) {
      if (width > 1 && wideStore) {
        auto value = vector::LoadOp::create(builder, loc, vectorOf(width), piece.array,
                                            privateIndices(piece, {slot, math().attr(0)}));
        auto [row, col] = element(math().attr(0));
        auto write = vector::StoreOp::create(builder, loc, value, shared->second.buffer,
                                             sharedIndices(shared->second, row, col));
        write.setAlignment(width * kElementBytes);
        return;
      }
      unrolledLoop(0, width, 1, "e", [&](OFR e) {
        Value value = valueOf(e);
        auto [row, col] = element(e);
        memref::StoreOp::create(builder, loc, value, shared->second.buffer, sharedIndices(shared->second, row, col));
      });
    };
    if (!fromGlobal) {
      store([&](OFR e) { return loadPrivate(piece, {slot, e}); });
      return;
    }

    const WindowValue &from = window->second;
    Value pointer = advance(base, passSlow, from.operand);
    OFR index = math().add(firstFast, passFast);
    Value slowInside, fastInside;
    if (!from.inBounds[1 - fastDim])
      slowInside = less(math().add(firstSlow, passSlow), from.limits[1 - fastDim]);

    if (copy.getKind() == CopyKind::CpAsync) {
      Value valid;
      if (width == 1) {
        if (!from.inBounds[fastDim])
          fastInside = less(index, from.limits[fastDim]);
        if (Value inside = both(slowInside, fastInside))
          valid = arith::SelectOp::create(builder, loc, inside, math().constant(1), math().constant(0));
      } else if (slowInside || !from.inBounds[fastDim]) {
        OFR count = math().attr(width);
        if (!from.inBounds[fastDim])
          count = math().min(math().max(math().sub(from.limits[fastDim], index), math().attr(0)), math().attr(width));
        valid = math().materialize(count);
        if (!getConstantIntValue(count))
          IndexMath::setName(valid, prefix + "Valid");
        if (slowInside)
          valid = arith::SelectOp::create(builder, loc, slowInside, valid, math().constant(0));
      }
      auto [row, col] = element(math().attr(0));
      CpAsyncOp::create(builder, loc, pointer, math().materialize(index), shared->second.buffer,
                        sharedIndices(shared->second, row, col), builder.getI64IntegerAttr(width * kElementBytes),
                        valid);
      return;
    }

    if (!from.inBounds[fastDim])
      fastInside = less(index, from.limits[fastDim]);
    Value inside = both(slowInside, fastInside);
    Value scalar;
    auto read = [&] {
      if (width == 1) {
        scalar = memref::LoadOp::create(builder, loc, pointer, math().materialize(index));
        return;
      }
      auto value = vector::LoadOp::create(builder, loc, vectorOf(width), pointer, math().materialize(index));
      value.setAlignment(width * kElementBytes);
      vector::StoreOp::create(builder, loc, value, piece.array, privateIndices(piece, {slot, math().attr(0)}));
    };
    if (!inside) {
      read();
    } else if (width == 1) {
      auto guarded = scf::IfOp::create(builder, loc, builder.getF32Type(), inside, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(guarded.thenBlock());
      read();
      scf::YieldOp::create(builder, loc, scalar);
      builder.setInsertionPointToStart(guarded.elseBlock());
      scf::YieldOp::create(builder, loc, constantF32(0));
      scalar = guarded.getResult(0);
    } else {
      auto guarded = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(guarded.thenBlock());
      read();
      builder.setInsertionPointToStart(guarded.elseBlock());
      Value zero = constantF32(0);
      unrolledLoop(0, width, 1, "e", [&](OFR e) { storePrivate(zero, piece, {slot, e}); });
    }
    if (regs) {
      if (width == 1)
        storePrivate(scalar, piece, {slot, math().attr(0)});
      return;
    }
    store([&](OFR e) { return width == 1 ? scalar : loadPrivate(piece, {slot, e}); });
  };

  int64_t passes = pieces / threads;
  int64_t unroll = rowsAdvance || colsAdvance ? kUnrolledPasses : kUnrolledIrregularPasses;
  // Pieces in registers are an array, which only constants index.
  bool complete = regs || passes <= unroll;
  unrolledLoop(0, passes, 1, "pass", onePass, complete ? 0 : unroll);
  if (int64_t left = pieces % threads) {
    auto guarded = scf::IfOp::create(builder, loc, less(id, math().attr(left)), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    onePass(math().attr(passes));
  }
  return success();
}

LogicalResult ThreadLowering::checkMatrix(Operation *op, Value tile) {
  auto window = windows.find(tile);
  if (window == windows.end() || window->second.operand.rank == 2)
    return success();
  return op->emitOpError() << "reads or writes tiles of matrices, but '" << window->second.operand.name
                           << "' is a vector; it can be an extra of tgc.store";
}

LogicalResult ThreadLowering::lowerCopy(CopyOp copy) {
  if (failed(checkMatrix(copy, copy.getSource())))
    return failure();
  bool fromMemory = windows.contains(copy.getSource()) || sharedTiles.contains(copy.getSource());
  if (auto fragment = dyn_cast<FragmentAttr>(copy.getDest().getType().getPlace()); fragment && fromMemory) {
    RegisterValue dest = registerTiles.lookup(copy.getDest());
    return copyFragment(copy.getSource(), dest, fragment.getOf(), fragment.getDim(), builder.getIndexAttr(0),
                        copy.getWidth());
  }
  bool fromGlobal = windows.contains(copy.getSource()), toShared = sharedTiles.contains(copy.getDest());
  bool fromRegs = isa<CopyRegsAttr>(copy.getSource().getType().getPlace());
  bool toRegs = isa<CopyRegsAttr>(copy.getDest().getType().getPlace());
  if ((fromGlobal && (toShared || toRegs)) || (fromRegs && toShared))
    return copyPieces(copy);
  return copy.emitOpError() << "from " << copy.getSource().getType() << " to " << copy.getDest().getType()
                            << " is not supported: tiles go from global to shared memory, directly or through "
                               "#tgc.copy_regs, and from either to fragments";
}

//===----------------------------------------------------------------------===//
// Products and stores
//===----------------------------------------------------------------------===//

LogicalResult ThreadLowering::lowerProduct(ProductOp product) {
  if (failed(checkMatrix(product, product.getA())) || failed(checkMatrix(product, product.getB())))
    return failure();
  auto distribution = cast<TileDistribution>(product.getAcc().getType().getPlace());
  RegisterValue acc = registerTiles.lookup(product.getAcc());
  auto tile = distribution.getThreadTile();
  std::array<Value, 2> sources = {product.getA(), product.getB()};
  std::array<RegisterValue, 2> fragments;
  std::array<bool, 2> implicit;
  for (unsigned dim : {0u, 1u}) {
    auto found = registerTiles.find(sources[dim]);
    implicit[dim] = found == registerTiles.end();
    // An operand in memory is read once per k, one element at a time, into a fragment of the product's own.
    fragments[dim] = implicit[dim] ? privateArray({tile[dim]}, dim == 0 ? "a" : "b") : found->second;
  }
  LogicalResult result = success();
  auto step = [&](OFR k) {
    for (unsigned dim : {0u, 1u})
      if (implicit[dim] && failed(copyFragment(sources[dim], fragments[dim], distribution, dim, k, /*width=*/1)))
        result = failure();
    bool innerI = product.getInner() == InnerLoop::I;
    int64_t outer = innerI ? tile[1] : tile[0], inner = innerI ? tile[0] : tile[1];
    unrolledLoop(0, outer, 1, innerI ? "j" : "i", [&](OFR o) {
      unrolledLoop(0, inner, 1,
                   product.getZigzag() ? "step"
                   : innerI            ? "i"
                                       : "j",
                   [&](OFR n) {
                     if (product.getZigzag() && isa<Value>(o)) {
                       // Odd turns run backwards: neighbouring FMAs share an operand across the turn.
                       Value odd =
                           arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                                 math().materialize(math().rem(o, math().attr(2))), math().constant(1));
                       Value back = math().materialize(math().sub(math().attr(inner - 1), n));
                       n = IndexMath::setName(arith::SelectOp::create(builder, loc, odd, back, math().materialize(n)),
                                              innerI ? "i" : "j");
                     }
                     OFR i = innerI ? n : o, j = innerI ? o : n;
                     Value a = loadPrivate(fragments[0], {i}), b = loadPrivate(fragments[1], {j}),
                           c = loadPrivate(acc, {i, j});
                     storePrivate(math::FmaOp::create(builder, loc, a, b, c), acc, {i, j});
                   });
    });
  };
  unrolledLoop(0, product.getA().getType().getShape()[1], 1, "kk", step, product.getUnroll());
  return result;
}

LogicalResult ThreadLowering::lowerStore(StoreOp store) {
  if (failed(checkMatrix(store, store.getDest())))
    return failure();
  auto distribution = cast<TileDistribution>(store.getAcc().getType().getPlace());
  RegisterValue acc = registerTiles.lookup(store.getAcc());
  const WindowValue &window = windows.find(store.getDest())->second;
  auto tile = distribution.getThreadTile();
  auto first = origin(distribution);
  int64_t width = store.getWidth();
  unsigned fast = window.operand.fastDim, slow = 1 - fast;
  if (width > 1 && (fast != 1 || distribution.getGroupShape()[1] % width != 0))
    return store.emitOpError() << "of " << width
                               << " elements at a time needs rows of C that are contiguous and groups"
                                  " of a multiple of "
                               << width << " columns, but groups have " << distribution.getGroupShape()[1];
  for (auto [extra, axis] : llvm::zip(store.getExtras(), store.getExtraAxes())) {
    unsigned rank = windows.find(extra)->second.operand.rank;
    if (rank != (axis == 2 ? 2 : 1))
      return store.emitOpError() << "extra of " << rank << " dimensions is indexed along axis " << axis
                                 << ", expects 1 dimension for axis 0 or 1, and 2 for axis 2";
  }
  RegisterValue piece;
  bool plain = store.getEpilogue().empty() && !store.getAccumulate();
  if (width > 1 && !plain)
    piece = privateArray({width}, "result");

  LogicalResult result = success();
  auto writeElement = [&](OFR i, OFR j, OFR row, OFR col, Value pointer, OFR index) -> Value {
    Value value = loadPrivate(acc, {i, j});
    if (!store.getEpilogue().empty()) {
      Block &region = store.getEpilogue().front();
      IRMapping inner = mapping;
      inner.map(region.getArgument(0), value);
      for (auto [n, extra, axis] : llvm::enumerate(store.getExtras(), store.getExtraAxes())) {
        const WindowValue &source = windows.find(extra)->second;
        OFR at = axis == 0 ? row : col;
        Value from = source.operand.pointer;
        if (axis == 2) {
          std::array<OFR, 2> logical = {row, col};
          from = pointerTo(source.operand, logical[1 - source.operand.fastDim]);
          at = logical[source.operand.fastDim];
        }
        inner.map(region.getArgument(1 + n), memref::LoadOp::create(builder, loc, from, math().materialize(at)));
      }
      for (Operation &op : region.without_terminator()) {
        if (!isPure(&op) || !isa<arith::ArithDialect, math::MathDialect>(op.getDialect())) {
          result = op.emitOpError() << "has no place in an epilogue: expects elementwise arith or math.fma";
          return value;
        }
        Operation *clone = builder.clone(op, inner);
        for (auto [from, to] : llvm::zip(op.getResults(), clone->getResults()))
          inner.map(from, to);
      }
      value = inner.lookupOrDefault(cast<YieldOp>(region.back()).getValues()[0]);
    }
    if (store.getAccumulate()) {
      Value old = memref::LoadOp::create(builder, loc, pointer, math().materialize(index));
      value = arith::AddFOp::create(builder, loc, old, value);
    }
    return value;
  };

  // The outer loop runs over C's rows (slow), so that a row's address is computed once.
  unrolledLoop(
      0, tile[slow], 1, slow == 0 ? "i" : "j",
      [&](OFR o) {
        OFR atSlow = IndexMath::named(
            math().add(math().add(window.offsets[slow], first[slow]), distributionOffset(distribution, slow, o, 1)),
            slow == 0 ? "m" : "n");
        Value slowInside = window.inBounds[slow] ? Value() : less(atSlow, window.limits[slow]);
        Value pointer = pointerTo(window.operand, atSlow);
        unrolledLoop(0, tile[fast], width, fast == 0 ? "i" : "j", [&](OFR n) {
          OFR atFast = IndexMath::named(math().add(math().add(window.offsets[fast], first[fast]),
                                                   distributionOffset(distribution, fast, n, width)),
                                        fast == 0 ? "m" : "n");
          Value inside = both(slowInside, window.inBounds[fast] ? Value() : less(atFast, window.limits[fast]));
          auto write = [&] {
            auto elementAt = [&](OFR e) {
              OFR f = math().add(n, e), col = math().add(atFast, e);
              OFR i = fast == 0 ? f : o, j = fast == 0 ? o : f;
              return writeElement(i, j, fast == 0 ? col : atSlow, fast == 0 ? atSlow : col, pointer, col);
            };
            if (width == 1) {
              Value value = elementAt(math().attr(0));
              memref::StoreOp::create(builder, loc, value, pointer, math().materialize(atFast));
              return;
            }
            if (!plain)
              unrolledLoop(0, width, 1, "e", [&](OFR e) { storePrivate(elementAt(e), piece, {e}); });
            OFR zero = math().attr(0);
            auto value =
                plain
                    ? vector::LoadOp::create(builder, loc, vectorOf(width), acc.array, privateIndices(acc, {o, n}))
                    : vector::LoadOp::create(builder, loc, vectorOf(width), piece.array, privateIndices(piece, {zero}));
            auto written = vector::StoreOp::create(builder, loc, value, pointer, math().materialize(atFast));
            written.setAlignment(width * kElementBytes);
          };
          if (!inside) {
            write();
            return;
          }
          auto guarded = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToStart(guarded.thenBlock());
          write();
        });
      },
      /*unroll=*/0, "Store; what lies past the edge of C is dropped.");
  return result;
}
