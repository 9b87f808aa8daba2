//===- Expressions.cpp - values of L3 as C++ expressions ---------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tgc/Dialect/TGC/IR/TGC.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Error.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace tgc;
using namespace tgc::cuda;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string parenthesize(const std::string &text, bool parentheses) {
  return parentheses ? "(" + text + ")" : text;
}

/// `expr` as an operand of an operator that binds as tightly as `least`.
static std::string operand(const Expr &expr, Precedence least) {
  return parenthesize(expr.text, expr.precedence < least);
}

static Precedence tighter(Precedence precedence) { return Precedence(int(precedence) + 1); }

static Expr integerLiteral(int64_t value) {
  Expr expr = Expr::name(std::to_string(value));
  expr.literal = value;
  if (value < 0)
    expr.precedence = Precedence::Unary;
  if (!llvm::isInt<32>(value)) {
    // -9223372036854775808 is the negation of a number that does not fit.
    expr.text = value == std::numeric_limits<int64_t>::min() ? "(-9223372036854775807LL - 1)" : expr.text + "LL";
    expr.isWide = true;
  }
  return expr;
}

/// `expr` with C++ type long long.
static Expr widen(const Expr &expr) {
  if (expr.isWide)
    return expr;
  Expr wide = Expr::call("static_cast<long long>(" + expr.text + ")");
  wide.isWide = true;
  wide.isCostly = expr.isCostly;
  wide.reads = expr.reads;
  return wide;
}

static void inherit(Expr &result, const Expr &part) {
  result.isCostly |= part.isCostly;
  for (Value memref : part.reads)
    if (!llvm::is_contained(result.reads, memref))
      result.reads.push_back(memref);
}

static Expr binary(const Expr &a, StringRef op, const Expr &b, Precedence precedence) {
  Expr result;
  result.text = operand(a, precedence) + " " + op.str() + " " + operand(b, tighter(precedence));
  result.precedence = precedence;
  result.isWide = a.isWide || b.isWide;
  inherit(result, a);
  inherit(result, b);
  return result;
}

static bool isFlatTerm(const Expr &expr) { return expr.precedence > Precedence::Additive || expr.isSum; }

/// a + b. All terms of sums are at least 0, or the sum has a parenthesis: no partial sum overflows.
static Expr add(const Expr &a, const Expr &b) {
  if (b.literal && *b.literal < 0 && *b.literal != std::numeric_limits<int64_t>::min()) {
    Expr result = binary(a, "-", integerLiteral(-*b.literal), Precedence::Additive);
    result.isCheap = a.isSimple;
    return result;
  }
  if (a.literal == 0)
    return b;
  if (b.literal == 0)
    return a;
  Expr flat = b;
  if (flat.isSum)
    flat.precedence = Precedence::Multiplicative;
  Expr result = binary(a, "+", flat, Precedence::Additive);
  result.isSum = isFlatTerm(a) && isFlatTerm(b);
  result.isCheap = a.isSimple && b.literal;
  return result;
}

static Expr call(const Twine &function, ArrayRef<Expr> arguments) {
  Expr result = Expr::call((function + "(").str());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    result.text += (i ? ", " : "") + argument.text;
    result.isWide |= argument.isWide;
    inherit(result, argument);
  }
  result.text += ")";
  return result;
}

/// `a op b` of logical or bitwise operators: mixed ones get parentheses that C++ does not ask for and readers do.
static Expr mixed(const Expr &a, StringRef op, const Expr &b, Precedence precedence, Precedence least) {
  Expr x = a, y = b;
  auto protect = [&](Expr &expr) {
    if (expr.precedence < least && expr.precedence != precedence)
      expr.precedence = Precedence::Ternary;
    else if (expr.precedence == precedence) // associative
      expr.precedence = tighter(precedence);
  };
  protect(x);
  protect(y);
  return binary(x, op, y, precedence);
}

/// The shortest decimal float literal that reads back as `value`.
static Expr floatLiteral(const APFloat &value) {
  if (value.isNaN() || value.isDenormal())
    return Expr::name("__int_as_float(0x" +
                      llvm::utohexstr(value.bitcastToAPInt().getZExtValue(), /*LowerCase=*/true, /*Width=*/8) + ")");
  Expr expr = Expr::name(value.isNegative() ? "-INFINITY" : "INFINITY");
  if (value.isNegative())
    expr.precedence = Precedence::Unary;
  if (value.isInfinity())
    return expr;
  SmallString<32> text;
  // 9 significant digits tell any two floats apart.
  for (unsigned digits = 1; digits <= 9; ++digits) {
    text.clear();
    value.toString(text, digits, /*FormatMaxPadding=*/8);
    APFloat read(APFloat::IEEEsingle());
    auto status = read.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      continue;
    }
    if (read.bitwiseIsEqual(value))
      break;
  }
  expr.text = StringRef(text).lower();
  if (!StringRef(expr.text).contains('.') && !StringRef(expr.text).contains('e'))
    expr.text += ".0";
  expr.text += "f";
  return expr;
}

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

static bool isScalar(Type type) { return type.isIndex() || type.isInteger(64) || type.isInteger(1) || type.isF32(); }

static LogicalResult refuseType(Operation *op) {
  return op->emitOpError() << "has a value of type " << op->getResult(0).getType()
                           << ", which is not L3 (docs/threads.md)";
}

FailureOr<Expr> KernelPrinter::buildConstant(Operation *op) {
  if (!isScalar(op->getResult(0).getType()))
    return refuseType(op);
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return floatLiteral(number.getValue());
  auto number = cast<IntegerAttr>(value);
  if (number.getType().isInteger(1))
    return Expr::name(number.getValue().isZero() ? "false" : "true");
  if (number.getType().isIndex() && !llvm::isInt<32>(number.getInt()))
    return op->emitOpError() << number.getInt() << " does not fit the 32 bits of an index at L3; use i64";
  return integerLiteral(number.getInt());
}

static StringRef getRelation(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  // Operands of unsigned comparisons are at least 0 (docs/threads.md).
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  llvm_unreachable("all predicates are listed");
}

static Expr compare(const Expr &a, StringRef relation, const Expr &b) {
  Precedence precedence = relation == "==" || relation == "!=" ? Precedence::Equality : Precedence::Relational;
  Expr x = a;
  // a < b == c is valid C++, and a trap.
  if (x.precedence == Precedence::Relational || x.precedence == Precedence::Equality)
    x.precedence = Precedence::Ternary;
  Expr y = b;
  if (y.precedence == Precedence::Relational)
    y.precedence = Precedence::Ternary;
  Expr result = binary(x, relation, y, precedence);
  result.isWide = false;
  return result;
}

static Expr negateCondition(const Expr &a) {
  Expr result = a;
  result.text = "!" + operand(a, Precedence::Unary);
  result.precedence = Precedence::Unary;
  result.isSimple = false;
  return result;
}

static Expr logical(const Expr &a, StringRef op, const Expr &b) {
  return mixed(a, op, b, op == "&&" ? Precedence::LogicalAnd : Precedence::LogicalOr, Precedence::Equality);
}

static Expr bitwise(const Expr &a, StringRef op, const Expr &b) {
  Precedence precedence = op == "&" ? Precedence::BitAnd : op == "^" ? Precedence::BitXor : Precedence::BitOr;
  return mixed(a, op, b, precedence, Precedence::Unary);
}

FailureOr<Expr> KernelPrinter::buildInteger(Operation *op) {
  bool isPointerSelect = isa<arith::SelectOp>(op) && isa<MemRefType>(op->getResult(0).getType());
  if (!isScalar(op->getResult(0).getType()) && !isPointerSelect)
    return refuseType(op);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    Expr expr = get(cast.getIn());
    Type from = cast.getIn().getType(), to = cast.getType();
    if (from.isIndex() && to.isInteger(64))
      return expr; // an int, which widens where it meets a long long
    if (!from.isInteger(64) || !to.isIndex())
      return op->emitOpError() << "from " << from << " to " << to << " is not L3: index and i64 only (docs/threads.md)";
    if (!expr.isWide)
      return expr;
    Expr narrow = Expr::call("static_cast<int>(" + expr.text + ")");
    inherit(narrow, expr);
    return narrow;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    const Expr &condition = get(select.getCondition());
    const Expr &a = get(select.getTrueValue()), &b = get(select.getFalseValue());
    Expr result;
    result.text = operand(condition, Precedence::LogicalOr) + " ? " + operand(a, Precedence::LogicalOr) + " : " +
                  operand(b, Precedence::LogicalOr);
    result.precedence = Precedence::Ternary;
    result.isWide = a.isWide || b.isWide;
    inherit(result, condition);
    inherit(result, a);
    inherit(result, b);
    return result;
  }

  Expr a = get(op->getOperand(0)), b = get(op->getOperand(1));
  Type type = op->getOperand(0).getType();
  if (auto compareOp = dyn_cast<arith::CmpIOp>(op))
    return compare(a, getRelation(compareOp.getPredicate()), b);
  if (type.isInteger(1)) {
    if (isa<arith::AndIOp>(op))
      return logical(a, "&&", b);
    if (isa<arith::OrIOp>(op))
      return logical(a, "||", b);
    if (isa<arith::XOrIOp>(op)) {
      if (b.text == "true")
        return negateCondition(a);
      return compare(a, "!=", b);
    }
    return op->emitOpError("on i1 is no operation of L3; see docs/threads.md for those there are");
  }
  // Arithmetic on i64 happens in 64 bits: one long long operand makes it so.
  if (type.isInteger(64)) {
    bool isMinMax = isa<arith::MinSIOp, arith::MaxSIOp>(op); // a template: both operands have one type
    if (isMinMax || (!a.isWide && !b.isWide))
      a = widen(a);
    if (isMinMax)
      b = widen(b);
  }
  return llvm::TypeSwitch<Operation *, FailureOr<Expr>>(op)
      .Case([&](arith::AddIOp) { return add(a, b); })
      .Case([&](arith::SubIOp) {
        Expr result = binary(a, "-", b, Precedence::Additive);
        result.isCheap = a.isSimple && b.literal;
        return result;
      })
      .Case([&](arith::MulIOp) {
        Expr result = binary(a, "*", b, Precedence::Multiplicative);
        result.isCheap = a.isSimple && b.literal;
        return result;
      })
      .Case<arith::DivUIOp, arith::RemUIOp>([&](Operation *op) {
        Expr result = binary(a, isa<arith::DivUIOp>(op) ? "/" : "%", b, Precedence::Multiplicative);
        result.isCostly = true;
        return result;
      })
      .Case([&](arith::MinSIOp) { return call("min", {a, b}); })
      .Case([&](arith::MaxSIOp) { return call("max", {a, b}); })
      .Case([&](arith::AndIOp) { return bitwise(a, "&", b); })
      .Case([&](arith::OrIOp) { return bitwise(a, "|", b); })
      .Case([&](arith::XOrIOp) { return bitwise(a, "^", b); })
      .Default([](Operation *op) -> FailureOr<Expr> {
        return op->emitOpError("is no operation of L3; see docs/threads.md for those there are");
      });
}

FailureOr<Expr> KernelPrinter::buildCompareFloat(Operation *op) {
  auto compareOp = cast<arith::CmpFOp>(op);
  const Expr &a = get(compareOp.getLhs()), &b = get(compareOp.getRhs());
  auto isNaN = [&](const Expr &x) { return call("isnan", {x}); };
  using P = arith::CmpFPredicate;
  switch (compareOp.getPredicate()) {
  case P::AlwaysFalse:
    return Expr::name("false");
  case P::AlwaysTrue:
    return Expr::name("true");
  case P::OEQ:
    return compare(a, "==", b);
  case P::OGT:
    return compare(a, ">", b);
  case P::OGE:
    return compare(a, ">=", b);
  case P::OLT:
    return compare(a, "<", b);
  case P::OLE:
    return compare(a, "<=", b);
  case P::UNE:
    return compare(a, "!=", b);
  case P::ONE:
    return logical(compare(a, "<", b), "||", compare(a, ">", b));
  case P::UEQ:
    return negateCondition(logical(compare(a, "<", b), "||", compare(a, ">", b)));
  case P::UGT:
    return negateCondition(compare(a, "<=", b));
  case P::UGE:
    return negateCondition(compare(a, "<", b));
  case P::ULT:
    return negateCondition(compare(a, ">=", b));
  case P::ULE:
    return negateCondition(compare(a, ">", b));
  case P::UNO:
    return logical(isNaN(a), "||", isNaN(b));
  case P::ORD:
    return negateCondition(logical(isNaN(a), "||", isNaN(b)));
  }
  llvm_unreachable("all predicates are listed");
}

FailureOr<Expr> KernelPrinter::buildFloat(Operation *op) {
  if (!isScalar(op->getResult(0).getType()))
    return refuseType(op);
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = fast.getFastMathFlagsAttr(); flags && flags.getValue() != arith::FastMathFlags::none)
      return op->emitOpError("has fastmath flags; L3 rounds every operation, so remove them");
  if (isa<arith::CmpFOp>(op))
    return buildCompareFloat(op);
  SmallVector<Expr> operands;
  for (Value value : op->getOperands())
    operands.push_back(get(value));
  if (isa<arith::NegFOp>(op)) {
    Expr result = operands[0];
    result.text = "-" + operand(result, Precedence::Primary);
    result.precedence = Precedence::Unary;
    result.isSimple = false;
    return result;
  }
  // The intrinsics keep nvcc from contracting a product and a sum.
  StringRef function = llvm::TypeSwitch<Operation *, StringRef>(op)
                           .Case([](arith::AddFOp) { return "__fadd_rn"; })
                           .Case([](arith::SubFOp) { return "__fsub_rn"; })
                           .Case([](arith::MulFOp) { return "__fmul_rn"; })
                           .Case([](arith::DivFOp) { return "__fdiv_rn"; })
                           .Case([](arith::MaximumFOp) { return "maximum"; })
                           .Case([](arith::MinimumFOp) { return "minimum"; })
                           .Case([](math::FmaOp) { return "fmaf"; });
  helpers.maximum |= isa<arith::MaximumFOp>(op);
  helpers.minimum |= isa<arith::MinimumFOp>(op);
  Expr result = call(function, operands);
  result.isCostly = true;
  return result;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory that `memref` lies in, as Expr::reads has it.
static Value getMemory(Value memref) { return cast<MemRefType>(memref.getType()).getMemorySpace() ? memref : Value(); }

Expr KernelPrinter::buildAdvance(Value pointer, Value offset) {
  const Expr &from = get(pointer);
  Expr by = get(offset);
  Expr result;
  if (from.pointer.empty()) {
    result.pointer = operand(from, Precedence::Primary);
  } else {
    Expr first;
    first.text = from.offset;
    first.precedence = from.offsetPrecedence;
    first.isWide = from.isOffsetWide;
    first.isSum = from.isOffsetSum;
    result.pointer = from.pointer;
    by = add(first, first.isWide || by.isWide ? by : widen(by));
  }
  result.offset = by.text;
  result.offsetPrecedence = by.precedence;
  result.isOffsetWide = by.isWide;
  result.isOffsetSum = by.isSum;
  Expr base = Expr::name(result.pointer);
  Expr sum = add(base, by);
  result.text = sum.text;
  result.precedence = sum.precedence;
  inherit(result, from);
  inherit(result, by);
  return result;
}

/// A number that divides `index` whatever its variables are.
static int64_t getDivisor(Value index) {
  constexpr int64_t limit = int64_t(1) << 20; // divides 0; products of two do not overflow
  if (auto value = getConstantIntValue(index))
    return *value == 0 ? limit : std::min(std::abs(*value), limit);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    bool isVariable = loop && argument == loop.getInductionVar();
    return isVariable ? std::gcd(getDivisor(loop.getLowerBound()), getDivisor(loop.getStep())) : 1;
  }
  Operation *op = index.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(getDivisor(op->getOperand(0)), getDivisor(op->getOperand(1)));
  if (isa<arith::MulIOp>(op))
    return std::min(getDivisor(op->getOperand(0)) * getDivisor(op->getOperand(1)), limit);
  return 1;
}

bool tgc::cuda::isAlignedVector(Value memref, ValueRange indices, int64_t width) {
  auto type = cast<MemRefType>(memref.getType());
  auto space = dyn_cast_if_present<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space || space.getValue() != gpu::AddressSpace::Private)
    return true;
  return (type.getRank() == 1 || type.getShape().back() % width == 0) && getDivisor(indices.back()) % width == 0;
}

Expr KernelPrinter::buildElement(Value memref, ValueRange indices, int64_t shift) const {
  const Expr &base = get(memref);
  Expr result = Expr::call("");
  inherit(result, base);
  if (base.pointer.empty()) {
    result.text = operand(base, Precedence::Primary);
    for (auto [i, value] : llvm::enumerate(indices)) {
      Expr index = get(value);
      if (shift != 0 && i + 1 == indices.size())
        index = index.literal ? integerLiteral(*index.literal + shift) : add(index, integerLiteral(shift));
      result.text += "[" + index.text + "]";
      inherit(result, index);
    }
    return result;
  }
  Expr offset;
  offset.text = base.offset;
  offset.precedence = base.offsetPrecedence;
  offset.isWide = base.isOffsetWide;
  offset.isSum = base.isOffsetSum;
  const Expr &index = get(indices.front());
  if (index.literal != 0 && !offset.isWide)
    offset = widen(offset);
  result.text = base.pointer + "[" + add(offset, index).text + "]";
  inherit(result, index);
  return result;
}

Expr KernelPrinter::buildVectorElement(Value memref, ValueRange indices, int64_t width, bool isConst) const {
  Expr element = buildElement(memref, indices);
  element.text =
      ("*reinterpret_cast<" + Twine(isConst ? "const " : "") + "float" + Twine(width) + " *>(&" + element.text + ")")
          .str();
  element.precedence = Precedence::Unary;
  return element;
}

FailureOr<Expr> KernelPrinter::buildExpr(Operation *op) {
  return llvm::TypeSwitch<Operation *, FailureOr<Expr>>(op)
      .Case<arith::ConstantOp>([&](Operation *op) { return buildConstant(op); })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp, arith::MinSIOp, arith::MaxSIOp,
            arith::XOrIOp, arith::AndIOp, arith::OrIOp, arith::CmpIOp, arith::SelectOp, arith::IndexCastOp>(
          [&](Operation *op) { return buildInteger(op); })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
            arith::MinimumFOp, arith::CmpFOp, math::FmaOp>([&](Operation *op) { return buildFloat(op); })
      .Case([&](AdvanceOp advance) { return buildAdvance(advance.getPointer(), advance.getOffset()); })
      .Case([&](memref::LoadOp load) -> FailureOr<Expr> {
        if (!load.getType().isF32())
          return refuseType(load);
        Expr result = buildElement(load.getMemRef(), load.getIndices());
        result.reads.push_back(getMemory(load.getMemRef()));
        return result;
      })
      .Case([&](vector::LoadOp load) -> FailureOr<Expr> {
        VectorType type = load.getVectorType();
        int64_t width = type.getNumElements();
        if (type.getRank() != 1 || !type.getElementType().isF32() || (width != 2 && width != 4))
          return refuseType(load);
        Expr result;
        if (isAlignedVector(load.getBase(), load.getIndices(), width)) {
          result = buildVectorElement(load.getBase(), load.getIndices(), width, /*isConst=*/true);
        } else {
          SmallVector<Expr> elements;
          for (int64_t i = 0; i < width; ++i)
            elements.push_back(buildElement(load.getBase(), load.getIndices(), i));
          result = call("make_float" + Twine(width), elements);
        }
        result.reads.push_back(getMemory(load.getBase()));
        return result;
      })
      .Case<gpu::ThreadIdOp, gpu::BlockIdOp>([&](Operation *op) -> FailureOr<Expr> {
        bool isThread = isa<gpu::ThreadIdOp>(op);
        auto dimension = isThread ? cast<gpu::ThreadIdOp>(op).getDimension() : cast<gpu::BlockIdOp>(op).getDimension();
        if (dimension != gpu::Dimension::x)
          return op->emitOpError("is not along x; blocks and grids have one dimension at L3");
        return Expr::call(isThread ? "threadIdx.x" : "blockIdx.x");
      })
      .Default([](Operation *op) -> FailureOr<Expr> {
        return op->emitOpError("is no operation of L3; see docs/threads.md for those there are");
      });
}
