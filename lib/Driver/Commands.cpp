//===- Commands.cpp - what the commands of tgc share --------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

#include <ctime>

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;
using namespace tgc::options;

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Program>> tgc::loadInput(MLIRContext &context) {
  if (inputFile.empty())
    return createStringError("no input file");
  if (Error error = checkTarget())
    return std::move(error);
  return loadSelected(context, kernel, schedule);
}

Expected<std::unique_ptr<Program>> tgc::loadSelected(MLIRContext &context, StringRef wantedKernel,
                                                     StringRef wantedSchedule) {
  loadAllDialects(context);
  context.printOpOnDiagnostic(false); // the source line says enough
  return Program::load(inputFile, {wantedKernel.str(), wantedSchedule.str()}, context);
}

Expected<const ScheduleEntry *> tgc::getOnlyEntry(const Program &program) {
  ArrayRef<ScheduleEntry> entries = program.getEntries();
  if (entries.size() == 1)
    return &entries.front();
  std::string names = llvm::join(llvm::map_range(entries, [](auto &entry) { return entry.name; }), ", ");
  return createStringError("'" + program.getPath() + "' has " + Twine(entries.size()) + " schedules (" + names +
                           "): choose one with --schedule and --kernel");
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

Expected<Backend> tgc::getOneBackend() {
  if (backend == BackendChoice::Both)
    return createStringError("--backend both: only 'compare' takes both; choose ptx or cuda");
  return backend == BackendChoice::CUDA ? Backend::CUDA : Backend::PTX;
}

Expected<std::unique_ptr<GPUSession>> tgc::openGPU(std::string &note) {
  if (where == Where::Simulator)
    return nullptr;
  Expected<std::unique_ptr<GPUSession>> session = GPUSession::open();
  std::string reason;
  if (session) {
    const cuda::DeviceInfo &info = (*session)->getInfo();
    if (getTargetLimits(info.getChip()))
      return std::move(*session);
    reason = info.name + " is " + info.getChip() + ", an unknown target; known are " + listTargets();
  } else {
    reason = llvm::toString(session.takeError());
  }
  if (where == Where::GPU)
    return createStringError("--on gpu: " + reason);
  note = "no GPU (" + reason + "): on the simulator";
  return nullptr;
}

std::string tgc::getWantedTarget(const GPUSession *gpu) {
  return target.empty() && gpu ? gpu->getInfo().getChip() : target;
}

void tgc::warnOfSlowSimulation(const ProblemSpec &spec) {
  // One core simulates some 10^8 fma per second.
  constexpr double kManyFma = 2e10;
  double fma = double(spec.m) * spec.n * spec.k;
  if (fma > kManyFma)
    llvm::WithColor::warning(llvm::errs(), "tgc") << llvm::formatv(
        "{0:e1} fma on the simulator take minutes or more: choose a smaller --size, or --on gpu\n", fma);
}

void tgc::warnOfSlowCounting(const ProblemSpec &spec) {
  // A block of 128 x 256 elements counts some 10^4 k per second.
  constexpr int64_t kLong = 200000;
  if (spec.k > kLong)
    llvm::WithColor::warning(llvm::errs(), "tgc")
        << "K = " << spec.k << " may take a minute or more: counting goes through all k of a block\n";
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

StringRef tgc::getVerdict(const RunOutcome &outcome) {
  if (!outcome.completed)
    return "FAULT";
  if (!outcome.verdict.passed)
    return "WRONG";
  return outcome.differentLaunch ? "NOT REPEATABLE" : "passed";
}

static std::string getDate() {
  std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

void tgc::finishRecord(RunOutcome &outcome, Program &program, const ScheduleEntry &entry,
                       std::optional<Backend> backendUsed) {
  RunRecord &record = outcome.record;
  record.program = program.getPath().str();
  record.schedule = entry.name;
  record.backend = backendUsed ? getName(*backendUsed).str() : "sim";
  record.date = getDate();
  record.commit = commit;
}

Expected<uint64_t> tgc::hashText(Program &program, const ScheduleEntry &entry) {
  FailureOr<std::string> text = compileToCUDA(*program.extract(entry));
  if (failed(text))
    return llvm::make_error<ReportedError>();
  return llvm::xxh3_64bits(*text);
}

Error tgc::writeText(StringRef option, StringRef path, StringRef text) {
  namespace fs = llvm::sys::fs;
  auto failure = [&](const Twine &reason) {
    return createStringError(option + " " + path + ": cannot write: " + reason);
  };
  SmallString<128> target(path);
  fs::file_status status;
  bool exists = path != "-" && !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return failure("it is a directory");
  if (exists && !fs::is_regular_file(status)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
    if (code)
      return failure(code.message());
    os << text;
    os.flush();
    if (os.has_error()) {
      std::string reason = os.error().message();
      os.clear_error();
      return failure(reason);
    }
    return Error::success();
  }
  if (exists)
    if (std::error_code code = fs::real_path(path, target))
      return failure(code.message());
  if (Error error = llvm::writeToOutput(target, [&](llvm::raw_ostream &os) {
        os << text;
        return Error::success();
      }))
    return createStringError(option + ": cannot write " + llvm::toString(std::move(error))); // names the file
  if (exists)
    if (std::error_code code = fs::setPermissions(target, status.permissions()))
      return failure(code.message());
  return Error::success();
}
