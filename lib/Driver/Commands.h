//===- Commands.h - the commands of tgc, and what they share ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DRIVER_COMMANDS_H
#define TGC_LIB_DRIVER_COMMANDS_H

#include "Options.h"
#include "tgc/Driver/Compile.h"

namespace tgc {

llvm::Error runBuild();
llvm::Error runRun();
llvm::Error runCompare();
llvm::Error runExplain();
llvm::Error runFormat();

/// The program that the positional argument names, with the chosen kernel and schedule.
llvm::Expected<std::unique_ptr<Program>> loadInput(mlir::MLIRContext &context);
/// The same with the kernel and schedule that are given.
llvm::Expected<std::unique_ptr<Program>> loadSelected(mlir::MLIRContext &context, llvm::StringRef kernel,
                                                      llvm::StringRef schedule);
/// The one schedule of a command that compiles one.
llvm::Expected<const ScheduleEntry *> getOnlyEntry(const Program &program);

/// A GPU if one is wanted and there; null for the simulator. `note` says why auto chose the simulator.
llvm::Expected<std::unique_ptr<GPUSession>> openGPU(std::string &note);
/// The target whose limits and machine code are wanted: --target, else that of the GPU, else none in particular.
std::string getWantedTarget(const GPUSession *gpu);

/// --backend, for a command that takes one.
llvm::Expected<Backend> getOneBackend();

/// Warns if the simulator will take minutes.
void warnOfSlowSimulation(const ProblemSpec &spec);
/// The same of counting, whose time grows with K alone.
void warnOfSlowCounting(const ProblemSpec &spec);

/// "passed", "WRONG", "NOT REPEATABLE" or "FAULT".
llvm::StringRef getVerdict(const RunOutcome &outcome);
/// Fills in what the run itself does not know.
void finishRecord(RunOutcome &outcome, Program &program, const ScheduleEntry &entry,
                  std::optional<Backend> backendUsed);
/// The hash of the CUDA text of a schedule: what identifies a kernel that has no machine code.
llvm::Expected<uint64_t> hashText(Program &program, const ScheduleEntry &entry);

/// Writes `text` to `path` ("-": standard output), the value of `option`. A regular file, also behind a link, appears
/// or changes only once all is written, and keeps its permissions; anything else (a pipe, a device) is written
/// straight.
llvm::Error writeText(llvm::StringRef option, llvm::StringRef path, llvm::StringRef text);

} // namespace tgc

#endif
