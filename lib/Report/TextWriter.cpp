//===- TextWriter.cpp - a report as text -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Report/KernelReport.h"
#include "tgc/Support/Table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace tgc;

static void writeBounds(const KernelReport &report, raw_ostream &os) {
  if (report.bounds.front().microseconds == 0)
    return;
  os << formatv("\nTime on {0} ({1} SMs, {2} MHz) if one resource alone held it up\n", report.machine->name,
                report.machine->multiprocessors, report.machine->clockMHz);
  Table table({"  resource", "us", "of the longest"});
  double longest = report.bounds.front().microseconds;
  for (const Bound &bound : report.bounds)
    table.add({("  " + bound.resource).str(), formatv("{0:f1}", bound.microseconds),
               formatv("{0:f0}%", 100 * bound.microseconds / longest)});
  table.print(os);
}

static void writeMetrics(const KernelReport &report, raw_ostream &os) {
  StringRef group;
  for (const Metric &metric : report.metrics) {
    if (metric.group != group)
      os << "\n" << (group = metric.group) << "\n";
    os << formatv("  {0,-62} {1,12} {2}", metric.title, formatNumber(metric.value), metric.unit).str() << "\n";
    if (metric.id == "blocks_per_sm" && report.occupancy)
      os << "    limited by " << join(report.occupancy->limits, ", ") << "\n";
  }
  if (!report.occupancyMissing.empty())
    os << "  no occupancy: " << report.occupancyMissing << "\n";
}

static void writeAccesses(const KernelReport &report, raw_ostream &os) {
  const SimulationResult &c = report.counts;
  Table table({"  accesses of warps", "requests", "wavefronts", "sectors", "least", "conflicts", "bytes"});
  auto add = [&](StringRef name, const AccessCount &count, bool shared) {
    if (count.requests)
      table.add({("  " + name).str(), std::to_string(count.requests), shared ? std::to_string(count.units) : "",
                 shared ? "" : std::to_string(count.units), std::to_string(count.least),
                 shared ? std::to_string(count.conflicts) : "", std::to_string(count.bytes)});
  };
  add("shared loads", c.sharedLoads, true);
  add("shared stores", c.sharedStores, true);
  add("global loads", c.globalLoads, false);
  add("async copies", c.asyncCopies, false);
  add("  into shared memory", c.asyncCopyStores, true);
  add("global stores", c.globalStores, false);
  os << "\n";
  table.print(os);
}

static void writeInstructions(const KernelReport &report, raw_ostream &os) {
  double threads = double(report.counts.blocks) * double(report.launch.threads);
  if (threads == 0)
    return;
  os << "\nInstructions of a thread, on average; integer ones that are constant or unrolled need no machine "
        "instruction\n ";
  for (const auto &[name, executions] : report.getInstructions())
    os << " " << name << " " << formatNumber(double(executions) / threads) << ";";
  os << "\n";
}

static void writeLines(const KernelReport &report, raw_ostream &os) {
  Table table(
      {"  line", "fma", "shared ld/st", "wavefronts", "conflicts", "global ld/st", "copies", "sectors", "barriers"});
  auto number = [](int64_t value) { return value ? formatNumber(double(value)) : std::string(); };
  for (const LineCount &line : report.lines) {
    AccessCount shared = line.sharedLoads, global = line.globalLoads;
    shared += line.sharedStores;
    global += line.globalStores;
    if (!line.fma && !shared.requests && !global.requests && !line.asyncCopies.requests && !line.barriers)
      continue;
    table.add({formatv("  {0}: {1}", line.line, StringRef(line.text).take_front(48)), number(line.fma),
               number(shared.requests), number(shared.units), number(shared.conflicts), number(global.requests),
               number(line.asyncCopies.requests), number(global.units + line.asyncCopies.units),
               number(line.barriers)});
  }
  os << "\nBy line of " << report.program << " (fma by threads, all else by warps)\n";
  table.print(os);
}

static void writeMeasurement(const KernelReport &report, raw_ostream &os) {
  if (!report.measured)
    return;
  if (!report.measured->countersMissing.empty()) {
    os << "\nno counters: " << report.measured->countersMissing << "\n";
    return;
  }
  Table table({"  counter", "predicted", "ncu"});
  std::vector<std::pair<StringRef, double>> predictions = report.getPredictions();
  for (const auto &[name, value] : report.measured->counters) {
    auto predicted = find_if(predictions, [&, &name = name](const auto &entry) { return entry.first == name; });
    table.add({"  " + name, predicted == predictions.end() ? "" : formatv("{0:f0}", predicted->second).str(),
               formatv("{0:f0}", value)});
  }
  os << "\n";
  table.print(os);
}

static void writeDecisions(const KernelReport &report, raw_ostream &os) {
  if (report.decisions.empty())
    return;
  os << "\nDecisions\n";
  for (const DecisionRecord &decision : report.decisions) {
    StringRef mark = decision.kind == DecisionRecord::Declined  ? "declined: "
                     : decision.kind == DecisionRecord::Default ? "default: "
                                                                : "";
    os << formatv("  {0}:{1} {2}: {3}{4}\n", decision.line, decision.column, decision.clause, mark, decision.message);
  }
}

void tgc::writeText(const KernelReport &report, raw_ostream &os) {
  os << formatv("{0}_{1} {2}x{3}x{4}", report.kernel, report.schedule, report.m, report.n, report.k);
  if (!report.variant.empty())
    os << ", variant " << report.variant;
  os << formatv(", {0}: {1} blocks of {2} threads, tiles of {3}x{4}\n", report.target, report.counts.blocks,
                report.launch.threads, report.launch.tileM, report.launch.tileN);
  if (std::optional<double> tflops = report.getMetric("attainable_tflops"))
    os << formatv("  bounded by {0}: at most {1:f2} TFLOP/s of {2:f1} on {3}\n", report.bounds.front().resource,
                  *tflops, report.machine->getTeraflops(), report.machine->name);
  if (report.measured && report.measured->ms > 0)
    os << formatv("  measured on {0}: {1:f1} TFLOP/s\n", report.measured->gpu,
                  report.getMetric("measured_tflops").value_or(0));
  writeBounds(report, os);
  writeMetrics(report, os);
  writeAccesses(report, os);
  writeInstructions(report, os);
  writeMeasurement(report, os);
  writeLines(report, os);
  writeDecisions(report, os);
  for (const std::string &note : report.assemblerNotes)
    os << "\nptxas: " << note << "\n";
}

void tgc::writeStep(const KernelReport &before, const KernelReport &after, raw_ostream &os) {
  if (after.bounds.front().microseconds == 0)
    return; // nothing to do
  os << formatv("\n{0} after {1}: bounded by {2}, before by {3}\n", after.schedule, before.schedule,
                after.bounds.front().resource, before.bounds.front().resource);
  for (const MetricMove &move : compareReports(before, after))
    os << "  " << describe(move) << "\n";
}
