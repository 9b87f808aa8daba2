//===- KernelReport.h - why a kernel is as fast as it is -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One structure per kernel and size, written as text, JSON and HTML. docs/report.md explains it, docs/metrics.md every
// metric.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_REPORT_KERNELREPORT_H
#define TGC_REPORT_KERNELREPORT_H

#include "tgc/Runtime/Problem.h"
#include "tgc/Simulator/Simulator.h"
#include "tgc/Support/Machines.h"
#include "tgc/Target/PTX/PTX.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

namespace tgc {

/// What a pass decided (tgc/Support/Decisions.h), with its place in the tile program.
struct DecisionRecord {
  enum Kind { Default, Done, Declined } kind;
  std::string pass, clause, kernel, message;
  unsigned line = 0, column = 0; ///< 0: unknown
};

/// Collects the remarks of a context from now on, of all kernels. `decisions` must outlive the context's engine.
mlir::LogicalResult collectDecisions(mlir::MLIRContext &context, std::vector<DecisionRecord> &decisions);

/// What all operations of one line of the tile program did.
struct LineCount {
  unsigned line = 0;
  std::string text; ///< of the line, without space around it
  int64_t fma = 0;  ///< by threads; all else by warps
  AccessCount sharedLoads, sharedStores, globalLoads, globalStores, asyncCopies, asyncCopyStores;
  int64_t barriers = 0, waits = 0, otherInstructions = 0;
};

/// How the first warp accesses the banks of shared memory in operations that do so alike: at one line, of one kind and
/// width, to one buffer, and with the same distances between lanes.
struct BankPattern {
  unsigned line = 0;
  OperationKind kind;
  unsigned width;        ///< in words
  SharedRequest request; ///< of the first of them
  int64_t operations = 1;

  /// The wavefronts of `request` that are there because of conflicts.
  int64_t getConflicts() const;
};

/// How many blocks fit on an SM, and what keeps more away, by NVIDIA's cuda_occupancy.h.
struct Occupancy {
  int64_t blocksPerSm = 0;
  std::vector<std::string> limits; ///< "registers", "shared memory", "warps", "blocks"
};

/// A number that says something about a kernel.
struct Metric {
  llvm::StringRef id;      ///< "shared_load_conflicts"
  llvm::StringRef group;   ///< "shared memory"
  llvm::StringRef title;   ///< one line
  llvm::StringRef unit;    ///< "bytes", "" for ratios and counts
  llvm::StringRef formula; ///< in the words of docs/metrics.md
  double value;
};

/// Four digits, and a prefix for large numbers: "1.07 G".
std::string formatNumber(double value);

/// The time that one resource of the GPU, for those of SMs that of the busiest SM, needs for its share of the work if
/// nothing else held it up.
struct Bound {
  llvm::StringRef resource; ///< "fma", "issue", "lsu", "l2", "memory"
  double microseconds;
};

/// What was measured on a GPU beside the predictions.
struct Measurement {
  std::string gpu, driver, cuda, backend;
  std::string date, commit; ///< UTC, ISO 8601; of --commit
  std::string kernelHash;   ///< of the cubin
  double ms = 0;
  std::optional<double> cublasMs;
  /// The same schedule without pipeline and prefetch, if it has either.
  std::optional<double> unpipelinedMs;
  /// What ncu counted, by the names of getPredictions, if it was there.
  std::vector<std::pair<std::string, double>> counters;
  std::string countersMissing; ///< why there are none
};

struct KernelReport {
  std::string program, kernel, schedule, source; ///< path, KERNEL, SCHEDULE, text
  std::string symbol, variant;
  std::string target;
  const Machine *machine = nullptr;
  int64_t m = 0, n = 0, k = 0;
  std::string leftOperand;  ///< the M x K one
  bool readsOutput = false; ///< C's old elements are read
  KernelVariant launch;
  ScheduleAttr tiling; ///< completed; null for a kernel written at L3
  SimulationResult counts;
  std::string text; ///< of the whole program
  std::vector<LineCount> lines;
  std::vector<BankPattern> banks;
  std::vector<DecisionRecord> decisions; ///< of this variant, in the order of the program
  std::optional<KernelResources> resources;
  std::vector<std::string> assemblerNotes;
  std::string resourcesMissing; ///< why there are none
  std::optional<Occupancy> occupancy;
  std::string occupancyMissing;
  std::vector<Metric> metrics;
  std::vector<Bound> bounds; ///< longest first
  std::optional<Measurement> measured;

  std::optional<double> getMetric(llvm::StringRef id) const;
  /// Executions by threads of each kind of operation, accesses with their bytes ("shared_load_16"), in the order of
  /// OperationKind.
  std::vector<std::pair<std::string, int64_t>> getInstructions() const;
  const Metric *findMetric(llvm::StringRef id) const;
  /// What ncu should count, under the name it has in a Measurement.
  std::vector<std::pair<llvm::StringRef, double>> getPredictions() const;
};

/// A metric that is another one in the next schedule.
struct MetricMove {
  const Metric *before, *after; ///< either may be null: the other schedule has no such metric
};

/// The report before `number` of the same kernel, from which it is a step; null if it is the first.
const KernelReport *findStepBefore(llvm::ArrayRef<KernelReport> reports, size_t number);

/// Which metrics a step from one schedule to the next moved by more than a tenth, in the order of the chain. Totals
/// that follow from others are left out.
std::vector<MetricMove> compareReports(const KernelReport &before, const KernelReport &after);
/// "read traffic over the least 64 -> 8 (0.13x)".
std::string describe(const MetricMove &move);

/// What buildReport needs beside the kernel.
struct ReportInput {
  llvm::StringRef program, kernel, schedule, target;
  llvm::MemoryBufferRef text; ///< of the whole program, for its lines
  const Machine *machine = nullptr;
  llvm::ArrayRef<DecisionRecord> decisions;
  const Cubin *cubin = nullptr; ///< null: no registers, and resourcesMissing says why
  std::string resourcesMissing;
};

/// Counts and judges `func`, a variant of `interface` at L3, for the call that `problem` stands for (Problem::reserve
/// is enough). Emits an error if it cannot be counted.
mlir::FailureOr<KernelReport> buildReport(mlir::gpu::GPUFuncOp func, const KernelInterface &interface, Problem &problem,
                                          const ReportInput &input);

/// Adds the metrics that follow from what was measured.
void addMeasurement(KernelReport &report, Measurement measurement);

void writeText(const KernelReport &report, llvm::raw_ostream &os);
/// What `after` moved and what bounds it now.
void writeStep(const KernelReport &before, const KernelReport &after, llvm::raw_ostream &os);
/// One page that needs nothing else, of the schedules of one or several kernels at one size.
void writeHTML(llvm::ArrayRef<KernelReport> reports, llvm::raw_ostream &os);
/// The version of the schema of toJSON (docs/report.md). It changes when a field changes its meaning or goes away.
constexpr int64_t kReportSchema = 1;
llvm::json::Object toJSON(const KernelReport &report);
/// The step from one to the next.
llvm::json::Object toJSON(const KernelReport &before, const KernelReport &after);

} // namespace tgc

#endif
