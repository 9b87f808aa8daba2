//===- Options.cpp - the command line of tgc ----------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "tgc/Support/NearMiss.h"
#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <cmath>

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// What is wrong with the value of an option: our parsers put it here.
static std::string valueError;

bool options::refuseValue(const cl::Option &option, StringRef value, const Twine &expected) {
  valueError = ("--" + option.ArgStr + " " + value + ": expected " + expected).str();
  return true;
}

namespace tgc::options {

cl::OptionCategory category("Command options"); // sorts before LLVM's "Generic Options"
cl::SubCommand buildCommand("build", "Compile schedules: MLIR, CUDA C++, a host header, PTX or a cubin");
cl::SubCommand runCommand("run", "Run one schedule, on the GPU or the simulator, and verify its result");
cl::SubCommand compareCommand("compare", "Run every schedule of a kernel and print them as a table");
cl::SubCommand explainCommand("explain", "Report what a kernel does, what bounds it, and what was decided for it");
cl::SubCommand formatCommand("fmt", "Print tile programs in canonical form");

cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE (.tgc or .mlir; - for MLIR on standard input)"),
                               cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand), cl::sub(compareCommand),
                               cl::sub(explainCommand));
cl::opt<std::string> schedule("schedule", cl::desc("Schedule to compile"), cl::value_desc("name"), cl::cat(category),
                              cl::sub(buildCommand), cl::sub(runCommand), cl::sub(explainCommand));
cl::opt<std::string> kernel("kernel", cl::desc("Kernel, where the file has several"), cl::value_desc("name"),
                            cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand), cl::sub(compareCommand),
                            cl::sub(explainCommand));
WordOption<Emit>
    emitKind("emit", cl::desc("What to write:"), cl::init(Emit::CUDA),
             cl::values(clEnumValN(Emit::MLIR, "mlir", "MLIR at L3, or after the pass of --after"),
                        clEnumValN(Emit::CUDA, "cuda", "CUDA C++ (default)"),
                        clEnumValN(Emit::Header, "header", "C++ header that launches the kernels"),
                        clEnumValN(Emit::PTX, "ptx", "PTX of a schedule, or of all with -o FOLDER/"),
                        clEnumValN(Emit::Cubin, "cubin", "Machine code of a schedule, or of all with -o FOLDER/")),
             cl::cat(category), cl::sub(buildCommand));
cl::opt<std::string> after("after",
                           cl::desc("Leave out the tiling passes after this one; build --emit=mlir stops there"),
                           cl::value_desc("pass"), cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand));
FlagOption locations("locations", cl::desc("Print locations in MLIR, so that it can be read back with names"),
                     cl::cat(category), cl::sub(buildCommand));
cl::opt<std::string> target("target",
                            cl::desc("Target of the machine code (default: the schedule's, the GPU's, or sm_90)"),
                            cl::value_desc("sm_XX"), cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand),
                            cl::sub(compareCommand), cl::sub(explainCommand));
cl::opt<std::string> output("o", cl::desc("Output file (default: standard output); kept only on success"),
                            cl::value_desc("file"), cl::init("-"), cl::cat(category), cl::sub(buildCommand),
                            cl::sub(explainCommand));
WordOption<BackendChoice>
    backend("backend", cl::desc("How machine code is made:"), cl::init(BackendChoice::PTX),
            cl::values(clEnumValN(BackendChoice::PTX, "ptx", "LLVM's PTX (default)"),
                       clEnumValN(BackendChoice::CUDA, "cuda", "The CUDA C++ text, through NVRTC or nvcc"),
                       clEnumValN(BackendChoice::Both, "both", "Both (compare only)")),
            cl::cat(category), cl::sub(buildCommand), cl::sub(runCommand), cl::sub(compareCommand),
            cl::sub(explainCommand));
cl::opt<std::string> size("size", cl::desc("Problem size; compare takes a list; it and explain take N for NxNxN"),
                          cl::value_desc("MxNxK"), cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand),
                          cl::sub(explainCommand));
cl::opt<std::string> leadingDimensions("ld", cl::desc("Leading dimensions, in elements (default: no gaps)"),
                                       cl::value_desc("A=N,B=N"), cl::cat(category), cl::sub(runCommand),
                                       cl::sub(compareCommand), cl::sub(explainCommand));
cl::opt<std::string> offsets("offset", cl::desc("Elements from a 256-byte boundary to each operand (default: 0)"),
                             cl::value_desc("A=N,B=N"), cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand),
                             cl::sub(explainCommand));
cl::opt<std::string> scalars("set", cl::desc("Scalar arguments"), cl::value_desc("alpha=X,..."), cl::cat(category),
                             cl::sub(runCommand), cl::sub(compareCommand), cl::sub(explainCommand));
cl::opt<std::string> seed("seed", cl::desc("Seed of the operands (default: 0)"), cl::value_desc("number"),
                          cl::init("0"), cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand),
                          cl::sub(explainCommand));
WordOption<ProblemSpec::Fill> fill("fill", cl::desc("Values of the operands:"), cl::init(ProblemSpec::Random),
                                   cl::values(clEnumValN(ProblemSpec::Random, "random", "Uniform in [-1, 1) (default)"),
                                              clEnumValN(ProblemSpec::Integers, "integers", "-4 to 4: sums are exact")),
                                   cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
WordOption<Where> where("on", cl::desc("Where to run:"), cl::init(Where::Auto),
                        cl::values(clEnumValN(Where::Auto, "auto", "A GPU if there is one (default)"),
                                   clEnumValN(Where::Simulator, "sim", "The simulator"),
                                   clEnumValN(Where::GPU, "gpu", "A GPU")),
                        cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
cl::opt<std::string> variant("variant", cl::desc("Variant to run (default: the first whose facts hold)"),
                             cl::value_desc("name"), cl::cat(category), cl::sub(runCommand), cl::sub(explainCommand));
cl::opt<std::string> cubinFile("cubin", cl::desc("GPU: run this cubin instead of compiling"), cl::value_desc("file"),
                               cl::cat(category), cl::sub(runCommand));
cl::opt<std::string> launches("launches", cl::desc("GPU: launches whose results must be bit-equal (default: 1)"),
                              cl::value_desc("number"), cl::init("1"), cl::cat(category), cl::sub(runCommand),
                              cl::sub(compareCommand));
FlagOption timing("time", cl::desc("GPU: measure, beside cuBLAS (default: true)"), cl::init(true), cl::cat(category),
                  cl::sub(runCommand), cl::sub(compareCommand));
cl::opt<std::string> dumpFolder("dump", cl::desc("Write the operands and C to files in this folder"),
                                cl::value_desc("folder"), cl::cat(category), cl::sub(runCommand));
cl::opt<std::string> csvFile("csv", cl::desc("Append a line per run to this file"), cl::value_desc("file"),
                             cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand));
cl::opt<std::string> commit("commit", cl::desc("Value of the column commit of --csv"), cl::value_desc("hash"),
                            cl::cat(category), cl::sub(runCommand), cl::sub(compareCommand), cl::sub(explainCommand));
WordOption<Format> format("format", cl::desc("What the report is written as:"), cl::init(Format::Text),
                          cl::values(clEnumValN(Format::Text, "text", "Text (default)"),
                                     clEnumValN(Format::JSON, "json", "JSON; docs/report.md has its schema"),
                                     clEnumValN(Format::HTML, "html", "A page for the browser, with diagrams")),
                          cl::cat(category), cl::sub(explainCommand));
cl::opt<std::string> gpuModel("gpu", cl::desc("GPU that times are predicted for (default: the target's, as h200)"),
                              cl::value_desc("name"), cl::cat(category), cl::sub(explainCommand));
FlagOption measure("measure", cl::desc("Also run on the GPU: time, cuBLAS, and the counters of ncu if it is on PATH"),
                   cl::cat(category), cl::sub(explainCommand));
FlagOption checkReport("check",
                       cl::desc("Fail on spills, local memory, notes of ptxas, conflicts or a declined request"),
                       cl::cat(category), cl::sub(explainCommand));
cl::opt<std::string> maxConflicts("max-conflicts",
                                  cl::desc("With --check: bank conflicts per request that are allowed (default: 0)"),
                                  cl::value_desc("number"), cl::init("0"), cl::cat(category), cl::sub(explainCommand));
cl::list<std::string> formatFiles(cl::Positional, cl::desc("FILE..."), cl::cat(category), cl::sub(formatCommand));
FlagOption check("check", cl::desc("Write nothing; fail if a file is not in canonical form"), cl::cat(category),
                 cl::sub(formatCommand));
FlagOption inPlace("i", cl::desc("Rewrite the files"), cl::cat(category), cl::sub(formatCommand));

} // namespace tgc::options

using namespace tgc::options;

//===----------------------------------------------------------------------===//
// The command line as a whole
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kHelp = "; see tgc --help";

static ArrayRef<cl::SubCommand *> getCommands() {
  static cl::SubCommand *const commands[] = {&buildCommand, &runCommand, &compareCommand, &explainCommand,
                                             &formatCommand};
  return commands;
}

/// LLVM's first complaint, as one line in the form of our own errors. `command` is the first argument.
static Error describe(StringRef complaint, StringRef command) {
  if (!valueError.empty())
    return createStringError(valueError);
  if (complaint.empty()) // LLVM has said on standard error which option needs a value
    return llvm::make_error<ReportedError>();
  SmallVector<StringRef> words;
  auto matches = [&](const char *pattern) { return llvm::Regex(pattern).match(complaint, &words); };
  ArrayRef<cl::SubCommand *> commands = getCommands();
  if (matches("Unknown subcommand '([^']*)'")) {
    auto names = llvm::map_to_vector(commands, [](cl::SubCommand *known) { return known->getName(); });
    return createStringError("unknown command '" + words[1] + "'" + kHelp + didYouMean(words[1], names));
  }
  if (matches("Unknown command line argument '(-*)([^=']*)")) {
    SmallVector<StringRef> names;
    for (cl::SubCommand *known : commands)
      if (known->getName() == command)
        llvm::append_range(names, known->OptionsMap.keys());
    return createStringError("unknown option '" + words[1] + words[2] + "'" + kHelp + didYouMean(words[2], names));
  }
  if (matches("Too many positional arguments"))
    return createStringError("more than one input file; '" + Twine(command) + "' takes one");
  return createStringError(complaint.split('\n').first);
}

Error options::parse(int argc, char **argv) {
  // LLVM's own options do not belong to this tool.
  for (cl::SubCommand *command : getCommands())
    cl::HideUnrelatedOptions(category, *command);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "tgc " TGC_VERSION "\n"; });
  std::string errors;
  llvm::raw_string_ostream os(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, "compiles tile programs, GPU matrix products and how they are tiled\n",
                                   &os))
    return describe(errors, argc > 1 ? argv[1] : "");
  for (cl::SubCommand *command : getCommands())
    for (auto &[name, option] : command->OptionsMap)
      if (option->getNumOccurrences() > 1)
        return createStringError("--" + name + " is given " + Twine(option->getNumOccurrences()) +
                                 " times; give it once");
  for (cl::opt<std::string> *option :
       {&schedule, &kernel, &after, &target, &output, &size, &leadingDimensions, &offsets, &scalars, &variant,
        &cubinFile, &dumpFolder, &csvFile, &commit, &gpuModel, &maxConflicts})
    if (option->getNumOccurrences() > 0 && option->empty())
      return createStringError((option->ArgStr.size() > 1 ? "--" : "-") + option->ArgStr + " needs a value" + kHelp);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Options that need more than a parser
//===----------------------------------------------------------------------===//

Error options::checkTarget() {
  if (target.empty() || getTargetLimits(target))
    return Error::success();
  return createStringError("--target " + target + ": unknown target; known are " + listTargets());
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

Expected<RunOptions> options::getRunOptions() {
  RunOptions options;
  if (StringRef(seed).getAsInteger(10, options.spec.seed))
    return createStringError("--seed " + seed + ": expected a number from 0 to 2^64 - 1");
  options.spec.fill = fill;
  std::string error;
  if (!leadingDimensions.empty() && !parseAssignments("--ld", leadingDimensions, options.spec.leadingDimensions, error))
    return createStringError(error);
  if (!offsets.empty() && !parseAssignments("--offset", offsets, options.spec.offsets, error))
    return createStringError(error);
  if (Error scalarError = parseScalars(options.spec))
    return std::move(scalarError);
  if (StringRef(launches).getAsInteger(10, options.launches) || options.launches < 1)
    return createStringError("--launches " + launches + ": expected a number of at least 1");
  if (!csvFile.empty())
    if (Error error = checkCSV(csvFile))
      return std::move(error);
  options.variant = variant;
  options.timing = timing;
  options.dumpFolder = dumpFolder;
  return std::move(options);
}

Error options::parseProblemSize(StringRef text, ProblemSpec &spec) {
  std::string error;
  return parseSize(text, spec, error) ? Error::success() : createStringError(error);
}

Error options::parseOneSize(StringRef text, ProblemSpec &spec) {
  bool isCube = !text.contains('x');
  Error error = parseProblemSize(isCube ? (text + "x" + text + "x" + text).str() : text.str(), spec);
  if (!error)
    return error;
  llvm::consumeError(std::move(error));
  return createStringError("--size " + size + ": '" + text + "' is neither N nor MxNxK, as in 1024 or 257x129x65");
}
