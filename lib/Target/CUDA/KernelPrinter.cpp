//===- KernelPrinter.cpp - one L3 function as CUDA C++ -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "tgc/Support/KernelInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::cuda;

/// Longest text of an expression that is inlined, in characters: about half a line, or a line of its own behind `=`.
constexpr size_t kInlineLimit = 72, kStoredLimit = 108;

static gpu::AddressSpace getSpace(Value memref) {
  auto space = dyn_cast_if_present<gpu::AddressSpaceAttr>(cast<MemRefType>(memref.getType()).getMemorySpace());
  return space ? space.getValue() : gpu::AddressSpace::Global;
}

//===----------------------------------------------------------------------===//
// What is printed at all
//===----------------------------------------------------------------------===//

static bool isStatement(Operation *op) {
  return isa<memref::StoreOp, vector::StoreOp, gpu::BarrierOp, gpu::ReturnOp, CpAsyncOp, CpAsyncCommitOp,
             CpAsyncWaitOp>(op);
}

/// Marks what statements need. Everything else is left out: compilers warn of unused variables.
void KernelPrinter::markLive() {
  SmallVector<Value> worklist;
  auto markOp = [&](Operation *op, auto &markOp) -> void {
    if (!liveOps.insert(op).second)
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      worklist.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    else
      llvm::append_range(worklist, op->getOperands());
    if (Operation *parent = op->getParentOp(); parent != func)
      markOp(parent, markOp);
  };
  func.walk([&](Operation *op) {
    if (isStatement(op))
      markOp(op, markOp);
  });
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!live.insert(value).second)
      continue;
    // A loop-carried value: the variable's initial value, its updates, its uses in and after the loop.
    auto markCarried = [&](scf::ForOp loop, unsigned i) {
      markOp(loop, markOp);
      worklist.append({loop.getInitArgs()[i], loop.getYieldedValues()[i], loop.getRegionIterArg(i), loop.getResult(i)});
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument.getArgNumber() > 0)
        markCarried(loop, argument.getArgNumber() - 1);
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned i = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      markCarried(loop, i);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      worklist.append({branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)});
    markOp(op, markOp);
  }
}

bool KernelPrinter::isLive(Operation *op) const { return liveOps.contains(op); }

SmallVector<Operation *> KernelPrinter::getLiveUsers(Value value) const {
  SmallVector<Operation *> users;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    Operation *parent = user->getParentOp();
    bool isLiveUse = isLive(user);
    if (isa<scf::YieldOp>(user))
      isLiveUse = live.contains(parent->getResult(use.getOperandNumber()));
    else if (auto loop = dyn_cast<scf::ForOp>(user); loop && use.getOperandNumber() >= loop.getNumControlOperands())
      isLiveUse = live.contains(loop.getTiedLoopResult(&use));
    if (isLiveUse)
      users.push_back(user);
  }
  return users;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool KernelPrinter::pointsToConst(Value pointer) {
  SmallVector<Value> worklist{pointer};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
        OpOperand *init = loop.getTiedLoopInit(argument);
        worklist.append({init->get(), loop.getTiedLoopYieldedValue(argument)->get()});
      } else if (func.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getReadonlyAttrName())) {
        return true;
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      worklist.push_back(loop.getTiedLoopRegionIterArg(cast<OpResult>(value)));
    else
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()))
          worklist.push_back(operand);
  }
  return false;
}

void KernelPrinter::setAlias(Value value, Value of) {
  Expr expr = get(of); // a copy: the map may move its entries
  exprs[value] = std::move(expr);
}

std::string KernelPrinter::getTypeName(Value value) {
  Type type = value.getType();
  if (type.isInteger(1))
    return "bool";
  if (type.isInteger(64))
    return "long long";
  if (type.isF32())
    return "float";
  if (auto vector = dyn_cast<VectorType>(type))
    return "float" + std::to_string(vector.getNumElements());
  if (isa<MemRefType>(type))
    return pointsToConst(value) ? "const float *" : "float *";
  return "int";
}

/// `prefix` before `name` in camel case.
static std::string prefixed(StringRef prefix, StringRef name) {
  return (prefix + name.take_front().upper() + name.drop_front()).str();
}

/// The argument or loop-carried pointer that `pointer` is reached from.
static Value getRoot(Value pointer) {
  while (auto advance = pointer.getDefiningOp<AdvanceOp>())
    pointer = advance.getPointer();
  return pointer;
}

/// A name that tells what an unnamed value is for, or empty: what a loop carries on, a coordinate that begins at m0,
/// how much of a copy is valid, whether a coordinate is inside M, where a pointer into A points.
static std::string getNameByUse(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()->getParentOp()); loop && isa<scf::YieldOp>(use.getOwner()))
      if (StringRef name = getValueName(loop.getRegionIterArg(use.getOperandNumber())); !name.empty())
        return prefixed("next", name);
    Operation *user = use.getOwner();
    if (auto select = dyn_cast<arith::SelectOp>(user); select && select.getResult().hasOneUse())
      user = *select->user_begin();
    if (auto copy = dyn_cast<CpAsyncOp>(user); copy && value.getType().isIndex())
      if (copy.getValid() && (copy.getValid() == value || copy.getValid().getDefiningOp() == use.getOwner()))
        return "valid";
  }
  if (isa<MemRefType>(value.getType())) {
    StringRef name = getValueName(getRoot(value));
    return name.empty() ? "" : (name.take_front().lower() + name.drop_front() + "From").str();
  }
  if (auto compare = value.getDefiningOp<arith::CmpIOp>()) {
    StringRef bound = getValueName(compare.getRhs());
    bool isUpperBound = compare.getPredicate() == arith::CmpIPredicate::slt && !bound.empty();
    return isUpperBound ? prefixed("inside", bound) : "";
  }
  Value first = value;
  while (auto add = first.getDefiningOp<arith::AddIOp>())
    first = add.getLhs();
  StringRef origin = getValueName(first);
  if (first != value && origin.size() == 2 && origin.back() == '0')
    return origin.take_front().str();
  return {};
}

std::string KernelPrinter::getNameFor(Value value) const {
  if (StringRef name = getValueName(value); !name.empty())
    return name.str();
  if (std::string name = getNameByUse(value); !name.empty())
    return name;
  Type type = value.getType();
  if (Operation *op = value.getDefiningOp()) {
    if (isa<gpu::ThreadIdOp>(op))
      return "thread";
    if (isa<gpu::BlockIdOp>(op))
      return "block";
    if (isa<memref::AllocaOp>(op))
      return "regs";
  }
  if (type.isInteger(1))
    return "cond";
  if (type.isInteger(64))
    return "offset";
  if (type.isF32())
    return "value";
  if (isa<VectorType>(type))
    return "vec";
  if (isa<MemRefType>(type))
    return "from";
  return "idx";
}

void KernelPrinter::declareVariable(Value value, StringRef name, bool isMutable, StringRef initial) {
  std::string type = getTypeName(value);
  bool isPointer = isa<MemRefType>(value.getType());
  out.declaration(Twine(isMutable || isPointer ? "" : "const ") + type + (isPointer ? "" : " ") + name +
                  (initial.empty() ? "" : " = ") + initial + ";");
  Expr expr = Expr::name(name.str());
  expr.isWide = value.getType().isInteger(64);
  exprs[value] = expr;
  variables.insert(value);
}

/// Whether `op`, or an operation in it, may change what an expression with these `reads` sees.
static bool mayChange(Operation *op, ArrayRef<Value> reads) {
  auto changes = [&](Value memref) {
    Value memory = getSpace(memref) == gpu::AddressSpace::Global ? Value() : memref;
    return llvm::is_contained(reads, memory);
  };
  auto isShared = [](Value memory) { return !memory || getSpace(memory) == gpu::AddressSpace::Workgroup; };
  return op
      ->walk([&](Operation *nested) {
        bool interferes = llvm::TypeSwitch<Operation *, bool>(nested)
                              .Case([&](memref::StoreOp store) { return changes(store.getMemRef()); })
                              .Case([&](vector::StoreOp store) { return changes(store.getBase()); })
                              .Case<gpu::BarrierOp, CpAsyncOp, CpAsyncWaitOp>(
                                  [&](Operation *) { return llvm::any_of(reads, isShared); })
                              .Default(false);
        return interferes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `user` lies in a loop that `value` does not, or is a loop's bound: it is evaluated every turn. Fully
/// unrolled loops do not count: compilers share what their copies have in common.
static bool isUsedInLoop(Value value, Operation *user) {
  if (isa<scf::ForOp>(user))
    return true;
  Region *region = value.getParentRegion();
  for (Region *r = user->getParentRegion(); r != region; r = r->getParentRegion())
    if (isa<scf::ForOp>(r->getParentOp()) && !isa_and_nonnull<UnitAttr>(r->getParentOp()->getAttr("tgc.unroll")))
      return true;
  return false;
}

bool KernelPrinter::isInlined(Value value, const Expr &expr) const {
  Operation *op = value.getDefiningOp();
  if (isa<arith::ConstantOp>(op))
    return true;
  if (!getValueName(value).empty() || isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op))
    return false;
  if (expr.isSimple)
    return true;
  SmallVector<Operation *> users = getLiveUsers(value);
  if (users.size() != 1)
    return expr.isCheap && users.size() <= 3;
  Operation *user = users.front();
  size_t limit = isa<memref::StoreOp, vector::StoreOp>(user) ? kStoredLimit : kInlineLimit;
  if (expr.text.size() > limit || (expr.isCostly && isUsedInLoop(value, user)))
    return false;
  if (expr.reads.empty())
    return true;
  if (user->getBlock() != op->getBlock() || isa<scf::ForOp>(user))
    return false;
  for (Operation *between = op->getNextNode(); between != user; between = between->getNextNode())
    if (mayChange(between, expr.reads))
      return false;
  return true;
}

void KernelPrinter::define(Value value, Expr expr) {
  if (!live.contains(value) || isInlined(value, expr)) {
    exprs[value] = std::move(expr);
    return;
  }
  declareVariable(value, names.declare(getNameFor(value)), /*isMutable=*/false, expr.text);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The operation that sets all of `buffer` to +0 before anything else touches it, or null: a nest of fully unrolled
/// loops over its extents, or one store if it has one element.
static Operation *getZeroing(memref::AllocaOp buffer) {
  Operation *first = nullptr;
  for (Operation *user : buffer->getUsers()) {
    Operation *op = buffer->getBlock()->findAncestorOpInBlock(*user);
    if (op && (!first || op->isBeforeInBlock(first)))
      first = op;
  }
  SmallVector<scf::ForOp> loops;
  Operation *inner = first;
  while (auto loop = dyn_cast_or_null<scf::ForOp>(inner)) {
    if (!isa_and_nonnull<UnitAttr>(loop->getAttr("tgc.unroll")) || loop.getNumResults() > 0 ||
        getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
        !llvm::hasNItems(*loop.getBody(), 2))
      return nullptr;
    loops.push_back(loop);
    inner = &loop.getBody()->front();
  }
  auto store = dyn_cast_or_null<memref::StoreOp>(inner);
  if (!store || store.getMemRef() != buffer || !matchPattern(store.getValueToStore(), m_PosZeroFloat()))
    return nullptr;
  ArrayRef<scf::ForOp> rest = loops;
  for (auto [index, extent] : llvm::zip_equal(store.getIndices(), buffer.getType().getShape())) {
    if (extent == 1 && getConstantIntValue(index) == 0)
      continue;
    if (rest.empty())
      return nullptr;
    scf::ForOp loop = rest.front();
    if (loop.getInductionVar() != index || getConstantIntValue(loop.getUpperBound()) != extent)
      return nullptr;
    rest = rest.drop_front();
  }
  return rest.empty() ? first : nullptr;
}

void KernelPrinter::printBuffer(memref::AllocaOp buffer) {
  std::string name = names.declare(getNameFor(buffer));
  exprs[buffer] = Expr::name(name);
  if (!live.contains(buffer))
    return;
  unsigned alignment = 4;
  for (Operation *user : buffer->getUsers()) {
    if (auto load = dyn_cast<vector::LoadOp>(user))
      alignment = std::max<unsigned>(alignment, 4 * load.getVectorType().getNumElements());
    if (auto store = dyn_cast<vector::StoreOp>(user))
      alignment = std::max<unsigned>(alignment, 4 * store.getVectorType().getNumElements());
  }
  std::string text = alignment > 4 ? "alignas(" + std::to_string(alignment) + ") float " : "float ";
  text += name;
  for (int64_t extent : buffer.getType().getShape())
    text += "[" + std::to_string(extent) + "]";
  if (Operation *zeroing = getZeroing(buffer)) {
    initializers.insert(zeroing);
    text += " = {}";
  }
  out.declaration(text + ";");
}

LogicalResult KernelPrinter::printStore(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  auto vectorStore = dyn_cast<vector::StoreOp>(op);
  Value memref = store ? store.getMemRef() : vectorStore.getBase();
  if (getSpace(memref) == gpu::AddressSpace::Global && pointsToConst(memref))
    return op->emitOpError("writes through a pointer that is llvm.readonly");
  Value value = store ? store.getValueToStore() : vectorStore.getValueToStore();
  if (vectorStore && !isAlignedVector(memref, vectorStore.getIndices(), vectorStore.getVectorType().getNumElements())) {
    Expr vector = get(value);
    if (!vector.isSimple) {
      std::string name = names.declare("vec");
      out.declaration("const " + getTypeName(value) + " " + name + " = " + vector.text + ";");
      vector = Expr::name(name);
    }
    for (int64_t i = 0; i < vectorStore.getVectorType().getNumElements(); ++i)
      out.statement(buildElement(memref, vectorStore.getIndices(), i).text + " = " + vector.text + "." + "xyzw"[i] +
                    ";");
    return success();
  }
  Expr element = store ? buildElement(memref, store.getIndices())
                       : buildVectorElement(memref, vectorStore.getIndices(),
                                            vectorStore.getVectorType().getNumElements(), /*isConst=*/false);
  out.statement(element.text + " = " + get(value).text + ";");
  return success();
}

void KernelPrinter::printYield(scf::ForOp loop) {
  struct Assignment {
    Value variable, value;
    std::string text;      ///< of the new value
    DenseSet<Value> needs; ///< loop-carried values that `text` mentions
    bool isSaved = false;  ///< `text` is a variable declared for this
  };
  SmallVector<Assignment> pending;
  for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!live.contains(argument) || argument == value)
      continue;
    Assignment assignment{argument, value, get(value).text, {}, false};
    SmallVector<Value> worklist{value};
    while (!worklist.empty()) {
      Value part = worklist.pop_back_val();
      if (llvm::is_contained(loop.getRegionIterArgs(), part))
        assignment.needs.insert(part);
      else if (Operation *op = part.getDefiningOp(); op && !variables.contains(part))
        llvm::append_range(worklist, op->getOperands());
    }
    pending.push_back(std::move(assignment));
  }

  // Each new value is made of old ones: a variable is assigned when no other pending value mentions it.
  while (!pending.empty()) {
    auto isFree = [&](const Assignment &candidate) {
      return llvm::none_of(pending, [&](const Assignment &other) {
        return other.variable != candidate.variable && other.needs.contains(candidate.variable);
      });
    };
    auto *next = llvm::find_if(pending, isFree);
    if (next == pending.end()) {
      Assignment &first = pending.front();
      std::string saved = names.declare(prefixed("next", get(first.variable).text));
      bool isPointer = isa<MemRefType>(first.variable.getType());
      out.declaration((isPointer ? "" : "const ") + getTypeName(first.variable) + (isPointer ? "" : " ") + saved +
                      " = " + first.text + ";");
      first.text = saved;
      first.needs.clear();
      first.isSaved = true;
      continue;
    }
    const std::string variable = get(next->variable).text;
    // x = x + y reads better as x += y.
    Operation *op = next->value.getDefiningOp();
    bool isUpdate = !next->isSaved && !variables.contains(next->value) && op &&
                    isa<arith::AddIOp, arith::SubIOp, AdvanceOp>(op) && op->getOperand(0) == next->variable;
    if (isUpdate) {
      Expr by = get(op->getOperand(1));
      bool isMinus = isa<arith::SubIOp>(op);
      if (by.literal && *by.literal < 0 && llvm::isInt<32>(*by.literal)) {
        by.text = std::to_string(-*by.literal);
        isMinus = !isMinus;
      }
      if (by.text == "1")
        out.statement((isMinus ? "--" : "++") + variable + ";");
      else
        out.statement(variable + (isMinus ? " -= " : " += ") + by.text + ";");
    } else {
      out.statement(variable + " = " + next->text + ";");
    }
    pending.erase(next);
  }
}

LogicalResult KernelPrinter::printFor(scf::ForOp loop) {
  std::string unroll;
  if (Attribute attr = loop->getAttr("tgc.unroll")) {
    auto factor = dyn_cast<IntegerAttr>(attr);
    unroll = "#pragma unroll" + (factor ? " " + std::to_string(factor.getInt()) : "");
  }
  for (auto [argument, init, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults())) {
    if (!live.contains(argument)) {
      setAlias(argument, init);
      setAlias(result, init);
      continue;
    }
    // A loop that goes on with the variable of an earlier loop, which nothing else reads.
    auto before = init.getDefiningOp<scf::ForOp>();
    StringRef name = getValueName(argument);
    if (before && before->getBlock() == loop->getBlock() && getLiveUsers(init).size() == 1 &&
        (name.empty() || name == get(init).text)) {
      setAlias(argument, init);
      variables.insert(argument);
    } else {
      declareVariable(argument, names.declare(getNameFor(argument)), /*isMutable=*/true, get(init).text);
    }
  }

  if (!unroll.empty())
    out.directive(unroll);
  StringRef wanted = getValueName(loop.getInductionVar());
  if (auto name = dyn_cast<NameLoc>(loop.getLoc()); name && wanted.empty())
    wanted = name.getName();
  const Expr step = get(loop.getStep());
  std::string head;
  LogicalResult result = success();
  Writer::Lines body = out.capture([&] {
    NameScopes::Scope scope(names);
    constexpr StringLiteral letters[] = {"i", "j", "k", "l"};
    const auto *free = llvm::find_if(letters, [&](StringRef letter) { return !names.isVisible(letter); });
    if (wanted.empty())
      wanted = free == std::end(letters) ? StringRef("i") : StringRef(*free);
    std::string name = names.declare(wanted);
    exprs[loop.getInductionVar()] = Expr::name(name);
    Expr upper = get(loop.getUpperBound());
    head = "for (int " + name + " = " + get(loop.getLowerBound()).text + "; " + name + " < " +
           (upper.precedence <= Precedence::Relational ? "(" + upper.text + ")" : upper.text) + "; " +
           (step.literal == 1 ? "++" + name : name + " += " + step.text) + ")";
    result = printBody(*loop.getBody());
    if (succeeded(result))
      printYield(loop);
  });
  if (failed(result))
    return failure();
  out.block(head, std::move(body));
  for (auto [value, argument] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs())) {
    setAlias(value, argument);
    if (variables.contains(argument))
      variables.insert(value);
  }
  return success();
}

LogicalResult KernelPrinter::printIf(scf::IfOp branch) {
  SmallVector<unsigned> used;
  SmallVector<std::string> variableNames;
  for (OpResult result : branch.getResults()) {
    if (!live.contains(result)) {
      exprs[result] = Expr::name("0");
      continue;
    }
    used.push_back(result.getResultNumber());
    variableNames.push_back(names.declare(getNameFor(result)));
  }

  LogicalResult result = success();
  auto printBranch = [&](Region &region, bool assigns) {
    return out.capture([&] {
      if (region.empty() || failed(result))
        return;
      NameScopes::Scope scope(names);
      Block &block = region.front();
      result = printBody(block);
      if (failed(result) || !assigns)
        return;
      for (auto [i, name] : llvm::zip_equal(used, variableNames))
        out.statement(name + " = " + get(block.getTerminator()->getOperand(i)).text + ";");
    });
  };
  const Expr condition = get(branch.getCondition());
  if (used.empty()) {
    Writer::Lines thenBody = printBranch(branch.getThenRegion(), false);
    Writer::Lines elseBody = printBranch(branch.getElseRegion(), false);
    if (failed(result))
      return failure();
    if (!thenBody.empty())
      out.ifElse(condition.text, std::move(thenBody), std::move(elseBody));
    else if (!elseBody.empty())
      out.ifElse(condition.precedence < Precedence::Unary ? "!(" + condition.text + ")" : "!" + condition.text,
                 std::move(elseBody), {});
    return success();
  }

  Writer::Lines thenBody = printBranch(branch.getThenRegion(), true);
  Writer::Lines elseBody = printBranch(branch.getElseRegion(), true);
  if (failed(result))
    return failure();
  auto yielded = [&](scf::YieldOp yield, unsigned i) -> const Expr & { return get(yield.getOperand(used[i])); };
  auto nested = [](const Expr &expr) {
    return expr.precedence == Precedence::Ternary ? "(" + expr.text + ")" : expr.text;
  };
  // One expression a branch: a conditional expression.
  if (used.size() == 1 && thenBody.size() == 1 && elseBody.size() == 1) {
    std::string text = nested(condition) + " ? " + nested(yielded(branch.thenYield(), 0)) + " : " +
                       nested(yielded(branch.elseYield(), 0));
    declareVariable(branch.getResult(used[0]), variableNames[0], /*isMutable=*/false, text);
    return success();
  }
  // An else branch that only yields names and literals becomes the initial values.
  bool isDefault = elseBody.size() == used.size();
  for (unsigned i = 0; i < used.size(); ++i)
    isDefault &= yielded(branch.elseYield(), i).isSimple;
  for (auto [i, name] : llvm::enumerate(variableNames))
    declareVariable(branch.getResult(used[i]), name, /*isMutable=*/true,
                    isDefault ? StringRef(yielded(branch.elseYield(), i).text) : StringRef());
  if (isDefault)
    elseBody.clear();
  out.ifElse(condition.text, std::move(thenBody), std::move(elseBody));
  return success();
}

LogicalResult KernelPrinter::printOp(Operation *op) {
  if (auto comment = op->getAttrOfType<StringAttr>("tgc.comment"); comment && isLive(op))
    for (StringRef line : llvm::split(comment.getValue(), '\n'))
      out.statement("// " + line.rtrim("\\\r")); // a backslash would join the next line to the comment
  if (op->getNumRegions() > 0 && !isLive(op) && isa<scf::ForOp, scf::IfOp>(op)) {
    for (Value value : op->getResults())
      exprs[value] = Expr::name("0");
    return success();
  }
  if (initializers.contains(op))
    return success();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return printFor(loop); })
      .Case([&](scf::IfOp branch) { return printIf(branch); })
      .Case<scf::YieldOp, gpu::ReturnOp>([](Operation *) { return success(); })
      .Case<memref::StoreOp, vector::StoreOp>([&](Operation *op) { return printStore(op); })
      .Case([&](memref::AllocaOp alloca) -> LogicalResult {
        if (getSpace(alloca) != gpu::AddressSpace::Private || !alloca.getType().hasStaticShape() ||
            !alloca.getType().getElementType().isF32())
          return alloca.emitOpError() << "of " << alloca.getType()
                                      << " is not L3: private memory of f32 with a static shape (docs/threads.md)";
        printBuffer(alloca);
        return success();
      })
      .Case([&](gpu::BarrierOp) {
        out.statement("__syncthreads();");
        return success();
      })
      .Case([&](CpAsyncOp copy) -> LogicalResult {
        if (getSpace(copy.getDest()) != gpu::AddressSpace::Workgroup)
          return copy.emitOpError() << "into " << copy.getDest().getType() << ": it copies to shared memory only";
        Expr to = buildElement(copy.getDest(), copy.getDestIndices());
        Expr from = buildElement(copy.getSource(), copy.getSourceIndex());
        std::string valid = copy.getValid() ? ", " + get(copy.getValid()).text : "";
        (copy.getValid() ? helpers.copyAsyncZeroFill : helpers.copyAsync) = true;
        out.statement("copyAsync<" + Twine(copy.getBytes()) + ">(&" + to.text + ", &" + from.text + valid + ");");
        return success();
      })
      .Case([&](CpAsyncCommitOp) {
        helpers.commitCopies = true;
        out.statement("commitCopies();");
        return success();
      })
      .Case([&](CpAsyncWaitOp wait) {
        helpers.waitCopies = true;
        out.statement("waitCopies<" + Twine(wait.getInFlight()) + ">();");
        return success();
      })
      .Default([&](Operation *op) -> LogicalResult {
        FailureOr<Expr> expr = buildExpr(op);
        if (failed(expr))
          return failure();
        define(op->getResult(0), std::move(*expr));
        return success();
      });
}

LogicalResult KernelPrinter::printBody(Block &block) {
  bool isFunctionLevel = block.getParentOp() == func;
  bool wasControl = false;
  for (Operation &op : block) {
    bool isControl = isa<scf::ForOp>(op) || (isa<scf::IfOp>(op) && op.getNumResults() == 0);
    bool isPrinted = isLive(&op) && !initializers.contains(&op) && !isa<gpu::ReturnOp, arith::ConstantOp>(op);
    if (isFunctionLevel && isPrinted && (isControl || wasControl))
      out.paragraph();
    if (isPrinted)
      wasControl = isControl;
    if (failed(printOp(&op)))
      return failure();
  }
  return success();
}

std::vector<std::string> tgc::cuda::getSharedMembers(gpu::GPUFuncOp func) {
  NameScopes names;
  NameScopes::Scope scope(names);
  std::vector<std::string> members;
  for (BlockArgument buffer : func.getWorkgroupAttributions()) {
    StringRef name = getValueName(buffer);
    members.push_back(names.declare(name.empty() ? "tile" : name));
  }
  return members;
}

std::string KernelPrinter::printSignature() {
  std::string text = func.getName().str() + "(";
  for (BlockArgument argument : func.getArguments().take_front(func.getNumArguments())) {
    std::string name = getValueName(argument).str();
    if (auto attr = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tgc.name"))
      name = attr.str();
    name = names.declare(name);
    Expr expr = Expr::name(name);
    expr.isWide = argument.getType().isInteger(64);
    exprs[argument] = expr;
    variables.insert(argument);
    bool isPointer = isa<MemRefType>(argument.getType());
    if (argument.getArgNumber() > 0)
      text += ", ";
    text += getTypeName(argument);
    if (!isPointer)
      text += " ";
    else if (func.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName()))
      text += "__restrict__ ";
    text += name;
  }
  return text + ") {";
}

LogicalResult KernelPrinter::print(raw_ostream &os) {
  auto launch = func->getAttrOfType<LaunchAttr>("tgc.launch");
  auto pointer = MemRefType::get(ShapedType::kDynamic, Float32Type::get(func.getContext()));
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<MemRefType>(type) && type != pointer)
      return func.emitOpError() << "argument " << i << " has type " << type << ", expects " << pointer
                                << " (docs/threads.md)";
  NameScopes::Scope scope(names);
  markLive();
  std::string signature = printSignature();

  ArrayRef<BlockArgument> buffers = func.getWorkgroupAttributions();
  bool usesShared = llvm::any_of(buffers, [&](Value buffer) { return live.contains(buffer); });
  if (usesShared) {
    out.statement("extern __shared__ __align__(16) unsigned char sharedBytes[];");
    out.statement(sharedType + " &shared = *reinterpret_cast<" + sharedType + " *>(sharedBytes);");
    out.paragraph();
  }
  for (auto [buffer, member] : llvm::zip_equal(buffers, getSharedMembers(func)))
    exprs[buffer] = Expr::name("shared." + member);
  if (failed(printBody(func.getBody().front())))
    return failure();

  os << "extern \"C\" __global__ void __launch_bounds__(" << launch.getThreads() << ", " << launch.getMinBlocks()
     << ")\n";
  printWrapped(os, signature, 0, func.getName().size() + 1);
  out.print(os);
  os << "}\n";
  return success();
}
