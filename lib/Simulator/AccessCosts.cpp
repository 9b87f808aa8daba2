//===- AccessCosts.cpp - what one access of a warp costs --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessCosts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace tgc::sim;

static constexpr unsigned kLanes = 32, kBanks = 32, kFloatsPerSector = 8;

/// Whether every lane has the address of the lane whose number differs from its own in the bit `bit`, if both take
/// part.
static bool shareAddresses(const WarpAccess &access, unsigned bit) {
  auto takesPart = [&](unsigned lane) { return access.mask >> lane & 1; };
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (takesPart(lane) && takesPart(lane ^ bit) && access.floats[lane] != access.floats[lane ^ bit])
      return false;
  return true;
}

/// Passes for lanes first to first + count - 1: the most different vectors that fall on the same banks.
static int64_t countPasses(const WarpAccess &access, unsigned first, unsigned count) {
  unsigned columns = kBanks / access.width; // vectors side by side in one pass
  std::array<llvm::SmallVector<int64_t, 4>, kBanks> seen;
  size_t most = 0;
  for (unsigned lane = first; lane < first + count; ++lane) {
    if (!(access.mask >> lane & 1))
      continue;
    int64_t vector = access.floats[lane] / access.width;
    llvm::SmallVector<int64_t, 4> &column = seen[vector % columns];
    if (!llvm::is_contained(column, vector))
      column.push_back(vector);
    most = std::max(most, column.size());
  }
  return most;
}

int64_t tgc::sim::countWavefronts(const WarpAccess &access, bool isLoad) {
  unsigned lanes = kLanes / access.width;
  if (isLoad && access.width > 1 && (shareAddresses(access, 1) || shareAddresses(access, 2)))
    lanes *= 2;
  int64_t wavefronts = 0;
  for (unsigned first = 0; first < kLanes; first += lanes)
    wavefronts += countPasses(access, first, lanes);
  return wavefronts;
}

int64_t tgc::sim::countSectors(const WarpAccess &access) {
  llvm::SmallVector<int64_t, kLanes> sectors;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (access.mask >> lane & 1)
      sectors.push_back(access.floats[lane] / kFloatsPerSector);
  llvm::sort(sectors);
  return std::unique(sectors.begin(), sectors.end()) - sectors.begin();
}
