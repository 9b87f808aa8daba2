//===- tgc-reduce.cpp - makes a tile program that shows something smaller -===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Frontend/Reduce.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::OptionCategory category("Command options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE.tgc"), cl::cat(category));
static cl::opt<std::string> test("test",
                                 cl::desc("Program that is called with the path of a candidate; exit code 0: "
                                          "it is still interesting"),
                                 cl::value_desc("script"), cl::cat(category));
static cl::list<std::string> testArguments("test-arg", cl::desc("Argument before that path; may be repeated"),
                                           cl::value_desc("text"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Output file (default: standard output); kept only on success"),
                                       cl::value_desc("file"), cl::init("-"), cl::cat(category));

static Error writeFile(StringRef path, StringRef text) {
  if (Error error = writeToOutput(path, [&](raw_ostream &os) {
        os << text;
        return Error::success();
      }))
    return createStringError("cannot write " + toString(std::move(error))); // names the file
  return Error::success();
}

namespace {
/// The script, and the file in which it finds a candidate.
class InterestingnessTest {
public:
  static Expected<std::unique_ptr<InterestingnessTest>> create();
  ~InterestingnessTest() { (void)sys::fs::remove(path); } // a temporary file

  /// The exit code of the script on `text`.
  Expected<int> run(StringRef text);
  unsigned getRuns() const { return runs; }

private:
  std::string program;
  SmallString<128> path;
  unsigned runs = 0;
};
} // namespace

Expected<std::unique_ptr<InterestingnessTest>> InterestingnessTest::create() {
  auto result = std::make_unique<InterestingnessTest>();
  ErrorOr<std::string> program = sys::findProgramByName(test);
  if (!program)
    return createStringError("--test " + test + ": cannot execute: " + program.getError().message());
  result->program = *program;
  if (std::error_code code = sys::fs::createTemporaryFile("tgc-reduce", "tgc", result->path))
    return createStringError("cannot make a temporary file: " + code.message());
  return std::move(result);
}

Expected<int> InterestingnessTest::run(StringRef text) {
  ++runs;
  if (Error error = writeFile(path, text))
    return std::move(error);
  SmallVector<StringRef> arguments{program};
  llvm::append_range(arguments, testArguments);
  arguments.push_back(path);
  const std::optional<StringRef> nowhere[] = {StringRef(), StringRef(), StringRef()};
  std::string reason;
  bool failed = false;
  int code = sys::ExecuteAndWait(program, arguments, /*Env=*/std::nullopt, nowhere, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &reason, &failed);
  if (failed)
    return createStringError("--test " + test + ": cannot execute: " + reason);
  return code;
}

static Error reduce() {
  if (inputFile.empty())
    return createStringError("no input file");
  if (test.empty())
    return createStringError("no --test: give the program that says whether a candidate is interesting");
  ErrorOr<std::unique_ptr<MemoryBuffer>> input = MemoryBuffer::getFile(inputFile);
  if (!input)
    return createStringError("cannot read '" + inputFile + "': " + input.getError().message());
  StringRef text = (*input)->getBuffer();
  Expected<std::unique_ptr<InterestingnessTest>> script = InterestingnessTest::create();
  if (!script)
    return script.takeError();
  Expected<int> code = (*script)->run(text);
  if (!code)
    return code.takeError();
  if (*code != 0)
    return createStringError("'" + inputFile + "' is not interesting: --test " + test + " ends with " + Twine(*code) +
                             ", expected 0");
  Error error = Error::success();
  std::string reduced = tgc::reduceProgram(text, [&](StringRef candidate) {
    if (error)
      return false;
    Expected<int> result = (*script)->run(candidate);
    if (!result) {
      error = result.takeError();
      return false;
    }
    return *result == 0;
  });
  if (error)
    return error;
  if (Error writeError = writeFile(outputFile, reduced))
    return createStringError("-o: " + toString(std::move(writeError)));
  errs() << "tgc-reduce: " << text.size() << " bytes became " << reduced.size() << " in " << (*script)->getRuns()
         << " calls of " << test << "\n";
  return Error::success();
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "makes a tile program smaller while a script finds it interesting\n\n"
                              "  A script that looks for a message of tgc:\n"
                              "    #!/bin/sh\n"
                              "    tgc build \"$1\" --emit=cuda 2>&1 | grep -q 'needs about'\n\n"
                              "  The result is in canonical form and has no comments. A file with a syntax error is\n"
                              "  reduced by lines and words.\n");
  if (Error error = reduce()) {
    WithColor::error(errs(), "tgc-reduce") << toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
