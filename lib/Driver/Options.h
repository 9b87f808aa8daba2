//===- Options.h - the command line of tgc ------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DRIVER_OPTIONS_H
#define TGC_LIB_DRIVER_OPTIONS_H

#include "tgc/Driver/Execute.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace tgc::options {

enum class Emit { MLIR, CUDA, Header, PTX, Cubin };
enum class Where { Auto, Simulator, GPU };
enum class Format { Text, JSON, HTML };
enum class BackendChoice { PTX, CUDA, Both };

// Parsers of values. LLVM's own say on standard error, in their own form, what is wrong with a value.

/// Keeps "--NAME VALUE: expected ..." for parse(). Returns true, for "failed".
bool refuseValue(const llvm::cl::Option &option, llvm::StringRef value, const llvm::Twine &expected);

/// One of a few words.
template <typename Value> struct WordParser : llvm::cl::parser<Value> {
  using llvm::cl::parser<Value>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef word, Value &value) {
    llvm::SmallVector<llvm::StringRef> names;
    for (auto &known : this->Values) {
      if (known.Name == word) {
        value = known.V.getValue();
        return false;
      }
      names.push_back(known.Name);
    }
    return refuseValue(option, word, "one of " + llvm::join(names, ", "));
  }
};

struct FlagParser : llvm::cl::parser<bool> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef word, bool &value) {
    value = word.empty() || word == "true" || word == "1";
    return !value && word != "false" && word != "0" && refuseValue(option, word, "true or false");
  }
};

template <typename Value> using WordOption = llvm::cl::opt<Value, false, WordParser<Value>>;
using FlagOption = llvm::cl::opt<bool, false, FlagParser>;

extern llvm::cl::OptionCategory category;
extern llvm::cl::SubCommand buildCommand;
extern llvm::cl::SubCommand runCommand;
extern llvm::cl::SubCommand compareCommand;
extern llvm::cl::SubCommand explainCommand;
extern llvm::cl::SubCommand formatCommand;
extern llvm::cl::opt<std::string> inputFile;
extern llvm::cl::opt<std::string> schedule;
extern llvm::cl::opt<std::string> kernel;
extern WordOption<Emit> emitKind;
extern llvm::cl::opt<std::string> after;
extern FlagOption locations;
extern llvm::cl::opt<std::string> target;
extern llvm::cl::opt<std::string> output;
extern WordOption<BackendChoice> backend;
extern llvm::cl::opt<std::string> size;
extern llvm::cl::opt<std::string> leadingDimensions;
extern llvm::cl::opt<std::string> offsets;
extern llvm::cl::opt<std::string> scalars;
extern llvm::cl::opt<std::string> seed;
extern WordOption<ProblemSpec::Fill> fill;
extern WordOption<Where> where;
extern llvm::cl::opt<std::string> variant;
extern llvm::cl::opt<std::string> cubinFile;
extern llvm::cl::opt<std::string> launches;
extern FlagOption timing;
extern llvm::cl::opt<std::string> dumpFolder;
extern llvm::cl::opt<std::string> csvFile;
extern llvm::cl::opt<std::string> commit;
extern WordOption<Format> format;
extern llvm::cl::opt<std::string> gpuModel;
extern FlagOption measure;
extern FlagOption checkReport;
extern llvm::cl::opt<std::string> maxConflicts;
extern llvm::cl::list<std::string> formatFiles;
extern FlagOption check;
extern FlagOption inPlace;

/// Parses the command line. Fails with one line that names option and value; exits after --help and --version.
llvm::Error parse(int argc, char **argv);

/// Fails unless --target, if given, is a known target.
llvm::Error checkTarget();
/// The options of a run but for its size.
llvm::Expected<RunOptions> getRunOptions();
/// Reads "MxNxK".
llvm::Error parseProblemSize(llvm::StringRef text, ProblemSpec &spec);
/// Reads "MxNxK", or "N" for a cube.
llvm::Error parseOneSize(llvm::StringRef text, ProblemSpec &spec);

} // namespace tgc::options

#endif
