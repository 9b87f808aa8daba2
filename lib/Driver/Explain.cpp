//===- Explain.cpp - reports of schedules -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "tgc/Support/NearMiss.h"
#include "tgc/Support/TargetLimits.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Expected;
using namespace tgc::options;

/// The GPU that --gpu names; null without it.
static Expected<const Machine *> findModel() {
  if (gpuModel.empty())
    return nullptr;
  if (const Machine *machine = findMachine(gpuModel))
    return machine;
  auto keys = llvm::map_to_vector(getMachines(), [](const Machine &machine) -> StringRef { return machine.key; });
  return createStringError("--gpu " + gpuModel + ": unknown GPU" + itHas(gpuModel, keys));
}

Expected<std::string> tgc::getReportTarget(const GPUSession *gpu) {
  Expected<const Machine *> model = findModel();
  if (!model)
    return model.takeError();
  if (!*model)
    return getWantedTarget(gpu);
  const TargetLimits *own = getTargetLimits((*model)->chip), *wanted = getTargetLimits(target);
  if (wanted && wanted > own) // the table is ordered
    return createStringError("--gpu " + gpuModel + ": it is " + (*model)->chip + ", which cannot run code for " +
                             wanted->name + " (--target)");
  return target.empty() ? (*model)->chip.str() : target.getValue();
}

/// The GPU that times are predicted for: --gpu, else the one that is there, else the one that stands for the target.
static Expected<const Machine *> chooseMachine(StringRef chip, const GPUSession *gpu) {
  Expected<const Machine *> model = findModel();
  if (!model || *model)
    return model;
  if (gpu)
    if (const Machine *machine = findMachine(gpu->getInfo().name))
      return machine;
  return &getMachineOf(chip);
}

FailureOr<Cubin> tgc::assembleQuietly(ModuleOp module, Backend how, StringRef wanted, std::string &missing) {
  ScopedDiagnosticHandler capture(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && missing.empty())
      missing = diagnostic.str();
    return success();
  });
  return compileToCubin(module, how, wanted);
}

Expected<KernelReport> tgc::explainSchedule(Program &program, const ScheduleEntry &entry, const RunOptions &options,
                                            const ReportContext &context) {
  gpu::GPUModuleOp module = program.getModule(entry);
  FailureOr<KernelInterface> interface = getKernelInterface(module);
  if (failed(interface))
    return llvm::make_error<ReportedError>();
  std::string error;
  std::unique_ptr<Problem> problem = Problem::reserve(*interface, options.spec, error);
  if (!problem)
    return createStringError(error);
  Expected<KernelVariant> variant = getVariant(*interface, options, *problem);
  if (!variant)
    return variant.takeError();
  ReportInput input;
  input.program = program.getPath();
  input.kernel = entry.kernel;
  input.schedule = entry.schedule;
  input.text = program.getText();
  input.target = getTargetName(module, context.wanted);
  input.decisions = context.decisions;
  input.cubin = context.cubin;
  input.resourcesMissing = context.missing;
  Expected<const Machine *> machine = chooseMachine(input.target, context.gpu);
  if (!machine)
    return machine.takeError();
  input.machine = *machine;
  FailureOr<KernelReport> report =
      buildReport(module.lookupSymbol<gpu::GPUFuncOp>(variant->symbol), *interface, *problem, input);
  if (failed(report))
    return llvm::make_error<ReportedError>();
  return std::move(*report);
}
