//===- Execute.h - runs a schedule and checks its result --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_EXECUTE_H
#define TGC_DRIVER_EXECUTE_H

#include "tgc/Driver/Program.h"
#include "tgc/Driver/Records.h"
#include "tgc/Runtime/GPUProblem.h"
#include "tgc/Simulator/Simulator.h"
#include "tgc/Target/PTX/PTX.h"

namespace tgc {

/// How to run: `tgc run` and `tgc compare`.
struct RunOptions {
  ProblemSpec spec;
  std::string variant;    ///< forced, by name; empty: the first whose facts hold
  int64_t launches = 1;   ///< GPU: launches whose results have to be bit-equal
  bool timing = true;     ///< GPU: measure, and compare with cuBLAS
  std::string dumpFolder; ///< where operands and C are written; empty: nowhere
};

/// What became of a run.
struct RunOutcome {
  RunRecord record; ///< without program, schedule, backend, date and commit
  KernelVariant variant;
  /// False: the simulator reported faults, which are printed; the rest is then empty.
  bool completed = true;
  Verdict verdict;
  std::optional<SimulationResult> simulation;
  /// The first launch whose result differs from that of launch 1; 0 if all are equal.
  int64_t differentLaunch = 0;
  /// Why there is no cuBLAS time, if one was wanted.
  std::string cublasMissing;
  std::string cublasVersion;

  bool isGood() const { return completed && verdict.passed && differentLaunch == 0; }
};

/// Runs `entry`, which is at L3, on the simulator.
/// The variant that `options` name, or else the one that the host chooses for a call with the addresses of `problem`.
llvm::Expected<KernelVariant> getVariant(const KernelInterface &interface, const RunOptions &options, Problem &problem);

llvm::Expected<RunOutcome> runOnSimulator(Program &program, const ScheduleEntry &entry, const RunOptions &options);

/// A GPU with cuBLAS, if that is there.
class GPUSession {
public:
  static llvm::Expected<std::unique_ptr<GPUSession>> open();

  const cuda::DeviceInfo &getInfo() const { return device->getInfo(); }
  /// Runs `entry`, which is at L3, from its cubin.
  llvm::Expected<RunOutcome> run(Program &program, const ScheduleEntry &entry, const Cubin &cubin,
                                 const RunOptions &options);

private:
  GPUSession() = default;
  llvm::Error measure(GPUProblem &problem, const ScheduleEntry &entry, const cuda::Function &function,
                      RunOutcome &outcome);

  std::unique_ptr<cuda::Device> device;
  std::unique_ptr<CuBLAS> blas;
  std::string blasMissing;
};

} // namespace tgc

#endif
