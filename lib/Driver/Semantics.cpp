//===- Semantics.cpp - what a kernel should compute -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tgc;

namespace {

/// An epilogue as straight-line code: values are numbered, first the product, then the extra operands, the scalars, the
/// constants and one value per step.
struct EpilogueProgram {
  /// One operation on doubles; a condition is 0 or 1, unused operands are 0.
  struct Step {
    std::function<double(double, double, double)> evaluate;
    unsigned operands[3] = {0, 0, 0};
    unsigned numOperands = 0;
  };
  unsigned numExtras = 0, numScalars = 0;
  std::vector<Step> steps; ///< a constant is a step without operands
  unsigned result = 0;

  double operator()(double product, ArrayRef<double> extras, ArrayRef<double> scalars, Rounding rounding) const {
    SmallVector<double, 32> values{product};
    llvm::append_range(values, extras);
    llvm::append_range(values, scalars);
    for (auto [number, step] : llvm::enumerate(steps)) {
      double x[3] = {0, 0, 0};
      for (unsigned i = 0; i < step.numOperands; ++i)
        x[i] = values[step.operands[i]];
      values.push_back(step.evaluate(x[0], x[1], x[2]) * (number == rounding.step ? rounding.factor : 1));
    }
    return values[result];
  }
};

/// The kernel argument behind an operand: X for X and X'.
Value getArgument(Value operand) {
  while (auto transpose = operand.getDefiningOp<memref::TransposeOp>())
    operand = transpose.getIn();
  return operand;
}

/// Translates an epilogue region, and what it uses from outside, into an EpilogueProgram.
class EpilogueBuilder {
public:
  EpilogueBuilder(gpu::GPUFuncOp func, Value a, Value b, Value c, ValueRange extras, Region &region)
      : func(func), a(getArgument(a)), b(getArgument(b)), c(getArgument(c)),
        extras(llvm::map_to_vector(extras, getArgument)), region(region) {}

  FailureOr<EpilogueProgram> build() {
    if (failed(numberInputs()))
      return failure();
    for (Operation &op : region.front().without_terminator())
      if (failed(translate(&op)))
        return failure();
    auto yield = cast<YieldOp>(region.front().getTerminator());
    FailureOr<unsigned> result = getValue(yield.getValues()[0], yield);
    if (failed(result))
      return failure();
    program.result = *result;
    return std::move(program);
  }

private:
  /// The product, then the elements of the extra operands and the scalars, each in the function's argument order.
  LogicalResult numberInputs() {
    Block &body = region.front();
    values[body.getArgument(0)] = 0;
    unsigned next = 1;
    for (BlockArgument argument : func.getArguments()) {
      if (!isa<MemRefType>(argument.getType()) || llvm::is_contained({a, b, c}, Value(argument)))
        continue;
      for (auto [i, extra] : llvm::enumerate(extras))
        if (extra == argument)
          values[body.getArgument(1 + i)] = next;
      ++next;
    }
    // C's old element is the last extra operand.
    for (auto [i, extra] : llvm::enumerate(extras))
      if (extra == c)
        values[body.getArgument(1 + i)] = next;
    if (llvm::is_contained(extras, c))
      ++next;
    program.numExtras = next - 1;
    for (BlockArgument argument : func.getArguments())
      if (argument.getType().isF32())
        values[argument] = next + program.numScalars++;
    for (BlockArgument argument : body.getArguments())
      if (!values.contains(argument))
        return emitError(argument.getLoc(), "an epilogue that reads an operand of its product cannot be verified");
    return success();
  }

  /// The number of `value`, which an epilogue operation `user` uses; translates its definition if it lies outside.
  FailureOr<unsigned> getValue(Value value, Operation *user) {
    if (auto found = values.find(value); found != values.end())
      return found->second;
    Operation *definition = value.getDefiningOp();
    if (!definition)
      return user->emitError("an epilogue uses a value that is neither an element nor a scalar argument");
    if (failed(translate(definition)))
      return failure();
    return values.lookup(value);
  }

  LogicalResult translate(Operation *op) {
    EpilogueProgram::Step step;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      double value;
      if (auto attr = dyn_cast<FloatAttr>(constant.getValue()))
        value = attr.getValueAsDouble();
      else if (auto attr = dyn_cast<IntegerAttr>(constant.getValue()); attr && attr.getType().isInteger(1))
        value = attr.getValue().isZero() ? 0 : 1;
      else
        return unsupported(op);
      step.evaluate = [value](double, double, double) { return value; };
    } else {
      auto evaluate = getEvaluator(op);
      if (!evaluate || op->getNumResults() != 1 || op->getNumOperands() > 3)
        return unsupported(op);
      step.evaluate = std::move(evaluate);
      for (Value operand : op->getOperands()) {
        FailureOr<unsigned> number = getValue(operand, op);
        if (failed(number))
          return failure();
        step.operands[step.numOperands++] = *number;
      }
    }
    values[op->getResult(0)] = 1 + program.numExtras + program.numScalars + program.steps.size();
    program.steps.push_back(std::move(step));
    return success();
  }

  static LogicalResult unsupported(Operation *op) {
    return op->emitError() << "the reference cannot evaluate '" << op->getName()
                           << "' in an epilogue: it knows arithmetic of 'arith' and 'math' on f32";
  }

  static bool compare(arith::CmpFPredicate predicate, double x, double y) {
    using P = arith::CmpFPredicate;
    bool unordered = std::isnan(x) || std::isnan(y);
    switch (predicate) {
    case P::AlwaysFalse:
      return false;
    case P::OEQ:
      return !unordered && x == y;
    case P::OGT:
      return !unordered && x > y;
    case P::OGE:
      return !unordered && x >= y;
    case P::OLT:
      return !unordered && x < y;
    case P::OLE:
      return !unordered && x <= y;
    case P::ONE:
      return !unordered && x != y;
    case P::ORD:
      return !unordered;
    case P::UEQ:
      return unordered || x == y;
    case P::UGT:
      return unordered || x > y;
    case P::UGE:
      return unordered || x >= y;
    case P::ULT:
      return unordered || x < y;
    case P::ULE:
      return unordered || x <= y;
    case P::UNE:
      return unordered || x != y;
    case P::UNO:
      return unordered;
    case P::AlwaysTrue:
      return true;
    }
    return false;
  }

  /// Null if the reference does not know `op`.
  static std::function<double(double, double, double)> getEvaluator(Operation *op) {
    using F = std::function<double(double, double, double)>;
    // A NaN operand gives NaN in maximumf and minimumf and is ignored by maxnumf and minnumf.
    auto orNaN = [](double x, double y, double z) { return std::isnan(x) || std::isnan(y) ? std::nan("") : z; };
    return llvm::TypeSwitch<Operation *, F>(op)
        .Case<arith::AddFOp>([](auto) { return [](double x, double y, double) { return x + y; }; })
        .Case<arith::SubFOp>([](auto) { return [](double x, double y, double) { return x - y; }; })
        .Case<arith::MulFOp>([](auto) { return [](double x, double y, double) { return x * y; }; })
        .Case<arith::DivFOp>([](auto) { return [](double x, double y, double) { return x / y; }; })
        .Case<arith::NegFOp>([](auto) { return [](double x, double, double) { return -x; }; })
        .Case<arith::MaximumFOp>(
            [=](auto) { return [=](double x, double y, double) { return orNaN(x, y, std::fmax(x, y)); }; })
        .Case<arith::MinimumFOp>(
            [=](auto) { return [=](double x, double y, double) { return orNaN(x, y, std::fmin(x, y)); }; })
        .Case<arith::MaxNumFOp>([](auto) { return [](double x, double y, double) { return std::fmax(x, y); }; })
        .Case<arith::MinNumFOp>([](auto) { return [](double x, double y, double) { return std::fmin(x, y); }; })
        .Case<arith::CmpFOp>([](arith::CmpFOp cmp) {
          return [predicate = cmp.getPredicate()](double x, double y, double) {
            return compare(predicate, x, y) ? 1.0 : 0.0;
          };
        })
        .Case<arith::SelectOp>([](auto) { return [](double c, double x, double y) { return c != 0 ? x : y; }; })
        .Case<math::FmaOp>([](auto) { return [](double x, double y, double z) { return std::fma(x, y, z); }; })
        .Case<math::AbsFOp>([](auto) { return [](double x, double, double) { return std::fabs(x); }; })
        .Case<math::SqrtOp>([](auto) { return [](double x, double, double) { return std::sqrt(x); }; })
        .Case<math::RsqrtOp>([](auto) { return [](double x, double, double) { return 1 / std::sqrt(x); }; })
        .Case<math::ExpOp>([](auto) { return [](double x, double, double) { return std::exp(x); }; })
        .Case<math::Exp2Op>([](auto) { return [](double x, double, double) { return std::exp2(x); }; })
        .Case<math::LogOp>([](auto) { return [](double x, double, double) { return std::log(x); }; })
        .Case<math::TanhOp>([](auto) { return [](double x, double, double) { return std::tanh(x); }; })
        .Case<math::ErfOp>([](auto) { return [](double x, double, double) { return std::erf(x); }; })
        .Default([](Operation *) { return F(); });
  }

  gpu::GPUFuncOp func;
  Value a, b, c;
  SmallVector<Value> extras;
  Region &region;
  llvm::DenseMap<Value, unsigned> values;
  EpilogueProgram program;
};

} // namespace

/// The function argument that a tile is a window of; `value` itself at L1.
static Value getSource(Value value) {
  if (auto window = value.getDefiningOp<WindowOp>())
    return window.getSource();
  return value;
}

static FailureOr<Semantics> translate(gpu::GPUFuncOp func, Value a, Value b, Value c, OperandRange extras,
                                      bool accumulate, Region &region) {
  Semantics semantics;
  semantics.accumulate = accumulate;
  if (region.empty())
    return semantics;
  SmallVector<Value> sources = llvm::map_to_vector(extras, getSource);
  FailureOr<EpilogueProgram> program = EpilogueBuilder(func, a, b, getSource(c), sources, region).build();
  if (failed(program))
    return failure();
  semantics.numSteps = program->steps.size();
  semantics.epilogue = std::move(*program);
  return semantics;
}

/// At L3: the plain product, possibly added to C. More operands than A, B and C belong to an epilogue that is not
/// known.
static FailureOr<Semantics> getThreadSemantics(gpu::GPUModuleOp module) {
  Semantics semantics;
  for (auto func : module.getOps<gpu::GPUFuncOp>()) {
    TypeRange inputs = func.getFunctionType().getInputs();
    auto pointers = llvm::count_if(inputs, llvm::IsaPred<MemRefType>);
    auto scalars = llvm::count_if(inputs, [](Type type) { return type.isF32(); });
    if (pointers > 3 || scalars > 0)
      return func.emitError() << "'" << func.getName() << "' has an epilogue (" << pointers << " operands, " << scalars
                              << " scalars) that cannot be read off the thread level, so its result cannot be "
                                 "verified; run the tile program, or MLIR at a higher level";
    semantics.accumulate |= func->hasAttr("tgc.reads_output");
  }
  return semantics;
}

FailureOr<Semantics> tgc::getSemantics(gpu::GPUModuleOp module) {
  // Every function of a module computes the same.
  std::optional<FailureOr<Semantics>> semantics;
  module.walk([&](Operation *op) {
    auto func = op->getParentOfType<gpu::GPUFuncOp>();
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      semantics = translate(func, matmul.getA(), matmul.getB(), matmul.getC(), matmul.getExtras(),
                            matmul.getAccumulate(), matmul.getEpilogue());
      return WalkResult::interrupt();
    }
    if (auto store = dyn_cast<StoreOp>(op)) {
      // The operands of the product are the arguments that other windows show.
      Value factors[2];
      unsigned found = 0;
      SmallVector<Value> others = llvm::map_to_vector(store.getExtras(), getSource);
      others.push_back(getSource(store.getDest()));
      func.walk([&](WindowOp window) {
        Value source = window.getSource();
        if (!llvm::is_contained(others, source) && !llvm::is_contained(factors, source) && found < 2)
          factors[found++] = source;
      });
      semantics = translate(func, factors[0], factors[1], store.getDest(), store.getExtras(), store.getAccumulate(),
                            store.getEpilogue());
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return semantics ? std::move(*semantics) : getThreadSemantics(module);
}
