//===- Machine.h - runs blocks of an L3 kernel -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_SIMULATOR_MACHINE_H
#define TGC_LIB_SIMULATOR_MACHINE_H

#include "AccessCosts.h"
#include "AccessTable.h"
#include "Fault.h"
#include "Program.h"
#include "tgc/Simulator/Simulator.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace tgc::sim {

/// What private memory holds before it is written: the bits of a NaN that no arithmetic gives.
constexpr uint32_t kUnwritten = 0x7fa0ffff;

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
  llvm::StringRef name;
  float *data;     ///< null if only counts are wanted
  int64_t address; ///< in floats, of data
  bool written;
  int64_t rows, cols, ld, extent;
  bool dense; ///< no gaps between rows, or one row for all
  /// By row and column, without gaps; only if the operand is written, and not if only counts are wanted.
  std::unique_ptr<AccessTable> accesses;

  /// Row and column of element e, wherever that is.
  std::pair<int64_t, int64_t> getPosition(int64_t e) const {
    int64_t length = std::max<int64_t>(1, ld), row = llvm::divideFloorSigned(e, length);
    return {row, e - row * length};
  }
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
  bool countOnly = false; ///< floats and the state of memory are left out
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

/// What `i` counts as.
OperationKind getKind(const Instruction &i);

/// What one instruction did.
struct Tally {
  int64_t warps = 0, threads = 0;
  AccessCount access;
  AccessCount stored; ///< of an asynchronous copy

  bool operator==(const Tally &other) const {
    return warps == other.warps && threads == other.threads && access == other.access && stored == other.stored;
  }
  bool operator!=(const Tally &other) const { return !(*this == other); }
};

/// Runs blocks, one after another.
class Machine {
public:
  explicit Machine(const Kernel &kernel);

  /// Runs one block and returns its faults.
  std::vector<Fault> run(int64_t block);
  /// By instruction, of all blocks that were run.
  llvm::ArrayRef<Tally> getTallies() const { return tallies; }
  /// Whether an access of global memory was a race, in any block so far.
  bool hasRaced() const { return raced; }
  void resetTallies() { std::fill(tallies.begin(), tallies.end(), Tally()); }
  /// From now on the first request to shared memory of each instruction in warp 0 is kept; only of a kernel that is
  /// counted.
  void keepRequests() { requests.resize(program.code.size()); }
  /// By instruction; empty without keepRequests.
  llvm::ArrayRef<std::optional<SharedRequest>> getRequests() const { return requests; }

private:
  void runWarp(WarpState &warp);
  /// Counts a fault; past the limit the block stops.
  template <typename... Args>
  void fault(FaultKind kind, const Instruction &at, unsigned thread, const char *format, Args &&...args) {
    if (!reported.insert({at.source, static_cast<int>(kind)}).second)
      return;
    faults.push_back({at.source, llvm::formatv("thread {0} of block {1} ", thread, block).str() +
                                     llvm::formatv(format, std::forward<Args>(args)...).str()});
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

  // Counts.
  /// Counts `i` without running it, if it acts on floats or memory. Returns whether it does.
  bool count(const WarpState &warp, const Instruction &i);
  void tally(const Instruction &i, const WarpAccess &access, CostCache::Memory memory, int64_t floats);
  void countGlobal(const WarpState &warp, const Instruction &i);
  void countShared(const WarpState &warp, const Instruction &i, CostCache::Memory memory);
  void countCopy(const WarpState &warp, const Instruction &i);
  WarpAccess getSharedAccess(const WarpState &warp, const Instruction &i) const;
  void tallyCopy(const WarpState &warp, const Instruction &i, const WarpAccess &from, int64_t floats);
  void keepRequest(const WarpState &warp, const Instruction &i, const WarpAccess &access, bool isLoad);

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
  /// In floats.
  static int64_t getAddress(GlobalAddress at) { return at.operand->address + at.element; }
  bool checkGlobal(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, const char *verb);
  bool checkGlobalAlignment(const Instruction &i, unsigned thread, GlobalAddress at, const char *verb);
  void checkGlobalOrder(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, bool writes);
  int64_t bufferAddress(const WarpState &warp, const Instruction &i, unsigned lane, unsigned thread, const char *verb);
  bool checkSharedAlignment(const Instruction &i, unsigned thread, int64_t word, const char *verb);
  void checkPrivateRead(const WarpState &warp, const Instruction &i, unsigned lane, int64_t at);
  std::string describeWord(const Instruction &i, int64_t word) const;
  bool checkSharedWrite(const Instruction &i, unsigned thread, int64_t word, const char *verb);

  const Kernel &kernel;
  const Program &program;
  std::vector<WarpState> warps;
  std::vector<ThreadState> threads;
  std::vector<float> shared;
  std::vector<WordState> words;
  int64_t block = 0;
  uint32_t epoch = 1;
  bool stopped = false, raced = false;
  std::vector<Fault> faults;
  llvm::SmallSet<std::pair<mlir::Operation *, int>, 8> reported;
  std::vector<Tally> tallies;
  std::vector<CostCache> costs; ///< by instruction
  std::vector<CopyCostCache> copyCosts;
  std::vector<std::optional<SharedRequest>> requests;
};

} // namespace tgc::sim

#endif
