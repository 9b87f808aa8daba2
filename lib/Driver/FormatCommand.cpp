//===- FormatCommand.cpp - tgc fmt --------------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tgc/Frontend/Frontend.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using namespace tgc::options;

Error tgc::runFormat() {
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
