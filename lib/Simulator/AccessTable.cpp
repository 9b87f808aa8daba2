//===- AccessTable.cpp - who has accessed an element of the output ---------===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessTable.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <sys/mman.h>

using namespace tgc::sim;

namespace {

/// What one word keeps of an element. All zeros: nobody has accessed it.
struct Entry {
  static constexpr uint64_t kSeveralBlocks = 0xffffffff;
  static constexpr uint64_t kLastEpoch = (1 << 19) - 1; ///< this one and those after it: they order nothing

  uint64_t block : 32;  ///< plus 1; kSeveralBlocks have read, none has written
  uint64_t thread : 10; ///< of the last access,
  uint64_t wrote : 1;   ///< which was a write
  uint64_t several : 1; ///< other threads, too, have read in this epoch
  uint64_t written : 1; ///< the block has written at some time
  uint64_t epoch : 19;
};
static_assert(sizeof(Entry) == sizeof(uint64_t));

} // namespace

/// The race of `access` with what `entry` keeps, or `entry` with `access` added.
static std::optional<AccessTable::Race> update(Entry &entry, const AccessTable::Access &access) {
  const uint64_t block = static_cast<uint64_t>(access.block) + 1;
  const uint64_t epoch = std::min<uint64_t>(access.epoch, Entry::kLastEpoch);
  auto race = [&](bool several) {
    return AccessTable::Race{bool(entry.wrote), several, static_cast<int64_t>(entry.block) - 1,
                             static_cast<unsigned>(entry.thread)};
  };
  if (entry.block != 0 && entry.block != block) {
    if (access.writes || entry.written) // the last thread is not the one that wrote if it read
      return race(entry.several || entry.block == Entry::kSeveralBlocks || entry.wrote != entry.written);
    entry = Entry{Entry::kSeveralBlocks, 0, 0, 1, 0, 0};
    return std::nullopt;
  }
  // Epochs that are not told apart are taken as ordered.
  bool unordered = entry.block == block && entry.epoch == epoch && epoch != Entry::kLastEpoch;
  bool isOther = entry.thread != access.thread;
  if (unordered && ((access.writes && (isOther || entry.several)) || (entry.wrote && isOther)))
    return race(entry.several);
  if (unordered && !access.writes) { // a read after reads, or after this thread's own access
    entry.several |= isOther;
    return std::nullopt;
  }
  entry = Entry{block, access.thread, access.writes, 0, uint64_t(access.writes || entry.written), epoch};
  return std::nullopt;
}

AccessTable::AccessTable(int64_t elements) : bytes(elements * static_cast<int64_t>(sizeof(Entry))) {
  if (elements == 0)
    return;
  // Zeros that take memory only where they are touched.
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, /*fd=*/-1, 0);
  if (memory == MAP_FAILED)
    llvm::report_bad_alloc_error("the simulator's table of accesses");
  entries = static_cast<std::atomic<uint64_t> *>(memory);
}

AccessTable::~AccessTable() {
  if (entries)
    munmap(entries, bytes);
}

void AccessTable::clear() {
  if (entries)
    madvise(entries, bytes, MADV_DONTNEED);
}

std::optional<AccessTable::Race> AccessTable::add(int64_t element, const Access &access) {
  std::atomic<uint64_t> &word = entries[element];
  uint64_t old = word.load(std::memory_order_relaxed);
  while (true) {
    Entry entry = llvm::bit_cast<Entry>(old);
    std::optional<Race> race = update(entry, access);
    if (race || word.compare_exchange_weak(old, llvm::bit_cast<uint64_t>(entry), std::memory_order_relaxed))
      return race;
  }
}
