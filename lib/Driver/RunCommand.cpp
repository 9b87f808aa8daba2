//===- RunCommand.cpp - tgc run -----------------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using namespace tgc::options;

static void printOutcome(const RunOutcome &outcome, const ScheduleEntry &entry, StringRef note) {
  llvm::raw_ostream &os = llvm::outs();
  const RunRecord &r = outcome.record;
  if (!note.empty())
    os << note << "\n";
  os << formatv("{0} {1}x{2}x{3}", entry.name, r.m, r.n, r.k);
  if (!r.variant.empty())
    os << ", variant " << r.variant;
  if (outcome.simulation || !outcome.completed)
    os << ", on the simulator\n";
  else
    os << ", " << r.backend << " on " << r.gpu << "\n";
  if (!outcome.completed) {
    os << "  FAULT: the simulator reported errors\n";
    return;
  }
  const Verdict &verdict = outcome.verdict;
  os << formatv("  {0}: relative error {1:e2}, largest error {2:f3} of its bound", getVerdict(outcome),
                verdict.relativeError, verdict.worstRatio);
  if (verdict.checked < r.m * r.n)
    os << formatv(", {0} of {1} elements checked", verdict.checked, r.m * r.n);
  os << "\n";
  if (!verdict.passed)
    os << formatv("  {0} wrong elements, {1} writes outside C{2}\n", verdict.wrong, verdict.guardWrites,
                  verdict.detail.empty() ? "" : "; " + verdict.detail);
  if (outcome.differentLaunch)
    os << formatv("  launch {0} gave other bits than launch 1\n", outcome.differentLaunch);
  if (r.ms) {
    os << formatv("  {0:f4} ms, {1:f2} TFLOP/s", *r.ms, r.getTeraflops(*r.ms));
    if (r.cublasMs)
      os << formatv("; cuBLAS {0} FP32: {1:f4} ms, {2:f2} TFLOP/s; ratio {3:f3}", outcome.cublasVersion, *r.cublasMs,
                    r.getTeraflops(*r.cublasMs), *r.cublasMs / *r.ms);
    else
      os << "; no cuBLAS: " << outcome.cublasMissing;
    os << "\n";
  }
  if (outcome.simulation) {
    const SimulationResult &counts = *outcome.simulation;
    os << formatv("  {0} blocks of {1} threads, {2} barriers, {3} fma, {4} bytes of shared memory\n", counts.blocks,
                  outcome.variant.threads, counts.barriers, counts.fma, r.sharedBytes);
    auto print = [&](StringRef what, const AccessCount &count, StringRef units) {
      if (count.requests)
        os << formatv("  {0}: {1} requests of warps, {2} {3}\n", what, count.requests, count.units, units);
    };
    print("shared loads", counts.sharedLoads, "wavefronts");
    print("shared stores", counts.sharedStores, "wavefronts");
    print("global loads", counts.globalLoads, "sectors");
    print("global stores", counts.globalStores, "sectors");
    print("async copies", counts.asyncCopies, "sectors");
  }
  if (r.registers) {
    os << "  " << *r.registers << " registers, ";
    if (r.spills)
      os << *r.spills << " bytes of spills, ";
    os << r.sharedBytes << " bytes of shared memory\n";
  }
  os << "  C " << formatHash(r.outputHash);
  if (r.kernelHash)
    os << ", kernel " << formatHash(*r.kernelHash);
  os << "\n";
}

static Expected<Cubin> readCubin(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return createStringError("--cubin " + path + ": cannot read: " + file.getError().message());
  Cubin cubin;
  cubin.image = (*file)->getBuffer().str();
  if (!StringRef(cubin.image)
           .starts_with("\x7f"
                        "ELF"))
    return createStringError("--cubin " + path + ": not a cubin (no ELF file)");
  return std::move(cubin);
}

Error tgc::runRun() {
  Expected<Backend> how = getOneBackend();
  if (!how)
    return how.takeError();
  Expected<RunOptions> options = getRunOptions();
  if (!options)
    return options.takeError();
  if (size.empty())
    return createStringError("no --size: give the problem's size, as in --size 257x129x65");
  if (Error error = parseProblemSize(size, options->spec))
    return error;
  std::optional<Cubin> given;
  if (!cubinFile.empty()) {
    Expected<Cubin> read = readCubin(cubinFile);
    if (!read)
      return read.takeError();
    given = std::move(*read);
  }
  std::string note;
  Expected<std::unique_ptr<GPUSession>> gpu = openGPU(note);
  if (!gpu)
    return gpu.takeError();
  if (!*gpu)
    warnOfSlowSimulation(options->spec);
  if (given && !*gpu)
    return createStringError("--cubin " + cubinFile + ": a cubin needs a GPU" + (note.empty() ? "" : "; ") + note);

  MLIRContext context;
  Expected<std::unique_ptr<Program>> program = loadInput(context);
  if (!program)
    return program.takeError();
  Expected<const ScheduleEntry *> entry = getOnlyEntry(**program);
  if (!entry)
    return entry.takeError();
  std::string wanted = getWantedTarget(gpu->get());
  if (Error error = (*program)->readSemantics())
    return error;
  if (Error error = (*program)->lowerToThreads(wanted, after))
    return error;

  Expected<RunOutcome> outcome = [&]() -> Expected<RunOutcome> {
    if (!*gpu)
      return runOnSimulator(**program, **entry, *options);
    if (given)
      return (*gpu)->run(**program, **entry, *given, *options);
    FailureOr<Cubin> cubin = compileToCubin((*program)->getModule(), *how, wanted);
    if (failed(cubin))
      return llvm::make_error<ReportedError>();
    return (*gpu)->run(**program, **entry, *cubin, *options);
  }();
  if (!outcome)
    return outcome.takeError();
  finishRecord(*outcome, **program, **entry, *gpu ? std::optional(*how) : std::nullopt);
  if (!*gpu && outcome->completed) {
    Expected<uint64_t> hash = hashText(**program, **entry);
    if (!hash)
      return hash.takeError();
    outcome->record.kernelHash = *hash;
  }
  printOutcome(*outcome, **entry, note);
  if (!csvFile.empty() && outcome->completed)
    if (Error error = appendCSV(csvFile, outcome->record))
      return error;
  return outcome->isGood() ? Error::success() : llvm::make_error<ReportedError>();
}
