//===- Explain.h - reports of schedules -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DRIVER_EXPLAIN_H
#define TGC_LIB_DRIVER_EXPLAIN_H

#include "Commands.h"
#include "tgc/Report/KernelReport.h"

namespace tgc {

/// The machine code of `module`; fails, and says why, if there is no assembler or it refuses. Prints nothing: what
/// ptxas warns of is in the report.
mlir::FailureOr<Cubin> assembleQuietly(mlir::ModuleOp module, Backend how, llvm::StringRef wanted,
                                       std::string &missing);

/// The target of a report: --target, else that of --gpu, else that of the GPU that is there, else none in particular.
/// Fails if --gpu is unknown, or older than --target.
llvm::Expected<std::string> getReportTarget(const GPUSession *gpu);

/// What a report is made from beside the schedule and the call.
struct ReportContext {
  llvm::StringRef wanted; ///< target; empty: the schedule's own
  const GPUSession *gpu;  ///< that times are predicted for; null: that of --gpu, or the target's
  llvm::ArrayRef<DecisionRecord> decisions;
  const Cubin *cubin;  ///< null: none,
  std::string missing; ///< and why
};

/// The report of `entry`, which is at L3, for the call that `options` describe.
llvm::Expected<KernelReport> explainSchedule(Program &program, const ScheduleEntry &entry, const RunOptions &options,
                                             const ReportContext &context);

} // namespace tgc

#endif
