//===- Execute.cpp - runs a schedule and checks its result -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Execute.h"

#include "tgc/Driver/Dump.h"
#include "tgc/Support/NearMiss.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Expected<KernelInterface> getInterface(Program &program, const ScheduleEntry &entry) {
  FailureOr<KernelInterface> interface = getKernelInterface(program.getModule(entry));
  if (failed(interface))
    return llvm::make_error<ReportedError>();
  return std::move(*interface);
}

/// "aligned \"B\" 16".
static std::string describe(FactAttr fact) {
  return (stringifyFactKind(fact.getKind()) + Twine(" ") + fact.getSubject().getValue() + " " + Twine(fact.getValue()))
      .str();
}

/// The variant that was asked for, or else the one that the rule of the host chooses.
static Expected<KernelVariant> findVariant(const KernelInterface &interface, const RunOptions &options,
                                           llvm::function_ref<uintptr_t(StringRef)> pointerOf) {
  if (options.variant.empty())
    return chooseVariant(interface, options.spec, pointerOf);
  SmallVector<StringRef> names;
  for (const KernelVariant &variant : interface.variants) {
    if (!variant.variant.empty())
      names.push_back(variant.variant);
    if (variant.variant != options.variant)
      continue;
    for (FactAttr fact : variant.facts)
      if (!factHolds(fact, interface, options.spec, pointerOf))
        return createStringError("--variant " + options.variant + ": it needs the fact '" + describe(fact) +
                                 "', which this call breaks (--size, --ld, --offset)");
    return variant;
  }
  return createStringError("--variant " + options.variant + ": " + interface.name + " has no such variant" +
                           itHas(options.variant, names));
}

Expected<KernelVariant> tgc::getVariant(const KernelInterface &interface, const RunOptions &options, Problem &problem) {
  return findVariant(interface, options, [&](StringRef name) -> uintptr_t {
    for (const HostOperand &operand : problem.getOperands())
      if (operand.name == name)
        return reinterpret_cast<uintptr_t>(operand.data);
    return 0;
  });
}

static Expected<std::unique_ptr<Problem>> createProblem(const KernelInterface &interface, const RunOptions &options) {
  std::string error;
  std::unique_ptr<Problem> problem = Problem::create(interface, options.spec, error);
  if (!problem)
    return createStringError(error);
  return std::move(problem);
}

static void fillRecord(RunRecord &record, const RunOptions &options, const KernelVariant &variant) {
  record.m = options.spec.m;
  record.n = options.spec.n;
  record.k = options.spec.k;
  record.variant = variant.variant;
  record.sharedBytes = variant.sharedBytes;
}

//===----------------------------------------------------------------------===//
// Simulator
//===----------------------------------------------------------------------===//

Expected<RunOutcome> tgc::runOnSimulator(Program &program, const ScheduleEntry &entry, const RunOptions &options) {
  Expected<KernelInterface> interface = getInterface(program, entry);
  if (!interface)
    return interface.takeError();
  Expected<std::unique_ptr<Problem>> problem = createProblem(*interface, options);
  if (!problem)
    return problem.takeError();
  Expected<KernelVariant> variant = getVariant(*interface, options, **problem);
  if (!variant)
    return variant.takeError();

  if (!options.dumpFolder.empty())
    if (Error error = dumpCall(options.dumpFolder, *interface, *variant, **problem))
      return std::move(error);

  RunOutcome outcome;
  outcome.variant = *variant;
  outcome.record.gpu = "simulator";
  fillRecord(outcome.record, options, *variant);
  auto func = program.getModule(entry).lookupSymbol<gpu::GPUFuncOp>(variant->symbol);
  FailureOr<SimulationResult> simulation = simulate(func, *interface, **problem);
  outcome.completed = succeeded(simulation);
  if (!outcome.completed)
    return std::move(outcome);
  outcome.simulation = *simulation;
  outcome.verdict = (*problem)->verify(entry.semantics);
  outcome.record.relativeError = outcome.verdict.relativeError;
  outcome.record.outputHash = (*problem)->hashOutput();
  if (!options.dumpFolder.empty())
    if (Error error = dumpOutput(options.dumpFolder, **problem))
      return std::move(error);
  return std::move(outcome);
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<GPUSession>> GPUSession::open() {
  std::unique_ptr<GPUSession> session(new GPUSession());
  Expected<std::unique_ptr<cuda::Device>> device = cuda::Device::open();
  if (!device)
    return device.takeError();
  session->device = std::move(*device);
  return std::move(session);
}

Error GPUSession::measure(GPUProblem &gpuProblem, const ScheduleEntry &entry, const cuda::Function &function,
                          RunOutcome &outcome) {
  const RunRecord &record = outcome.record;
  if (record.m == 0 || record.n == 0 || record.k == 0)
    return Error::success(); // nothing to measure
  if (!blas && blasMissing.empty()) {
    if (Expected<std::unique_ptr<CuBLAS>> opened = CuBLAS::open())
      blas = std::move(*opened);
    else
      blasMissing = llvm::toString(opened.takeError());
  }
  SmallVector<std::function<Error()>> candidates;
  candidates.push_back([&] { return gpuProblem.launch(function, outcome.variant); });
  outcome.cublasMissing = blasMissing;
  BLASProduct product;
  if (blas) {
    Expected<BLASProduct> described = gpuProblem.getBLASProduct(entry.semantics.accumulate);
    if (described) {
      product = *described;
      outcome.cublasVersion = blas->getVersion();
      candidates.push_back([&] { return blas->enqueue(product); });
    } else {
      outcome.cublasMissing = llvm::toString(described.takeError());
    }
  }
  Expected<std::vector<double>> times = timeAlternating(*device, candidates);
  if (!times)
    return times.takeError();
  outcome.record.ms = (*times)[0];
  if (times->size() > 1)
    outcome.record.cublasMs = (*times)[1];
  return Error::success();
}

Expected<RunOutcome> GPUSession::run(Program &program, const ScheduleEntry &entry, const Cubin &cubin,
                                     const RunOptions &options) {
  Expected<KernelInterface> interface = getInterface(program, entry);
  if (!interface)
    return interface.takeError();
  Expected<std::unique_ptr<Problem>> problem = createProblem(*interface, options);
  if (!problem)
    return problem.takeError();
  Expected<std::unique_ptr<GPUProblem>> created = GPUProblem::create(*device, *interface, **problem);
  if (!created)
    return created.takeError();
  GPUProblem &gpuProblem = **created;
  Expected<KernelVariant> variant =
      findVariant(*interface, options, [&](StringRef name) { return gpuProblem.getPointer(name); });
  if (!variant)
    return variant.takeError();
  Expected<cuda::Module> loaded = device->load(cubin.image);
  if (!loaded)
    return loaded.takeError();
  Expected<cuda::Function> function = device->getFunction(*loaded, variant->symbol, variant->sharedBytes);
  if (!function)
    return function.takeError();

  if (!options.dumpFolder.empty())
    if (Error error = dumpCall(options.dumpFolder, *interface, *variant, **problem))
      return std::move(error);

  RunOutcome outcome;
  outcome.variant = *variant;
  RunRecord &record = outcome.record;
  fillRecord(record, options, *variant);
  record.gpu = getInfo().name;
  record.driver = getInfo().driverVersion;
  record.cuda = getInfo().cudaVersion;
  record.registers = function->info.registers;
  for (const KernelResources &resources : cubin.kernels)
    if (resources.symbol == variant->symbol)
      record.spills = resources.spillStoreBytes + resources.spillLoadBytes;
  record.kernelHash = llvm::xxh3_64bits(cubin.image);

  for (int64_t launch = 1; launch <= options.launches; ++launch) {
    if (launch > 1)
      if (Error error = gpuProblem.resetOutput())
        return std::move(error);
    if (Error error = gpuProblem.launch(*function, *variant))
      return std::move(error);
    if (Error error = device->synchronize("run kernel '" + variant->symbol + "'"))
      return std::move(error);
    if (Error error = gpuProblem.downloadOutput())
      return std::move(error);
    uint64_t hash = (*problem)->hashOutput();
    if (launch == 1) {
      outcome.verdict = (*problem)->verify(entry.semantics);
      record.relativeError = outcome.verdict.relativeError;
      record.outputHash = hash;
      if (!options.dumpFolder.empty())
        if (Error error = dumpOutput(options.dumpFolder, **problem))
          return std::move(error);
    } else if (hash != record.outputHash && outcome.differentLaunch == 0) {
      outcome.differentLaunch = launch;
    }
  }
  if (options.timing && outcome.isGood())
    if (Error error = measure(gpuProblem, entry, *function, outcome))
      return std::move(error);
  return std::move(outcome);
}
