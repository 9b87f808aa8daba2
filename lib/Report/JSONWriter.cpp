//===- JSONWriter.cpp - a report as JSON -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Report/KernelReport.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tgc;

static json::Object toJSON(const AccessCount &count, bool shared) {
  json::Object object{{"requests", count.requests},
                      {shared ? "wavefronts" : "sectors", count.units},
                      {"least", count.least},
                      {"bytes", count.bytes}};
  if (shared)
    object["conflicts"] = count.conflicts;
  else
    object["lines"] = count.lines;
  return object;
}

template <typename Counts> static json::Object accessesToJSON(const Counts &counts) {
  return json::Object{
      {"shared_loads", toJSON(counts.sharedLoads, true)},  {"shared_stores", toJSON(counts.sharedStores, true)},
      {"global_loads", toJSON(counts.globalLoads, false)}, {"global_stores", toJSON(counts.globalStores, false)},
      {"async_copies", toJSON(counts.asyncCopies, false)}, {"async_copy_stores", toJSON(counts.asyncCopyStores, true)}};
}

static json::Object toJSON(const BankPattern &pattern) {
  json::Array words, wavefronts;
  for (auto [lane, word] : enumerate(pattern.request.words))
    words.push_back(pattern.request.mask >> lane & 1 ? json::Value(word) : json::Value(nullptr));
  for (const SharedRequest::Wavefront &wavefront : pattern.request.wavefronts) {
    json::Array lanes;
    for (unsigned lane = 0; lane < pattern.request.words.size(); ++lane)
      if (wavefront.lanes >> lane & 1)
        lanes.push_back(lane);
    wavefronts.push_back(json::Object{{"lanes", std::move(lanes)}, {"conflict", wavefront.conflict}});
  }
  return json::Object{{"line", pattern.line},
                      {"kind", getName(pattern.kind)},
                      {"bytes", 4 * pattern.width},
                      {"buffer", pattern.request.buffer},
                      {"buffer_start", pattern.request.bufferStart},
                      {"operations", pattern.operations},
                      {"words", std::move(words)},
                      {"wavefronts", std::move(wavefronts)}};
}

json::Object tgc::toJSON(const KernelReport &report) {
  json::Object object{
      {"program", report.program},   {"kernel", report.kernel},
      {"schedule", report.schedule}, {"symbol", report.symbol},
      {"variant", report.variant},   {"target", report.target},
      {"source", report.source},     {"size", json::Object{{"m", report.m}, {"n", report.n}, {"k", report.k}}}};
  const Machine &machine = *report.machine;
  object["gpu"] = json::Object{{"key", machine.key},
                               {"name", machine.name},
                               {"sms", machine.multiprocessors},
                               {"clock_mhz", machine.clockMHz},
                               {"memory_gbps", machine.memoryGBps},
                               {"l2_bytes", machine.l2Bytes},
                               {"peak_tflops", machine.getTeraflops()}};
  object["launch"] = json::Object{{"blocks", report.counts.blocks},
                                  {"threads", report.launch.threads},
                                  {"tile", json::Array{report.launch.tileM, report.launch.tileN}},
                                  {"shared_bytes", report.launch.sharedBytes}};
  json::Object counts = accessesToJSON(report.counts);
  counts["fma"] = report.counts.fma;
  counts["barriers"] = report.counts.barriers;
  object["counts"] = std::move(counts);
  json::Object instructions, perThread;
  double threads = double(report.counts.blocks) * double(report.launch.threads);
  for (const auto &[name, executions] : report.getInstructions()) {
    instructions[name] = executions;
    perThread[name] = double(executions) / threads;
  }
  object["instructions"] = std::move(instructions);
  object["instructions_per_thread"] = std::move(perThread);

  json::Array lines;
  for (const LineCount &line : report.lines) {
    json::Object entry = accessesToJSON(line);
    entry["line"] = line.line;
    entry["text"] = line.text;
    entry["fma"] = line.fma;
    entry["barriers"] = line.barriers;
    entry["copy_control"] = line.waits;
    entry["other"] = line.otherInstructions;
    lines.push_back(std::move(entry));
  }
  object["lines"] = std::move(lines);

  json::Array banks;
  for (const BankPattern &pattern : report.banks)
    banks.push_back(::toJSON(pattern));
  object["banks"] = std::move(banks);

  json::Array decisions;
  for (const DecisionRecord &decision : report.decisions)
    decisions.push_back(json::Object{{"kind", decision.kind == DecisionRecord::Declined  ? "declined"
                                              : decision.kind == DecisionRecord::Default ? "default"
                                                                                         : "done"},
                                     {"pass", decision.pass},
                                     {"clause", decision.clause},
                                     {"line", decision.line},
                                     {"column", decision.column},
                                     {"message", decision.message}});
  object["decisions"] = std::move(decisions);

  if (report.resources)
    object["resources"] = json::Object{{"registers", report.resources->registers},
                                       {"local_bytes", report.resources->localBytes},
                                       {"spill_store_bytes", report.resources->spillStoreBytes},
                                       {"spill_load_bytes", report.resources->spillLoadBytes}};
  else
    object["resources_missing"] = report.resourcesMissing;
  object["assembler_notes"] = json::Array(report.assemblerNotes);
  if (report.occupancy)
    object["occupancy"] = json::Object{{"blocks_per_sm", report.occupancy->blocksPerSm},
                                       {"limits", json::Array(report.occupancy->limits)}};
  else
    object["occupancy_missing"] = report.occupancyMissing;

  json::Array metrics;
  for (const Metric &metric : report.metrics)
    metrics.push_back(json::Object{{"id", metric.id},
                                   {"group", metric.group},
                                   {"title", metric.title},
                                   {"unit", metric.unit},
                                   {"formula", metric.formula},
                                   {"value", metric.value}});
  object["metrics"] = std::move(metrics);
  json::Array bounds;
  for (const Bound &bound : report.bounds)
    bounds.push_back(json::Object{{"resource", bound.resource}, {"us", bound.microseconds}});
  object["bounds"] = std::move(bounds);

  json::Object predictions;
  for (auto [name, value] : report.getPredictions())
    predictions[name] = value;
  object["predictions"] = std::move(predictions);
  if (report.measured) {
    const Measurement &measured = *report.measured;
    json::Object entry{{"gpu", measured.gpu},
                       {"driver", measured.driver},
                       {"cuda", measured.cuda},
                       {"backend", measured.backend},
                       {"date", measured.date},
                       {"commit", measured.commit},
                       {"kernel_hash", measured.kernelHash},
                       {"ms", measured.ms}};
    if (measured.cublasMs)
      entry["cublas_ms"] = *measured.cublasMs;
    if (measured.unpipelinedMs)
      entry["unpipelined_ms"] = *measured.unpipelinedMs;
    if (measured.countersMissing.empty()) {
      json::Object counters;
      for (const auto &[name, value] : measured.counters)
        counters[name] = value;
      entry["counters"] = std::move(counters);
    } else {
      entry["counters_missing"] = measured.countersMissing;
    }
    object["measured"] = std::move(entry);
  }
  return object;
}

json::Object tgc::toJSON(const KernelReport &before, const KernelReport &after) {
  json::Array moves;
  for (const MetricMove &move : compareReports(before, after)) {
    json::Object entry{{"id", move.after ? move.after->id : move.before->id}, {"text", describe(move)}};
    if (move.before)
      entry["before"] = move.before->value;
    if (move.after)
      entry["after"] = move.after->value;
    moves.push_back(std::move(entry));
  }
  return json::Object{{"from", before.schedule},
                      {"bound_before", before.bounds.front().resource},
                      {"bound", after.bounds.front().resource},
                      {"moved", std::move(moves)}};
}
