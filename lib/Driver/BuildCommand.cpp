//===- BuildCommand.cpp - tgc build -------------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tgc/Target/CUDA/CUDA.h"

#include "mlir/IR/Threading.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using namespace tgc::options;

static Expected<std::string> takeResult(FailureOr<std::string> result) {
  if (failed(result))
    return llvm::make_error<ReportedError>();
  return std::move(*result);
}

static Error lower(Program &program) {
  if (emitKind == Emit::MLIR && !after.empty())
    return program.runUpTo(target, after);
  return program.lowerToThreads(target, after);
}

static Expected<std::string> buildText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (emitKind == Emit::CUDA)
    return takeResult(compileToCUDA(module));
  if (emitKind == Emit::Header) {
    if (failed(emitCUDAHeader(module, os)))
      return llvm::make_error<ReportedError>();
    return text;
  }
  OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  if (locations)
    flags.enableDebugInfo();
  module->print(os, flags);
  os << "\n";
  return text;
}

/// PTX or machine code of a module that holds one schedule.
static FailureOr<std::string> buildCode(ModuleOp module) {
  Backend how = backend == BackendChoice::CUDA ? Backend::CUDA : Backend::PTX;
  if (emitKind == Emit::PTX)
    return compileToPTX(module, how, target);
  FailureOr<Cubin> cubin = compileToCubin(module, how, target);
  if (failed(cubin))
    return failure();
  return std::move(cubin->image);
}

/// Compiles all schedules at once, each to a file of the folder `output`, and writes if none failed.
static Error buildFolder(Program &program, MLIRContext &context) {
  namespace fs = llvm::sys::fs;
  ArrayRef<ScheduleEntry> entries = program.getEntries();
  std::vector<std::string> codes(entries.size());
  if (failed(failableParallelForEachN(&context, 0, entries.size(), [&](size_t i) {
        FailureOr<std::string> code = buildCode(*program.extract(entries[i]));
        if (succeeded(code))
          codes[i] = std::move(*code);
        return LogicalResult(code);
      })))
    return llvm::make_error<ReportedError>();
  if (std::error_code code = fs::create_directory(output))
    return createStringError("-o " + output + ": cannot make the folder: " + code.message());
  for (auto [entry, code] : llvm::zip_equal(entries, codes)) {
    SmallString<128> path(StringRef(output.getValue()));
    llvm::sys::path::append(path, entry.name + (emitKind == Emit::PTX ? ".ptx" : ".cubin"));
    if (Error error = writeText("-o", path, code))
      return error;
  }
  return Error::success();
}

Error tgc::runBuild() {
  if (backend == BackendChoice::Both)
    return createStringError("--backend both: only 'compare' takes both; choose ptx or cuda");
  MLIRContext context;
  Expected<std::unique_ptr<Program>> loaded = loadInput(context);
  if (!loaded)
    return loaded.takeError();
  Program &program = **loaded;
  bool isCode = emitKind == Emit::PTX || emitKind == Emit::Cubin;
  bool isFolder = isCode && (llvm::sys::fs::is_directory(output) || StringRef(output).ends_with("/"));
  if (isCode && !isFolder)
    if (Expected<const ScheduleEntry *> entry = getOnlyEntry(program); !entry)
      return createStringError(llvm::toString(entry.takeError()) + ", or all with -o FOLDER/");
  if (Error error = lower(program))
    return error;
  if (isFolder)
    return buildFolder(program, context);
  Expected<std::string> text = isCode ? takeResult(buildCode(program.getModule())) : buildText(program.getModule());
  if (!text)
    return text.takeError();
  return writeText("-o", output, *text);
}
