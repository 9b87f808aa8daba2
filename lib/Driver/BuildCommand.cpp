//===- BuildCommand.cpp - tgc build -------------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tgc/Target/CUDA/CUDA.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using namespace tgc::options;

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

Error tgc::runBuild() {
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
