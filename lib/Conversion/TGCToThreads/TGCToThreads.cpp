//===- TGCToThreads.cpp - a block's program to a thread's: control flow and ring -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// Before, at L2:                                     After, at L3:
//
//   %ring = tgc.ring : !tgc.ring<2, ...>               (two slots: memref<2x8x132xf32, workgroup>)
//   scf.for %k = ... {                                 scf.for %k = ... iter_args(%stage, %fill) {
//     %a, %b = tgc.wait %ring                            tgc.cp_async_wait 0; gpu.barrier
//     %p, %q = tgc.acquire %ring
//     tgc.copy %window, %p by cp_async                   scf.for %pass { tgc.cp_async ... %As[%fill, ...] }
//     tgc.commit %ring                                   tgc.cp_async_commit
//     tgc.product %acc, %a, %b                           loops of math.fma on private arrays
//     tgc.release %ring                                  %stage and %fill advance by one, modulo 2
//   }                                                  }
//
// Tests: test/Conversion/TGCToThreads, test/Simulate/ring.mlir.
//
//===----------------------------------------------------------------------===//

#include "tgc/Conversion/TGCToThreads/Passes.h"

#include "ThreadLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "tgc/Support/Decisions.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tgc-lower-to-threads"

namespace tgc {
#define GEN_PASS_DEF_LOWERTOTHREADSPASS
#include "tgc/Conversion/TGCToThreads/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The window that `tile` was copied from, through registers or not, or null.
static WindowOp findSourceWindow(Value tile) {
  for (Operation *user : tile.getUsers()) {
    auto copy = dyn_cast<CopyOp>(user);
    if (!copy || copy.getDest() != tile)
      continue;
    if (auto window = copy.getSource().getDefiningOp<WindowOp>())
      return window;
    if (copy.getSource().getDefiningOp<AllocOp>())
      return findSourceWindow(copy.getSource());
  }
  return {};
}

/// The function argument behind a window's source.
static BlockArgument getWindowArgument(Value source) {
  while (auto transpose = source.getDefiningOp<memref::TransposeOp>())
    source = transpose.getIn();
  return dyn_cast<BlockArgument>(source);
}

static StringRef getArgumentName(gpu::GPUFuncOp func, BlockArgument argument) {
  if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tgc.name"))
    return name.getValue();
  return {};
}

StringRef tgc::getRingOperandName(RingOp ring, unsigned index) {
  for (Operation *user : ring.getRing().getUsers())
    if (auto acquire = dyn_cast<AcquireOp>(user))
      if (WindowOp window = findSourceWindow(acquire.getTiles()[index]))
        if (BlockArgument argument = getWindowArgument(window.getSource()))
          return getArgumentName(window->getParentOfType<gpu::GPUFuncOp>(), argument);
  return {};
}

/// Checks that an argument of this type can become a pointer and, for a matrix, a leading dimension.
static LogicalResult checkOperandType(gpu::GPUFuncOp func, StringRef name, MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isStrided = succeeded(type.getStridesAndOffset(strides, offset));
  if (isStrided && offset == 0 && type.getElementType().isF32() && (type.getRank() == 1 || type.getRank() == 2) &&
      llvm::is_contained(strides, 1))
    return success();
  return func.emitOpError() << "argument '" << name << "' has type " << type
                            << ", expects a vector or matrix of f32 with one stride of 1 and no offset";
}

/// Whether any copy into `ring` is asynchronous.
static bool isAsync(RingOp ring) {
  for (Operation *user : ring.getRing().getUsers())
    if (auto acquire = dyn_cast<AcquireOp>(user))
      for (Value tile : acquire.getTiles())
        for (Operation *copy : tile.getUsers())
          if (auto op = dyn_cast<CopyOp>(copy); op && op.getKind() == CopyKind::CpAsync)
            return true;
  return false;
}

/// Whether anything is stored through an argument.
static bool isWritten(BlockArgument argument) {
  SmallVector<Value> values = {argument};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (auto transpose = dyn_cast<memref::TransposeOp>(user))
        values.push_back(transpose.getResult());
      if (auto window = dyn_cast<WindowOp>(user))
        for (Operation *use : window.getTile().getUsers())
          if (auto store = dyn_cast<StoreOp>(use); store && store.getDest() == window.getTile())
            return true;
    }
  }
  return false;
}

LogicalResult ThreadLowering::buildFunction() {
  MLIRContext *context = builder.getContext();
  auto launch = source->getAttrOfType<LaunchAttr>("tgc.launch");
  if (!launch)
    return source.emitOpError() << "has no tgc.launch: it is not at L2";
  threads = launch.getThreads();

  // The three sizes come first, named by their roles' symbols.
  SmallVector<StringRef> symbols = {"M", "N", "K"};
  if (auto list = source->getAttrOfType<ArrayAttr>("tgc.sizes")) {
    symbols.clear();
    for (auto symbol : list.getAsRange<StringAttr>())
      symbols.push_back(symbol.getValue());
    if (symbols.size() != 3 || llvm::SmallDenseSet<StringRef>(symbols.begin(), symbols.end()).size() != 3)
      return source.emitOpError() << "has tgc.sizes " << list << ", expects the three names of M, N and K";
  }
  auto named = [&](StringRef name) -> Location {
    return NameLoc::get(StringAttr::get(context, name), source.getLoc());
  };
  SmallVector<Type> types;
  SmallVector<Location> locs;
  SmallVector<DictionaryAttr> attrs;
  auto add = [&](Type type, StringRef name, ArrayRef<NamedAttribute> attributes) {
    types.push_back(type);
    locs.push_back(named(name));
    SmallVector<NamedAttribute> all(attributes);
    all.push_back(builder.getNamedAttr("tgc.name", builder.getStringAttr(name)));
    attrs.push_back(builder.getDictionaryAttr(all));
  };
  Type pointer = MemRefType::get({ShapedType::kDynamic}, Float32Type::get(context));
  for (StringRef symbol : symbols)
    add(builder.getIndexType(), symbol, {});
  ArrayRef<BlockArgument> arguments = source.getArguments().take_front(source.getFunctionType().getNumInputs());
  SmallVector<std::string> names;
  for (BlockArgument argument : arguments) {
    names.push_back(getArgumentName(source, argument).str());
    if (names.back().empty())
      return source.emitOpError() << "argument " << argument.getArgNumber() << " has no tgc.name";
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    if (failed(checkOperandType(source, names.back(), type)))
      return failure();
    auto dims = source.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "tgc.dims");
    if (!dims || static_cast<int64_t>(dims.size()) != type.getRank())
      return source.emitOpError() << "argument '" << names.back() << "' needs tgc.dims with " << type.getRank()
                                  << " names, from slow to fast";
    SmallVector<NamedAttribute> attributes = {
        builder.getNamedAttr(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr()),
        builder.getNamedAttr("tgc.dims", dims)};
    if (!isWritten(argument))
      attributes.push_back(builder.getNamedAttr(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr()));
    add(pointer, names.back(), attributes);
    if (type.getRank() == 2) {
      auto ldName = source.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tgc.ld_name");
      add(builder.getI64Type(), ldName ? ldName.str() : "ld" + names.back(), {});
    }
  }
  for (auto [argument, name] : llvm::zip(arguments, names)) {
    if (isa<MemRefType>(argument.getType()))
      continue;
    if (!argument.getType().isF32())
      return source.emitOpError() << "argument '" << name << "' has type " << argument.getType()
                                  << ", expects f32 or a memref of it";
    add(argument.getType(), name, {});
  }

  // Shared memory: one array per tile of a ring.
  SmallVector<RingOp> ringOps;
  source.walk([&](RingOp ring) { ringOps.push_back(ring); });
  auto workgroup = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  SmallVector<Type> sharedTypes;
  SmallVector<std::string> sharedNames;
  for (RingOp ring : ringOps) {
    if (!isa<WorkOp>(ring->getParentOp()))
      return ring.emitOpError() << "stands inside '" << ring->getParentOp()->getName()
                                << "', expects the body of tgc.work";
    RingType type = ring.getRing().getType();
    for (auto [i, tile] : llvm::enumerate(type.getTiles())) {
      auto storage = cast<TileLayout>(tile.getPlace()).getStorageShape(tile.getShape());
      SmallVector<int64_t> shape(storage.begin(), storage.end());
      if (type.getSlots() > 1)
        shape.insert(shape.begin(), type.getSlots());
      sharedTypes.push_back(MemRefType::get(shape, tile.getElementType(), MemRefLayoutAttrInterface{}, workgroup));
      StringRef name = getRingOperandName(ring, i);
      sharedNames.push_back(name.empty() ? "tile" + std::to_string(i) : name.str() + "s");
    }
  }

  target = gpu::GPUFuncOp::create(builder, source.getLoc(), source.getName(), builder.getFunctionType(types, {}),
                                  sharedTypes);
  for (NamedAttribute attribute : source->getDiscardableAttrs())
    if (isa_and_nonnull<TGCDialect>(attribute.getNameDialect()))
      target->setDiscardableAttr(attribute.getName(), attribute.getValue());
  target->removeAttr("tgc.sizes");
  target->removeAttr("tgc.clause_locs");
  target->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  target.setKnownBlockSize(ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  for (auto [i, attribute] : llvm::enumerate(attrs))
    target.setArgAttrs(i, attribute);
  for (auto [argument, location] : llvm::zip(target.getArguments(), locs))
    Value(argument).setLoc(location);
  for (auto [buffer, name] : llvm::zip(target.getWorkgroupAttributions(), sharedNames))
    Value(buffer).setLoc(named(name));

  // What stands for the old arguments, symbols and rings.
  unsigned next = 0;
  for (StringRef symbol : symbols)
    sizes[symbol] = target.getArgument(next++);
  for (auto [argument, name] : llvm::zip(arguments, names)) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    GlobalOperand operand;
    operand.name = name;
    operand.rank = type.getRank();
    for (auto dim : source.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "tgc.dims").getAsRange<StringAttr>())
      operand.dims.push_back(dim.getValue());
    operand.pointer = target.getArgument(next++);
    if (operand.rank == 2) {
      operand.leadingDimension = target.getArgument(next++);
      auto [strides, offset] = type.getStridesAndOffset();
      operand.fastDim = strides[1] == 1 ? 1 : 0;
    } else {
      operand.fastDim = 0;
    }
    operands[argument] = operand;
  }
  for (BlockArgument argument : arguments)
    if (!isa<MemRefType>(argument.getType()))
      mapping.map(argument, target.getArgument(next++));
  unsigned buffer = 0;
  for (RingOp ring : ringOps) {
    RingValue &value = rings[ring.getRing()];
    value.slots = ring.getRing().getType().getSlots();
    value.async = isAsync(ring);
    value.write = value.read = builder.getIndexAttr(0);
    for (size_t i = 0; i < ring.getRing().getType().getTiles().size(); ++i)
      value.buffers.push_back(target.getWorkgroupAttributions()[buffer++]);
  }
  return success();
}

/// Says what holds for every kernel, whatever its schedule.
static void explain(gpu::GPUFuncOp func) {
  emitDecision(func, "tgc-lower-to-threads", "index", Decision::Done,
               "coordinates and offsets in a tile have 32 bits, a row times a leading dimension 64: operands may have "
               "more than 2^31 elements");
  emitDecision(func, "tgc-lower-to-threads", "edges", Decision::Default,
               "blocks inside the matrix are not peeled from those at its edges: every copy and store keeps its guard");
}

FailureOr<gpu::GPUFuncOp> ThreadLowering::run() {
  if (!llvm::hasSingleElement(source.getBody()))
    return source.emitOpError() << "has more than one block: L2 is structured";
  auto works = source.getOps<WorkOp>();
  if (!llvm::hasSingleElement(works))
    return source.emitOpError() << "holds " << std::distance(works.begin(), works.end())
                                << " tgc.work operations, expects one";
  if (failed(buildFunction()))
    return failure();
  explain(source);
  builder.setInsertionPointToStart(&target.getBody().front());
  if (failed(lowerBlock(source.getBody().front()))) {
    target.erase();
    return failure();
  }
  return target;
}

//===----------------------------------------------------------------------===//
// Control flow and work
//===----------------------------------------------------------------------===//

LogicalResult ThreadLowering::lowerBlock(Block &block) {
  for (Operation &op : block)
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult ThreadLowering::lowerOp(Operation *op) {
  loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return lowerFor(loop); })
      .Case([&](scf::IfOp branch) { return lowerIf(branch); })
      .Case([&](WorkOp work) { return lowerWork(work); })
      .Case([&](memref::DimOp dim) { return lowerDim(dim); })
      .Case([&](memref::TransposeOp transpose) -> LogicalResult {
        auto operand = operands.find(transpose.getIn());
        if (operand == operands.end())
          return transpose.emitOpError() << "is not of a kernel argument";
        GlobalOperand transposed = operand->second;
        if (transpose.getPermutation().isPermutation() && !transpose.getPermutation().isIdentity())
          transposed.fastDim = 1 - transposed.fastDim;
        operands[transpose.getResult()] = transposed;
        return success();
      })
      .Case([&](WindowOp window) -> LogicalResult {
        auto operand = operands.find(window.getSource());
        if (operand == operands.end())
          return window.emitOpError() << "source is not a kernel argument";
        WindowValue &value = windows[window.getTile()];
        value.operand = operand->second;
        for (auto [dim, offset, limit] : llvm::enumerate(window.getOffsets(), window.getLimits())) {
          value.offsets.push_back(mapped(offset));
          value.limits.push_back(mapped(limit));
          value.inBounds.push_back(window.isInBounds(dim));
        }
        return success();
      })
      .Case([&](AllocOp alloc) -> LogicalResult {
        TileType type = alloc.getTile().getType();
        SmallVector<int64_t> shape;
        auto owner = dyn_cast<TileDistribution>(type.getPlace());
        if (auto fragment = dyn_cast<FragmentAttr>(type.getPlace()))
          owner = fragment.getOf();
        if (owner && owner.getNumThreads() != threads)
          return alloc.emitOpError() << "is distributed over " << owner.getNumThreads()
                                     << " threads, but tgc.launch says " << threads;
        if (type.getRank() == 3)
          shape.push_back(type.getShape()[0]);
        if (auto distribution = dyn_cast<TileDistribution>(type.getPlace())) {
          llvm::append_range(shape, distribution.getThreadTile());
        } else if (auto fragment = dyn_cast<FragmentAttr>(type.getPlace())) {
          shape.push_back(fragment.getOf().getThreadTile()[fragment.getDim()]);
        } else {
          auto regs = cast<CopyRegsAttr>(type.getPlace());
          int64_t pieces = type.getNumElements() / regs.getWidth();
          shape = {static_cast<int64_t>(llvm::divideCeil(pieces, regs.getThreads())), regs.getWidth()};
        }
        StringRef name = "tile";
        if (auto nameLoc = dyn_cast<NameLoc>(loc))
          name = nameLoc.getName().strref();
        registerTiles[alloc.getTile()] = privateArray(shape, name);
        return success();
      })
      .Case([&](SliceOp slice) {
        if (auto shared = sharedTiles.find(slice.getSource()); shared != sharedTiles.end()) {
          SharedValue value = shared->second;
          for (unsigned dim : {0u, 1u})
            value.offset[dim] = math().add(value.offset[dim], mapped(slice.getOffsets()[dim]));
          sharedTiles[slice.getResult()] = value;
          return success();
        }
        RegisterValue value = registerTiles.lookup(slice.getSource());
        if (slice.getSource().getType().getRank() == 3)
          value.buffer = mapped(slice.getOffsets()[0]);
        registerTiles[slice.getResult()] = value;
        return success();
      })
      .Case([&](FillOp fill) {
        lowerFill(fill);
        return success();
      })
      .Case([&](CopyOp copy) { return lowerCopy(copy); })
      .Case([&](ProductOp product) { return lowerProduct(product); })
      .Case([&](StoreOp store) { return lowerStore(store); })
      .Case([&](RingOp) { return success(); })
      .Case([&](AcquireOp acquire) { return lowerAcquire(acquire); })
      .Case([&](CommitOp commit) {
        if (rings[commit.getRing()].async)
          CpAsyncCommitOp::create(builder, loc);
        return success();
      })
      .Case([&](WaitOp wait) {
        RingValue &ring = rings[wait.getRing()];
        Operation *first = nullptr;
        if (ring.async)
          first = CpAsyncWaitOp::create(builder, loc, wait.getInFlight());
        Operation *barrier = gpu::BarrierOp::create(builder, loc);
        if (Attribute comment = wait->getAttr("tgc.comment"))
          (first ? first : barrier)->setAttr("tgc.comment", comment);
        bindTiles(wait.getRing(), ring.read, wait.getTiles());
        return success();
      })
      .Case([&](FrontOp front) {
        bindTiles(front.getRing(), rings[front.getRing()].read, front.getTiles());
        return success();
      })
      .Case([&](ReleaseOp release) {
        RingValue &ring = rings[release.getRing()];
        ring.read = nextSlot(ring.read, ring.slots, "stage");
        return success();
      })
      .Case([&](gpu::ReturnOp) {
        gpu::ReturnOp::create(builder, loc);
        return success();
      })
      .Case<YieldOp, scf::YieldOp>([&](auto) { return success(); }) // no values pass here
      .Default([&](Operation *other) -> LogicalResult {
        // Scalar arithmetic keeps its meaning.
        auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
        if (!isPure(other) || other->getNumRegions() != 0 || !isa<arith::ArithDialect>(other->getDialect()) ||
            !llvm::all_of(other->getOperandTypes(), isScalar))
          return other->emitOpError() << "has no place in a tile program (L2)";
        Operation *clone = builder.clone(*other, mapping);
        for (auto [from, to] : llvm::zip(other->getResults(), clone->getResults()))
          mapping.map(from, to);
        return success();
      });
}

LogicalResult ThreadLowering::lowerFor(scf::ForOp loop) {
  if (!loop.getInitArgs().empty())
    return loop.emitOpError() << "carries values: at L2 loops are connected only through tiles and rings";
  if (!loop.getInductionVar().getType().isIndex())
    return loop.emitOpError() << "counts in " << loop.getInductionVar().getType() << ", expects index";
  std::optional<APInt> trips = loop.getStaticTripCount();
  // Counters of rings that move in this loop. A loop of constant length that fills or frees fresh slots counts by
  // itself.
  struct Moving {
    Value ring;
    bool isWrite;
    int64_t start = 0;   ///< byLoop: the slot of the first turn
    bool byLoop = false; ///< the slot follows from the loop's own counter
  };
  SmallVector<Moving> moving;
  for (auto &entry : rings) {
    Value ring = entry.first;
    const RingValue &value = entry.second;
    if (value.slots == 1)
      continue;
    int64_t acquires = 0, releases = 0;
    bool direct = true;
    for (Operation *user : ring.getUsers())
      if (loop->isProperAncestor(user)) {
        acquires += isa<AcquireOp>(user);
        releases += isa<ReleaseOp>(user);
        if (isa<AcquireOp, ReleaseOp>(user) && user->getParentOp() != loop)
          direct = false;
      }
    auto consider = [&](bool isWrite, int64_t steps, OFR counter) {
      if (steps == 0)
        return;
      Moving entry{ring, isWrite};
      auto start = getConstantIntValue(counter);
      if (direct && steps == 1 && trips && start && *start + trips->getSExtValue() <= value.slots) {
        entry.byLoop = true;
        entry.start = *start;
      }
      moving.push_back(entry);
    };
    consider(true, acquires, value.write);
    consider(false, releases, value.read);
  }
  // DenseMap order is by address: sort for identical output from run to run.
  llvm::sort(moving, [](const Moving &a, const Moving &b) {
    return a.ring == b.ring ? a.isWrite < b.isWrite : a.ring.getDefiningOp()->isBeforeInBlock(b.ring.getDefiningOp());
  });
  auto counterOf = [&](const Moving &entry) -> OFR & {
    RingValue &ring = rings[entry.ring];
    return entry.isWrite ? ring.write : ring.read;
  };

  SmallVector<Value> inits;
  for (const Moving &entry : moving)
    if (!entry.byLoop)
      inits.push_back(math().materialize(counterOf(entry)));
  auto bound = [&](Value value) { return math().materialize(mapped(value)); };
  auto lowered = scf::ForOp::create(builder, loc, bound(loop.getLowerBound()), bound(loop.getUpperBound()),
                                    bound(loop.getStep()), inits);
  for (StringRef name : {"tgc.unroll", "tgc.comment"})
    if (Attribute attribute = loop->getAttr(name))
      lowered->setAttr(name, attribute);
  lowered.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  mapping.map(loop.getInductionVar(), lowered.getInductionVar());

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(lowered.getBody());
  unsigned arg = 0;
  for (const Moving &entry : moving) {
    if (entry.byLoop) {
      OFR count =
          math().div(math().sub(lowered.getInductionVar(), mapped(loop.getLowerBound())), mapped(loop.getStep()));
      counterOf(entry) = math().add(count, math().attr(entry.start));
    } else {
      counterOf(entry) = IndexMath::setName(lowered.getRegionIterArg(arg++), entry.isWrite ? "fillStage" : "stage");
    }
  }
  if (failed(lowerBlock(*loop.getBody())))
    return failure();
  loc = loop.getLoc();
  SmallVector<Value> yields;
  for (const Moving &entry : moving)
    if (!entry.byLoop)
      yields.push_back(math().materialize(counterOf(entry)));
  if (inits.empty()) {
    // The builder made the terminator already.
  } else {
    scf::YieldOp::create(builder, loc, yields);
  }
  arg = 0;
  for (const Moving &entry : moving)
    counterOf(entry) = entry.byLoop
                           ? OFR(builder.getIndexAttr((entry.start + trips->getSExtValue()) % rings[entry.ring].slots))
                           : OFR(lowered.getResult(arg++));
  return success();
}

LogicalResult ThreadLowering::lowerIf(scf::IfOp branch) {
  if (branch.getNumResults() != 0)
    return branch.emitOpError() << "yields values: at L2 branches are connected only through tiles";
  WalkResult usesRing = branch.walk([](Operation *op) {
    return isa<AcquireOp, ReleaseOp, WaitOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (usesRing.wasInterrupted())
    return branch.emitOpError() << "moves a ring: its slots must not depend on a condition";
  auto lowered =
      scf::IfOp::create(builder, loc, mapping.lookup(branch.getCondition()), !branch.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(lowered.thenBlock());
  if (failed(lowerBlock(*branch.thenBlock())))
    return failure();
  if (Block *block = branch.elseBlock()) {
    builder.setInsertionPointToStart(lowered.elseBlock());
    return lowerBlock(*block);
  }
  return success();
}

LogicalResult ThreadLowering::lowerDim(memref::DimOp dim) {
  auto argument = getWindowArgument(dim.getSource());
  std::optional<int64_t> index = dim.getConstantIndex();
  if (!argument || !index || !operands.contains(dim.getSource()))
    return dim.emitOpError() << "is not a constant dimension of a kernel argument";
  auto dims = source.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "tgc.dims");
  const GlobalOperand &operand = operands[dim.getSource()];
  bool fast = operand.rank == 1 || static_cast<unsigned>(*index) == operand.fastDim;
  StringRef symbol = cast<StringAttr>(dims[fast ? operand.rank - 1 : 0]).getValue();
  auto size = sizes.find(symbol);
  if (size == sizes.end())
    return dim.emitOpError() << "names the size '" << symbol << "', which is none of the kernel's (tgc.sizes)";
  mapping.map(dim.getResult(), size->second);
  return success();
}

LogicalResult ThreadLowering::lowerWork(WorkOp work) {
  if (work->getParentOp() != source)
    return work.emitOpError() << "stands inside '" << work->getParentOp()->getName() << "', expects the kernel's body";
  auto launch = source->getAttrOfType<LaunchAttr>("tgc.launch");
  if (launch.getTile() != work.getTile())
    return work.emitOpError() << "computes tiles of " << work.getTile() << ", but tgc.launch says " << launch.getTile();
  OFR m = mapped(work.getMSize()), n = mapped(work.getNSize());
  int64_t tileM = work.getTile()[0], tileN = work.getTile()[1];
  Value block = IndexMath::setName(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x), "block");
  OFR tilesN = IndexMath::named(math().ceilDiv(n, tileN), "tilesN");
  OFR tileRow, tileCol;
  if (work.getWalk() == WalkKind::Rows) {
    tileRow = math().div(block, tilesN);
    tileCol = math().rem(block, tilesN);
  } else {
    // Down a group of `group` rows of tiles, then the next column; the last group may have fewer rows.
    OFR group = math().attr(work.getWalkGroup());
    OFR tilesM = IndexMath::named(math().ceilDiv(m, tileM), "tilesM");
    OFR perGroup = IndexMath::named(math().mul(tilesN, group), "tilesPerGroup");
    OFR firstRow = IndexMath::named(math().mul(math().div(block, perGroup), group), "groupRow");
    OFR inGroup = IndexMath::named(math().rem(block, perGroup), "inGroup");
    OFR rows = IndexMath::named(math().min(math().sub(tilesM, firstRow), group), "rowsInGroup");
    tileRow = math().add(firstRow, math().rem(inGroup, rows));
    tileCol = math().div(inGroup, rows);
  }
  Value m0 = IndexMath::setName(math().materialize(math().mul(tileRow, math().attr(tileM))), "m0");
  Value n0 = IndexMath::setName(math().materialize(math().mul(tileCol, math().attr(tileN))), "n0");
  mapping.map(work.getM(), m0);
  mapping.map(work.getN(), n0);
  mapping.map(work.getK0(), math().constant(0));
  mapping.map(work.getK1(), math().materialize(mapped(work.getKSize())));
  mapping.map(work.getBody().getArgument(4), math().constant(0));
  return lowerBlock(work.getBody().front());
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

void ThreadLowering::bindTiles(Value ring, OFR slot, ValueRange tiles) {
  const RingValue &value = rings[ring];
  for (auto [tile, buffer] : llvm::zip(tiles, value.buffers)) {
    auto type = cast<TileType>(tile.getType());
    SharedValue shared;
    shared.buffer = buffer;
    shared.layout = cast<TileLayout>(type.getPlace());
    shared.slotShape = {type.getShape()[0], type.getShape()[1]};
    if (value.slots > 1)
      shared.slot = slot;
    shared.offset = {builder.getIndexAttr(0), builder.getIndexAttr(0)};
    sharedTiles[tile] = shared;
  }
}

OpFoldResult ThreadLowering::nextSlot(OFR slot, int64_t slots, StringRef name) {
  if (slots == 1)
    return slot;
  if (auto constant = getConstantIntValue(slot))
    return builder.getIndexAttr((*constant + 1) % slots);
  // A select, not a remainder: LLVM turns a remainder into 64-bit additions before every access of the slot.
  Value next = math().materialize(math().add(slot, math().attr(1)));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next, math().constant(slots));
  return arith::SelectOp::create(builder, loc, wraps, math().constant(0), next).getResult();
}

/// Walks backwards from `op` through its block, and cyclically through the loops around it. Returns true if a
/// `release` of `ring` is met before a `wait`: some thread may still read the slot.
static bool releaseReaches(Operation *op, Value ring) {
  auto scan = [&](Operation *from, Operation *to) -> std::optional<bool> {
    for (Operation *at = from; at && at != to; at = at->getPrevNode()) {
      std::optional<bool> found;
      at->walk<WalkOrder::PostOrder, mlir::ReverseIterator>([&](Operation *inner) {
        if (auto release = dyn_cast<ReleaseOp>(inner); release && release.getRing() == ring)
          found = true;
        else if (isa<WaitOp>(inner) && inner == at) // a wait inside a loop may never run
          found = false;
        return found ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (found)
        return found;
    }
    return std::nullopt;
  };
  for (Operation *at = op; at && !isa<gpu::GPUFuncOp>(at); at = at->getParentOp()) {
    std::optional<bool> before = scan(at->getPrevNode(), nullptr);
    if (before)
      return *before;
    if (isa<scf::ForOp>(at->getParentOp()))
      if (scan(&at->getBlock()->back(), at).value_or(false))
        return true;
  }
  return false;
}

LogicalResult ThreadLowering::lowerAcquire(AcquireOp acquire) {
  RingValue &ring = rings[acquire.getRing()];
  if (releaseReaches(acquire, acquire.getRing()))
    gpu::BarrierOp::create(builder, loc);
  bindTiles(acquire.getRing(), ring.write, acquire.getTiles());
  ring.write = nextSlot(ring.write, ring.slots, "fillStage");
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerToThreads : tgc::impl::LowerToThreadsPassBase<LowerToThreads> {
  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUFuncOp>())) {
      if (func.getOps<WorkOp>().empty())
        continue; // at L3 already, or not ours
      ThreadLowering lowering(func);
      if (failed(lowering.run()))
        return signalPassFailure();
      func.erase();
    }
  }
};
} // namespace
