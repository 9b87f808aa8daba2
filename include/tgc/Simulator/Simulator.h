//===- Simulator.h - runs an L3 kernel on the CPU -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SIMULATOR_SIMULATOR_H
#define TGC_SIMULATOR_SIMULATOR_H

#include "tgc/Runtime/Problem.h"
#include "tgc/Simulator/SharedRequest.h"

#include <optional>

namespace tgc {

/// Faults become errors at the location of the operation, at most `maxFaults` of them.
struct SimulatorOptions {
  int64_t maxFaults = 8;
};

/// Accesses of one kind: instructions of warps, and what the hardware makes of them.
struct AccessCount {
  int64_t requests = 0;
  int64_t units = 0;     ///< shared memory: wavefronts (passes over the banks); global memory: sectors (32 bytes)
  int64_t least = 0;     ///< units if the different words of each request lay side by side
  int64_t conflicts = 0; ///< shared memory: wavefronts because a request wants different words of one bank
  int64_t bytes = 0;     ///< that threads ask for
  int64_t lines = 0;     ///< global memory: lines of 128 bytes that L1 looks up

  AccessCount &operator+=(const AccessCount &other);
  bool operator==(const AccessCount &other) const;
  AccessCount operator*(int64_t factor) const {
    return {requests * factor, units * factor, least * factor, conflicts * factor, bytes * factor, lines * factor};
  }
};

enum class OperationKind {
  Fma,
  Float,   ///< other arithmetic of floats
  Integer, ///< and comparisons, pointers
  SharedLoad,
  SharedStore,
  GlobalLoad,
  GlobalStore,
  AsyncCopy,
  CopyControl, ///< commits and waits of asynchronous copies
  Barrier,
  Branch,  ///< iterations of loops that are not unrolled, conditions
  Register ///< moves between registers, which no machine instruction need do; unrolled loops
};

/// "shared_load".
llvm::StringRef getName(OperationKind kind);
/// Whether the machine certainly issues an instruction for it: address arithmetic is mostly folded or hoisted.
inline bool isIssued(OperationKind kind) { return kind != OperationKind::Register && kind != OperationKind::Integer; }

/// What one operation of the thread program did.
struct OperationCount {
  mlir::Operation *op = nullptr;
  OperationKind kind = OperationKind::Register;
  unsigned width = 1;  ///< of an access, in elements
  int64_t warps = 0;   ///< executions by warps,
  int64_t threads = 0; ///< by threads
  AccessCount access;  ///< of shared and global memory
  AccessCount stored;  ///< asynchronous copies: what they write to shared memory
  /// By countOperations: the first request of the first block's first warp, of accesses of shared memory; of an
  /// asynchronous copy what it writes there, in the wavefronts of a store (its own are more or fewer, but it has the
  /// same conflicts).
  std::optional<SharedRequest> firstRequest;
};

/// Blocks that do the same.
struct BlockWork {
  int64_t count;
  int64_t instructions; ///< of warps, of one block; without address arithmetic
};

/// What happened. Counts are of executed thread-level operations over all counted blocks.
struct SimulationResult {
  int64_t blocks = 0, barriers = 0, fma = 0;
  AccessCount sharedLoads, sharedStores, globalLoads, globalStores;
  AccessCount asyncCopies;     ///< units: sectors read from global memory
  AccessCount asyncCopyStores; ///< units: wavefronts of what they write to shared memory
  /// In program order; the operations that were executed.
  std::vector<OperationCount> operations;
  std::vector<BlockWork> work; ///< of countOperations alone
};

/// Runs `func` (L3) over the whole grid of the problem: warps in lockstep, shared memory that starts as NaN, cp.async
/// data visible only after the thread's wait and, to others, a barrier. Faults (docs/faults.md) are emitted as errors
/// at the operation, each once, with its line of the printed IR, those of the first block that has any; fails if there
/// was one. Also fails, with an error, if `func` is not at L3, is no variant of `interface` or has a fact that the
/// problem breaks.
mlir::FailureOr<SimulationResult> simulate(mlir::gpu::GPUFuncOp func, const KernelInterface &interface,
                                           Problem &problem, const SimulatorOptions &options = {});

/// What `simulate` would count, for any size in little time and without the operands' values (Problem::reserve is
/// enough): floats are left out, and of blocks that do the same by their place (inside, at an edge, with the same
/// alignment) one is run and its counts are multiplied. Emits an error and fails if another block of the same place
/// differs (the walk is not that of `tgc.launch`), or if a float decides where control or an access goes. Finds no
/// faults but those of integers. Also fails if a count could exceed 2^62.
mlir::FailureOr<SimulationResult> countOperations(mlir::gpu::GPUFuncOp func, const KernelInterface &interface,
                                                  Problem &problem);

} // namespace tgc

#endif
