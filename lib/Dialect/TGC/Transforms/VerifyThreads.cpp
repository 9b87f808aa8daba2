//===- VerifyThreads.cpp - the contract of L3 -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// Three readers of L3 stay equal because this list is short (docs/threads.md).
//
// Tests: test/Dialect/TGC/verify-threads.mlir.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tgc/Dialect/TGC/IR/ThreadOps.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Support/KernelInterface.h"

#define DEBUG_TYPE "tgc-verify-threads"

namespace tgc {
#define GEN_PASS_DEF_VERIFYTHREADSPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

static bool isPrivate(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  auto space = memref ? dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace()) : nullptr;
  return space && space.getValue() == gpu::AddressSpace::Private;
}

static bool isShared(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  auto space = memref ? dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace()) : nullptr;
  return space && space.getValue() == gpu::AddressSpace::Workgroup;
}

/// Whether `index` is a compile-time constant once all fully unrolled loops are unrolled: it is computed from constants
/// and the counters of such loops by pure arithmetic.
static bool isConstantAfterUnrolling(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() && isa_and_nonnull<UnitAttr>(loop->getAttr("tgc.unroll")) &&
           loop.getStaticTripCount();
  }
  Operation *op = index.getDefiningOp();
  return isa<arith::ArithDialect>(op->getDialect()) && llvm::all_of(op->getOperands(), isConstantAfterUnrolling);
}

static LogicalResult verifyType(Operation *op, Type type) {
  if (type.isIndex() || type.isInteger(64) || type.isInteger(1) || type.isF32())
    return success();
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() == 1 && vector.getElementType().isF32() &&
        (vector.getDimSize(0) == 2 || vector.getDimSize(0) == 4))
      return success();
    return op->emitOpError() << "has type " << type << ", but vectors of a thread program are 2 or 4 f32";
  }
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.getElementType().isF32() || !memref.getLayout().isIdentity())
      return op->emitOpError() << "has type " << type << ", expects f32 with identity layout";
    if (isPrivate(type) || isShared(type) ? memref.hasStaticShape() : memref.getRank() == 1 && !memref.getMemorySpace())
      return success();
    return op->emitOpError() << "has type " << type
                             << ", expects a global pointer memref<?xf32> or a static shared or private array";
  }
  return op->emitOpError() << "has type " << type << ", expects index, i64, i1, f32, vector or memref";
}

/// The (memref, indices) of an access, or a null memref.
static std::pair<Value, ValueRange> getAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return {load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return {store.getMemRef(), store.getIndices()};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return {load.getBase(), load.getIndices()};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return {store.getBase(), store.getIndices()};
  return {Value(), ValueRange()};
}

static LogicalResult verifyOp(Operation *op) {
  if (!isThreadOp(op))
    return op->emitOpError() << "is no operation of L3; see docs/threads.md for those there are";
  for (Type type : op->getOperandTypes())
    if (failed(verifyType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyType(op, type)))
      return failure();
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (fast.getFastMathFlagsAttr() && fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return op->emitOpError() << "has fastmath flags; L3 rounds every operation, so remove them";
  if (auto [memref, indices] = getAccess(op); memref && isPrivate(memref.getType()))
    for (Value index : indices)
      if (!isConstantAfterUnrolling(index))
        return op->emitOpError() << "indexes private memory by a value that is no constant after unrolling: the array "
                                    "would leave the registers";
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    for (Operation *user : load->getUsers())
      if (!isa<vector::StoreOp>(user))
        return op->emitOpError() << "is used by '" << user->getName() << "': vectors go straight to a vector.store";
  }
  if (isa<vector::LoadOp, vector::StoreOp>(op)) {
    Type type = getAccess(op).first.getType();
    auto vector = cast<VectorType>(isa<vector::LoadOp>(op) ? op->getResult(0).getType() : op->getOperand(0).getType());
    int64_t bytes = vector.getNumElements() * 4;
    auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
    if (!isPrivate(type) && (!alignment || alignment.getInt() != bytes))
      return op->emitOpError() << "of " << bytes << " bytes needs alignment = " << bytes;
  }
  return success();
}

namespace {
struct VerifyThreads : tgc::impl::VerifyThreadsPassBase<VerifyThreads> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (failed(checkArrays(func)))
        return signalPassFailure();
      WalkResult result = func.getBody().walk(
          [](Operation *op) { return failed(verifyOp(op)) ? WalkResult::interrupt() : WalkResult::advance(); });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
