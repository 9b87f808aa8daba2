//===- KernelReport.cpp - why a kernel is as fast as it is -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Report/KernelReport.h"

#include "Metrics.h"
#include "Occupancy.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace tgc;

/// Line and column of the tile program, or of the MLIR file; null if `loc` has none.
static FileLineColLoc findPlace(Location loc) {
  FileLineColLoc place;
  loc->walk([&](Location inner) {
    place = dyn_cast<FileLineColLoc>(inner);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

namespace {
class DecisionCollector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit DecisionCollector(std::vector<DecisionRecord> &decisions) : decisions(decisions) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    DecisionRecord decision;
    switch (remark.getRemarkType()) {
    case llvm::remarks::Type::Analysis:
      decision.kind = DecisionRecord::Default;
      break;
    case llvm::remarks::Type::Missed:
      decision.kind = DecisionRecord::Declined;
      break;
    default:
      decision.kind = DecisionRecord::Done;
      break;
    }
    decision.pass = remark.getCategoryName().str();
    decision.clause = remark.getRemarkName().str();
    decision.kernel = remark.getFunction().str();
    for (const auto &argument : remark.getArgs())
      decision.message += argument.val;
    if (FileLineColLoc place = findPlace(remark.getLocation())) {
      decision.line = place.getLine();
      decision.column = place.getColumn();
    }
    decisions.push_back(std::move(decision));
  }

private:
  std::vector<DecisionRecord> &decisions;
};
} // namespace

LogicalResult tgc::collectDecisions(MLIRContext &context, std::vector<DecisionRecord> &decisions) {
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis = "tgc-.*"; // `all` alone does nothing
  return remark::enableOptimizationRemarks(context, std::make_unique<DecisionCollector>(decisions),
                                           std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

/// Whether a remark about `kernel` is about `symbol`: it is that, or what it was before it became variants.
static bool concerns(StringRef kernel, StringRef symbol, StringRef variant) {
  return kernel == symbol || (!variant.empty() && (kernel + "_" + variant).str() == symbol);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static void addToLine(LineCount &line, const OperationCount &count) {
  switch (count.kind) {
  case OperationKind::Fma:
    line.fma += count.threads;
    break;
  case OperationKind::SharedLoad:
    line.sharedLoads += count.access;
    break;
  case OperationKind::SharedStore:
    line.sharedStores += count.access;
    break;
  case OperationKind::GlobalLoad:
    line.globalLoads += count.access;
    break;
  case OperationKind::GlobalStore:
    line.globalStores += count.access;
    break;
  case OperationKind::AsyncCopy:
    line.asyncCopies += count.access;
    line.asyncCopyStores += count.stored;
    break;
  case OperationKind::Barrier:
    line.barriers += count.warps;
    break;
  case OperationKind::CopyControl:
    line.waits += count.warps;
    break;
  case OperationKind::Float:
  case OperationKind::Integer:
  case OperationKind::Branch:
    line.otherInstructions += count.warps;
    break;
  case OperationKind::Register:
    break;
  }
}

/// Whether the lines of the operations are those of `file`; MLIR may have locations in another one.
static bool isOfFile(const SimulationResult &counts, StringRef file) {
  return llvm::all_of(counts.operations, [&](const OperationCount &count) {
    FileLineColLoc place = findPlace(count.op->getLoc());
    return !place || place.getFilename() == file;
  });
}

/// `text` is that of the lines; if it is empty they have the name of their file instead.
static std::vector<LineCount> countLines(const SimulationResult &counts, StringRef text) {
  std::map<unsigned, LineCount> lines;
  for (const OperationCount &count : counts.operations) {
    if (count.kind == OperationKind::Register)
      continue;
    FileLineColLoc place = findPlace(count.op->getLoc());
    LineCount &line = lines[place ? place.getLine() : 0];
    addToLine(line, count);
    if (place && text.empty())
      line.text = llvm::sys::path::filename(place.getFilename()).str();
  }
  SmallVector<StringRef> texts;
  text.split(texts, '\n');
  std::vector<LineCount> list;
  for (auto &[number, line] : lines) {
    line.line = number;
    if (!text.empty() && number > 0 && number <= texts.size())
      line.text = texts[number - 1].trim().str();
    list.push_back(std::move(line));
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

int64_t BankPattern::getConflicts() const {
  return llvm::count_if(request.wavefronts,
                        [](const SharedRequest::Wavefront &wavefront) { return wavefront.conflict; });
}

/// Whether the words of `b` are those of `a`, all moved by one distance, in the same wavefronts.
static bool areAlike(const SharedRequest &a, const SharedRequest &b) {
  if (a.mask != b.mask || a.buffer != b.buffer || a.wavefronts.size() != b.wavefronts.size())
    return false;
  unsigned first = llvm::countr_zero(a.mask);
  for (auto [lane, word] : llvm::enumerate(a.words))
    if (a.mask >> lane & 1 && word - a.words[first] != b.words[lane] - b.words[first])
      return false;
  return true;
}

static std::vector<BankPattern> collectBanks(const SimulationResult &counts) {
  std::vector<BankPattern> patterns;
  for (const OperationCount &count : counts.operations) {
    if (!count.firstRequest)
      continue;
    FileLineColLoc place = findPlace(count.op->getLoc());
    unsigned line = place ? place.getLine() : 0;
    auto same = llvm::find_if(patterns, [&](const BankPattern &pattern) {
      return pattern.line == line && pattern.kind == count.kind && pattern.width == count.width &&
             areAlike(pattern.request, *count.firstRequest);
    });
    if (same != patterns.end())
      ++same->operations;
    else
      patterns.push_back({line, count.kind, count.width, *count.firstRequest});
  }
  return patterns;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

std::vector<std::pair<std::string, int64_t>> KernelReport::getInstructions() const {
  std::map<std::pair<OperationKind, unsigned>, int64_t> sums;
  for (const OperationCount &count : counts.operations)
    if (count.kind != OperationKind::Register)
      sums[{count.kind, count.access.requests ? count.width : 0}] += count.threads;
  std::vector<std::pair<std::string, int64_t>> list;
  list.reserve(sums.size());
  for (auto [key, threads] : sums)
    list.emplace_back(getName(key.first).str() + (key.second ? "_" + std::to_string(4 * key.second) : ""), threads);
  return list;
}

const Metric *KernelReport::findMetric(StringRef id) const {
  auto found = llvm::find_if(metrics, [&](const Metric &metric) { return metric.id == id; });
  return found == metrics.end() ? nullptr : &*found;
}

std::optional<double> KernelReport::getMetric(StringRef id) const {
  if (const Metric *metric = findMetric(id))
    return metric->value;
  return std::nullopt;
}

std::vector<std::pair<StringRef, double>> KernelReport::getPredictions() const {
  std::vector<std::pair<StringRef, double>> list;
  auto add = [&](StringRef name, int64_t value) { list.emplace_back(name, double(value)); };
  add("fma", counts.fma);
  add("shared_load_requests", counts.sharedLoads.requests);
  add("shared_load_wavefronts", counts.sharedLoads.units);
  add("shared_load_conflicts", counts.sharedLoads.conflicts);
  add("shared_store_requests", counts.sharedStores.requests);
  add("shared_store_wavefronts", counts.sharedStores.units);
  add("shared_store_conflicts", counts.sharedStores.conflicts);
  add("global_load_requests", counts.globalLoads.requests);
  add("global_load_sectors", counts.globalLoads.units);
  add("global_store_requests", counts.globalStores.requests);
  add("global_store_sectors", counts.globalStores.units);
  add("async_copy_requests", counts.asyncCopies.requests);
  add("async_copy_sectors", counts.asyncCopies.units);
  add("async_copy_wavefronts", counts.asyncCopyStores.units);
  add("global_lines", counts.globalLoads.lines + counts.globalStores.lines + counts.asyncCopies.lines);
  for (StringRef id : {"l2_read_bytes", "memory_read_bytes"})
    if (std::optional<double> value = getMetric(id))
      list.emplace_back(id, *value);
  return list;
}

FailureOr<KernelReport> tgc::buildReport(gpu::GPUFuncOp func, const KernelInterface &interface, Problem &problem,
                                         const ReportInput &input) {
  FailureOr<SimulationResult> counts = countOperations(func, interface, problem);
  if (failed(counts))
    return failure();
  const ProblemSpec &spec = problem.getSpec();
  KernelReport report;
  report.machine = input.machine;
  report.program = input.program.str();
  report.kernel = input.kernel.str();
  report.schedule = input.schedule.str();
  report.source = interface.source;
  report.symbol = func.getName().str();
  report.target = input.target.str();
  report.m = spec.m;
  report.n = spec.n;
  report.k = spec.k;
  for (const KernelVariant &variant : interface.variants)
    if (variant.symbol == report.symbol)
      report.launch = variant;
  report.variant = report.launch.variant;
  report.readsOutput = interface.readsOutput;
  report.leftOperand = problem.getLeft().name;
  report.tiling = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
  report.counts = std::move(*counts);
  if (isOfFile(report.counts, input.text.getBufferIdentifier()))
    report.text = input.text.getBuffer().str();
  report.lines = countLines(report.counts, report.text);
  report.banks = collectBanks(report.counts);
  // In the order of the program; those of one clause in the order of the passes.
  std::multimap<std::pair<unsigned, unsigned>, DecisionRecord> ordered;
  for (const DecisionRecord &decision : input.decisions)
    if (concerns(decision.kernel, report.symbol, report.variant))
      ordered.insert({{decision.line, decision.column}, decision});
  for (auto &[place, decision] : ordered)
    report.decisions.push_back(std::move(decision));

  if (input.cubin) {
    report.assemblerNotes = input.cubin->notes;
    for (const KernelResources &resources : input.cubin->kernels)
      if (resources.symbol == report.symbol)
        report.resources = resources;
  }
  report.resourcesMissing = input.resourcesMissing;
  if (input.cubin && !report.resources)
    report.resourcesMissing = "the assembler did not say what the kernel takes";
  if (report.resources) {
    report.occupancy =
        computeOccupancy(report.machine->chip, report.launch, report.resources->registers, report.occupancyMissing);
  } else {
    report.occupancyMissing = "it needs the registers that ptxas gives: " + report.resourcesMissing;
  }
  computeMetrics(report, problem);
  return report;
}
