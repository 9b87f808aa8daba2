//===- ExplainCommand.cpp - tgc explain -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tgc/Report/KernelReport.h"
#include "tgc/Support/NearMiss.h"
#include "tgc/Support/TargetLimits.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::Twine;
using namespace tgc::options;

/// The GPU that times are predicted for: --gpu, else the one that is there, else the one that stands for the target.
static Expected<const Machine *> chooseMachine(StringRef chip, const GPUSession *gpu) {
  if (!gpuModel.empty()) {
    if (const Machine *machine = findMachine(gpuModel))
      return machine;
    auto keys = llvm::map_to_vector(getMachines(), [](const Machine &machine) -> StringRef { return machine.key; });
    return createStringError("--gpu " + gpuModel + ": unknown GPU" + itHas(gpuModel, keys));
  }
  if (gpu)
    if (const Machine *machine = findMachine(gpu->getInfo().name))
      return machine;
  return &getMachineOf(chip);
}

/// The machine code of `module`; empty with a reason if there is no assembler. What ptxas warns of is in the report.
static std::optional<Cubin> assemble(ModuleOp module, Backend how, StringRef wanted, std::string &missing) {
  ScopedDiagnosticHandler capture(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && missing.empty())
      missing = diagnostic.str();
    return success();
  });
  FailureOr<Cubin> cubin = compileToCubin(module, how, wanted);
  if (failed(cubin))
    return std::nullopt;
  return std::move(*cubin);
}

namespace {
/// What a report has against a kernel.
class Checker {
public:
  Checker(const KernelReport &report, double allowedConflicts) : report(report), allowed(allowedConflicts) {}

  /// Prints what is wrong, a line each. Returns whether nothing is.
  bool run() {
    if (!report.resources)
      fail("it cannot be checked for spills: " + report.resourcesMissing);
    else if (report.resources->spillStoreBytes + report.resources->spillLoadBytes > 0)
      fail(formatv("ptxas spills {0} bytes and loads {1}", report.resources->spillStoreBytes,
                   report.resources->spillLoadBytes));
    else if (report.resources->localBytes > 0)
      fail(formatv("{0} bytes of local memory per thread", report.resources->localBytes));
    for (const std::string &note : report.assemblerNotes)
      fail("ptxas: " + note);
    checkConflicts("loads", report.counts.sharedLoads);
    checkConflicts("stores", report.counts.sharedStores);
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
      fail(formatv("{0:f2} bank conflicts per request of shared {1}, more than --max-conflicts {2}", conflicts, what,
                   allowed));
  }

  const KernelReport &report;
  double allowed;
  bool good = true;
};
} // namespace

static std::string render(ArrayRef<KernelReport> reports) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (options::format) {
  case Format::Text:
    llvm::interleave(reports, os, [&](const KernelReport &report) { writeText(report, os); }, "\n");
    break;
  case Format::JSON: {
    llvm::json::Array array;
    for (const KernelReport &report : reports)
      array.push_back(toJSON(report));
    os << formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{
                                 {"schema", kReportSchema}, {"tgc", TGC_VERSION}, {"reports", std::move(array)}}));
    break;
  }
  }
  return text;
}

Error tgc::runExplain() {
  if (backend == BackendChoice::Both)
    return createStringError("--backend both: only 'compare' takes both; choose ptx or cuda");
  Backend how = backend == BackendChoice::CUDA ? Backend::CUDA : Backend::PTX;
  Expected<RunOptions> options = getRunOptions();
  if (!options)
    return options.takeError();
  if (size.empty())
    return createStringError("no --size: give the problem's size, as in --size 4096x4096x4096 or 4096");
  if (Error error = parseOneSize(size, options->spec))
    return error;
  double allowedConflicts = 0;
  if (StringRef(maxConflicts).getAsDouble(allowedConflicts) || !(allowedConflicts >= 0))
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
  std::string wanted = getWantedTarget(gpu.get());
  if (Error error = program.readSemantics())
    return error;
  if (Error error = program.lowerToThreads(wanted, ""))
    return error;

  std::vector<KernelReport> reports;
  for (const ScheduleEntry &entry : program.getEntries()) {
    gpu::GPUModuleOp module = program.getModule(entry);
    FailureOr<KernelInterface> interface = getKernelInterface(module);
    if (failed(interface))
      return llvm::make_error<ReportedError>();
    std::string error;
    std::unique_ptr<Problem> problem = Problem::reserve(*interface, options->spec, error);
    if (!problem)
      return createStringError(error);
    Expected<KernelVariant> variant = getVariant(*interface, *options, *problem);
    if (!variant)
      return variant.takeError();
    StringRef chip = getTargetName(module, wanted);
    Expected<const Machine *> machine = chooseMachine(chip, gpu.get());
    if (!machine)
      return machine.takeError();

    ReportInput input;
    input.program = program.getPath();
    input.kernel = entry.kernel;
    input.schedule = entry.schedule;
    input.target = chip;
    input.text = program.getText();
    input.machine = *machine;
    input.decisions = decisions;
    OwningOpRef<ModuleOp> alone = program.extract(entry);
    std::optional<Cubin> cubin = assemble(*alone, how, wanted, input.resourcesMissing);
    input.cubin = cubin ? &*cubin : nullptr;
    auto func = module.lookupSymbol<gpu::GPUFuncOp>(variant->symbol);
    FailureOr<KernelReport> report = buildReport(func, *interface, *problem, input);
    if (failed(report))
      return llvm::make_error<ReportedError>();
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
