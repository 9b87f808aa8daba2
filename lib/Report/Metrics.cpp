//===- Metrics.cpp - the metric chain of a GEMM -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metrics.h"

#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

static constexpr int64_t kSectorBytes = 32;

namespace {
/// Appends metrics of one group.
class Group {
public:
  Group(KernelReport &report, StringRef name) : report(report), name(name) {}
  void add(StringRef id, StringRef title, StringRef unit, StringRef formula, double value) {
    report.metrics.push_back({id, name, title, unit, formula, value});
  }
  /// Left out if `divisor` is 0.
  void addRatio(StringRef id, StringRef title, StringRef unit, StringRef formula, double value, double divisor) {
    if (divisor > 0)
      add(id, title, unit, formula, value / divisor);
  }

private:
  KernelReport &report;
  StringRef name;
};
} // namespace

//===----------------------------------------------------------------------===//
// From counts
//===----------------------------------------------------------------------===//

/// Bytes that a kernel has to read and to write: every operand once.
static std::pair<double, double> getLeastTraffic(Problem &problem, bool readsOutput) {
  double read = 0, written = 0;
  const ProblemSpec &spec = problem.getSpec();
  for (const HostOperand &operand : problem.getOperands()) {
    double bytes = 4.0 * (operand.ld == 0 && operand.rows > 1 ? 1 : operand.rows) * operand.cols;
    if (spec.m == 0 || spec.n == 0)
      continue; // there is nothing to compute from it
    if (operand.written)
      written += bytes;
    if (!operand.written || readsOutput)
      read += bytes;
  }
  return {read, written};
}

static void addTraffic(KernelReport &report, Problem &problem, bool readsOutput) {
  const SimulationResult &c = report.counts;
  auto [leastRead, leastWritten] = getLeastTraffic(problem, readsOutput);
  double read = kSectorBytes * double(c.globalLoads.units + c.asyncCopies.units);
  double written = kSectorBytes * double(c.globalStores.units);
  Group group(report, "global memory");
  group.add("global_read_bytes", "bytes that SMs ask of L1 and L2", "bytes",
            "32 x sectors of global loads and asynchronous copies", read);
  group.add("least_read_bytes", "bytes that have to be read", "bytes", "each operand that is read, once", leastRead);
  group.addRatio("read_ratio", "read traffic over the least", "", "global_read_bytes / least_read_bytes", read,
                 leastRead);
  group.add("global_write_bytes", "bytes that SMs write", "bytes", "32 x sectors of global stores", written);
  group.add("least_write_bytes", "bytes that have to be written", "bytes", "C, once", leastWritten);
  group.addRatio("write_ratio", "write traffic over the least", "", "global_write_bytes / least_write_bytes", written,
                 leastWritten);
  group.addRatio("sector_use", "bytes that lanes ask for, each its own, over those in the sectors", "%",
                 "100 x bytes that threads ask for / global_read_bytes",
                 100.0 * double(c.globalLoads.bytes + c.asyncCopies.bytes), read);
  // Where L1 has nothing to offer: a block reads every sector once, or past L1.
  bool staged = report.tiling && report.tiling.getStages() && report.tiling.getStages().size() == 2;
  if (staged && c.globalLoads.units + c.asyncCopies.units == c.globalLoads.least + c.asyncCopies.least)
    group.add("l2_read_bytes", "bytes that cross from L2 to the SMs", "bytes",
              "global_read_bytes, if both operands are staged and requests ask for whole sectors", read);
  // Where everything stays in L2, and the kernel's own code does not count.
  constexpr double kMuch = 1 << 20;
  if (leastRead >= kMuch && leastRead + leastWritten <= double(report.machine->l2Bytes) / 2)
    group.add("memory_read_bytes", "bytes read from device memory by the first launch", "bytes",
              "least_read_bytes, if that is at least 1 MiB and all operands fit half of L2", leastRead);
}

static void addAccesses(KernelReport &report) {
  const SimulationResult &c = report.counts;
  double threads = double(c.blocks) * double(report.launch.threads);
  double sharedThreads = 0, globalThreads = 0;
  for (const OperationCount &count : c.operations) {
    if (count.kind == OperationKind::SharedLoad)
      sharedThreads += double(count.threads);
    if (count.kind == OperationKind::GlobalLoad || count.kind == OperationKind::AsyncCopy)
      globalThreads += double(count.threads);
  }
  Group group(report, "compute to access");
  group.addRatio("fma_per_thread", "multiply-adds of a thread", "", "fma / threads", double(c.fma), threads);
  // What is not staged goes from global memory to registers; what is, but for asynchronous copies, passes by them.
  double operands = double(c.sharedLoads.bytes + std::max<int64_t>(0, c.globalLoads.bytes - c.sharedStores.bytes));
  group.addRatio("fma_per_operand", "multiply-adds per operand that enters a register", "",
                 "fma / (bytes loaded from shared memory, and from global memory if not on the way to it, / 4)",
                 double(c.fma), operands / 4);
  group.addRatio("fma_per_shared_load", "multiply-adds per shared load instruction", "",
                 "fma / executions of shared loads by threads", double(c.fma), sharedThreads);
  group.addRatio("fma_per_global_load", "multiply-adds per global load or asynchronous copy", "",
                 "fma / executions of global loads and asynchronous copies by threads", double(c.fma), globalThreads);
  group.addRatio("flop_per_shared_byte", "operations per byte from shared memory", "FLOP/byte",
                 "2 fma / bytes loaded from shared memory", 2.0 * double(c.fma), double(c.sharedLoads.bytes));
  group.addRatio("flop_per_global_byte", "operations per byte from global memory", "FLOP/byte",
                 "2 fma / global_read_bytes", 2.0 * double(c.fma), report.getMetric("global_read_bytes").value_or(0));
}

static void addSharedMemory(KernelReport &report) {
  const SimulationResult &c = report.counts;
  if (c.sharedLoads.requests + c.sharedStores.requests + c.asyncCopyStores.requests == 0)
    return;
  Group group(report, "shared memory");
  group.add("shared_load_wavefronts", "passes over the banks by loads", "", "sum over requests",
            double(c.sharedLoads.units));
  group.add("shared_load_conflicts", "bank conflicts of loads", "",
            "wavefronts of a part of a request beyond the first", double(c.sharedLoads.conflicts));
  group.addRatio("wavefronts_per_load", "wavefronts per load request", "", "shared_load_wavefronts / requests",
                 double(c.sharedLoads.units), double(c.sharedLoads.requests));
  group.add("shared_store_wavefronts", "passes over the banks by stores", "", "sum over requests",
            double(c.sharedStores.units));
  group.add("shared_store_conflicts", "bank conflicts of stores", "",
            "wavefronts of a part of a request beyond the first", double(c.sharedStores.conflicts));
  group.add("copy_conflicts", "bank conflicts of asynchronous copies", "",
            "wavefronts of a part of a request beyond the first", double(c.asyncCopyStores.conflicts));
  group.addRatio("conflicts_per_request", "bank conflicts per request", "", "conflicts / requests, of all three",
                 double(c.sharedLoads.conflicts + c.sharedStores.conflicts + c.asyncCopyStores.conflicts),
                 double(c.sharedLoads.requests + c.sharedStores.requests + c.asyncCopyStores.requests));
}

//===----------------------------------------------------------------------===//
// From resources
//===----------------------------------------------------------------------===//

/// Blocks that share an SM share its time: what counts is how many the busiest SM gets, at least the smallest ones.
static std::optional<double> getTailEfficiency(const KernelReport &report) {
  int64_t sms = report.machine->multiprocessors, left = divideCeil(report.counts.blocks, sms);
  double all = 0, busiest = 0;
  std::vector<BlockWork> work = report.counts.work;
  llvm::sort(work, [](const BlockWork &a, const BlockWork &b) { return a.instructions < b.instructions; });
  for (const BlockWork &blocks : work) {
    all += double(blocks.count) * double(blocks.instructions);
    busiest += double(std::min(left, blocks.count)) * double(blocks.instructions);
    left -= std::min(left, blocks.count);
  }
  if (all == 0)
    return std::nullopt;
  return std::min(1.0, all / double(sms) / busiest);
}

static void addOccupancy(KernelReport &report) {
  const Machine &machine = *report.machine;
  Group group(report, "occupancy");
  if (report.resources) {
    group.add("registers", "registers of a thread", "", "ptxas", double(report.resources->registers));
    group.add("spill_bytes", "spills of a thread, stored and loaded", "bytes", "ptxas",
              double(report.resources->spillStoreBytes + report.resources->spillLoadBytes));
    group.add("local_bytes", "local memory of a thread", "bytes", "ptxas", double(report.resources->localBytes));
  }
  group.add("shared_bytes", "shared memory of a block", "bytes", "stages x tiles of the staged operands with padding",
            double(report.launch.sharedBytes));
  double blocks = double(report.counts.blocks);
  group.add("blocks", "blocks of the grid", "", "ceil(M / BM) x ceil(N / BN)", blocks);
  double sms = double(machine.multiprocessors);
  if (std::optional<double> part = getTailEfficiency(report))
    group.add("tail_efficiency", "part of all SMs' time that is used", "%",
              "100 x work of the average SM / least work of the busiest, which has ceil(blocks / SMs) blocks",
              100 * *part);
  if (!report.occupancy)
    return;
  double perSm = double(report.occupancy->blocksPerSm);
  double warps = perSm * double(divideCeil(report.launch.threads, kWarpSize));
  const TargetLimits *limits = getTargetLimits(report.machine->chip);
  group.add("blocks_per_sm", "blocks on an SM at once", "", "cuda_occupancy.h", perSm);
  group.add("warps_per_sm", "warps on an SM at once", "", "blocks_per_sm x warps of a block", warps);
  group.add("occupancy", "part of the warps that an SM can hold", "%", "100 x warps_per_sm x 32 / threads of an SM",
            100 * warps * kWarpSize / double(limits->threadsPerSm));
  double slots = perSm * sms;
  if (slots == 0 || blocks == 0)
    return;
  group.add("waves", "times the GPU is filled", "", "blocks / (blocks_per_sm x SMs)", blocks / slots);
}

static void addPipeline(KernelReport &report) {
  ScheduleAttr schedule = report.tiling;
  if (!schedule || !schedule.getStages() || schedule.getStages().empty())
    return;
  int64_t bm = schedule.getBlock()[0], bn = schedule.getBlock()[1], bk = schedule.getBlock()[2];
  double stages = double(schedule.getPipeline()), leastAhead = stages - 1, bytes = 0;
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    double ahead = stage.getBy() == CopyKind::CpAsync     ? stages - 1
                   : stage.getBy() == CopyKind::Registers ? std::min(stages - 1, 1.0)
                                                          : 0;
    leastAhead = std::min(leastAhead, ahead);
    bytes += ahead * 4.0 * double(bk) * double(stage.getOperand() == report.leftOperand ? bm : bn);
  }
  // Blocks on an SM at once: as many as fit, if there are as many.
  double fit = double(report.occupancy ? report.occupancy->blocksPerSm : schedule.getBlocksPerSm());
  double share = std::ceil(double(report.counts.blocks) / double(report.machine->multiprocessors));
  double perSm = std::max(1.0, std::min(fit, share));
  double clocks = double(bm * bn * bk) / double(report.machine->fmaPerClock);
  if (schedule.getStages().size() < 2)
    leastAhead = 0; // nothing hides the loads of the other operand
  Group group(report, "pipeline");
  group.add("stages", "k tiles in shared memory", "", "pipeline S", stages);
  group.add("tiles_ahead", "k tiles between the start of a copy and its use", "",
            "the least of: S - 1 by cp.async, at most 1 by registers, 0 by plain", leastAhead);
  group.add("bytes_in_flight", "bytes on their way to an SM", "bytes",
            "tiles ahead x bytes of an operand's k tile, summed, x blocks on an SM", bytes * perSm);
  group.add("tile_clocks", "clocks that an SM multiplies a k tile", "clocks", "BM x BN x BK / FMA a clock", clocks);
  double hidden = clocks * (leastAhead + perSm - 1);
  group.add(
      "hidden_clocks", "latency of a copy that is hidden", "clocks",
      "tile_clocks x (tiles_ahead + blocks on an SM - 1); on an SM: blocks_per_sm, or fewer if the grid has fewer",
      hidden);
  if (report.machine->memoryLatency)
    group.add("latency_hidden", "part of the latency of device memory that is hidden", "%",
              "100 x min(1, hidden_clocks / latency)",
              100 * std::min(1.0, hidden / double(report.machine->memoryLatency)));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static void addBounds(KernelReport &report) {
  const SimulationResult &c = report.counts;
  const Machine &machine = *report.machine;
  double sms = double(machine.multiprocessors), clock = machine.getClock();
  double fma = 0, issued = 0;
  for (const OperationCount &count : c.operations) {
    if (count.kind == OperationKind::Fma)
      fma += double(count.warps);
    if (isIssued(count.kind))
      issued += double(count.warps);
  }
  auto add = [&](StringRef resource, double seconds) { report.bounds.push_back({resource, seconds * 1e6}); };
  // What SMs do takes as long as the busiest of them; for L2 and memory all wait alike.
  double tail = report.getMetric("tail_efficiency").value_or(100) / 100;
  auto addOfSms = [&](StringRef resource, double seconds) { add(resource, seconds / tail); };
  addOfSms("fma", fma * kWarpSize / (sms * double(machine.fmaPerClock) * clock));
  addOfSms("issue", issued / (sms * Machine::kIssuesPerClock * clock));
  int64_t passes =
      c.sharedLoads.units + c.sharedStores.units + c.asyncCopyStores.units + c.globalLoads.lines + c.globalStores.lines;
  addOfSms("lsu", double(passes) / (sms * Machine::kWavefrontsPerClock * clock));
  if (std::optional<double> bytes = report.getMetric("l2_read_bytes"); bytes && machine.l2GBps)
    add("l2", *bytes / (double(machine.l2GBps) * 1e9));
  double memoryBytes =
      report.getMetric("least_read_bytes").value_or(0) + report.getMetric("least_write_bytes").value_or(0);
  add("memory", memoryBytes / (double(machine.memoryGBps) * 1e9));
  llvm::sort(report.bounds, [](const Bound &a, const Bound &b) {
    return std::pair(b.microseconds, a.resource) < std::pair(a.microseconds, b.resource);
  });

  double flop = 2.0 * double(report.m) * double(report.n) * double(report.k);
  Group group(report, "roofline");
  group.addRatio("intensity", "operations per byte of device memory, at best", "FLOP/byte",
                 "2 M N K / (least_read_bytes + least_write_bytes)", flop, memoryBytes);
  group.add("ridge", "where the GPU turns from memory to arithmetic", "FLOP/byte",
            "peak FP32 operations / bytes of device memory a second",
            machine.getTeraflops() * 1e12 / (double(machine.memoryGBps) * 1e9));
  group.add("peak_tflops", "FP32 peak of the GPU", "TFLOP/s", "2 x SMs x FMA a clock x clock", machine.getTeraflops());
  double longest = report.bounds.front().microseconds * 1e-6;
  if (flop > 0 && longest > 0) {
    group.add("attainable_us", "time of the longest bound", "us", "the longest bound", longest * 1e6);
    group.add("attainable_tflops", "speed at that time", "TFLOP/s", "2 M N K / attainable_us", flop / longest * 1e-12);
  }
}

void tgc::computeMetrics(KernelReport &report, Problem &problem) {
  addTraffic(report, problem, report.readsOutput);
  addAccesses(report);
  addSharedMemory(report);
  addOccupancy(report);
  addPipeline(report);
  addBounds(report);
}

void tgc::addMeasurement(KernelReport &report, Measurement measurement) {
  double flop = 2.0 * double(report.m) * double(report.n) * double(report.k);
  Group group(report, "measured");
  if (measurement.ms > 0) {
    group.add("measured_us", "time of a launch", "us", "median of 7 batches, by events", measurement.ms * 1e3);
    group.add("measured_tflops", "speed", "TFLOP/s", "2 M N K / measured_us", flop / measurement.ms * 1e-9);
    if (std::optional<double> attainable = report.getMetric("attainable_us"))
      group.add("attained", "part of the attainable speed", "%", "100 x attainable_us / measured_us",
                100 * *attainable / (measurement.ms * 1e3));
    if (measurement.cublasMs)
      group.add("of_cublas", "speed against cuBLAS FP32", "%", "100 x time of cuBLAS / measured_us",
                100 * *measurement.cublasMs / measurement.ms);
    if (measurement.unpipelinedMs)
      group.add("overlap_gain", "speed against the same schedule without pipeline and prefetch", "",
                "time without / measured_us", *measurement.unpipelinedMs / measurement.ms);
  }
  report.measured = std::move(measurement);
}
