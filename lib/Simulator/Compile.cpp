//===- Compile.cpp - L3 to warp instructions -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;

namespace {

/// Values that differ between active lanes, found by iterating to a fixed point from what is certainly different.
class Divergence {
public:
  explicit Divergence(gpu::GPUFuncOp func) {
    do {
      changed = false;
      func.getBody().walk([&](Operation *op) { visit(op); });
    } while (changed);
  }
  bool isVarying(Value value) const { return varying.contains(value); }

private:
  void mark(Value value, bool condition = true) {
    if (condition && varying.insert(value).second)
      changed = true;
  }
  bool any(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return isVarying(value); });
  }
  void visit(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      bool start = isVarying(loop.getLowerBound()) || isVarying(loop.getStep());
      mark(loop.getInductionVar(), start);
      // Lanes that leave early keep their values.
      bool trips = start || isVarying(loop.getUpperBound());
      for (auto [init, argument, yielded, result] :
           llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
        bool differs = trips || any({init, yielded, argument});
        mark(argument, differs);
        mark(result, differs);
      }
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (auto [i, result] : llvm::enumerate(branch.getResults()))
        mark(result, any({branch.getCondition(), branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)}));
      return;
    }
    bool differs = isa<gpu::ThreadIdOp, arith::CmpFOp>(op) || any(op->getOperands());
    for (Value result : op->getResults())
      mark(result, differs);
  }

  llvm::DenseSet<Value> varying;
  bool changed = false;
};

class Compiler {
public:
  explicit Compiler(gpu::GPUFuncOp func) : func(func), divergence(func) {}

  FailureOr<Program> run() {
    if (!func.getBody().hasOneBlock())
      return func.emitOpError() << "has " << func.getBody().getBlocks().size()
                                << " blocks; L3 is structured: use scf.for and scf.if";
    for (Value argument : func.getArguments().take_front(func.getFunctionType().getNumInputs()))
      program.arguments.push_back(define(argument));
    SmallVector<int64_t> offsets;
    int64_t bytes = getSharedBytes(func, &offsets);
    program.sharedElements = bytes / 4;
    for (auto [value, offset] : llvm::zip(func.getWorkgroupAttributions(), offsets))
      addBuffer(value, offset / 4);
    if (failed(compileBlock(func.getBody().front())))
      return failure();
    return std::move(program);
  }

private:
  /// A register for `value`, which is integer, pointer, f32 or a vector of f32.
  Slot define(Value value) {
    Slot slot;
    if (isFloat(value)) {
      slot.at = program.floatWords;
      program.floatWords += kLanes * getWidth(value.getType());
    } else {
      slot.uniform = !divergence.isVarying(value);
      slot.at = allocateInt(slot.uniform);
    }
    return slots[value] = slot;
  }
  uint32_t allocateInt(bool uniform) {
    uint32_t at = program.intWords;
    program.intWords += uniform ? 1 : kLanes;
    return at;
  }
  static bool isFloat(Value value) { return isa<Float32Type, VectorType>(value.getType()); }
  static bool isAccess(Operation *op) {
    return isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp, CpAsyncOp>(op);
  }
  static unsigned getWidth(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }
  Slot use(Value value) const { return slots.at(value); }

  Instruction &emit(Opcode op, Operation *source) {
    Instruction instruction;
    instruction.op = op;
    instruction.source = source;
    return program.code.emplace_back(instruction);
  }
  uint32_t here() const { return program.code.size(); }

  LogicalResult checkBuffer(Value value, Operation *at) {
    auto type = cast<MemRefType>(value.getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !type.getElementType().isF32())
      return at->emitOpError() << "has " << type << ", which is not of L3: expected f32, a static shape and no layout";
    return success();
  }
  void addBuffer(Value value, int64_t first) {
    auto type = cast<MemRefType>(value.getType());
    StringRef name = getValueName(value);
    bufferOf[value] = program.buffers.size();
    program.buffers.push_back({name.empty() ? "buffer " + std::to_string(program.buffers.size()) : name.str(),
                               SmallVector<int64_t, 4>(type.getShape()), first});
  }

  LogicalResult compileBlock(Block &block) {
    for (Operation &op : block)
      if (failed(compileOp(&op)))
        return failure();
    return success();
  }

  LogicalResult checkType(Value value) {
    Type type = value.getType();
    bool known = type.isIndex() || type.isInteger(64) || type.isInteger(1) || type.isF32();
    if (auto vector = dyn_cast<VectorType>(type))
      known = vector.getRank() == 1 && vector.getElementType().isF32() &&
              llvm::is_contained({2, 4}, vector.getNumElements());
    if (auto memref = dyn_cast<MemRefType>(type))
      known = memref.getElementType().isF32();
    if (!known)
      return emitError(value.getLoc()) << "a value of type " << type
                                       << " is not of L3: expected index, i64, i1, f32, vector<2xf32>, vector<4xf32> "
                                          "or a memref of f32";
    return success();
  }

  LogicalResult compileOp(Operation *op);
  LogicalResult compileFor(scf::ForOp loop);
  LogicalResult compileIf(scf::IfOp branch);
  LogicalResult compileAccess(Operation *op, Value memref, ValueRange indices, Value value, bool store);
  LogicalResult compileArithmetic(Operation *op);

  void copy(Slot dst, Slot src, Value like, Operation *source) {
    if (dst.at == src.at)
      return;
    Instruction &instruction = emit(isFloat(like) ? Opcode::CopyFloat : Opcode::CopyInt, source);
    instruction.dst = dst;
    instruction.a = src;
  }
  void addIndices(Instruction &instruction, ValueRange indices) {
    instruction.firstIndex = program.indices.size();
    instruction.rank = indices.size();
    for (Value index : indices)
      program.indices.push_back(use(index));
  }

  gpu::GPUFuncOp func;
  Divergence divergence;
  Program program;
  DenseMap<Value, Slot> slots;
  DenseMap<Value, uint32_t> bufferOf;
};

} // namespace

LogicalResult Compiler::compileFor(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return loop.emitOpError("compares without sign; at L3 the bounds of a loop are signed");
  SmallVector<Slot> arguments;
  for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults())) {
    if (failed(checkType(argument)))
      return failure();
    arguments.push_back(define(argument));
    slots[result] = arguments.back();
  }
  for (auto [slot, init] : llvm::zip(arguments, loop.getInitArgs()))
    copy(slot, use(init), init, loop);
  Slot iv = define(loop.getInductionVar());
  copy(iv, use(loop.getLowerBound()), loop.getInductionVar(), loop);

  uint32_t mask = program.masks++;
  Instruction &begin = emit(Opcode::LoopBegin, loop);
  begin.aux = mask;
  begin.a = use(loop.getStep());
  uint32_t test = here();
  Instruction &condition = emit(Opcode::LoopTest, loop);
  condition.a = iv;
  condition.b = use(loop.getUpperBound());
  condition.aux = mask;
  if (failed(compileBlock(*loop.getBody())))
    return failure();

  // All yielded values are read before any argument is written: they may be arguments in another order.
  SmallVector<Slot> yielded;
  for (auto [value, slot] : llvm::zip(loop.getYieldedValues(), arguments)) {
    Slot source = use(value);
    if (llvm::is_contained(loop.getRegionIterArgs(), value) && source.at != slot.at) {
      Slot scratch = source;
      if (isFloat(value)) {
        scratch.at = program.floatWords;
        program.floatWords += kLanes;
      } else {
        scratch.at = allocateInt(source.uniform);
      }
      copy(scratch, source, value, loop);
      source = scratch;
    }
    yielded.push_back(source);
  }
  for (auto [slot, source, value] : llvm::zip(arguments, yielded, loop.getYieldedValues()))
    copy(slot, source, value, loop);
  Instruction &next = emit(Opcode::LoopNext, loop);
  next.a = next.dst = iv;
  next.b = use(loop.getStep());
  next.target = test;
  program.code[test].target = here();
  return success();
}

LogicalResult Compiler::compileIf(scf::IfOp branch) {
  uint32_t mask = program.masks++;
  Slot condition = use(branch.getCondition());
  uint32_t begin = here();
  Instruction &first = emit(Opcode::IfBegin, branch);
  first.a = condition;
  first.aux = mask;
  for (Value result : branch.getResults()) {
    if (failed(checkType(result)))
      return failure();
    define(result);
  }
  auto compileRegion = [&](Block &block) -> LogicalResult {
    if (failed(compileBlock(block)))
      return failure();
    for (auto [result, value] : llvm::zip(branch.getResults(), block.getTerminator()->getOperands()))
      copy(use(result), use(value), result, branch);
    return success();
  };
  if (failed(compileRegion(*branch.thenBlock())))
    return failure();
  program.code[begin].target = here();
  if (branch.elseBlock()) {
    uint32_t otherwise = here();
    Instruction &second = emit(Opcode::IfElse, branch);
    second.a = condition;
    second.aux = mask;
    if (failed(compileRegion(*branch.elseBlock())))
      return failure();
    program.code[otherwise].target = here();
  }
  emit(Opcode::IfEnd, branch).aux = mask;
  return success();
}

LogicalResult Compiler::compileAccess(Operation *op, Value memref, ValueRange indices, Value value, bool store) {
  auto type = cast<MemRefType>(memref.getType());
  if (failed(checkType(value)))
    return failure();
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  unsigned width = getWidth(value.getType());
  Slot slot = store ? use(value) : define(value);
  Instruction instruction;
  instruction.source = op;
  instruction.width = width;
  (store ? instruction.c : instruction.dst) = slot;
  if (!type.getMemorySpace()) {
    assert(type.getRank() == 1 && "expected a pointer: getKernelInterface has checked the arguments");
    instruction.op = store ? Opcode::StoreGlobal : Opcode::LoadGlobal;
    instruction.a = use(memref);
    instruction.b = use(indices.front());
    instruction.alignment = width * sizeof(float);
  } else {
    auto buffer = bufferOf.find(memref);
    assert(space && buffer != bufferOf.end() && "expected an attribution or an alloca: compileOp has checked it");
    bool shared = space.getValue() == gpu::AddressSpace::Workgroup;
    instruction.op = shared ? (store ? Opcode::StoreShared : Opcode::LoadShared)
                            : (store ? Opcode::StorePrivate : Opcode::LoadPrivate);
    instruction.aux = buffer->second;
    instruction.alignment = shared ? width * sizeof(float) : 0;
    addIndices(instruction, indices);
  }
  program.code.push_back(instruction);
  return success();
}

LogicalResult Compiler::compileArithmetic(Operation *op) {
  bool wide = op->getNumOperands() > 0 && op->getOperand(0).getType().isInteger(64);
  std::optional<Opcode> code = llvm::TypeSwitch<Operation *, std::optional<Opcode>>(op)
                                   .Case<arith::AddIOp>([&](auto) { return wide ? Opcode::AddLong : Opcode::AddIndex; })
                                   .Case<arith::SubIOp>([&](auto) { return wide ? Opcode::SubLong : Opcode::SubIndex; })
                                   .Case<arith::MulIOp>([&](auto) { return wide ? Opcode::MulLong : Opcode::MulIndex; })
                                   .Case<arith::DivUIOp>([](auto) { return Opcode::DivU; })
                                   .Case<arith::RemUIOp>([](auto) { return Opcode::RemU; })
                                   .Case<arith::MinSIOp>([](auto) { return Opcode::MinS; })
                                   .Case<arith::MaxSIOp>([](auto) { return Opcode::MaxS; })
                                   .Case<arith::XOrIOp>([](auto) { return Opcode::Xor; })
                                   .Case<arith::AndIOp>([](auto) { return Opcode::And; })
                                   .Case<arith::OrIOp>([](auto) { return Opcode::Or; })
                                   .Case<arith::CmpIOp>([](auto) { return Opcode::Compare; })
                                   .Case<arith::SelectOp>([](arith::SelectOp select) {
                                     return isFloat(select.getResult()) ? Opcode::SelectFloat : Opcode::SelectInt;
                                   })
                                   .Case<arith::AddFOp>([](auto) { return Opcode::AddF; })
                                   .Case<arith::SubFOp>([](auto) { return Opcode::SubF; })
                                   .Case<arith::MulFOp>([](auto) { return Opcode::MulF; })
                                   .Case<arith::DivFOp>([](auto) { return Opcode::DivF; })
                                   .Case<arith::NegFOp>([](auto) { return Opcode::NegF; })
                                   .Case<arith::MaximumFOp>([](auto) { return Opcode::MaxF; })
                                   .Case<arith::MinimumFOp>([](auto) { return Opcode::MinF; })
                                   .Case<arith::CmpFOp>([](auto) { return Opcode::CompareF; })
                                   .Case<math::FmaOp>([](auto) { return Opcode::Fma; })
                                   .Case<AdvanceOp>([](auto) { return Opcode::Advance; })
                                   .Case<gpu::ThreadIdOp>([](auto) { return Opcode::ThreadId; })
                                   .Case<gpu::BlockIdOp>([](auto) { return Opcode::BlockId; })
                                   .Default(std::nullopt);
  if (!code)
    return op->emitOpError("is no operation of L3; see docs/threads.md for those there are");
  Instruction instruction;
  instruction.op = *code;
  instruction.source = op;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Type type = compare.getLhs().getType();
    instruction.aux = static_cast<uint32_t>(compare.getPredicate());
    instruction.width = type.isInteger(1) ? 1 : type.isInteger(64) ? 64 : 32;
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.aux = static_cast<uint32_t>(compare.getPredicate());
  auto isAlongX = [](auto id) { return !id || id.getDimension() == gpu::Dimension::x; };
  if (!isAlongX(dyn_cast<gpu::ThreadIdOp>(op)) || !isAlongX(dyn_cast<gpu::BlockIdOp>(op)))
    return op->emitOpError("is not along x; blocks and grids have one dimension at L3");
  Slot *operands[] = {&instruction.a, &instruction.b, &instruction.c};
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    if (isa<VectorType>(value.getType()))
      return op->emitOpError("computes on vectors; at L3 they are only loaded and stored");
    *operands[i] = use(value);
  }
  instruction.dst = define(op->getResult(0));
  program.code.push_back(instruction);
  return success();
}

LogicalResult Compiler::compileOp(Operation *op) {
  for (Value result : op->getResults())
    if (failed(checkType(result)))
      return failure();
  for (Value operand : op->getOperands())
    if (!slots.contains(operand) && !(bufferOf.contains(operand) && isAccess(op)))
      return op->emitOpError() << "uses a value of type " << operand.getType()
                               << " that is no scalar or pointer of L3; only loads, stores and copies use a memref";
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp>([&](arith::ConstantOp constant) -> LogicalResult {
        if (auto value = dyn_cast<FloatAttr>(constant.getValue())) {
          program.floatConstants.emplace_back(define(constant).at, value.getValue().convertToFloat());
          return success();
        }
        auto value = dyn_cast<IntegerAttr>(constant.getValue());
        if (!value)
          return op->emitOpError("is no scalar; L3 has no vector constants");
        int64_t number =
            constant.getType().isInteger(1) ? value.getValue().getZExtValue() : value.getValue().getSExtValue();
        if (constant.getType().isIndex() && !llvm::isInt<32>(number))
          return op->emitOpError() << number << " does not fit the 32 bits of an index at L3; use i64";
        program.intConstants.emplace_back(define(constant).at, number);
        return success();
      })
      .Case<arith::IndexCastOp>([&](arith::IndexCastOp cast) {
        // 32 to 64 bits changes nothing in a 64-bit register.
        if (!cast.getType().isIndex() || cast.getIn().getType().isIndex()) {
          slots[cast.getResult()] = use(cast.getIn());
          return success();
        }
        Instruction instruction;
        instruction.op = Opcode::ToIndex;
        instruction.source = op;
        instruction.a = use(cast.getIn());
        instruction.dst = define(cast.getResult());
        program.code.push_back(instruction);
        return success();
      })
      .Case<memref::AllocaOp>([&](memref::AllocaOp alloca) -> LogicalResult {
        auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(alloca.getType().getMemorySpace());
        if (!space || space.getValue() != gpu::AddressSpace::Private || op->getParentOp() != func)
          return op->emitOpError("is not of L3: expected the private address space and the function's entry block");
        if (failed(checkBuffer(alloca, op)))
          return failure();
        addBuffer(alloca, program.privateElements);
        program.privateElements += alloca.getType().getNumElements();
        return success();
      })
      .Case<memref::LoadOp>([&](memref::LoadOp load) {
        return compileAccess(op, load.getMemRef(), load.getIndices(), load.getResult(), /*store=*/false);
      })
      .Case<memref::StoreOp>([&](memref::StoreOp store) {
        return compileAccess(op, store.getMemRef(), store.getIndices(), store.getValue(), /*store=*/true);
      })
      .Case<vector::LoadOp>([&](vector::LoadOp load) {
        return compileAccess(op, load.getBase(), load.getIndices(), load.getResult(), /*store=*/false);
      })
      .Case<vector::StoreOp>([&](vector::StoreOp store) {
        return compileAccess(op, store.getBase(), store.getIndices(), store.getValueToStore(), /*store=*/true);
      })
      .Case<CpAsyncOp>([&](CpAsyncOp copy) -> LogicalResult {
        auto buffer = bufferOf.find(copy.getDest());
        auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(copy.getDest().getType().getMemorySpace());
        if (!slots.contains(copy.getSource()))
          return op->emitOpError("copies from what is no pointer to global memory");
        if (buffer == bufferOf.end() || !space || space.getValue() != gpu::AddressSpace::Workgroup)
          return op->emitOpError("copies to what is no workgroup attribution");
        Instruction instruction;
        instruction.op = Opcode::CpAsync;
        instruction.source = op;
        instruction.width = copy.getBytes() / sizeof(float);
        instruction.alignment = copy.getBytes();
        instruction.aux = buffer->second;
        instruction.a = use(copy.getSource());
        instruction.b = use(copy.getSourceIndex());
        if (Value valid = copy.getValid()) {
          instruction.hasValid = true;
          instruction.c = use(valid);
        }
        addIndices(instruction, copy.getDestIndices());
        program.code.push_back(instruction);
        return success();
      })
      .Case<CpAsyncCommitOp>([&](auto) { return emit(Opcode::Commit, op), success(); })
      .Case<CpAsyncWaitOp>([&](CpAsyncWaitOp wait) -> LogicalResult {
        if (!llvm::isUInt<16>(wait.getInFlight()))
          return op->emitOpError() << "leaves " << wait.getInFlight() << " groups in flight; expected 0 to 65535";
        emit(Opcode::Wait, op).aux = wait.getInFlight();
        return success();
      })
      .Case<gpu::BarrierOp>([&](auto) { return emit(Opcode::Barrier, op), success(); })
      .Case<gpu::ReturnOp>([&](auto) { return emit(Opcode::Return, op), success(); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { return compileFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { return compileIf(branch); })
      .Case<scf::YieldOp>([](auto) { return success(); })
      .Default([&](Operation *other) { return compileArithmetic(other); });
}

FailureOr<Program> sim::compile(gpu::GPUFuncOp func) { return Compiler(func).run(); }
