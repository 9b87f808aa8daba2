//===- ScheduleResources.h - what a block of a schedule takes ---*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TGC_TRANSFORMS_SCHEDULERESOURCES_H
#define TGC_DIALECT_TGC_TRANSFORMS_SCHEDULERESOURCES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace tgc {

/// The numbers that tgc-check-schedule holds against the limits of a target.
struct ScheduleResources {
  /// Registers a kernel needs beside accumulators, fragments and pieces under way: addresses, counters, temporaries.
  /// Measured floor of the shipped schedules (ptxas 13.0: 128x256x8 with 176 data registers uses 196 to 212).
  static constexpr int64_t kOtherRegisters = 20;

  /// Shared memory of a block: every stage of every staged operand, padding included.
  int64_t sharedBytes = 0;
  // Registers of a thread.
  int64_t accumulators = 0;
  int64_t fragments = 0;
  int64_t copied = 0; ///< on their way from global to shared memory
  int64_t direct = 0; ///< for operands that are not staged: addresses, guards, and elements loaded ahead
  /// What `blocks_per_sm` leaves a thread.
  int64_t registerLimit = 0;

  /// The estimate for a thread.
  int64_t getRegisters() const { return accumulators + fragments + copied + direct + kOtherRegisters; }
};

/// What a block of `func` takes, a kernel at L1 whose schedule is completed. Nothing if its extents do not divide or
/// are out of range: tgc-check-schedule then says so.
std::optional<ScheduleResources> getScheduleResources(mlir::gpu::GPUFuncOp func);

} // namespace tgc

#endif
