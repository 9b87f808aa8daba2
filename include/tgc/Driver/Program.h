//===- Program.h - an input file and the schedules in it --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_PROGRAM_H
#define TGC_DRIVER_PROGRAM_H

#include "tgc/Driver/Semantics.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tgc {

/// One schedule of one kernel: a gpu.module of a file.
struct ScheduleEntry {
  std::string name;     ///< of the gpu.module: KERNEL_SCHEDULE
  std::string kernel;   ///< "sgemm"
  std::string schedule; ///< "naive"; the whole name if the file does not tell kernel and schedule apart
  Semantics semantics;  ///< after Program::readSemantics
};

/// Which schedules of a file are meant. Empty: all of them.
struct Selection {
  std::string kernel, schedule;
};

/// The error of a command whose diagnostics have been printed already.
class ReportedError : public llvm::ErrorInfo<ReportedError> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "diagnostics above"; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// Loads every dialect that a file or a back end may need, so that schedules can be compiled in parallel.
void loadAllDialects(mlir::MLIRContext &context);

/// A tile program (`.tgc`) or MLIR at L1, L2 or L3 (`.mlir`), reduced to the selected schedules. While it lives,
/// diagnostics of its context are printed with the source line.
class Program {
public:
  /// Reads `path` ("-": standard input, MLIR). Fails if the file cannot be read, is malformed (diagnostics are
  /// printed), or has no such schedule; the error then names the nearest one and lists all.
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::StringRef path, const Selection &selection,
                                                       mlir::MLIRContext &context);
  /// The same for the text of the file `path`.
  static llvm::Expected<std::unique_ptr<Program>> load(std::unique_ptr<llvm::MemoryBuffer> text, llvm::StringRef path,
                                                       const Selection &selection, mlir::MLIRContext &context);

  llvm::StringRef getPath() const { return path; }
  /// The text as it was read, and the name that locations in it have.
  llvm::MemoryBufferRef getText() const { return *sources->getMemoryBuffer(sources->getMainFileID()); }
  mlir::ModuleOp getModule() { return *module; }
  /// The selected schedules, in file order.
  llvm::ArrayRef<ScheduleEntry> getEntries() const { return entries; }
  /// The gpu.module of an entry.
  mlir::gpu::GPUModuleOp getModule(const ScheduleEntry &entry);
  /// A copy of the module that holds the gpu.module of `entry` alone.
  mlir::OwningOpRef<mlir::ModuleOp> extract(const ScheduleEntry &entry);

  /// Reads what every selected schedule computes, for the reference; before lowering, which drops it. Diagnostics are
  /// printed.
  llvm::Error readSemantics();
  /// Lowers every selected schedule to L3, unless all are there already. `target` ("sm_90") has the limits that hold;
  /// empty: each schedule's own. With `after`, tile-level passes after that one are left out. Diagnostics are
  /// printed.
  llvm::Error lowerToThreads(llvm::StringRef target, llvm::StringRef after);
  /// Runs the pipeline up to and with pass `after`.
  llvm::Error runUpTo(llvm::StringRef target, llvm::StringRef after);

private:
  Program() = default;
  llvm::Error raiseLinalg();
  llvm::Error select(const Selection &selection);
  llvm::Error lower(llvm::StringRef target, llvm::StringRef after, bool stop);

  std::string path;
  std::shared_ptr<llvm::SourceMgr> sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> handler;
  /// Errors so far; one of a clause that several schedules share is printed once.
  llvm::StringSet<> reported;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> repetitions;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ScheduleEntry> entries;
};

} // namespace tgc

#endif
