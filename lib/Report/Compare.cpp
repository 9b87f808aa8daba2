//===- Compare.cpp - what a step from one schedule to the next moved -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Report/KernelReport.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

std::string tgc::formatNumber(double value) {
  constexpr struct {
    double from;
    char prefix;
  } kPrefixes[] = {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e4, 'k'}};
  for (auto [from, prefix] : kPrefixes)
    if (value >= from) {
      double unit = prefix == 'k' ? 1e3 : from;
      return formatv("{0:f2} {1}", value / unit, prefix);
    }
  if (value == double(int64_t(value)))
    return std::to_string(int64_t(value));
  return formatv("{0:f2}", value);
}

// The chain, from what a step changes to what comes of it.
static constexpr StringLiteral kChain[] = {"read_ratio",
                                           "sector_use",
                                           "fma_per_operand",
                                           "fma_per_shared_load",
                                           "fma_per_global_load",
                                           "wavefronts_per_load",
                                           "shared_load_conflicts",
                                           "shared_store_conflicts",
                                           "copy_conflicts",
                                           "write_ratio",
                                           "registers",
                                           "spill_bytes",
                                           "shared_bytes",
                                           "blocks",
                                           "blocks_per_sm",
                                           "warps_per_sm",
                                           "tail_efficiency",
                                           "stages",
                                           "tiles_ahead",
                                           "bytes_in_flight",
                                           "hidden_clocks",
                                           "attainable_us",
                                           "measured_us",
                                           "of_cublas"};

static double getValue(const Metric *metric) { return metric ? metric->value : 0; }

const KernelReport *tgc::findStepBefore(ArrayRef<KernelReport> reports, size_t number) {
  for (const KernelReport &report : llvm::reverse(reports.take_front(number)))
    if (report.kernel == reports[number].kernel)
      return &report;
  return nullptr;
}

std::vector<MetricMove> tgc::compareReports(const KernelReport &before, const KernelReport &after) {
  constexpr double kTenth = 0.1;
  std::vector<MetricMove> moves;
  for (StringRef id : kChain) {
    MetricMove move{before.findMetric(id), after.findMetric(id)};
    double from = getValue(move.before), to = getValue(move.after);
    if (std::abs(to - from) > kTenth * std::min(std::abs(from), std::abs(to)))
      moves.push_back(move);
  }
  return moves;
}

std::string tgc::describe(const MetricMove &move) {
  const Metric &metric = move.after ? *move.after : *move.before;
  std::string text = metric.title.str();
  if (!move.before)
    return formatv("{0} {1}{2}{3}, which the other had not", text, formatNumber(metric.value),
                   metric.unit.empty() ? "" : " ", metric.unit);
  if (!move.after)
    return formatv("no {0}", text);
  text += formatv(" {0} -> {1}", formatNumber(move.before->value), formatNumber(move.after->value)).str();
  if (!metric.unit.empty())
    text += (" " + metric.unit).str();
  if (move.before->value > 0 && move.after->value > 0)
    text += formatv(" ({0:f2}x)", move.after->value / move.before->value);
  return text;
}
