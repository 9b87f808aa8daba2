//===- Driver.cpp - the command line tool tgc ---------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Driver.h"

#include "Commands.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace tgc;
using namespace tgc::options;
using llvm::createStringError;
using llvm::Error;

static Error runCommandLine(int argc, char **argv) {
  if (Error error = parse(argc, argv))
    return error;
  if (buildCommand)
    return runBuild();
  if (runCommand)
    return runRun();
  if (compareCommand)
    return runCompare();
  if (explainCommand)
    return runExplain();
  if (formatCommand)
    return runFormat();
  return createStringError("no command: expected build, run, compare, explain or fmt; see tgc --help");
}

int tgc::runDriver(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Error error = runCommandLine(argc, argv);
  if (!error)
    return 0;
  llvm::handleAllErrors(
      std::move(error), [](const ReportedError &) {},
      [](const llvm::ErrorInfoBase &info) { llvm::WithColor::error(llvm::errs(), "tgc") << info.message() << "\n"; });
  return 1;
}
