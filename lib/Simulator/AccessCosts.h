//===- AccessCosts.h - what one access of a warp costs ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_SIMULATOR_ACCESSCOSTS_H
#define TGC_LIB_SIMULATOR_ACCESSCOSTS_H

#include "tgc/Simulator/SharedRequest.h"

#include <array>
#include <cstdint>

namespace tgc::sim {

/// The accesses that the lanes of a warp make in one instruction, each of `width` floats.
struct WarpAccess {
  explicit WarpAccess(unsigned width) : width(width) {}
  void add(unsigned lane, int64_t firstFloat) {
    mask |= uint32_t(1) << lane;
    floats[lane] = firstFloat;
  }

  unsigned width;                   ///< 1, 2 or 4
  uint32_t mask = 0;                ///< lanes that take part
  std::array<int64_t, 32> floats{}; ///< by lane: the first float, relative to an address aligned to 128 bytes
};

/// What the hardware makes of one access.
struct AccessCost {
  int64_t units = 0;     ///< shared memory: wavefronts; global memory: sectors
  int64_t least = 0;     ///< what as many different words take if they lie side by side
  int64_t conflicts = 0; ///< shared memory: wavefronts because different words of one bank are wanted at once
  int64_t lines = 0;     ///< global memory: different lines of 128 bytes, each looked up in L1 on its own
};

/// Wavefronts, passes over the 32 banks of shared memory. A wide access goes in parts, 16 lanes at a time for 8 bytes
/// and 8 lanes for 16 bytes; a part takes as many passes as its busiest bank holds different words. The parts of a load
/// pair up if each lane has the address of its neighbour (its number with bit 0, or else bit 1, flipped).
///
/// Equal to the wavefronts that ncu counts on an H200 (bench/results/calibrate/access-h200.csv).
AccessCost getSharedCost(const WarpAccess &access, bool isLoad);
/// The wavefronts of getSharedCost with the lanes of each: of the vectors that share banks, the first lane's goes
/// first.
std::vector<SharedRequest::Wavefront> getSharedWavefronts(const WarpAccess &access, bool isLoad);

/// Sectors, aligned pieces of 32 bytes of global memory, that `access` touches; equal to what ncu counts there for
/// loads, stores and asynchronous copies of 4 and 8 bytes (those of 16 bypass L1).
AccessCost getGlobalCost(const WarpAccess &access);

/// Wavefronts in which an asynchronous copy writes shared memory: one for each line of 128 bytes that it reads (two of
/// a copy of 16 bytes, which passes L1 by), and those of bank conflicts; what is filled with zeros alone is a store. So
/// ncu counts for the copies of GEMM (bench/results/calibrate/kernels-h200.csv).
AccessCost getCopyCost(const WarpAccess &from, const WarpAccess &to);

/// The accesses of one instruction mostly repeat: this says whether one is the last one moved as a whole.
class LastAccess {
public:
  /// Whether `access` differs from the last one but for a distance that `period` floats divide. Keeps it.
  bool change(const WarpAccess &access, int64_t period);

private:
  uint32_t mask = 0;
  int64_t phase = -1;               ///< of the first lane in the period
  std::array<int64_t, 32> floats{}; ///< relative to the first lane's; 0 for lanes that take no part
};

/// The cost in shared memory is the same wherever the whole pattern is moved to, that in global memory if it is moved
/// by whole lines.
class CostCache {
public:
  enum Memory { SharedLoad, SharedStore, Global };
  const AccessCost &get(const WarpAccess &access, Memory memory);

private:
  LastAccess last;
  AccessCost cost;
};

/// The same for getCopyCost.
class CopyCostCache {
public:
  const AccessCost &get(const WarpAccess &from, const WarpAccess &to);

private:
  LastAccess lastFrom, lastTo;
  AccessCost cost;
};

} // namespace tgc::sim

#endif
