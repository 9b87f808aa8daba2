//===- tgc-lsp-server.cpp - tile programs in an editor ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/LSP/Server.h"
#include "tgc/Support/TargetLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LSP/Logging.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using llvm::lsp::Logger;

int main(int argc, char **argv) {
  cl::OptionCategory category("Command options");
  cl::opt<std::string> target("target", cl::desc("Limits that schedules without 'on' are checked against"),
                              cl::value_desc("sm_XX"), cl::init("sm_90"), cl::cat(category));
  cl::opt<Logger::Level> log("log", cl::desc("How much to say on standard error"), cl::init(Logger::Level::Error),
                             cl::values(clEnumValN(Logger::Level::Error, "error", "What went wrong"),
                                        clEnumValN(Logger::Level::Info, "info", "The name of every message, too"),
                                        clEnumValN(Logger::Level::Debug, "debug", "The text of every message, too")),
                             cl::cat(category));
  cl::opt<bool> delimited("delimited",
                          cl::desc("Read messages that are separated by lines '// -----', and answer over several "
                                   "lines: for tests"),
                          cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "tgc-lsp-server: answers an editor's questions about tile programs (.tgc), by the "
                              "language server protocol on standard input and output\n");
  if (!tgc::getTargetLimits(target)) {
    errs() << "tgc-lsp-server: error: --target " << target << ": unknown target; known are "
           << join(map_range(tgc::getTargets(), [](const tgc::TargetLimits &limits) { return limits.name.str(); }),
                   ", ")
           << "\n";
    return 1;
  }
  Logger::setLogLevel(log);
  (void)sys::ChangeStdinToBinary(); // always succeeds where there is no other mode
  tgc::lsp::ServerOptions options;
  options.target = target;
  options.pretty = delimited;
  options.style = delimited ? lsp::Delimited : lsp::Standard;
  return failed(tgc::lsp::runServer(stdin, outs(), options));
}
