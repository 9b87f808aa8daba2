//===- ExplainCommand.cpp - tgc explain -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Explain.h"
#include "Profile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::Twine;
using namespace tgc::options;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Runs and times `entry`. A wrong result is an error.
static Expected<RunOutcome> runGood(Program &program, const ScheduleEntry &entry, const Cubin &cubin, GPUSession &gpu,
                                    const RunOptions &options) {
  Expected<RunOutcome> outcome = gpu.run(program, entry, cubin, options);
  if (outcome && !outcome->isGood())
    return createStringError("--measure: " + entry.name + ": " + getVerdict(*outcome) + ": " + outcome->verdict.detail);
  return outcome;
}

/// The time of the schedule without pipeline and prefetch; none if it has neither.
static Expected<std::optional<double>> timeUnpipelined(const KernelReport &report, GPUSession &gpu, Backend how,
                                                       StringRef wanted, const RunOptions &options) {
  if (!report.tiling || (report.tiling.getPipeline() < 2 && !report.tiling.getPrefetch()))
    return std::nullopt;
  MLIRContext context;
  Expected<std::unique_ptr<Program>> program = loadSelected(context, report.kernel, report.schedule);
  if (!program)
    return program.takeError();
  bool isAboveSchedule = false;
  (*program)->getModule().walk([&](gpu::GPUFuncOp func) {
    auto schedule = func->getAttrOfType<ScheduleAttr>("tgc.schedule");
    isAboveSchedule |= !func->hasAttr("tgc.launch");
    if (!schedule)
      return;
    ScheduleAttr::Fields fields = schedule.getFields();
    fields.pipeline = 0;
    fields.prefetch = false;
    func->setAttr("tgc.schedule", ScheduleAttr::get(&context, fields));
  });
  if (!isAboveSchedule)
    return std::nullopt; // MLIR that is tiled already
  const ScheduleEntry &entry = (*program)->getEntries().front();
  if (Error error = (*program)->readSemantics())
    return std::move(error);
  if (Error error = (*program)->lowerToThreads(wanted, ""))
    return std::move(error);
  FailureOr<Cubin> cubin = compileToCubin((*program)->getModule(), how, wanted);
  if (failed(cubin))
    return llvm::make_error<ReportedError>();
  Expected<RunOutcome> outcome = runGood(**program, entry, *cubin, gpu, options);
  if (!outcome)
    return outcome.takeError();
  return outcome->record.ms;
}

/// Runs the kernel of `report`; the result has to be right.
static Expected<Measurement> measureKernel(const KernelReport &report, Program &program, const ScheduleEntry &entry,
                                           const Cubin &cubin, GPUSession &gpu, Backend how, StringRef wanted,
                                           const RunOptions &options) {
  Expected<RunOutcome> outcome = runGood(program, entry, cubin, gpu, options);
  if (!outcome)
    return outcome.takeError();
  Measurement measurement;
  measurement.gpu = gpu.getInfo().name;
  measurement.driver = gpu.getInfo().driverVersion;
  measurement.cuda = gpu.getInfo().cudaVersion;
  measurement.backend = getName(how).str();
  finishRecord(*outcome, program, entry, how);
  measurement.date = outcome->record.date;
  measurement.commit = outcome->record.commit;
  measurement.kernelHash = formatHash(*outcome->record.kernelHash);
  measurement.ms = outcome->record.ms.value_or(0);
  measurement.cublasMs = outcome->record.cublasMs;
  Expected<std::optional<double>> unpipelined = timeUnpipelined(report, gpu, how, wanted, options);
  if (!unpipelined)
    return unpipelined.takeError();
  measurement.unpipelinedMs = *unpipelined;

  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  std::vector<std::string> command = {self,
                                      "run",
                                      program.getPath().str(),
                                      "--kernel=" + entry.kernel,
                                      "--schedule=" + entry.schedule,
                                      formatv("--size={0}x{1}x{2}", report.m, report.n, report.k).str(),
                                      "--on=gpu",
                                      "--time=false",
                                      "--backend=" + getName(how).str()};
  for (auto [name, value] : {std::pair("--variant=", &report.variant),
                             {"--target=", &target.getValue()},
                             {"--ld=", &leadingDimensions.getValue()},
                             {"--offset=", &offsets.getValue()},
                             {"--set=", &scalars.getValue()}})
    if (!value->empty())
      command.push_back(name + *value);
  profile(command, report.symbol, measurement);
  return std::move(measurement);
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

namespace {
/// What a report has against a kernel.
class Checker {
public:
  Checker(const KernelReport &report, double allowedConflicts) : report(report), allowed(allowedConflicts) {}

  /// Prints what is wrong, a line each. Returns whether nothing is.
  bool run() {
    if (!report.resources)
      fail("it cannot be checked for spills: " + report.resourcesMissing);
    else if (report.resources->spillStoreBytes + report.resources->spillLoadBytes + report.resources->localBytes > 0)
      fail(formatv("ptxas takes {0} bytes of local memory a thread, {1} of spill stores and {2} of spill loads",
                   report.resources->localBytes, report.resources->spillStoreBytes, report.resources->spillLoadBytes));
    for (const std::string &note : report.assemblerNotes)
      fail("note of ptxas: " + note);
    checkConflicts("shared loads", report.counts.sharedLoads);
    checkConflicts("shared stores", report.counts.sharedStores);
    checkConflicts("asynchronous copies", report.counts.asyncCopyStores);
    for (const DecisionRecord &decision : report.decisions)
      if (decision.kind == DecisionRecord::Declined)
        fail(formatv("{0}:{1}: {2}: declined: {3}", decision.line, decision.column, decision.clause, decision.message));
    return good;
  }

private:
  void fail(const Twine &what) {
    llvm::WithColor::error(llvm::errs(), "tgc") << "--check: " << report.symbol << ": " << what << "\n";
    good = false;
  }
  void checkConflicts(StringRef what, const AccessCount &count) {
    if (count.requests == 0)
      return;
    double conflicts = double(count.conflicts) / double(count.requests);
    if (conflicts > allowed)
      fail(
          formatv("{0:f2} bank conflicts per request of {1}, more than --max-conflicts {2}", conflicts, what, allowed));
  }

  const KernelReport &report;
  double allowed;
  bool good = true;
};
} // namespace

static std::string render(ArrayRef<KernelReport> reports) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (options::format.getValue()) {
  case Format::Text:
    for (auto [i, report] : llvm::enumerate(reports)) {
      os << (i > 0 ? "\n" : "");
      writeText(report, os);
      if (const KernelReport *before = findStepBefore(reports, i))
        writeStep(*before, report, os);
    }
    break;
  case Format::JSON: {
    llvm::json::Array array;
    for (auto [i, report] : llvm::enumerate(reports)) {
      llvm::json::Object object = toJSON(report);
      if (const KernelReport *before = findStepBefore(reports, i))
        object["step"] = toJSON(*before, report);
      array.push_back(std::move(object));
    }
    os << formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{
                                 {"schema", kReportSchema}, {"tgc", TGC_VERSION}, {"reports", std::move(array)}}));
    break;
  }
  case Format::HTML:
    writeHTML(reports, os);
    break;
  }
  return text;
}

Error tgc::runExplain() {
  Expected<Backend> how = getOneBackend();
  if (!how)
    return how.takeError();
  Expected<RunOptions> options = getRunOptions();
  if (!options)
    return options.takeError();
  if (size.empty())
    return createStringError("no --size: give the problem's size, as in --size 4096x4096x4096 or 4096");
  if (Error error = parseOneSize(size, options->spec))
    return error;
  for (const llvm::cl::opt<std::string> *option : {&commit, &seed})
    if (option->getNumOccurrences() > 0 && !measure)
      return createStringError("--" + option->ArgStr + " " + option->getValue() + ": it needs --measure");
  if (maxConflicts.getNumOccurrences() > 0 && !checkReport)
    return createStringError("--max-conflicts " + maxConflicts + ": it needs --check");
  double allowedConflicts = 0;
  if (StringRef(maxConflicts).getAsDouble(allowedConflicts) ||
      !(allowedConflicts >= 0 && std::isfinite(allowedConflicts)))
    return createStringError("--max-conflicts " + maxConflicts + ": expected a number of at least 0");
  std::unique_ptr<GPUSession> gpu;
  if (measure) {
    Expected<std::unique_ptr<GPUSession>> opened = GPUSession::open();
    if (!opened)
      return createStringError("--measure: " + llvm::toString(opened.takeError()));
    gpu = std::move(*opened);
  }

  std::vector<DecisionRecord> decisions; // outlives the context, which keeps a reference
  MLIRContext context;
  if (failed(collectDecisions(context, decisions)))
    return llvm::make_error<ReportedError>();
  Expected<std::unique_ptr<Program>> loaded = loadInput(context);
  if (!loaded)
    return loaded.takeError();
  Program &program = **loaded;
  Expected<std::string> chosen = getReportTarget(gpu.get());
  if (!chosen)
    return chosen.takeError();
  std::string wanted = std::move(*chosen);
  if (Error error = program.readSemantics())
    return error;
  if (Error error = program.lowerToThreads(wanted, ""))
    return error;

  warnOfSlowCounting(options->spec);
  std::vector<KernelReport> reports;
  for (const ScheduleEntry &entry : program.getEntries()) {
    OwningOpRef<ModuleOp> alone = program.extract(entry);
    std::string missing;
    FailureOr<Cubin> cubin = assembleQuietly(*alone, *how, wanted, missing);
    Expected<KernelReport> report = explainSchedule(
        program, entry, *options, {wanted, gpu.get(), decisions, succeeded(cubin) ? &*cubin : nullptr, missing});
    if (!report)
      return report.takeError();
    if (gpu) {
      if (failed(cubin))
        return createStringError("--measure: " + entry.name + ": " + missing);
      Expected<Measurement> measurement = measureKernel(*report, program, entry, *cubin, *gpu, *how, wanted, *options);
      if (!measurement)
        return measurement.takeError();
      addMeasurement(*report, std::move(*measurement));
    }
    reports.push_back(std::move(*report));
  }

  if (Error error = writeText("-o", output, render(reports)))
    return error;
  bool good = true;
  if (checkReport)
    for (const KernelReport &report : reports)
      good &= Checker(report, allowedConflicts).run();
  return good ? Error::success() : llvm::make_error<ReportedError>();
}
