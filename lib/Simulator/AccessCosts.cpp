//===- AccessCosts.cpp - what one access of a warp costs --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessCosts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tgc::sim;

static constexpr unsigned kLanes = 32, kBanks = 32, kFloatsPerSector = 8, kFloatsPerLine = 32;

/// Whether every lane has the address of the lane whose number differs from its own in the bit `bit`, if both take
/// part.
static bool shareAddresses(const WarpAccess &access, unsigned bit) {
  auto takesPart = [&](unsigned lane) { return access.mask >> lane & 1; };
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (takesPart(lane) && takesPart(lane ^ bit) && access.floats[lane] != access.floats[lane ^ bit])
      return false;
  return true;
}

/// Passes for lanes first to first + count - 1: the most different vectors that fall on the same banks. Calls `visit`
/// with each lane and the number of its pass.
template <typename Visit>
static int64_t countPasses(const WarpAccess &access, unsigned first, unsigned count, Visit visit) {
  unsigned columns = kBanks / access.width; // vectors side by side in one pass
  std::array<llvm::SmallVector<int64_t, 4>, kBanks> seen;
  size_t most = 0;
  for (unsigned lane = first; lane < first + count; ++lane) {
    if (!(access.mask >> lane & 1))
      continue;
    int64_t vector = access.floats[lane] / access.width;
    llvm::SmallVector<int64_t, 4> &column = seen[vector % columns];
    size_t pass = llvm::find(column, vector) - column.begin();
    if (pass == column.size())
      column.push_back(vector);
    visit(lane, pass);
    most = std::max(most, column.size());
  }
  return most;
}

/// Different aligned pieces of `size` floats that the lanes' first floats lie in.
static int64_t countPieces(const WarpAccess &access, int64_t size) {
  llvm::SmallVector<int64_t, kLanes> pieces;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (access.mask >> lane & 1)
      pieces.push_back(access.floats[lane] / size);
  llvm::sort(pieces);
  return std::unique(pieces.begin(), pieces.end()) - pieces.begin();
}

/// As many different words side by side, in pieces of `size` words.
static int64_t getLeast(const WarpAccess &access, int64_t size) {
  return llvm::divideCeil(countPieces(access, 1) * access.width, size);
}

/// How many lanes are served together.
static unsigned getPartLanes(const WarpAccess &access, bool isLoad) {
  unsigned lanes = kLanes / access.width;
  bool pairs = isLoad && access.width > 1 && (shareAddresses(access, 1) || shareAddresses(access, 2));
  return pairs ? 2 * lanes : lanes;
}

std::vector<tgc::SharedRequest::Wavefront> tgc::sim::getSharedWavefronts(const WarpAccess &access, bool isLoad) {
  std::vector<SharedRequest::Wavefront> wavefronts;
  unsigned lanes = getPartLanes(access, isLoad);
  for (unsigned first = 0; first < kLanes; first += lanes) {
    size_t start = wavefronts.size();
    countPasses(access, first, lanes, [&](unsigned lane, size_t pass) {
      if (start + pass == wavefronts.size())
        wavefronts.push_back({0, /*conflict=*/pass > 0});
      wavefronts[start + pass].lanes |= uint32_t(1) << lane;
    });
  }
  return wavefronts;
}

AccessCost tgc::sim::getSharedCost(const WarpAccess &access, bool isLoad) {
  unsigned lanes = getPartLanes(access, isLoad);
  AccessCost cost;
  for (unsigned first = 0; first < kLanes; first += lanes) {
    int64_t passes = countPasses(access, first, lanes, [](unsigned, size_t) {});
    cost.units += passes;
    cost.conflicts += std::max<int64_t>(passes - 1, 0);
  }
  cost.least = getLeast(access, kBanks);
  return cost;
}

AccessCost tgc::sim::getGlobalCost(const WarpAccess &access) {
  AccessCost cost;
  cost.units = countPieces(access, kFloatsPerSector);
  cost.lines = countPieces(access, kFloatsPerLine);
  cost.least = getLeast(access, kFloatsPerSector);
  return cost;
}

AccessCost tgc::sim::getCopyCost(const WarpAccess &from, const WarpAccess &to) {
  AccessCost cost = getSharedCost(to, /*isLoad=*/false);
  int64_t lines = countPieces(from, kFloatsPerLine);
  if (lines == 0)
    return cost;
  constexpr unsigned kWidest = 4;
  cost.units = lines * (from.width == kWidest ? 2 : 1) + cost.conflicts;
  return cost;
}

bool LastAccess::change(const WarpAccess &access, int64_t period) {
  int64_t first = access.mask ? access.floats[llvm::countr_zero(access.mask)] : 0;
  bool same = mask == access.mask && phase == first % period;
  for (unsigned lane = 0; lane < kLanes && same; ++lane)
    same = floats[lane] == (access.mask >> lane & 1 ? access.floats[lane] - first : 0);
  if (same)
    return false;
  mask = access.mask;
  phase = first % period;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    floats[lane] = access.mask >> lane & 1 ? access.floats[lane] - first : 0;
  return true;
}

const AccessCost &CostCache::get(const WarpAccess &access, Memory memory) {
  if (last.change(access, memory == Global ? kFloatsPerLine : 1))
    cost = memory == Global ? getGlobalCost(access) : getSharedCost(access, memory == SharedLoad);
  return cost;
}

const AccessCost &CopyCostCache::get(const WarpAccess &from, const WarpAccess &to) {
  bool changed = lastFrom.change(from, kFloatsPerLine);
  if (lastTo.change(to, 1) || changed)
    cost = getCopyCost(from, to);
  return cost;
}
