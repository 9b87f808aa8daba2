//===- Driver.cpp - the command line tool tgc -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Driver.h"

#include "tgc/Driver/Compile.h"
#include "tgc/Driver/Execute.h"
#include "tgc/Driver/Program.h"
#include "tgc/Frontend/Frontend.h"
#include "tgc/Target/CUDA/CUDA.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <ctime>

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using llvm::Twine;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

namespace {
enum class Emit { MLIR, CUDA, Header, PTX, Cubin };
enum class Where { Auto, Simulator, GPU };
enum class BackendChoice { PTX, CUDA, Both };
} // namespace

static cl::OptionCategory category("tgc options");
static cl::SubCommand buildCommand("build", "Compile schedules: MLIR, CUDA C++, a host header, PTX or a cubin");
static cl::SubCommand runCommand("run", "Run one schedule, on the GPU or the simulator, and verify its result");
static cl::SubCommand compareCommand("compare", "Run every schedule of a kernel and print them as a table");
static cl::SubCommand formatCommand("fmt", "Print tile programs in canonical form");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE (.tgc or .mlir; - for MLIR on standard input)"),
                                      cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand),
                                      cl::sub(compareCommand));
static cl::opt<std::string> schedule("schedule", cl::desc("Schedule to compile"), cl::value_desc("name"),
                                     cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand));
static cl::opt<std::string> kernel("kernel", cl::desc("Kernel, where the file has several"), cl::value_desc("name"),
                                   cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand),
                                   cl::sub(compareCommand));
static cl::opt<Emit> emitKind("emit", cl::desc("What to write:"), cl::init(Emit::CUDA),
                              cl::values(clEnumValN(Emit::MLIR, "mlir", "MLIR at L3, or after the pass of --after"),
                                         clEnumValN(Emit::CUDA, "cuda", "CUDA C++ (default)"),
                                         clEnumValN(Emit::Header, "header", "C++ header that launches the kernels"),
                                         clEnumValN(Emit::PTX, "ptx", "PTX of one schedule"),
                                         clEnumValN(Emit::Cubin, "cubin", "Machine code of one schedule")),
                              cl::cat(category), cl::sub(buildCommand));
static cl::opt<std::string> after("after",
                                  cl::desc("Leave out the tiling passes after this one; with --emit=mlir, stop there"),
                                  cl::value_desc("pass"), cl::cat(category), cl::sub(buildCommand),
                                  cl::sub(runCommand));
static cl::opt<bool> locations("locations", cl::desc("Print locations in MLIR, so that it can be read back with names"),
                               cl::cat(category), cl::sub(buildCommand));
static cl::opt<std::string>
    target("target", cl::desc("Target of the machine code (default: the schedule's, the GPU's, or sm_90)"),
           cl::value_desc("sm_XX"), cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand),
           cl::sub(compareCommand));
static cl::opt<std::string> output("o", cl::desc("Output file (default: standard output); kept only on success"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(category), cl::sub(buildCommand));
static cl::opt<BackendChoice>
    backend("backend", cl::desc("How machine code is made:"), cl::init(BackendChoice::PTX),
            cl::values(clEnumValN(BackendChoice::PTX, "ptx", "LLVM's PTX (default)"),
                       clEnumValN(BackendChoice::CUDA, "cuda", "The CUDA C++ text, through NVRTC or nvcc"),
                       clEnumValN(BackendChoice::Both, "both", "Both (compare only)")),
            cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<std::string> size("size", cl::desc("Problem size; compare takes a list, and N for NxNxN"),
                                 cl::value_desc("MxNxK"), cl::cat(category), cl::sub(runCommand),
                                 cl::sub(compareCommand));
static cl::opt<std::string> leadingDimensions("ld", cl::desc("Leading dimensions, in elements (default: no gaps)"),
                                              cl::value_desc("A=N,B=N"), cl::cat(category), cl::sub(runCommand));
static cl::opt<std::string> offsets("offset",
                                    cl::desc("Elements from a 256-byte boundary to each operand (default: 0)"),
                                    cl::value_desc("A=N,B=N"), cl::cat(category), cl::sub(runCommand));
static cl::opt<std::string> scalars("set", cl::desc("Scalar arguments"), cl::value_desc("alpha=X,..."),
                                    cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the operands (default: 0)"), cl::value_desc("number"),
                              cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<ProblemSpec::Fill>
    fill("fill", cl::desc("Values of the operands:"), cl::init(ProblemSpec::Random),
         cl::values(clEnumValN(ProblemSpec::Random, "random", "Uniform in [-1, 1) (default)"),
                    clEnumValN(ProblemSpec::Integers, "integers", "-4 to 4: sums are exact")),
         cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<Where> where("on", cl::desc("Where to run:"), cl::init(Where::Auto),
                            cl::values(clEnumValN(Where::Auto, "auto", "A GPU if there is one (default)"),
                                       clEnumValN(Where::Simulator, "sim", "The simulator"),
                                       clEnumValN(Where::GPU, "gpu", "A GPU")),
                            cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<std::string> variant("variant", cl::desc("Variant to run (default: the first whose facts hold)"),
                                    cl::value_desc("name"), cl::cat(category), cl::sub(runCommand));
static cl::opt<std::string> cubinFile("cubin", cl::desc("GPU: run this cubin instead of compiling"),
                                      cl::value_desc("file"), cl::cat(category), cl::sub(runCommand));
static cl::opt<int64_t> launches("launches", cl::desc("GPU: launches whose results must be bit-equal (default: 1)"),
                                 cl::value_desc("number"), cl::init(1), cl::cat(category), cl::sub(runCommand),
                                 cl::sub(compareCommand));
static cl::opt<bool> timing("time", cl::desc("GPU: measure, beside cuBLAS (default: true)"), cl::init(true),
                            cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<std::string> csvFile("csv", cl::desc("Append a line per run to this file"), cl::value_desc("file"),
                                    cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::opt<std::string> commit("commit", cl::desc("Value of the column commit of --csv"), cl::value_desc("hash"),
                                   cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
static cl::list<std::string> formatFiles(cl::Positional, cl::desc("FILE..."), cl::cat(category),
                                         cl::sub(formatCommand));
static cl::opt<bool> check("check", cl::desc("Write nothing; fail if a file is not in canonical form"),
                           cl::cat(category), cl::sub(formatCommand));
static cl::opt<bool> inPlace("i", cl::desc("Rewrite the files"), cl::cat(category), cl::sub(formatCommand));

//===----------------------------------------------------------------------===//
// Options that need more than a parser
//===----------------------------------------------------------------------===//

static Error checkTarget() {
  if (target.empty() || llvm::Regex("^sm_[0-9]+[af]?$").match(target))
    return Error::success();
  return createStringError("--target " + target + ": expected a compute capability such as sm_80 or sm_90");
}

static Error parseScalars(ProblemSpec &spec) {
  if (scalars.empty())
    return Error::success();
  for (StringRef part : llvm::split(StringRef(scalars), ',')) {
    auto [name, number] = part.split('=');
    double value = 0;
    if (name.empty() || number.getAsDouble(value))
      return createStringError("--set " + scalars + ": expected NAME=NUMBER, as in alpha=2.0, separated by commas");
    if (!std::isfinite(static_cast<float>(value)))
      return createStringError("--set " + scalars + ": " + number + " is no finite f32");
    if (!spec.scalars.try_emplace(name, float(value)).second)
      return createStringError("--set " + scalars + ": '" + name + "' is given twice; give each scalar once");
  }
  return Error::success();
}

/// The options of a run but for its size.
static Expected<RunOptions> getRunOptions() {
  RunOptions options;
  options.spec.seed = seed;
  options.spec.fill = fill;
  std::string error;
  if (!leadingDimensions.empty() && !parseAssignments("--ld", leadingDimensions, options.spec.leadingDimensions, error))
    return createStringError(error);
  if (!offsets.empty() && !parseAssignments("--offset", offsets, options.spec.offsets, error))
    return createStringError(error);
  if (Error scalarError = parseScalars(options.spec))
    return std::move(scalarError);
  if (launches < 1)
    return createStringError("--launches " + Twine(launches) + ": expected a number of at least 1");
  options.launches = launches;
  options.variant = variant;
  options.timing = timing;
  return std::move(options);
}

static Error parseProblemSize(StringRef text, ProblemSpec &spec) {
  std::string error;
  return parseSize(text, spec, error) ? Error::success() : createStringError(error);
}

static std::string getDate() {
  std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

/// The target whose limits and machine code are wanted: --target, else that of the GPU, else sm_90.
static std::string getChip(const GPUSession *gpu) {
  if (!target.empty())
    return target;
  return gpu ? gpu->getInfo().getChip() : "sm_90";
}

/// Fails if a schedule is for a newer target than the GPU's.
static Error checkFits(Program &program, const GPUSession &gpu) {
  auto getNumber = [](StringRef chip) {
    unsigned number = 0;
    chip.consume_front("sm_");
    (void)chip.consumeInteger(10, number); // a suffix follows in sm_90a
    return number;
  };
  std::string chip = gpu.getInfo().getChip();
  for (const ScheduleEntry &entry : program.getEntries())
    if (auto own = program.getModule(entry)->getAttrOfType<StringAttr>("tgc.target"))
      if (getNumber(own) > getNumber(chip))
        return createStringError("schedule '" + Twine(entry.schedule) + "' is for " + own.getValue() + ", but " +
                                 gpu.getInfo().name + " is " + chip);
  return Error::success();
}

/// A GPU if one is wanted and there; null for the simulator. `note` says why auto chose the simulator.
static Expected<std::unique_ptr<GPUSession>> openGPU(std::string &note) {
  if (where == Where::Simulator)
    return nullptr;
  Expected<std::unique_ptr<GPUSession>> session = GPUSession::open();
  if (session)
    return std::move(*session);
  std::string reason = llvm::toString(session.takeError());
  if (where == Where::GPU)
    return createStringError("--on gpu: " + reason);
  note = "no GPU (" + reason + "): on the simulator";
  return nullptr;
}

static Expected<std::unique_ptr<Program>> loadInput(MLIRContext &context) {
  if (inputFile.empty())
    return createStringError("no input file");
  if (Error error = checkTarget())
    return std::move(error);
  loadAllDialects(context);
  context.printOpOnDiagnostic(false); // the source line says enough
  return Program::load(inputFile, {kernel, schedule}, context);
}

/// Writes `text` to `path` ("-": standard output), the value of `option`. A regular file, also behind a link, appears
/// or changes only once all is written, and keeps its permissions; anything else (a pipe, a device) is written
/// straight.
static Error writeText(StringRef option, StringRef path, StringRef text) {
  namespace fs = llvm::sys::fs;
  auto failure = [&](const Twine &reason) {
    return createStringError(option + " " + path + ": cannot write: " + reason);
  };
  if (path.empty())
    return createStringError(option + ": expected a file name; - is standard output");
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

//===----------------------------------------------------------------------===//
// tgc build
//===----------------------------------------------------------------------===//

/// The one schedule of a command that compiles one.
static Expected<const ScheduleEntry *> getOnlyEntry(const Program &program) {
  ArrayRef<ScheduleEntry> entries = program.getEntries();
  if (entries.size() == 1)
    return &entries.front();
  std::string names = llvm::join(llvm::map_range(entries, [](auto &entry) { return entry.name; }), ", ");
  return createStringError("'" + program.getPath() + "' has " + Twine(entries.size()) + " schedules (" + names +
                           "): choose one with --schedule and --kernel");
}

static Expected<std::string> buildText(Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string chip = getChip(nullptr);
  if (emitKind == Emit::MLIR && !after.empty()) {
    if (Error error = program.runUpTo(chip, after))
      return std::move(error);
  } else if (Error error = program.lowerToThreads(chip, after)) {
    return std::move(error);
  }
  ModuleOp module = program.getModule();
  auto fromResult = [](FailureOr<std::string> result) -> Expected<std::string> {
    if (failed(result))
      return llvm::make_error<ReportedError>();
    return std::move(*result);
  };
  switch (emitKind) {
  case Emit::MLIR: {
    OpPrintingFlags flags;
    flags.printNameLocAsPrefix();
    if (locations)
      flags.enableDebugInfo();
    module->print(os, flags);
    os << "\n";
    return text;
  }
  case Emit::CUDA:
    return fromResult(compileToCUDA(module));
  case Emit::Header:
    if (failed(emitCUDAHeader(module, os)))
      return llvm::make_error<ReportedError>();
    return text;
  case Emit::PTX:
  case Emit::Cubin: {
    Backend how = backend == BackendChoice::CUDA ? Backend::CUDA : Backend::PTX;
    if (target.empty())
      if (auto own = program.getModule(program.getEntries().front())->getAttrOfType<StringAttr>("tgc.target"))
        chip = own.str();
    if (emitKind == Emit::PTX)
      return fromResult(compileToPTX(module, how, chip));
    FailureOr<Cubin> cubin = compileToCubin(module, how, chip);
    if (failed(cubin))
      return llvm::make_error<ReportedError>();
    return std::move(cubin->image);
  }
  }
  llvm_unreachable("not a kind of output");
}

static Error runBuild() {
  if (backend == BackendChoice::Both)
    return createStringError("--backend both: only 'compare' takes both; choose ptx or cuda");
  MLIRContext context;
  Expected<std::unique_ptr<Program>> program = loadInput(context);
  if (!program)
    return program.takeError();
  if (emitKind == Emit::PTX || emitKind == Emit::Cubin)
    if (Expected<const ScheduleEntry *> entry = getOnlyEntry(**program); !entry)
      return entry.takeError();
  Expected<std::string> text = buildText(**program);
  if (!text)
    return text.takeError();
  return writeText("-o", output, *text);
}

//===----------------------------------------------------------------------===//
// tgc run
//===----------------------------------------------------------------------===//

/// "passed", "WRONG", "NOT REPEATABLE" or "FAULT".
static StringRef getVerdict(const RunOutcome &outcome) {
  if (!outcome.completed)
    return "FAULT";
  if (!outcome.verdict.passed)
    return "WRONG";
  return outcome.differentLaunch ? "NOT REPEATABLE" : "passed";
}

/// Fills in what the run itself does not know.
static void finishRecord(RunOutcome &outcome, Program &program, const ScheduleEntry &entry,
                         std::optional<Backend> backendUsed) {
  RunRecord &record = outcome.record;
  record.program = program.getPath().str();
  record.schedule = entry.name;
  record.backend = backendUsed ? getName(*backendUsed).str() : "sim";
  record.date = getDate();
  record.commit = commit;
}

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
  if (outcome.simulation)
    os << formatv("  {0} blocks of {1} threads, {2} barriers, {3} fma, {4} bytes of shared memory\n",
                  outcome.simulation->blocks, outcome.variant.threads, outcome.simulation->barriers,
                  outcome.simulation->fma, r.sharedBytes);
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

/// The hash of the CUDA text of a schedule: what identifies a kernel that has no machine code.
static Expected<uint64_t> hashText(Program &program, const ScheduleEntry &entry) {
  FailureOr<std::string> text = compileToCUDA(*program.extract(entry));
  if (failed(text))
    return llvm::make_error<ReportedError>();
  return llvm::xxh3_64bits(*text);
}

static Error runRun() {
  if (backend == BackendChoice::Both)
    return createStringError("--backend both: only 'compare' takes both; choose ptx or cuda");
  Backend how = backend == BackendChoice::CUDA ? Backend::CUDA : Backend::PTX;
  Expected<RunOptions> options = getRunOptions();
  if (!options)
    return options.takeError();
  if (size.empty())
    return createStringError("no --size: give the problem's size, as in --size 257x129x65");
  if (Error error = parseProblemSize(size, options->spec))
    return error;
  std::string note;
  Expected<std::unique_ptr<GPUSession>> gpu = openGPU(note);
  if (!gpu)
    return gpu.takeError();
  if (!cubinFile.empty() && !*gpu)
    return createStringError("--cubin " + cubinFile + ": a cubin needs a GPU" + (note.empty() ? "" : "; ") + note);

  MLIRContext context;
  Expected<std::unique_ptr<Program>> program = loadInput(context);
  if (!program)
    return program.takeError();
  Expected<const ScheduleEntry *> entry = getOnlyEntry(**program);
  if (!entry)
    return entry.takeError();
  if (*gpu)
    if (Error error = checkFits(**program, **gpu))
      return error;
  std::string chip = getChip(gpu->get());
  if (Error error = (*program)->readSemantics())
    return error;
  if (Error error = (*program)->lowerToThreads(chip, after))
    return error;

  Expected<RunOutcome> outcome = [&]() -> Expected<RunOutcome> {
    if (!*gpu)
      return runOnSimulator(**program, **entry, *options);
    if (!cubinFile.empty()) {
      Expected<Cubin> cubin = readCubin(cubinFile);
      return cubin ? (*gpu)->run(**program, **entry, *cubin, *options) : cubin.takeError();
    }
    FailureOr<Cubin> cubin = compileToCubin((*program)->getModule(), how, chip);
    if (failed(cubin))
      return llvm::make_error<ReportedError>();
    return (*gpu)->run(**program, **entry, *cubin, *options);
  }();
  if (!outcome)
    return outcome.takeError();
  finishRecord(*outcome, **program, **entry, *gpu ? std::optional(how) : std::nullopt);
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

//===----------------------------------------------------------------------===//
// tgc compare
//===----------------------------------------------------------------------===//

namespace {
/// One line of the table: a schedule through a back end.
struct Candidate {
  const ScheduleEntry *entry;
  std::optional<Backend> how; ///< none: the simulator
  Cubin cubin;
  std::optional<Expected<RunOutcome>> outcome;
};
} // namespace

static Error parseSizes(std::vector<ProblemSpec> &specs, const ProblemSpec &base) {
  if (size.empty())
    return createStringError("no --size: give one size or more, as in --size 1024,257x129x65");
  for (StringRef part : llvm::split(StringRef(size), ',')) {
    ProblemSpec spec = base;
    bool isCube = !part.contains('x');
    if (Error error = parseProblemSize(isCube ? (part + "x" + part + "x" + part).str() : part.str(), spec)) {
      llvm::consumeError(std::move(error));
      return createStringError("--size " + part + ": expected N or MxNxK, as in 1024 or 257x129x65");
    }
    specs.push_back(std::move(spec));
  }
  return Error::success();
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
    table.add(std::move(row));
  }
  table.print(llvm::outs());
}

/// Compiles all candidates at once; their diagnostics come in order.
static Error compileAll(MutableArrayRef<Candidate> candidates, Program &program, MLIRContext &context, StringRef chip) {
  if (failed(failableParallelForEach(&context, candidates, [&](Candidate &candidate) {
        FailureOr<Cubin> cubin = compileToCubin(*program.extract(*candidate.entry), *candidate.how, chip);
        if (succeeded(cubin))
          candidate.cubin = std::move(*cubin);
        return LogicalResult(cubin);
      })))
    return llvm::make_error<ReportedError>();
  return Error::success();
}

static Error runCompare() {
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
  if (*gpu)
    if (Error error = checkFits(program, **gpu))
      return error;
  std::string chip = getChip(gpu->get());
  if (Error error = program.readSemantics())
    return error;
  if (Error error = program.lowerToThreads(chip, ""))
    return error;

  std::vector<Candidate> candidates;
  for (const ScheduleEntry &entry : program.getEntries()) {
    if (!*gpu) {
      candidates.push_back({&entry, std::nullopt, {}, std::nullopt});
      continue;
    }
    if (backend != BackendChoice::CUDA)
      candidates.push_back({&entry, Backend::PTX, {}, std::nullopt});
    if (backend != BackendChoice::PTX)
      candidates.push_back({&entry, Backend::CUDA, {}, std::nullopt});
  }
  if (*gpu)
    if (Error error = compileAll(candidates, program, context, chip))
      return error;

  bool good = true;
  std::vector<RunRecord> records;
  if (!note.empty())
    llvm::outs() << note << "\n";
  for (const ProblemSpec &spec : specs) {
    options->spec = spec;
    if (*gpu)
      for (Candidate &candidate : candidates)
        candidate.outcome.emplace((*gpu)->run(program, *candidate.entry, candidate.cubin, *options));
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
      if (outcome.completed)
        records.push_back(outcome.record);
    }
    llvm::outs() << formatv("{0} {1}x{2}x{3} on {4}\n", kernels.front(), spec.m, spec.n, spec.k,
                            *gpu ? (*gpu)->getInfo().name : "the simulator");
    printTable(candidates, bool(*gpu));
    for (Candidate &candidate : candidates) {
      const RunOutcome &outcome = **candidate.outcome;
      if (outcome.completed && !outcome.verdict.passed)
        llvm::outs() << candidate.entry->schedule << ": " << outcome.verdict.detail << "\n";
    }
    llvm::outs().flush();
  }
  if (!csvFile.empty())
    if (Error error = appendCSV(csvFile, records))
      return error;
  return good ? Error::success() : llvm::make_error<ReportedError>();
}

//===----------------------------------------------------------------------===//
// tgc fmt
//===----------------------------------------------------------------------===//

static Error runFormat() {
  if (formatFiles.empty())
    return createStringError("no input file");
  if (check && inPlace)
    return createStringError("--check writes nothing and -i rewrites files: give one of them");
  bool good = true;
  for (const std::string &path : formatFiles) {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
    if (!buffer)
      return createStringError("cannot read '" + path + "': " + buffer.getError().message());
    std::string original = (*buffer)->getBuffer().str();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
    MLIRContext context;
    SourceMgrDiagnosticHandler handler(sources, &context);
    std::optional<std::string> text = formatTileProgram(sources, &context);
    if (!text) {
      good = false;
      continue;
    }
    if (check) {
      if (*text == original)
        continue;
      llvm::errs() << "tgc: '" << path << "' is not in canonical form: run tgc fmt -i\n";
      good = false;
    } else if (!inPlace) {
      llvm::outs() << *text;
    } else if (*text != original) {
      if (Error error = writeText("-i", path, *text))
        return error;
    }
  }
  return good ? Error::success() : llvm::make_error<ReportedError>();
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

int tgc::runDriver(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's own options do not belong to this tool.
  for (cl::SubCommand *command : {&buildCommand, &runCommand, &compareCommand, &formatCommand})
    cl::HideUnrelatedOptions(category, *command);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tgc " TGC_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv, "compiles tile programs, GPU matrix products and how they are tiled\n");

  auto run = [&]() -> Error {
    if (buildCommand)
      return runBuild();
    if (runCommand)
      return runRun();
    if (compareCommand)
      return runCompare();
    if (formatCommand)
      return runFormat();
    return createStringError("no command: expected build, run, compare or fmt; see tgc --help");
  };
  Error error = run();
  if (!error)
    return 0;
  llvm::handleAllErrors(
      std::move(error), [](const ReportedError &) {},
      [](const llvm::ErrorInfoBase &info) { llvm::WithColor::error(llvm::errs(), "tgc") << info.message() << "\n"; });
  return 1;
}
