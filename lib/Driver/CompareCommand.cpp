//===- CompareCommand.cpp - tgc compare ---------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "tgc/Support/Table.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::Twine;
using namespace tgc::options;

namespace {
/// One line of the table: a schedule through a back end.
struct Candidate {
  Candidate(const ScheduleEntry &entry, std::optional<Backend> how) : entry(&entry), how(how) {}

  const ScheduleEntry *entry;
  std::optional<Backend> how; ///< none: the simulator
  std::optional<Cubin> cubin; ///< on a GPU
  std::optional<Expected<RunOutcome>> outcome;
  std::optional<KernelReport> report; ///< for the size at hand
};
} // namespace

static Error parseSizes(std::vector<ProblemSpec> &specs, const ProblemSpec &base) {
  if (size.empty())
    return createStringError("no --size: give one size or more, as in --size 1024,257x129x65");
  for (StringRef part : llvm::split(StringRef(size), ',')) {
    ProblemSpec spec = base;
    if (Error error = parseOneSize(part, spec))
      return error;
    specs.push_back(std::move(spec));
  }
  return Error::success();
}

/// The columns that tell why a schedule is as fast as it is: read traffic over the least, multiply-adds per operand
/// that enters a register, bank conflicts per request, what bounds it, and TFLOP/s at that bound.
static std::vector<std::string> describeReport(const KernelReport &report) {
  auto number = [&](StringRef id, const char *format) {
    std::optional<double> value = report.getMetric(id);
    return value ? formatv(format, *value).str() : std::string("-");
  };
  return {number("read_ratio", "{0:f1}"), number("fma_per_operand", "{0:f2}"),
          number("conflicts_per_request", "{0:f2}"),
          report.bounds.front().microseconds > 0 ? report.bounds.front().resource.str() : "-",
          number("attainable_tflops", "{0:f2}")};
}

static void printTable(ArrayRef<Candidate> candidates, bool onGPU) {
  std::vector<std::string> header{"schedule"};
  if (onGPU)
    header.push_back("backend");
  llvm::append_values(header, "variant", "verdict", "rel. error", "bits", "shared");
  if (onGPU)
    llvm::append_values(header, "regs", "spills", "ms", "TFLOP/s", "step", "cuBLAS", "ratio");
  else
    llvm::append_values(header, "blocks", "threads", "barriers", "fma");
  llvm::append_values(header, "read", "fma/operand", "conflicts", "bound", "at most");
  Table table(header);
  const RunOutcome *first = nullptr;
  llvm::StringMap<double> previous; // by back end: TFLOP/s of the schedule before
  for (const Candidate &candidate : candidates) {
    const RunOutcome &outcome = **candidate.outcome;
    const RunRecord &r = outcome.record;
    std::vector<std::string> row{candidate.entry->schedule};
    if (onGPU)
      row.push_back(r.backend);
    llvm::append_values(row, r.variant, getVerdict(outcome).str());
    if (!outcome.completed) {
      row.resize(header.size());
      table.add(std::move(row));
      continue;
    }
    if (!first)
      first = &outcome;
    llvm::append_values(row, formatv("{0:e2}", r.relativeError).str(),
                        std::string(r.outputHash == first->record.outputHash ? "equal" : "differ"),
                        std::to_string(r.sharedBytes));
    if (onGPU) {
      auto number = [](std::optional<double> value, const char *format) {
        return value ? formatv(format, *value).str() : std::string("-");
      };
      std::optional<double> tflops, step, cublas, ratio;
      if (r.ms) {
        tflops = r.getTeraflops(*r.ms);
        if (auto before = previous.find(r.backend); before != previous.end())
          step = *tflops / before->second;
        previous[r.backend] = *tflops;
      }
      if (r.ms && r.cublasMs) {
        cublas = r.getTeraflops(*r.cublasMs);
        ratio = *r.cublasMs / *r.ms;
      }
      llvm::append_values(row, r.registers ? std::to_string(*r.registers) : "-",
                          r.spills ? std::to_string(*r.spills) : "-", number(r.ms, "{0:f4}"), number(tflops, "{0:f2}"),
                          number(step, "{0:f2}x"), number(cublas, "{0:f2}"), number(ratio, "{0:f3}"));
    } else {
      llvm::append_values(row, std::to_string(outcome.simulation->blocks), std::to_string(outcome.variant.threads),
                          std::to_string(outcome.simulation->barriers), std::to_string(outcome.simulation->fma));
    }
    llvm::append_range(row, describeReport(*candidate.report));
    table.add(std::move(row));
  }
  table.print(llvm::outs());
}

/// For each schedule what it moved against the one before it in the file.
static void printSteps(ArrayRef<Candidate> candidates) {
  llvm::MapVector<StringRef, const KernelReport *> before; // by back end
  for (const Candidate &candidate : candidates) {
    if (!candidate.report)
      continue;
    const KernelReport *&previous = before[candidate.how ? getName(*candidate.how) : "sim"];
    if (previous)
      writeStep(*previous, *candidate.report, llvm::outs());
    previous = &*candidate.report;
  }
}

/// Compiles all candidates at once; their diagnostics come in order.
static Error compileAll(MutableArrayRef<Candidate> candidates, Program &program, MLIRContext &context,
                        StringRef wanted) {
  if (failed(failableParallelForEach(&context, candidates, [&](Candidate &candidate) {
        FailureOr<Cubin> cubin = compileToCubin(*program.extract(*candidate.entry), *candidate.how, wanted);
        if (succeeded(cubin))
          candidate.cubin = std::move(*cubin);
        return LogicalResult(cubin);
      })))
    return llvm::make_error<ReportedError>();
  return Error::success();
}

Error tgc::runCompare() {
  Expected<RunOptions> options = getRunOptions();
  if (!options)
    return options.takeError();
  std::vector<ProblemSpec> specs;
  if (Error error = parseSizes(specs, options->spec))
    return error;
  std::string note;
  Expected<std::unique_ptr<GPUSession>> gpu = openGPU(note);
  if (!gpu)
    return gpu.takeError();

  MLIRContext context;
  Expected<std::unique_ptr<Program>> loaded = loadInput(context);
  if (!loaded)
    return loaded.takeError();
  Program &program = **loaded;
  SmallVector<StringRef> kernels;
  for (const ScheduleEntry &entry : program.getEntries())
    if (!llvm::is_contained(kernels, entry.kernel))
      kernels.push_back(entry.kernel);
  if (kernels.size() > 1)
    return createStringError("'" + program.getPath() + "' has " + Twine(kernels.size()) + " kernels (" +
                             llvm::join(kernels, ", ") + "): choose one with --kernel");
  std::string wanted = getWantedTarget(gpu->get());
  if (Error error = program.readSemantics())
    return error;
  if (Error error = program.lowerToThreads(wanted, ""))
    return error;

  std::vector<Candidate> candidates;
  for (const ScheduleEntry &entry : program.getEntries()) {
    if (!*gpu) {
      candidates.emplace_back(entry, std::nullopt);
      continue;
    }
    if (backend != BackendChoice::CUDA)
      candidates.emplace_back(entry, Backend::PTX);
    if (backend != BackendChoice::PTX)
      candidates.emplace_back(entry, Backend::CUDA);
  }
  if (*gpu) {
    if (Error error = compileAll(candidates, program, context, wanted))
      return error;
  }

  bool good = true;
  std::vector<RunRecord> records;
  if (!note.empty())
    llvm::outs() << note << "\n";
  for (const ProblemSpec &spec : specs) {
    options->spec = spec;
    if (!*gpu)
      warnOfSlowSimulation(spec);
    if (*gpu)
      for (Candidate &candidate : candidates)
        candidate.outcome.emplace((*gpu)->run(program, *candidate.entry, *candidate.cubin, *options));
    else
      parallelForEach(&context, candidates, [&](Candidate &candidate) {
        candidate.outcome.emplace(runOnSimulator(program, *candidate.entry, *options));
      });
    // What is wrong with one call is usually wrong with all: the first error is reported.
    Error first = Error::success();
    for (Candidate &candidate : candidates) {
      if (*candidate.outcome)
        continue;
      if (first)
        llvm::consumeError(candidate.outcome->takeError());
      else
        first = candidate.outcome->takeError();
    }
    if (first)
      return first;
    for (Candidate &candidate : candidates) {
      RunOutcome &outcome = **candidate.outcome;
      finishRecord(outcome, program, *candidate.entry, candidate.how);
      good &= outcome.isGood();
      if (!*gpu && outcome.completed) {
        Expected<uint64_t> hash = hashText(program, *candidate.entry);
        if (!hash)
          return hash.takeError();
        outcome.record.kernelHash = *hash;
      }
      candidate.report.reset();
      if (!outcome.completed)
        continue;
      records.push_back(outcome.record);
      Expected<KernelReport> report = explainSchedule(program, *candidate.entry, *options,
                                                      {wanted,
                                                       gpu->get(),
                                                       {},
                                                       candidate.cubin ? &*candidate.cubin : nullptr,
                                                       "compare on the simulator compiles nothing"});
      if (!report)
        return report.takeError();
      candidate.report = std::move(*report);
    }
    llvm::outs() << formatv("{0} {1}x{2}x{3} on {4}\n", kernels.front(), spec.m, spec.n, spec.k,
                            *gpu ? (*gpu)->getInfo().name : "the simulator");
    printTable(candidates, bool(*gpu));
    for (Candidate &candidate : candidates) {
      const RunOutcome &outcome = **candidate.outcome;
      if (outcome.completed && !outcome.verdict.passed)
        llvm::outs() << candidate.entry->schedule << ": " << outcome.verdict.detail << "\n";
    }
    printSteps(candidates);
    llvm::outs().flush();
  }
  if (!csvFile.empty())
    if (Error error = appendCSV(csvFile, records))
      return error;
  return good ? Error::success() : llvm::make_error<ReportedError>();
}
