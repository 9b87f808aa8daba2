//===- AccessTable.h - who has accessed an element of the output *- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_SIMULATOR_ACCESSTABLE_H
#define TGC_LIB_SIMULATOR_ACCESSTABLE_H

#include <atomic>
#include <cstdint>
#include <optional>

namespace tgc::sim {

/// The last accesses to each element of one global operand in one launch, kept by many blocks at a time. Two accesses
/// of an element are a race if one of them writes and nothing orders them: a gpu.barrier between them orders those of
/// one block, nothing those of two.
class AccessTable {
public:
  struct Access {
    int64_t block;
    unsigned thread;
    uint32_t epoch; ///< barriers of the block before it, plus 1
    bool writes;
  };
  /// The earlier access of a race. If it is one of several, which one it is is not known.
  struct Race {
    bool wrote, several;
    int64_t block;
    unsigned thread;
  };

  explicit AccessTable(int64_t elements);
  ~AccessTable();
  AccessTable(const AccessTable &) = delete;
  AccessTable &operator=(const AccessTable &) = delete;

  /// Notes an access, and says which earlier one it races with. Of blocks that run at the same time, the one that came
  /// first is the earlier.
  std::optional<Race> add(int64_t element, const Access &access);
  /// Forgets all accesses.
  void clear();

private:
  std::atomic<uint64_t> *entries = nullptr;
  int64_t bytes;
};

} // namespace tgc::sim

#endif
