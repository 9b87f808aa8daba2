//===- Simulator.cpp - runs an L3 kernel on the CPU -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Simulator/Simulator.h"
#include "AccessCosts.h"
#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;
using llvm::formatv;

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
// State
//===----------------------------------------------------------------------===//

namespace {

/// No thread.
constexpr uint16_t kNobody = 0xffff;

/// What is known of one word of shared memory. A barrier starts a new epoch; epochs start at 1.
struct WordState {
  uint32_t writeEpoch = 0, readEpoch = 0;
  uint16_t writer = kNobody;
  uint16_t reader = kNobody;      ///< the first in readEpoch,
  uint16_t otherReader = kNobody; ///< and another
  uint16_t copier = kNobody;      ///< whose cp.async is in flight
  bool written = false;
  bool byCopy = false; ///< the last write was a cp.async's
};

/// A cp.async that the issuing thread has not waited for.
struct PendingCopy {
  uint32_t word, count;
  int64_t group; ///< number of groups its thread had committed when it was issued
  float values[4];
};

struct ThreadState {
  int64_t committed = 0;
  std::vector<PendingCopy> pending; ///< oldest first
};

struct WarpState {
  uint32_t pc = 0;
  uint32_t mask = 0, all = 0; ///< active lanes; lanes that are threads
  unsigned firstThread = 0;
  bool done = false;
  std::vector<uint32_t> masks;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<float> memory; ///< private: element e of lane l at e * 32 + l
};

/// An operand as the kernel sees it.
struct GlobalOperand {
  StringRef name;
  float *data;
  bool written;
  int64_t rows, cols, ld, extent;
  bool dense; ///< no gaps between rows, or one row for all

  /// Whether elements e to e + width - 1 are all elements of the matrix.
  bool contains(int64_t e, unsigned width) const {
    if (e < 0 || e + width > extent)
      return false;
    if (dense)
      return true;
    // 32-bit division is several times faster.
    int64_t col = llvm::isUInt<32>(e) && llvm::isUInt<32>(ld) ? uint32_t(e) % uint32_t(ld) : e % ld;
    return col + width <= cols;
  }
};

/// What all blocks share.
struct Kernel {
  Program program;
  std::vector<GlobalOperand> operands;
  std::vector<std::pair<Slot, int64_t>> intArguments;
  std::vector<std::pair<Slot, float>> floatArguments;
  int64_t threads;
  int64_t maxFaults;
};

struct Fault {
  Operation *op;
  std::string message;
};

/// Kinds of faults: one operation reports each once.
enum class FaultKind {
  Overflow,
  Division,
  Bounds,
  ReadOnly,
  Alignment,
  Uninitialised,
  InFlight,
  Race,
  Barrier,
  Valid,
  Step
};

/// Runs blocks, one after another.
class Machine {
public:
  explicit Machine(const Kernel &kernel);

  /// Runs one block and returns its faults.
  std::vector<Fault> run(int64_t block);
  const SimulationResult &getCounts() const { return counts; }

private:
  void runWarp(WarpState &warp);
  /// Counts a fault; past the limit the block stops.
  template <typename... Args>
  void fault(FaultKind kind, const Instruction &at, unsigned thread, const char *format, Args &&...args) {
    if (!reported.insert({at.source, static_cast<int>(kind)}).second)
      return;
    faults.push_back({at.source, formatv("thread {0} of block {1} ", thread, block).str() +
                                     formatv(format, std::forward<Args>(args)...).str()});
    if (static_cast<int64_t>(faults.size()) >= kernel.maxFaults)
      stopped = true;
  }

  // Registers.
  const int64_t *readInts(const WarpState &warp, Slot slot, int64_t *scratch) const {
    const int64_t *at = warp.ints.data() + slot.at;
    if (!slot.uniform)
      return at;
    std::fill_n(scratch, kLanes, *at);
    return scratch;
  }
  static int64_t readInt(const WarpState &warp, Slot slot, unsigned lane) {
    return warp.ints[slot.at + (slot.uniform ? 0 : lane)];
  }
  static uint32_t readMask(const WarpState &warp, Slot condition) {
    if (condition.uniform)
      return warp.ints[condition.at] ? ~uint32_t(0) : 0;
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      mask |= uint32_t(warp.ints[condition.at + lane] != 0) << lane;
    return mask;
  }
  template <typename Visit> static void forEachLane(uint32_t mask, Visit visit) {
    for (; mask; mask &= mask - 1)
      visit(static_cast<unsigned>(llvm::countr_zero(mask)));
  }

  // Instructions.
  template <typename F> void integer(WarpState &warp, const Instruction &i, F compute);
  template <typename F> void index(WarpState &warp, const Instruction &i, const char *sign, F compute);
  template <typename F> void longInteger(WarpState &warp, const Instruction &i, const char *sign, F compute);
  template <typename F> void division(WarpState &warp, const Instruction &i, F compute);
  template <typename F> void floating(WarpState &warp, const Instruction &i, F compute);
  void loadGlobal(WarpState &warp, const Instruction &i);
  void storeGlobal(WarpState &warp, const Instruction &i);
  void loadShared(WarpState &warp, const Instruction &i);
  void storeShared(WarpState &warp, const Instruction &i);
  void loadPrivate(WarpState &warp, const Instruction &i);
  void storePrivate(WarpState &warp, const Instruction &i);
  void copyAsync(WarpState &warp, const Instruction &i);
  void waitForCopies(WarpState &warp, const Instruction &i);

  // Addresses.
  struct GlobalAddress {
    const GlobalOperand *operand;
    int64_t element;
  };
  GlobalAddress globalAddress(const WarpState &warp, const Instruction &i, unsigned lane) const {
    int64_t pointer = readInt(warp, i.a, lane);
    int64_t operand = (pointer + kPointerStride / 2) / kPointerStride;
    return {&kernel.operands[operand], pointer - operand * kPointerStride + readInt(warp, i.b, lane)};
  }
  /// In floats. What an operand's first element is away from a multiple of 128 bytes counts, the place of that does
  /// not.
  static int64_t getAddress(GlobalAddress at) {
    return reinterpret_cast<intptr_t>(at.operand->data) / int64_t(sizeof(float)) + at.element;
  }
  bool checkGlobal(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, const char *verb);
  bool checkGlobalAlignment(const Instruction &i, unsigned thread, GlobalAddress at, const char *verb);
  int64_t bufferAddress(const WarpState &warp, const Instruction &i, unsigned lane, unsigned thread, const char *verb);
  bool checkSharedAlignment(const Instruction &i, unsigned thread, int64_t word, const char *verb);
  std::string describeWord(const Instruction &i, int64_t word) const;
  bool checkSharedWrite(const Instruction &i, unsigned thread, int64_t word, const char *verb);

  const Kernel &kernel;
  const Program &program;
  const FmaLanes fmaLanes = chooseFmaLanes();
  std::vector<WarpState> warps;
  std::vector<ThreadState> threads;
  std::vector<float> shared;
  std::vector<WordState> words;
  int64_t block = 0;
  uint32_t epoch = 1;
  bool stopped = false;
  std::vector<Fault> faults;
  llvm::SmallSet<std::pair<Operation *, int>, 8> reported;
  SimulationResult counts;
};

} // namespace

Machine::Machine(const Kernel &kernel) : kernel(kernel), program(kernel.program) {
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
  ++counts.blocks;
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
    std::fill(warp.memory.begin(), warp.memory.end(), kNaN);
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
    counts.barriers += kernel.threads;
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
// Memory
//===----------------------------------------------------------------------===//

bool Machine::checkGlobal(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, const char *verb) {
  const GlobalOperand &operand = *at.operand;
  if (operand.contains(at.element, width))
    return true;
  // The first element outside.
  int64_t element = at.element;
  for (unsigned part = 0; part < width && operand.contains(element, 1); ++part)
    ++element;
  int64_t ld = std::max<int64_t>(1, operand.ld);
  int64_t row = llvm::divideFloorSigned(element, ld), col = element - row * ld;
  bool gap = row >= 0 && row < operand.rows - 1 && col >= operand.cols;
  fault(FaultKind::Bounds, i, thread,
        "{0} row {1}, column {2} of {3}, {4} its {5} x {6} elements (leading dimension {7}); guard the access", verb,
        row, col, operand.name, gap ? "in a gap between the rows of" : "outside", operand.rows, operand.cols,
        operand.ld);
  return false;
}

bool Machine::checkGlobalAlignment(const Instruction &i, unsigned thread, GlobalAddress at, const char *verb) {
  // Unsigned arithmetic: an address past the edge is no object of C++.
  uintptr_t address = reinterpret_cast<uintptr_t>(at.operand->data) + static_cast<uintptr_t>(at.element) * 4;
  if (i.alignment <= 4 || address % i.alignment == 0)
    return true;
  fault(FaultKind::Alignment, i, thread, "{0} element {1} of {2}, {3} bytes wide, {4} bytes past a multiple of {3}",
        verb, at.element, at.operand->name, i.alignment, address % i.alignment);
  return false;
}

/// The element of the block's shared or the thread's private memory that `i` accesses, or -1 after a fault.
int64_t Machine::bufferAddress(const WarpState &warp, const Instruction &i, unsigned lane, unsigned thread,
                               const char *verb) {
  const Buffer &buffer = program.buffers[i.aux];
  int64_t linear = 0;
  for (unsigned d = 0; d < i.rank; ++d) {
    int64_t index = readInt(warp, program.indices[i.firstIndex + d], lane);
    // Only the last dimension is contiguous: there a vector needs room.
    int64_t room = d + 1 == i.rank ? i.width : 1;
    if (index < 0 || index + room > buffer.shape[d]) {
      llvm::SmallVector<std::string> indices, shape;
      for (unsigned e = 0; e < i.rank; ++e) {
        indices.push_back(std::to_string(readInt(warp, program.indices[i.firstIndex + e], lane)));
        shape.push_back(std::to_string(buffer.shape[e]));
      }
      fault(FaultKind::Bounds, i, thread, "{0} {1}[{2}], {3} elements wide, outside its {4} elements", verb,
            buffer.name, llvm::join(indices, ", "), int(i.width), llvm::join(shape, " x "));
      return -1;
    }
    linear = linear * buffer.shape[d] + index;
  }
  return buffer.first + linear;
}

/// "As[0, 3, 4]".
std::string Machine::describeWord(const Instruction &i, int64_t word) const {
  const Buffer &buffer = program.buffers[i.aux];
  int64_t rest = word - buffer.first;
  llvm::SmallVector<std::string> indices(buffer.shape.size());
  for (int d = buffer.shape.size() - 1; d >= 0; --d) {
    indices[d] = std::to_string(rest % buffer.shape[d]);
    rest /= buffer.shape[d];
  }
  return buffer.name + "[" + llvm::join(indices, ", ") + "]";
}

bool Machine::checkSharedAlignment(const Instruction &i, unsigned thread, int64_t word, const char *verb) {
  // Buffers start at multiples of 16 bytes, the widest access.
  if (i.alignment <= 4 || word * 4 % i.alignment == 0)
    return true;
  fault(FaultKind::Alignment, i, thread, "{0} {1}, {2} bytes wide, {3} bytes past a multiple of {2}", verb,
        describeWord(i, word), i.alignment, word * 4 % i.alignment);
  return false;
}

/// Whether `thread` may write `word` now: no copy is in flight to it, no other thread uses it in this interval.
bool Machine::checkSharedWrite(const Instruction &i, unsigned thread, int64_t word, const char *verb) {
  const WordState &state = words[word];
  if (state.copier != kNobody) {
    fault(
        FaultKind::InFlight, i, thread,
        "{0} {1} while a cp.async of thread {2} to it is in flight; a tgc.cp_async_wait that covers it must come first",
        verb, describeWord(i, word), state.copier);
    return false;
  }
  uint16_t user = kNobody;
  const char *use = "read";
  if (state.readEpoch == epoch)
    user = state.reader != thread ? state.reader : state.otherReader;
  if (user == kNobody && state.writeEpoch == epoch && state.writer != thread) {
    user = state.writer;
    use = "wrote";
  }
  if (user == kNobody)
    return true;
  fault(FaultKind::Race, i, thread, "{0} {1}, which thread {2} {3} with no gpu.barrier in between", verb,
        describeWord(i, word), user, use);
  return false;
}

void Machine::loadGlobal(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    GlobalAddress at = globalAddress(warp, i, lane);
    access.add(lane, getAddress(at));
    unsigned thread = warp.firstThread + lane;
    bool good = checkGlobal(i, thread, at, i.width, "reads") && checkGlobalAlignment(i, thread, at, "reads");
    for (unsigned part = 0; part < i.width; ++part)
      dst[part * kLanes + lane] = good ? at.operand->data[at.element + part] : std::numeric_limits<float>::quiet_NaN();
  });
  counts.globalLoads += {1, countSectors(access)};
}

void Machine::storeGlobal(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    GlobalAddress at = globalAddress(warp, i, lane);
    access.add(lane, getAddress(at));
    unsigned thread = warp.firstThread + lane;
    if (!at.operand->written) {
      fault(FaultKind::ReadOnly, i, thread, "writes {0}, which the kernel declares read only", at.operand->name);
      return;
    }
    if (!checkGlobal(i, thread, at, i.width, "writes") || !checkGlobalAlignment(i, thread, at, "writes"))
      return;
    for (unsigned part = 0; part < i.width; ++part)
      at.operand->data[at.element + part] = value[part * kLanes + lane];
  });
  counts.globalStores += {1, countSectors(access)};
}

void Machine::loadShared(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t first = bufferAddress(warp, i, lane, thread, "reads");
    access.add(lane, std::max<int64_t>(first, 0));
    bool good = first >= 0 && checkSharedAlignment(i, thread, first, "reads");
    for (unsigned part = 0; part < i.width; ++part) {
      float &value = dst[part * kLanes + lane];
      if (!good) {
        value = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      int64_t word = first + part;
      WordState &state = words[word];
      value = shared[word];
      if (state.copier != kNobody)
        fault(FaultKind::InFlight, i, thread,
              "reads {0} while a cp.async of thread {1} to it is in flight; a tgc.cp_async_wait that covers it, then a "
              "gpu.barrier, must come first",
              describeWord(i, word), state.copier);
      else if (!state.written)
        fault(FaultKind::Uninitialised, i, thread, "reads {0}, which no thread has written", describeWord(i, word));
      else if (state.writeEpoch == epoch && state.writer != thread)
        fault(FaultKind::Race, i, thread,
              state.byCopy
                  ? "reads {0}, which a cp.async that thread {1} waited for has written with no gpu.barrier in "
                    "between"
                  : "reads {0}, which thread {1} wrote with no gpu.barrier in between",
              describeWord(i, word), state.writer);
      if (state.readEpoch != epoch) {
        state.readEpoch = epoch;
        state.reader = thread;
        state.otherReader = kNobody;
      } else if (state.reader != thread) {
        state.otherReader = thread;
      }
    }
  });
  counts.sharedLoads += {1, countWavefronts(access, /*isLoad=*/true)};
}

void Machine::storeShared(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t first = bufferAddress(warp, i, lane, thread, "writes");
    if (first < 0 || !checkSharedAlignment(i, thread, first, "writes"))
      return;
    access.add(lane, first);
    for (unsigned part = 0; part < i.width; ++part) {
      int64_t word = first + part;
      checkSharedWrite(i, thread, word, "writes");
      WordState &state = words[word];
      state.written = true;
      state.byCopy = false;
      state.writeEpoch = epoch;
      state.writer = thread;
      shared[word] = value[part * kLanes + lane];
    }
  });
  counts.sharedStores += {1, countWavefronts(access, /*isLoad=*/false)};
}

void Machine::loadPrivate(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  bool uniform = true;
  for (unsigned d = 0; d < i.rank; ++d)
    uniform &= program.indices[i.firstIndex + d].uniform;
  if (uniform) {
    int64_t at = bufferAddress(warp, i, 0, warp.firstThread + llvm::countr_zero(warp.mask), "reads");
    if (at >= 0)
      std::copy_n(warp.memory.data() + at * kLanes, i.width * kLanes, dst);
    return;
  }
  forEachLane(warp.mask, [&](unsigned lane) {
    int64_t at = bufferAddress(warp, i, lane, warp.firstThread + lane, "reads");
    for (unsigned part = 0; part < i.width && at >= 0; ++part)
      dst[part * kLanes + lane] = warp.memory[(at + part) * kLanes + lane];
  });
}

void Machine::storePrivate(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  bool uniform = warp.mask == warp.all;
  for (unsigned d = 0; d < i.rank; ++d)
    uniform &= program.indices[i.firstIndex + d].uniform;
  if (uniform) {
    int64_t at = bufferAddress(warp, i, 0, warp.firstThread, "writes");
    if (at >= 0)
      std::copy_n(value, i.width * kLanes, warp.memory.data() + at * kLanes);
    return;
  }
  forEachLane(warp.mask, [&](unsigned lane) {
    int64_t at = bufferAddress(warp, i, lane, warp.firstThread + lane, "writes");
    for (unsigned part = 0; part < i.width && at >= 0; ++part)
      warp.memory[(at + part) * kLanes + lane] = value[part * kLanes + lane];
  });
}

void Machine::copyAsync(WarpState &warp, const Instruction &i) {
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t valid = i.hasValid ? readInt(warp, i.c, lane) : i.width;
    if (valid < 0 || valid > i.width) {
      fault(FaultKind::Valid, i, thread, "copies {0} valid elements of {1}; the number is in the range 0 to {1}", valid,
            int(i.width));
      valid = std::clamp<int64_t>(valid, 0, i.width);
    }
    GlobalAddress from = globalAddress(warp, i, lane);
    if (valid > 0) // without, nothing is read
      access.add(lane, getAddress(from));
    int64_t first = bufferAddress(warp, i, lane, thread, "copies to");
    if (first < 0)
      return;
    checkSharedAlignment(i, thread, first, "copies to");
    bool good = checkGlobalAlignment(i, thread, from, "copies") &&
                (valid == 0 || checkGlobal(i, thread, from, valid, "copies"));
    PendingCopy copy;
    copy.word = first;
    copy.count = i.width;
    copy.group = threads[thread].committed;
    for (unsigned part = 0; part < i.width; ++part) {
      copy.values[part] = part >= valid ? 0.0f
                          : good        ? from.operand->data[from.element + part]
                                        : std::numeric_limits<float>::quiet_NaN();
      checkSharedWrite(i, thread, first + part, "copies to");
      WordState &state = words[first + part];
      state.copier = thread;
      // The copy may land at any time from now on.
      state.writeEpoch = epoch;
      state.writer = thread;
    }
    threads[thread].pending.push_back(copy);
  });
  counts.asyncCopies += {1, countSectors(access)};
}

void Machine::waitForCopies(WarpState &warp, const Instruction &i) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint16_t number = warp.firstThread + lane;
    ThreadState &thread = threads[number];
    int64_t limit = thread.committed - static_cast<int64_t>(i.aux);
    size_t landed = 0;
    for (; landed < thread.pending.size() && thread.pending[landed].group < limit; ++landed) {
      const PendingCopy &copy = thread.pending[landed];
      for (unsigned part = 0; part < copy.count; ++part) {
        WordState &state = words[copy.word + part];
        state.copier = kNobody;
        state.written = true;
        state.byCopy = true;
        state.writeEpoch = epoch;
        state.writer = number;
        shared[copy.word + part] = copy.values[part];
      }
    }
    thread.pending.erase(thread.pending.begin(), thread.pending.begin() + landed);
  });
}

//===----------------------------------------------------------------------===//
// One warp to its next barrier
//===----------------------------------------------------------------------===//

void Machine::runWarp(WarpState &warp) {
  int64_t *const ints = warp.ints.data();
  float *const floats = warp.floats.data();
  while (!stopped && !warp.done) {
    const Instruction &i = program.code[warp.pc++];
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
      fmaLanes(floats + i.dst.at, floats + i.a.at, floats + i.b.at, floats + i.c.at);
      counts.fma += llvm::popcount(warp.mask);
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

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

/// "'acc': " for an operation whose result, or which itself, has a name that its location does not show.
static std::string describeName(Operation *op) {
  auto loc = dyn_cast<NameLoc>(op->getNumResults() == 1 ? op->getResult(0).getLoc() : op->getLoc());
  return loc && !isa<UnknownLoc>(loc.getChildLoc()) ? ("'" + loc.getName().strref() + "': ").str() : std::string();
}

FailureOr<SimulationResult> tgc::simulate(gpu::GPUFuncOp func, const KernelInterface &interface, Problem &problem,
                                          const SimulatorOptions &options) {
  auto variant = llvm::find_if(interface.variants,
                               [&](const KernelVariant &candidate) { return candidate.symbol == func.getName(); });
  assert(variant != interface.variants.end() && "expected a variant of the kernel");
  auto pointerOf = [&](StringRef name) -> uintptr_t {
    for (const HostOperand &operand : problem.getOperands())
      if (operand.name == name)
        return reinterpret_cast<uintptr_t>(operand.data);
    return 0;
  };
  for (FactAttr fact : variant->facts)
    if (!factHolds(fact, interface, problem.getSpec(), pointerOf))
      return func.emitOpError() << "cannot run this problem: " << describeBrokenFact(fact, interface, problem.getSpec())
                                << ", which its tgc.facts demand";
  auto program = sim::compile(func);
  if (failed(program))
    return failure();

  Kernel kernel;
  kernel.program = std::move(*program);
  kernel.threads = variant->threads;
  kernel.maxFaults = std::max<int64_t>(1, options.maxFaults);
  const ProblemSpec &spec = problem.getSpec();
  const int64_t sizes[] = {spec.m, spec.n, spec.k};
  unsigned size = 0, scalar = 0;
  for (auto [argument, slot] : llvm::zip(interface.arguments, kernel.program.arguments)) {
    switch (argument.kind) {
    case KernelArgument::Size:
      kernel.intArguments.emplace_back(slot, sizes[size++]);
      break;
    case KernelArgument::Pointer: {
      kernel.intArguments.emplace_back(slot, kernel.operands.size() * kPointerStride);
      const HostOperand &operand = problem.getOperands()[kernel.operands.size()];
      kernel.operands.push_back({operand.name, operand.data, operand.written, operand.rows, operand.cols, operand.ld,
                                 operand.getExtent(), operand.ld <= operand.cols || operand.rows <= 1});
      break;
    }
    case KernelArgument::LeadingDimension:
      kernel.intArguments.emplace_back(slot, kernel.operands.empty() ? 0 : kernel.operands.back().ld);
      break;
    case KernelArgument::Scalar:
      kernel.floatArguments.emplace_back(slot, problem.getScalars()[scalar++]);
      break;
    }
  }

  int64_t grid = int64_t(llvm::divideCeil(spec.m, variant->tileM)) * int64_t(llvm::divideCeil(spec.n, variant->tileN));
  if (grid > kMaxGrid)
    return func.emitOpError() << "needs a grid of " << grid << " blocks; a grid has at most " << kMaxGrid;
  assert(llvm::all_of(options.blocks, [&](int64_t block) { return block >= 0 && block < grid; }) &&
         "expected blocks of the grid");
  int64_t count = options.blocks.empty() ? grid : options.blocks.size();

  // Blocks are taken in order. Those after the first faulty one are left out; those before it have all been started, so
  // that its faults are the same in every run.
  std::atomic<int64_t> next{0}, firstFaulty{count};
  std::mutex mutex;
  std::vector<Fault> faults;
  SimulationResult result;
  int64_t workers = std::min<int64_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  llvm::parallelFor(0, workers, [&](size_t) {
    Machine machine(kernel);
    for (int64_t at = next++; at < firstFaulty; at = next++) {
      std::vector<Fault> found = machine.run(options.blocks.empty() ? at : options.blocks[at]);
      if (found.empty())
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      if (at < firstFaulty) {
        firstFaulty = at;
        faults = std::move(found);
      }
    }
    std::lock_guard<std::mutex> lock(mutex);
    result += machine.getCounts();
  });

  for (const Fault &fault : faults)
    fault.op->emitError() << describeName(fault.op) << fault.message;
  if (!faults.empty())
    return failure();
  return result;
}
