//===- Emit.cpp - AST to L1 -------------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Frontend/Frontend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::ast;

namespace {

/// Emits one schedule of one kernel.
class Emitter {
public:
  Emitter(const Program &program, const Kernel &kernel, const Schedule &schedule, const Diagnostics &diagnostics,
          OpBuilder &builder)
      : program(program), kernel(kernel), schedule(schedule), diagnostics(diagnostics), builder(builder) {}

  void run();

private:
  Location loc(SMLoc at) { return Location(diagnostics.getLocation(at)); }
  std::string getSource();
  ArrayAttr getFacts();
  MemRefType getType(const Param &param);
  ScheduleAttr getSchedule(SmallVectorImpl<NamedAttribute> &locations);
  /// The name of a parameter's dimension: its own, or that of the role a number plays.
  StringRef getDimName(const Param &param, unsigned dim);
  /// The memref that `expr`, a reference or its transpose, names.
  Value getMatrix(const Expr &expr);
  /// Gives the operation an epilogue region for `kernel.value`, and the extras that it reads.
  void emitMatmul();
  Value emitElement(const Expr &expr);

  const Program &program;
  const Kernel &kernel;
  const Schedule &schedule;
  const Diagnostics &diagnostics;
  OpBuilder &builder;
  gpu::GPUFuncOp func;

  // Of the epilogue.
  Value product;
  /// Element of an extra by (parameter, is transposed).
  SmallVector<std::pair<unsigned, bool>> extraKeys;
  SmallVector<Value> extraElements;
};

} // namespace

/// The parameter that a reference or a transposed reference names, and whether it is transposed.
static std::pair<unsigned, bool> getParam(const Expr &expr) {
  bool transposed = expr.kind == Expr::Transpose;
  return {(transposed ? *expr.operands[0] : expr).param, transposed};
}

std::string Emitter::getSource() {
  std::string source = format(kernel);
  auto chain = getLikeChain(program, schedule);
  for (const Schedule *link : llvm::reverse(chain))
    source += "\n" + format(*link);
  return source;
}

ArrayAttr Emitter::getFacts() {
  SmallVector<Attribute> facts;
  auto add = [&](FactKind kind, StringRef subject, int64_t value) {
    facts.push_back(FactAttr::get(builder.getContext(), kind, builder.getStringAttr(subject), value));
  };
  for (const Fact &fact : kernel.facts)
    add(*symbolizeFactKind(fact.kind), fact.subject.text, fact.value);
  for (unsigned i = 0; i < 3; ++i)
    if (kernel.roles[i].value)
      add(FactKind::Equal, kernel.roleNames[i], *kernel.roles[i].value);
  return builder.getArrayAttr(facts);
}

MemRefType Emitter::getType(const Param &param) {
  SmallVector<int64_t, 2> shape;
  for (const Dim &dim : param.dims)
    shape.push_back(dim.value.value_or(ShapedType::kDynamic));
  if (shape.size() == 1)
    return MemRefType::get(shape, builder.getF32Type());
  SmallVector<int64_t, 2> strides = {ShapedType::kDynamic, 1};
  if (param.colMajor)
    std::swap(strides[0], strides[1]);
  return MemRefType::get(shape, builder.getF32Type(),
                         StridedLayoutAttr::get(builder.getContext(), /*offset=*/0, strides));
}

ScheduleAttr Emitter::getSchedule(SmallVectorImpl<NamedAttribute> &locations) {
  MLIRContext *context = builder.getContext();
  ShapeAttr block, warp, thread, group, lanes;
  SmallVector<Attribute> stages;
  int64_t pipeline = 0, unroll = 0, walkGroup = 0, blocksPerSM = 0;
  bool prefetch = false, zigzag = false;
  std::optional<InnerLoop> inner;
  std::optional<StoreForm> store;
  std::optional<WalkKind> walk;
  auto shape = [&](ArrayRef<int64_t> extents) {
    return extents.empty() ? ShapeAttr() : ShapeAttr::get(context, extents);
  };
  auto locate = [&](StringRef key, SMLoc at) {
    locations.push_back(builder.getNamedAttr(key, diagnostics.getLocation(at)));
  };
  for (const Clause *clause : resolveClauses(program, schedule)) {
    locate(clause->getKey(), clause->range.begin);
    switch (clause->kind) {
    case ClauseKind::Block:
      block = shape(clause->shape);
      break;
    case ClauseKind::Warp:
      warp = shape(clause->shape);
      break;
    case ClauseKind::Thread:
      thread = shape(clause->shape);
      group = shape(clause->group);
      lanes = shape(clause->lanes);
      if (group)
        locate("group", clause->groupLoc);
      if (lanes)
        locate("lanes", clause->lanesLoc);
      break;
    case ClauseKind::Stage: {
      StageOrder order = clause->word.empty() ? StageOrder::Operand : *symbolizeStageOrder(clause->word);
      CopyKind by = clause->by == "cp.async" ? CopyKind::CpAsync
                    : clause->by.empty()     ? CopyKind::Plain
                                             : *symbolizeCopyKind(clause->by);
      stages.push_back(StageAttr::get(context, builder.getStringAttr(clause->operand.text), order, clause->pad,
                                      clause->swizzle, by, clause->bytes));
      break;
    }
    case ClauseKind::Pipeline:
      pipeline = clause->number;
      break;
    case ClauseKind::Prefetch:
      prefetch = true;
      break;
    case ClauseKind::Product:
      if (!clause->word.empty())
        inner = symbolizeInnerLoop(clause->word);
      zigzag = clause->zigzag;
      unroll = clause->number;
      break;
    case ClauseKind::Store:
      store = symbolizeStoreForm(clause->word);
      break;
    case ClauseKind::Walk:
      walk = symbolizeWalkKind(clause->word);
      walkGroup = clause->number;
      break;
    case ClauseKind::BlocksPerSM:
      blocksPerSM = clause->number;
      break;
    }
  }
  return ScheduleAttr::get(context, block, warp, thread, group, lanes,
                           stages.empty() ? ArrayAttr() : builder.getArrayAttr(stages), pipeline, prefetch, inner,
                           zigzag, unroll, store, walk, walkGroup, blocksPerSM, SIMTAttr());
}

StringRef Emitter::getDimName(const Param &param, unsigned dim) {
  const Dim &wanted = param.dims[dim];
  if (!wanted.value)
    return wanted.name.text;
  // A number plays the role of its place: in the product's operands and in C, or the equal row or column of C.
  auto role = [&](unsigned i) -> StringRef { return kernel.roleNames[i]; };
  for (unsigned i : {0u, 1u}) {
    auto [index, transposed] = getParam(*kernel.product->operands[i]);
    if (&kernel.getParam(index) != &param)
      continue;
    bool isRow = (dim == 0) != transposed;
    return i == 0 ? role(isRow ? 0 : 2) : role(isRow ? 2 : 1);
  }
  if (&param == &kernel.output)
    return role(dim);
  if (param.dims.size() == 1)
    return role(wanted == kernel.roles[0] ? 0 : 1);
  // A matrix of the epilogue has C's shape, transposed if that is how it is used.
  return role(kernel.roles[dim] == wanted ? dim : 1 - dim);
}

Value Emitter::getMatrix(const Expr &expr) {
  auto [param, transposed] = getParam(expr);
  Value value = func.getArgument(param);
  if (!transposed)
    return value;
  auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, builder.getContext());
  return memref::TransposeOp::create(builder, loc(expr.loc), value, AffineMapAttr::get(swap));
}

Value Emitter::emitElement(const Expr &expr) {
  Location at = loc(expr.loc);
  FloatType f32 = builder.getF32Type();
  if (&expr == kernel.product)
    return product;
  SmallVector<Value, 2> operands;
  if (expr.kind != Expr::Transpose)
    for (const auto &operand : expr.operands)
      operands.push_back(emitElement(*operand));
  switch (expr.kind) {
  case Expr::Number:
    return arith::ConstantFloatOp::create(builder, at, f32, APFloat(expr.value));
  case Expr::Reference:
  case Expr::Transpose: {
    auto key = getParam(expr);
    if (kernel.getParam(key.first).dims.empty())
      return func.getArgument(key.first);
    return extraElements[llvm::find(extraKeys, key) - extraKeys.begin()];
  }
  case Expr::Negate:
    return arith::NegFOp::create(builder, at, operands[0]);
  case Expr::Add:
    return arith::AddFOp::create(builder, at, operands[0], operands[1]);
  case Expr::Subtract:
    return arith::SubFOp::create(builder, at, operands[0], operands[1]);
  case Expr::Multiply:
    return arith::MulFOp::create(builder, at, operands[0], operands[1]);
  case Expr::Divide:
    return arith::DivFOp::create(builder, at, operands[0], operands[1]);
  case Expr::Call:
    if (expr.text == "relu")
      operands.push_back(arith::ConstantFloatOp::create(builder, at, f32, APFloat(0.0f)));
    if (expr.text == "min")
      return arith::MinimumFOp::create(builder, at, operands[0], operands[1]);
    return arith::MaximumFOp::create(builder, at, operands[0], operands[1]);
  case Expr::Product:
    break;
  }
  llvm_unreachable("the only product was handled");
}

/// The parameters other than scalars that `expr` reads outside its product, each (with its transposition) once.
static void collectExtras(const Kernel &kernel, const Expr &expr, SmallVectorImpl<const Expr *> &extras) {
  if (expr.kind == Expr::Product)
    return;
  if (expr.kind == Expr::Reference || expr.kind == Expr::Transpose) {
    bool isScalar = kernel.getParam(getParam(expr).first).dims.empty();
    if (!isScalar && llvm::none_of(extras, [&](const Expr *other) { return getParam(*other) == getParam(expr); }))
      extras.push_back(&expr);
    return;
  }
  for (const auto &operand : expr.operands)
    collectExtras(kernel, *operand, extras);
}

void Emitter::emitMatmul() {
  Location at = loc(kernel.statement.begin);
  Value a = getMatrix(*kernel.product->operands[0]), b = getMatrix(*kernel.product->operands[1]);
  unsigned outputIndex = kernel.params.size();
  Value c = func.getArgument(outputIndex);
  bool hasEpilogue = kernel.value.get() != kernel.product;

  SmallVector<const Expr *> extras;
  collectExtras(kernel, *kernel.value, extras);
  SmallVector<Value> extraValues;
  SmallVector<int64_t> axes;
  for (const Expr *extra : extras) {
    extraKeys.push_back(getParam(*extra));
    extraValues.push_back(getMatrix(*extra));
    const Param &param = kernel.getParam(extraKeys.back().first);
    axes.push_back(param.dims.size() == 2 ? 2 : param.dims[0] == kernel.roles[0] ? 0 : 1);
  }
  // `C += E` with an epilogue is C = C + E: `accumulate` adds the bare product.
  std::pair<unsigned, bool> output(outputIndex, false);
  if (kernel.accumulate && hasEpilogue && !llvm::is_contained(extraKeys, output)) {
    extraKeys.push_back(output);
    extraValues.push_back(c);
    axes.push_back(2);
  }
  if (kernel.accumulate || llvm::is_contained(extraKeys, output))
    func->setAttr("tgc.reads_output", builder.getUnitAttr());
  auto matmul = MatmulOp::create(builder, at, a, b, c, extraValues, axes, kernel.accumulate && !hasEpilogue);
  if (!hasEpilogue)
    return;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(1 + extraValues.size(), builder.getF32Type());
  Block *block = builder.createBlock(&matmul.getEpilogue(), {}, types, SmallVector<Location>(types.size(), at));
  product = block->getArgument(0);
  llvm::append_range(extraElements, block->getArguments().drop_front());
  Value result = emitElement(*kernel.value);
  if (kernel.accumulate)
    result =
        arith::AddFOp::create(builder, at, extraElements[llvm::find(extraKeys, output) - extraKeys.begin()], result);
  YieldOp::create(builder, at, result);
}

void Emitter::run() {
  OpBuilder::InsertionGuard guard(builder);
  std::string symbol = (kernel.name.text + "_" + schedule.name.text).str();
  auto module = gpu::GPUModuleOp::create(builder, loc(schedule.name.loc), symbol);
  module->setAttr("tgc.source", builder.getStringAttr(getSource()));
  if (ArrayAttr facts = getFacts(); !facts.empty())
    module->setAttr("tgc.facts", facts);
  for (const Schedule *link : getLikeChain(program, schedule)) {
    if (!link->target)
      continue;
    module->setAttr("tgc.target", builder.getStringAttr(link->target->text));
    break;
  }

  builder.setInsertionPointToStart(module.getBody());
  unsigned numParams = kernel.params.size() + 1;
  SmallVector<Type> types;
  for (unsigned i = 0; i < numParams; ++i) {
    const Param &param = kernel.getParam(i);
    types.push_back(param.dims.empty() ? Type(builder.getF32Type()) : getType(param));
  }
  func = gpu::GPUFuncOp::create(builder, loc(kernel.name.loc), symbol, builder.getFunctionType(types, {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  SmallVector<NamedAttribute> locations;
  func->setAttr("tgc.schedule", getSchedule(locations));
  func->setAttr("tgc.clause_locs", builder.getDictionaryAttr(locations));
  if (kernel.roleNames[0] != "M" || kernel.roleNames[1] != "N" || kernel.roleNames[2] != "K")
    func->setAttr("tgc.sizes",
                  builder.getStrArrayAttr({kernel.roleNames[0], kernel.roleNames[1], kernel.roleNames[2]}));
  for (unsigned i = 0; i < numParams; ++i) {
    const Param &param = kernel.getParam(i);
    StringAttr name = builder.getStringAttr(param.name.text);
    func.getArgument(i).setLoc(NameLoc::get(name, loc(param.name.loc)));
    func.setArgAttr(i, "tgc.name", name);
    if (param.dims.empty())
      continue;
    SmallVector<StringRef, 2> dims;
    for (unsigned d = 0; d < param.dims.size(); ++d)
      dims.push_back(getDimName(param, d));
    if (param.colMajor)
      std::swap(dims[0], dims[1]);
    func.setArgAttr(i, "tgc.dims", builder.getStrArrayAttr(dims));
    if (param.ld)
      func.setArgAttr(i, "tgc.ld_name", builder.getStringAttr(param.ldName));
  }
  builder.setInsertionPointToStart(&func.getBody().front());
  emitMatmul();
  gpu::ReturnOp::create(builder, loc(kernel.close.begin));
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static StringRef getMainBuffer(const llvm::SourceMgr &sourceMgr) {
  return sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID())->getBuffer();
}

OwningOpRef<ModuleOp> tgc::emit(const Program &program, const Diagnostics &diagnostics, MLIRContext *context) {
  context->loadDialect<TGCDialect, arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect>();
  OpBuilder builder(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, Location(diagnostics.getLocation()));
  builder.setInsertionPointToStart(module->getBody());
  for (const Schedule &schedule : program.schedules) {
    const auto &kernel =
        *llvm::find_if(program.kernels, [&](const Kernel &kernel) { return kernel.name.text == schedule.kernel.text; });
    Emitter(program, kernel, schedule, diagnostics, builder).run();
  }
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> tgc::parseTileProgram(const llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  Diagnostics diagnostics(sourceMgr, context);
  Program program = parse(getMainBuffer(sourceMgr), diagnostics);
  analyze(program, diagnostics);
  return diagnostics.hasErrors() ? nullptr : emit(program, diagnostics, context);
}

std::optional<std::string> tgc::formatTileProgram(const llvm::SourceMgr &sourceMgr, MLIRContext *context) {
  Diagnostics diagnostics(sourceMgr, context);
  Program program = parse(getMainBuffer(sourceMgr), diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  return format(program);
}
