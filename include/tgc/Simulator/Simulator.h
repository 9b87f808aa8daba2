//===- Simulator.h - runs an L3 kernel on the CPU -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SIMULATOR_SIMULATOR_H
#define TGC_SIMULATOR_SIMULATOR_H

#include "tgc/Runtime/Problem.h"

namespace tgc {

/// Faults become errors at the location of the operation, at most `maxFaults` of them.
struct SimulatorOptions {
  int64_t maxFaults = 8;
  /// Blocks to run: empty means all.
  std::vector<int64_t> blocks;
};

/// What happened. Counts are of executed thread-level operations over all simulated blocks.
/// Accesses of one kind: instructions of warps, and what the hardware makes of them.
struct AccessCount {
  int64_t requests = 0;
  int64_t units = 0; ///< shared memory: wavefronts (passes over the banks); global memory: sectors (32 bytes)

  AccessCount &operator+=(const AccessCount &other) {
    requests += other.requests;
    units += other.units;
    return *this;
  }
};

struct SimulationResult {
  int64_t blocks = 0, barriers = 0, fma = 0;
  AccessCount sharedLoads, sharedStores, globalLoads, globalStores;
  AccessCount asyncCopies; ///< units: sectors read from global memory

  SimulationResult &operator+=(const SimulationResult &other) {
    blocks += other.blocks;
    barriers += other.barriers;
    fma += other.fma;
    sharedLoads += other.sharedLoads;
    sharedStores += other.sharedStores;
    globalLoads += other.globalLoads;
    globalStores += other.globalStores;
    asyncCopies += other.asyncCopies;
    return *this;
  }
};

/// Runs `func` (L3) over the whole grid of the problem: warps in lockstep, shared memory that starts as NaN, cp.async
/// data visible only after the thread's wait and, to others, a barrier. Faults (out of bounds, misaligned,
/// uninitialised or in-flight shared read, data race, divergent barrier, index overflow) are emitted as errors at the
/// operation, each once, those of the first block that has any; fails if there was one. Also fails, with an error, if
/// `func` is not at L3, is no variant of `interface` or has a fact that the problem breaks.
mlir::FailureOr<SimulationResult> simulate(mlir::gpu::GPUFuncOp func, const KernelInterface &interface,
                                           Problem &problem, const SimulatorOptions &options = {});

} // namespace tgc

#endif
