//===- RaiseLinalg.cpp - scheduled linalg.matmul to a kernel -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// func.func { [linalg.fill 0]; linalg.matmul {tgc.schedule}; return }  becomes  gpu.module { gpu.func { tgc.matmul } }.
// linalg.matmul accumulates, so without the fill the kernel does too.
//
// Tests: test/Dialect/TGC/raise-linalg.mlir.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"

#define DEBUG_TYPE "tgc-raise-linalg"

namespace tgc {
#define GEN_PASS_DEF_RAISELINALGPASS
#include "tgc/Dialect/TGC/Transforms/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;

static LogicalResult raise(func::FuncOp func, linalg::MatmulOp matmul, ScheduleAttr schedule) {
  auto refuse = [&](Operation *op) -> InFlightDiagnostic {
    return op->emitError() << "function '" << func.getName() << "' carries a tgc.schedule, but ";
  };
  if (!llvm::hasSingleElement(func.getBody()))
    return refuse(func) << "has more than one block; a scheduled product stands alone in its function";
  linalg::FillOp fill;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op) || &op == matmul)
      continue;
    if (auto candidate = dyn_cast<linalg::FillOp>(op); candidate && !fill && op.isBeforeInBlock(matmul)) {
      fill = candidate;
      continue;
    }
    return refuse(&op) << "holds '" << op.getName()
                       << "'; it may hold a linalg.fill of the output and the product only";
  }
  if (matmul.hasUserDefinedMaps())
    return refuse(matmul) << "its linalg.matmul has indexing maps of its own; only A @ B is supported";
  if (!matmul.hasPureBufferSemantics())
    return refuse(matmul) << "its linalg.matmul works on tensors; bufferize first";
  Value values[3] = {matmul.getInputs()[0], matmul.getInputs()[1], matmul.getOutputs()[0]};
  StringRef names[3] = {"A", "B", "C"};
  StringRef dims[3][2] = {{"M", "K"}, {"K", "N"}, {"M", "N"}};
  if (func.getNumResults() != 0)
    return refuse(func) << "returns values; a kernel has no results";
  if (func.getNumArguments() != 3)
    return refuse(func) << "has " << func.getNumArguments() << " arguments; expects the product's three operands";
  for (auto [value, name] : llvm::zip(values, names)) {
    auto type = dyn_cast<MemRefType>(value.getType());
    assert(isa<BlockArgument>(value) && "expected an argument: nothing else in the function makes a memref");
    if (!type || !type.getElementType().isF32())
      return refuse(matmul) << "operand " << name << " is a " << value.getType() << "; only f32 memrefs are supported";
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || (strides[0] != 1 && strides[1] != 1))
      return refuse(matmul) << "operand " << name << " of type " << type << " needs one stride of 1";
  }
  if (values[0] == values[1] || values[0] == values[2] || values[1] == values[2])
    return refuse(matmul) << "its product uses one argument twice; expects three distinct operands";
  if (fill) {
    if (fill.getOutputs()[0] != values[2])
      return refuse(fill) << "fills something else than the product's output";
    FloatAttr zero;
    if (!matchPattern(fill.getInputs()[0], m_Constant(&zero)) || !zero.getValue().isPosZero())
      return refuse(fill) << "fills the output with something else than 0";
  }

  OpBuilder builder(func);
  Location loc = func.getLoc();
  auto module = gpu::GPUModuleOp::create(builder, loc, func.getName());
  builder.setInsertionPointToStart(module.getBody());
  auto kernel = gpu::GPUFuncOp::create(builder, loc, func.getName(), func.getFunctionType());
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  kernel->setAttr("tgc.schedule", schedule);
  SmallVector<Attribute> facts;
  for (int i : {0, 1, 2}) {
    unsigned number = cast<BlockArgument>(values[i]).getArgNumber();
    auto type = cast<MemRefType>(values[i].getType());
    bool rowMajor = type.getStridesAndOffset().first[1] == 1;
    kernel.setArgAttr(number, "tgc.name", builder.getStringAttr(names[i]));
    kernel.setArgAttr(number, "tgc.dims",
                      builder.getStrArrayAttr({dims[i][rowMajor ? 0 : 1], dims[i][rowMajor ? 1 : 0]}));
    for (int d : {0, 1})
      if (!type.isDynamicDim(d)) {
        Attribute fact =
            FactAttr::get(builder.getContext(), FactKind::Equal, builder.getStringAttr(dims[i][d]), type.getDimSize(d));
        if (!llvm::is_contained(facts, fact))
          facts.push_back(fact);
      }
  }
  if (!facts.empty())
    module->setAttr("tgc.facts", builder.getArrayAttr(facts));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto argument = [&](int i) -> Value { return kernel.getArgument(cast<BlockArgument>(values[i]).getArgNumber()); };
  auto product = MatmulOp::create(builder, matmul.getLoc(), argument(0), argument(1), argument(2), ValueRange{},
                                  ArrayRef<int64_t>{}, /*accumulate=*/!fill);
  (void)product;
  gpu::ReturnOp::create(builder, loc);
  func.erase();
  return success();
}

namespace {
struct RaiseLinalg : tgc::impl::RaiseLinalgPassBase<RaiseLinalg> {
  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      linalg::MatmulOp scheduled;
      ScheduleAttr schedule;
      bool failedOnce = false;
      func.walk([&](Operation *op) {
        auto attr = op->getAttrOfType<ScheduleAttr>("tgc.schedule");
        if (!attr)
          return;
        if (auto matmul = dyn_cast<linalg::MatmulOp>(op); matmul && !scheduled) {
          scheduled = matmul;
          schedule = attr;
        } else {
          op->emitError() << "tgc.schedule is supported on one linalg.matmul of a function, not on this '"
                          << op->getName() << "'";
          failedOnce = true;
        }
      });
      if (failedOnce || (scheduled && failed(raise(func, scheduled, schedule))))
        return signalPassFailure();
    }
  }
};
} // namespace
