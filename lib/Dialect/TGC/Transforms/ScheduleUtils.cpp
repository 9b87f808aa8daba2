//===- ScheduleUtils.cpp - what several schedule passes ask of a kernel -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

//===----------------------------------------------------------------------===//

#include "ScheduleUtils.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tgc;

FailureOr<Operand> tgc::getOperand(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Operand operand;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || type.getRank() != 2)
    return emitError(memref.getLoc()) << "operand of the product has type " << type
                                      << ", expects a matrix with strides";
  operand.fastDim = strides.back() == 1 ? 1 : 0;
  while (auto transpose = memref.getDefiningOp<memref::TransposeOp>())
    memref = transpose.getIn();
  auto argument = dyn_cast<BlockArgument>(memref);
  auto func = argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) : gpu::GPUFuncOp();
  if (!func)
    return emitError(memref.getLoc()) << "operand of the product is not an argument of the kernel, or one transposed";
  auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tgc.name");
  if (!name)
    return func.emitOpError() << "argument " << argument.getArgNumber() << " has no tgc.name";
  auto dims = func.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), "tgc.dims");
  if (!dims || static_cast<int64_t>(dims.size()) != type.getRank())
    return func.emitOpError() << "argument '" << name.getValue() << "' needs tgc.dims with " << type.getRank()
                              << " names, from slow to fast";
  operand.argument = argument;
  operand.name = name.getValue();
  return operand;
}

FailureOr<SmallVector<Kernel>> tgc::getKernels(gpu::GPUModuleOp module) {
  SmallVector<Kernel> kernels;
  for (auto func : module.getOps<gpu::GPUFuncOp>()) {
    SmallVector<MatmulOp> products;
    func.walk([&](MatmulOp op) { products.push_back(op); });
    if (products.empty())
      continue;
    if (products.size() > 1)
      return products[1].emitOpError() << "is the second product of kernel '" << func.getName() << "', expects one";
    Kernel kernel;
    kernel.func = func;
    kernel.matmul = products[0];
    kernel.schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
    if (!kernel.schedule)
      return func.emitOpError() << "holds a product but has no tgc.schedule";
    auto a = getOperand(kernel.matmul.getA()), b = getOperand(kernel.matmul.getB()),
         c = getOperand(kernel.matmul.getC());
    if (failed(a) || failed(b) || failed(c))
      return failure();
    kernel.a = *a, kernel.b = *b, kernel.c = *c;
    kernel.a.kDim = 1;
    kernel.b.kDim = 0;
    kernels.push_back(kernel);
  }
  return kernels;
}

SharedAttr tgc::getStagedLayout(StageAttr stage, const Operand &operand) {
  unsigned fast = stage.getOrder() == StageOrder::KMajor ? 1 - operand.kDim : operand.fastDim;
  return SharedAttr::get(stage.getContext(), fast == 1 ? Order::RowMajor : Order::ColMajor, stage.getPad(),
                         stage.getSwizzle());
}

SmallVector<int64_t, 2> tgc::getOperandTile(const Operand &operand, ShapeAttr block) {
  return operand.kDim == 1 ? SmallVector<int64_t, 2>{block[0], block[2]} : SmallVector<int64_t, 2>{block[2], block[1]};
}

int64_t tgc::getRequestedWidth(StageAttr stage, const Operand &operand, ArrayRef<int64_t> tile) {
  int64_t width = stage.getBytes() ? std::max<int64_t>(stage.getBytes() / kElementBytes, 1) : kChunkElements;
  SharedAttr layout = getStagedLayout(stage, operand);
  if (stage.getBy() == CopyKind::CpAsync)
    width = std::min(width, layout.getFastDim() == operand.fastDim ? layout.getContiguousRun(tile) : 1);
  while (tile[operand.fastDim] % width != 0)
    width /= 2;
  return width;
}

int64_t tgc::getRequestedStoreWidth(const Kernel &kernel) {
  if (kernel.c.fastDim != 1)
    return 1;
  int64_t width = kChunkElements;
  while (kernel.schedule.getDistribution().getGroup()[1] % width != 0)
    width /= 2;
  return width;
}

SmallVector<FactAttr> tgc::getAccessFacts(gpu::GPUFuncOp func, const Operand &operand, int64_t width,
                                          bool wholePieces) {
  if (width == 1)
    return {};
  MLIRContext *context = func.getContext();
  unsigned number = operand.argument.getArgNumber();
  auto dims = func.getArgAttrOfType<ArrayAttr>(number, "tgc.dims");
  auto ld = func.getArgAttrOfType<StringAttr>(number, "tgc.ld_name");
  if (!ld)
    ld = StringAttr::get(context, "ld" + operand.name);
  SmallVector<FactAttr> facts = {
      FactAttr::get(context, FactKind::Aligned, StringAttr::get(context, operand.name), width * kElementBytes),
      FactAttr::get(context, FactKind::Multiple, ld, width)};
  if (wholePieces)
    facts.push_back(FactAttr::get(context, FactKind::Multiple, cast<StringAttr>(dims[dims.size() - 1]), width));
  return facts;
}

Facts::Facts(gpu::GPUFuncOp func) {
  append(func);
  append(func->getParentOfType<gpu::GPUModuleOp>());
}

Facts::Facts(gpu::GPUModuleOp module) { append(module); }

void Facts::append(Operation *op) {
  if (auto list = op->getAttrOfType<ArrayAttr>("tgc.facts"))
    llvm::append_range(facts, list.getAsRange<FactAttr>());
}

bool Facts::implies(FactAttr wanted) const {
  return llvm::any_of(facts, [&](FactAttr fact) {
    if (fact.getSubject() != wanted.getSubject())
      return false;
    switch (wanted.getKind()) {
    case FactKind::Aligned:
      return fact.getKind() == FactKind::Aligned && fact.getValue() % wanted.getValue() == 0;
    case FactKind::Multiple:
      return (fact.getKind() == FactKind::Multiple || fact.getKind() == FactKind::Equal) &&
             fact.getValue() % wanted.getValue() == 0;
    case FactKind::AtMost:
      return (fact.getKind() == FactKind::AtMost || fact.getKind() == FactKind::Equal) &&
             fact.getValue() <= wanted.getValue();
    case FactKind::Equal:
      return fact.getKind() == FactKind::Equal && fact.getValue() == wanted.getValue();
    }
    return false;
  });
}

int64_t tgc::getPermittedWidth(gpu::GPUFuncOp func, const Operand &operand, int64_t requested, bool wholePieces) {
  Facts facts(func);
  int64_t width = requested;
  while (width > 1 && !facts.imply(getAccessFacts(func, operand, width, wholePieces)))
    width /= 2;
  return width;
}
