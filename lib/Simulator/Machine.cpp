//===- Machine.cpp - runs blocks of an L3 kernel -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;

//===----------------------------------------------------------------------===//
// Arithmetic of 32 lanes
//===----------------------------------------------------------------------===//

static void fmaLanesGeneric(float *dst, const float *a, const float *b, const float *c) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    dst[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
}

using FmaLanes = void (*)(float *, const float *, const float *, const float *);

#if defined(__x86_64__)
/// x86-64 itself has no fma; the library's is right but slow.
__attribute__((target("avx2,fma"))) static void fmaLanesAVX2(float *__restrict dst, const float *a, const float *b,
                                                             const float *c) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    dst[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
}

static FmaLanes chooseFmaLanes() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? fmaLanesAVX2 : fmaLanesGeneric;
}
#else
static FmaLanes chooseFmaLanes() { return fmaLanesGeneric; }
#endif

static const FmaLanes kFmaLanes = chooseFmaLanes();

/// IEEE 754-2019 maximum: NaN wins, and -0 is less than +0.
static float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<float>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

static float minimum(float a, float b) { return -maximum(-a, -b); }

static bool compareFloats(arith::CmpFPredicate predicate, float a, float b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates handled");
}

/// `width` is the number of bits of the operands, for the unsigned predicates.
static bool compareInts(arith::CmpIPredicate predicate, unsigned width, int64_t a, int64_t b) {
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t ua = uint64_t(a) & mask, ub = uint64_t(b) & mask;
  // i1 true is -1 when signed.
  if (width == 1)
    a = -a, b = -b;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  llvm_unreachable("all predicates handled");
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Machine::Machine(const Kernel &kernel) : kernel(kernel), program(kernel.program) {
  tallies.resize(program.code.size());
  costs.resize(program.code.size());
  copyCosts.resize(program.code.size());
  warps.resize(llvm::divideCeil(kernel.threads, kLanes));
  threads.resize(warps.size() * kLanes);
  shared.resize(program.sharedElements);
  words.resize(program.sharedElements);
  for (auto [i, warp] : llvm::enumerate(warps)) {
    warp.firstThread = i * kLanes;
    int64_t lanes = std::min<int64_t>(kLanes, kernel.threads - warp.firstThread);
    warp.all = llvm::maskTrailingOnes<uint32_t>(lanes);
    warp.masks.resize(program.masks);
    warp.ints.resize(program.intWords);
    warp.floats.resize(program.floatWords);
    warp.memory.resize(program.privateElements * kLanes);
    // Nothing else writes these registers.
    for (auto [at, value] : program.intConstants)
      warp.ints[at] = value;
    for (auto [slot, value] : kernel.intArguments)
      warp.ints[slot.at] = value;
    for (auto [at, value] : program.floatConstants)
      std::fill_n(warp.floats.begin() + at, kLanes, value);
    for (auto [slot, value] : kernel.floatArguments)
      std::fill_n(warp.floats.begin() + slot.at, kLanes, value);
  }
}

std::vector<Fault> Machine::run(int64_t number) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  block = number;
  epoch = 1;
  stopped = false;
  faults.clear();
  reported.clear();
  std::fill(shared.begin(), shared.end(), kNaN);
  std::fill(words.begin(), words.end(), WordState());
  for (ThreadState &thread : threads) {
    thread.committed = 0;
    thread.pending.clear();
  }
  for (WarpState &warp : warps) {
    warp.pc = 0;
    warp.mask = warp.all;
    warp.done = false;
    std::fill(warp.memory.begin(), warp.memory.end(), llvm::bit_cast<float>(kUnwritten));
  }

  while (!stopped) {
    // One interval between barriers; each warp stops after the barrier it arrives at.
    for (WarpState &warp : warps) {
      runWarp(warp);
      if (stopped)
        return std::move(faults);
    }
    const WarpState &first = warps.front();
    for (const WarpState &warp : warps) {
      if (warp.pc == first.pc)
        continue;
      const WarpState &waiting = first.done ? warp : first, &other = first.done ? first : warp;
      fault(FaultKind::Barrier, program.code[waiting.pc - 1], waiting.firstThread,
            "waits at this gpu.barrier, but thread {0} {1}; all threads of a block must arrive at the same barrier",
            other.firstThread, other.done ? "has ended" : "waits at another");
      return std::move(faults);
    }
    if (first.done)
      break;
    ++epoch;
  }
  return std::move(faults);
}

//===----------------------------------------------------------------------===//
// Integers and floats
//===----------------------------------------------------------------------===//

template <typename F> void Machine::integer(WarpState &warp, const Instruction &i, F compute) {
  int64_t *dst = warp.ints.data() + i.dst.at;
  if (i.dst.uniform) {
    *dst = compute(warp.ints[i.a.at], warp.ints[i.b.at]);
    return;
  }
  int64_t scratchA[kLanes], scratchB[kLanes];
  const int64_t *a = readInts(warp, i.a, scratchA), *b = readInts(warp, i.b, scratchB);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    dst[lane] = compute(a[lane], b[lane]);
}

template <typename F> void Machine::index(WarpState &warp, const Instruction &i, const char *sign, F compute) {
  // Operands fit 32 bits, so that the 64-bit result is exact; inactive lanes hold anything.
  integer(warp, i, [&](int64_t a, int64_t b) {
    return static_cast<int64_t>(compute(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  });
  int64_t *dst = warp.ints.data() + i.dst.at;
  uint64_t outside = 0;
  for (unsigned lane = 0; lane < (i.dst.uniform ? 1 : kLanes); ++lane)
    outside |= static_cast<uint64_t>(dst[lane]) + 0x80000000 > 0xffffffff;
  if (!outside)
    return;
  forEachLane(i.dst.uniform ? warp.mask & -warp.mask : warp.mask, [&](unsigned lane) {
    int64_t &value = dst[i.dst.uniform ? 0 : lane];
    if (llvm::isInt<32>(value))
      return;
    fault(FaultKind::Overflow, i, warp.firstThread + lane,
          "computes {0} {1} {2} = {3}, which does not fit the 32 bits of an index; compute it in i64",
          readInt(warp, i.a, lane), sign, readInt(warp, i.b, lane), value);
    value = static_cast<int32_t>(value);
  });
}

/// `compute(a, b, result)` returns whether it overflowed, as __builtin_add_overflow does.
template <typename F> void Machine::longInteger(WarpState &warp, const Instruction &i, const char *sign, F compute) {
  uint32_t lanes = i.dst.uniform ? warp.mask & -warp.mask : warp.mask;
  forEachLane(lanes, [&](unsigned lane) {
    int64_t a = readInt(warp, i.a, lane), b = readInt(warp, i.b, lane), result;
    if (compute(a, b, &result))
      fault(FaultKind::Overflow, i, warp.firstThread + lane, "computes {0} {1} {2}, which does not fit 64 bits", a,
            sign, b);
    warp.ints[i.dst.at + (i.dst.uniform ? 0 : lane)] = result;
  });
}

template <typename F> void Machine::division(WarpState &warp, const Instruction &i, F compute) {
  uint32_t lanes = i.dst.uniform ? warp.mask & -warp.mask : warp.mask;
  forEachLane(lanes, [&](unsigned lane) {
    int64_t a = readInt(warp, i.a, lane), b = readInt(warp, i.b, lane), result = 0;
    if (b == 0)
      fault(FaultKind::Division, i, warp.firstThread + lane, "divides {0} by 0", a);
    else if (a < 0 || b < 0)
      fault(FaultKind::Division, i, warp.firstThread + lane,
            "divides {0} by {1}; operands of an unsigned division are at least 0", a, b);
    else
      result = compute(a, b);
    warp.ints[i.dst.at + (i.dst.uniform ? 0 : lane)] = result;
  });
}

template <typename F> void Machine::floating(WarpState &warp, const Instruction &i, F compute) {
  float *dst = warp.floats.data() + i.dst.at;
  const float *a = warp.floats.data() + i.a.at, *b = warp.floats.data() + i.b.at;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    dst[lane] = compute(a[lane], b[lane]);
}

//===----------------------------------------------------------------------===//
// One warp to its next barrier
//===----------------------------------------------------------------------===//

void Machine::runWarp(WarpState &warp) {
  int64_t *const ints = warp.ints.data();
  float *const floats = warp.floats.data();
  while (!stopped && !warp.done) {
    Tally &tally = tallies[warp.pc];
    const Instruction &i = program.code[warp.pc++];
    ++tally.warps;
    tally.threads += llvm::popcount(warp.mask);
    if (kernel.countOnly && count(warp, i))
      continue;
    switch (i.op) {
    case Opcode::AddIndex:
      index(warp, i, "+", [](uint64_t a, uint64_t b) { return a + b; });
      break;
    case Opcode::SubIndex:
      index(warp, i, "-", [](uint64_t a, uint64_t b) { return a - b; });
      break;
    case Opcode::MulIndex:
      index(warp, i, "*", [](uint64_t a, uint64_t b) { return a * b; });
      break;
    case Opcode::AddLong:
      longInteger(warp, i, "+", [](int64_t a, int64_t b, int64_t *r) { return __builtin_add_overflow(a, b, r); });
      break;
    case Opcode::SubLong:
      longInteger(warp, i, "-", [](int64_t a, int64_t b, int64_t *r) { return __builtin_sub_overflow(a, b, r); });
      break;
    case Opcode::MulLong:
      longInteger(warp, i, "*", [](int64_t a, int64_t b, int64_t *r) { return __builtin_mul_overflow(a, b, r); });
      break;
    case Opcode::DivU:
      division(warp, i, [](int64_t a, int64_t b) { return a / b; });
      break;
    case Opcode::RemU:
      division(warp, i, [](int64_t a, int64_t b) { return a % b; });
      break;
    case Opcode::MinS:
      integer(warp, i, [](int64_t a, int64_t b) { return std::min(a, b); });
      break;
    case Opcode::MaxS:
      integer(warp, i, [](int64_t a, int64_t b) { return std::max(a, b); });
      break;
    case Opcode::Xor:
      integer(warp, i, [](int64_t a, int64_t b) { return a ^ b; });
      break;
    case Opcode::And:
      integer(warp, i, [](int64_t a, int64_t b) { return a & b; });
      break;
    case Opcode::Or:
      integer(warp, i, [](int64_t a, int64_t b) { return a | b; });
      break;
    case Opcode::Compare: {
      auto predicate = static_cast<arith::CmpIPredicate>(i.aux);
      integer(warp, i, [&](int64_t a, int64_t b) { return compareInts(predicate, i.width, a, b); });
      break;
    }
    case Opcode::SelectInt:
      for (unsigned lane = 0; lane < (i.dst.uniform ? 1 : kLanes); ++lane)
        ints[i.dst.at + lane] = readInt(warp, readInt(warp, i.a, lane) ? i.b : i.c, lane);
      break;
    case Opcode::ToIndex:
      forEachLane(i.dst.uniform ? warp.mask & -warp.mask : warp.mask, [&](unsigned lane) {
        int64_t value = readInt(warp, i.a, lane);
        if (!llvm::isInt<32>(value))
          fault(FaultKind::Overflow, i, warp.firstThread + lane,
                "casts {0}, which does not fit the 32 bits of an index", value);
        ints[i.dst.at + (i.dst.uniform ? 0 : lane)] = static_cast<int32_t>(value);
      });
      break;
    case Opcode::Advance:
      forEachLane(i.dst.uniform ? warp.mask & -warp.mask : warp.mask, [&](unsigned lane) {
        int64_t pointer = readInt(warp, i.a, lane), by = readInt(warp, i.b, lane);
        int64_t operand = (pointer + kPointerStride / 2) / kPointerStride;
        int64_t offset = pointer - operand * kPointerStride, moved;
        if (__builtin_add_overflow(offset, by, &moved) || moved < -kMaxPointerOffset || moved > kMaxPointerOffset) {
          fault(FaultKind::Overflow, i, warp.firstThread + lane,
                "advances a pointer to {0} by {1} elements, out of the address space", kernel.operands[operand].name,
                by);
          moved = offset;
        }
        ints[i.dst.at + (i.dst.uniform ? 0 : lane)] = operand * kPointerStride + moved;
      });
      break;
    case Opcode::ThreadId:
      for (unsigned lane = 0; lane < kLanes; ++lane)
        ints[i.dst.at + lane] = warp.firstThread + lane;
      break;
    case Opcode::BlockId:
      ints[i.dst.at] = block;
      break;
    case Opcode::CopyInt:
      if (i.dst.uniform)
        ints[i.dst.at] = ints[i.a.at];
      else
        forEachLane(warp.mask, [&](unsigned lane) { ints[i.dst.at + lane] = readInt(warp, i.a, lane); });
      break;

    case Opcode::AddF:
      floating(warp, i, [](float a, float b) { return a + b; });
      break;
    case Opcode::SubF:
      floating(warp, i, [](float a, float b) { return a - b; });
      break;
    case Opcode::MulF:
      floating(warp, i, [](float a, float b) { return a * b; });
      break;
    case Opcode::DivF:
      floating(warp, i, [](float a, float b) { return a / b; });
      break;
    case Opcode::NegF:
      floating(warp, i, [](float a, float) { return -a; });
      break;
    case Opcode::MaxF:
      floating(warp, i, maximum);
      break;
    case Opcode::MinF:
      floating(warp, i, minimum);
      break;
    case Opcode::Fma:
      kFmaLanes(floats + i.dst.at, floats + i.a.at, floats + i.b.at, floats + i.c.at);
      break;
    case Opcode::CompareF: {
      auto predicate = static_cast<arith::CmpFPredicate>(i.aux);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        ints[i.dst.at + lane] = compareFloats(predicate, floats[i.a.at + lane], floats[i.b.at + lane]);
      break;
    }
    case Opcode::SelectFloat:
      for (unsigned lane = 0; lane < kLanes; ++lane)
        floats[i.dst.at + lane] = floats[(readInt(warp, i.a, lane) ? i.b.at : i.c.at) + lane];
      break;
    case Opcode::CopyFloat:
      forEachLane(warp.mask, [&](unsigned lane) { floats[i.dst.at + lane] = floats[i.a.at + lane]; });
      break;

    case Opcode::LoadGlobal:
      loadGlobal(warp, i);
      break;
    case Opcode::StoreGlobal:
      storeGlobal(warp, i);
      break;
    case Opcode::LoadShared:
      loadShared(warp, i);
      break;
    case Opcode::StoreShared:
      storeShared(warp, i);
      break;
    case Opcode::LoadPrivate:
      loadPrivate(warp, i);
      break;
    case Opcode::StorePrivate:
      storePrivate(warp, i);
      break;
    case Opcode::CpAsync:
      copyAsync(warp, i);
      break;
    case Opcode::Commit:
      forEachLane(warp.mask, [&](unsigned lane) { ++threads[warp.firstThread + lane].committed; });
      break;
    case Opcode::Wait:
      waitForCopies(warp, i);
      break;

    case Opcode::LoopBegin:
      warp.masks[i.aux] = warp.mask;
      forEachLane(i.a.uniform ? warp.mask & -warp.mask : warp.mask, [&](unsigned lane) {
        if (int64_t step = readInt(warp, i.a, lane); step <= 0) {
          fault(FaultKind::Step, i, warp.firstThread + lane, "enters a loop with step {0}; a step is at least 1", step);
          stopped = true;
        }
      });
      break;
    case Opcode::LoopTest:
      if (i.a.uniform && i.b.uniform) {
        if (ints[i.a.at] >= ints[i.b.at])
          warp.mask = 0;
      } else {
        uint32_t inside = 0;
        for (unsigned lane = 0; lane < kLanes; ++lane)
          inside |= uint32_t(readInt(warp, i.a, lane) < readInt(warp, i.b, lane)) << lane;
        warp.mask &= inside;
      }
      if (!warp.mask) {
        warp.mask = warp.masks[i.aux];
        warp.pc = i.target;
      }
      break;
    case Opcode::LoopNext:
      index(warp, i, "+", [](uint64_t a, uint64_t b) { return a + b; });
      warp.pc = i.target;
      break;
    case Opcode::IfBegin:
      warp.masks[i.aux] = warp.mask;
      warp.mask &= readMask(warp, i.a);
      if (!warp.mask)
        warp.pc = i.target;
      break;
    case Opcode::IfElse:
      warp.mask = warp.masks[i.aux] & ~readMask(warp, i.a);
      if (!warp.mask)
        warp.pc = i.target;
      break;
    case Opcode::IfEnd:
      warp.mask = warp.masks[i.aux];
      break;
    case Opcode::Barrier:
      if (uint32_t absent = warp.all & ~warp.mask) {
        fault(FaultKind::Barrier, i, warp.firstThread + llvm::countr_zero(absent),
              "does not arrive at this gpu.barrier, at which thread {0} waits; all threads of a block must arrive at "
              "the same barrier",
              warp.firstThread + llvm::countr_zero(warp.mask));
        stopped = true;
      }
      return;
    case Opcode::Return:
      warp.done = true;
      break;
    }
  }
}
