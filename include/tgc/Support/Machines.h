//===- Machines.h - what one GPU can do in a second -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_MACHINES_H
#define TGC_SUPPORT_MACHINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tgc {

/// A GPU that one can buy: what predictions are made for. Sources are in docs/metrics.md.
struct Machine {
  llvm::StringLiteral key;  ///< "h200", the value of --gpu
  llvm::StringLiteral name; ///< "NVIDIA H200", as the driver says it
  llvm::StringLiteral chip; ///< "sm_90"
  int64_t multiprocessors;
  int64_t clockMHz;    ///< highest boost clock
  int64_t fmaPerClock; ///< FP32, of an SM
  int64_t memoryGBps;  ///< device memory, 10^9 bytes a second
  int64_t l2Bytes;
  int64_t l2GBps;        ///< read bandwidth of L2; 0 if nobody has measured it here
  int64_t memoryLatency; ///< clocks of a load that misses L2; 0 likewise

  /// Warp instructions that an SM issues in a clock, one for each of four schedulers.
  static constexpr int64_t kIssuesPerClock = 4;
  /// Passes over the banks of shared memory that an SM makes in a clock (32 banks of 4 bytes).
  static constexpr int64_t kWavefrontsPerClock = 1;

  double getClock() const { return double(clockMHz) * 1e6; } ///< Hz
  /// 10^12 FP32 operations a second, a multiply-add as two.
  double getTeraflops() const { return 2e-12 * double(multiprocessors * fmaPerClock) * getClock(); }
};

llvm::ArrayRef<Machine> getMachines();
/// The machine with that key or that name, or null.
const Machine *findMachine(llvm::StringRef name);
/// The one that stands for a target if none is named: for sm_90 the H200.
const Machine &getMachineOf(llvm::StringRef chip);

} // namespace tgc

#endif
