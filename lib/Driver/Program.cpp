//===- Program.cpp - an input file and the schedules in it -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Program.h"

#include "tgc/Frontend/Frontend.h"
#include "tgc/Support/NearMiss.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace tgc;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

char ReportedError::ID;

/// Tells kernel and schedule apart with the tile program's text, which names both; without it the first '_' does.
static ScheduleEntry describe(gpu::GPUModuleOp module) {
  ScheduleEntry entry;
  entry.name = module.getName().str();
  if (auto source = module->getAttrOfType<StringAttr>("tgc.source")) {
    llvm::Regex header("schedule[ \t]+([A-Za-z_0-9]+)[ \t]+for[ \t]+([A-Za-z_0-9]+)");
    SmallVector<StringRef> matches;
    for (StringRef text = source; header.match(text, &matches); text = text.substr(matches[0].end() - text.begin()))
      if (entry.name == (matches[2] + "_" + matches[1]).str()) {
        entry.schedule = matches[1].str();
        entry.kernel = matches[2].str();
        return entry;
      }
  }
  auto [kernel, schedule] = StringRef(entry.name).split('_');
  entry.kernel = kernel.str();
  entry.schedule = schedule.empty() ? entry.name : schedule.str();
  return entry;
}

Expected<std::unique_ptr<Program>> Program::load(StringRef path, const Selection &selection, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return load(std::move(*buffer), path, selection, context);
}

Expected<std::unique_ptr<Program>> Program::load(std::unique_ptr<llvm::MemoryBuffer> text, StringRef path,
                                                 const Selection &selection, MLIRContext &context) {
  bool isMLIR = path == "-" || path.ends_with(".mlir");
  if (!isMLIR && !path.ends_with(".tgc"))
    return createStringError("'" + path + "' is neither a tile program (.tgc) nor MLIR (.mlir)");

  std::unique_ptr<Program> program(new Program());
  program->path = path.str();
  program->sources = std::make_shared<llvm::SourceMgr>();
  program->sources->AddNewSourceBuffer(std::move(text), SMLoc());
  program->handler = std::make_unique<SourceMgrDiagnosticHandler>(*program->sources, &context);
  program->repetitions =
      std::make_unique<ScopedDiagnosticHandler>(&context, [&reported = program->reported](Diagnostic &diagnostic) {
        std::string text;
        llvm::raw_string_ostream(text) << diagnostic.getLocation() << " " << diagnostic.str();
        bool isRepeated = diagnostic.getSeverity() == DiagnosticSeverity::Error && !reported.insert(text).second;
        return success(isRepeated); // success: it goes no further
      });
  program->module = isMLIR ? parseSourceFile<ModuleOp>(program->sources, ParserConfig(&context))
                           : parseTileProgram(*program->sources, &context);
  if (!program->module)
    return llvm::make_error<ReportedError>();
  if (Error error = program->raiseLinalg())
    return std::move(error);
  if (Error error = program->select(selection))
    return std::move(error);
  return std::move(program);
}

Error Program::select(const Selection &selection) {
  std::vector<ScheduleEntry> all;
  for (auto gpuModule : module->getOps<gpu::GPUModuleOp>())
    all.push_back(describe(gpuModule));
  if (all.empty())
    return createStringError("'" + Twine(path) + "' holds no kernel with a schedule");

  auto getNames = [](ArrayRef<ScheduleEntry> from, std::string ScheduleEntry::*member) {
    SmallVector<StringRef> names;
    for (const ScheduleEntry &entry : from)
      if (!llvm::is_contained(names, entry.*member))
        names.push_back(entry.*member);
    return names;
  };
  std::vector<ScheduleEntry> chosen = all;
  if (!selection.kernel.empty()) {
    llvm::erase_if(chosen, [&](const ScheduleEntry &entry) { return entry.kernel != selection.kernel; });
    if (chosen.empty()) {
      SmallVector<StringRef> kernels = getNames(all, &ScheduleEntry::kernel);
      return createStringError("--kernel " + selection.kernel + ": '" + path + "' has no such kernel" +
                               itHas(selection.kernel, kernels));
    }
  }
  if (!selection.schedule.empty()) {
    const std::vector<ScheduleEntry> candidates = chosen;
    llvm::erase_if(chosen, [&](const ScheduleEntry &entry) {
      return entry.schedule != selection.schedule && entry.name != selection.schedule;
    });
    if (chosen.empty()) {
      SmallVector<StringRef> schedules = getNames(candidates, &ScheduleEntry::schedule);
      return createStringError("--schedule " + selection.schedule + ": '" + path + "' has no such schedule" +
                               itHas(selection.schedule, schedules));
    }
  }
  // The others are not compiled, so their errors do not matter.
  for (auto gpuModule : llvm::make_early_inc_range(module->getOps<gpu::GPUModuleOp>()))
    if (llvm::none_of(chosen, [&](const ScheduleEntry &entry) { return entry.name == gpuModule.getName(); }))
      gpuModule.erase();
  entries = std::move(chosen);
  return Error::success();
}

Error Program::readSemantics() {
  for (ScheduleEntry &entry : entries) {
    FailureOr<Semantics> semantics = getSemantics(getModule(entry));
    if (failed(semantics))
      return llvm::make_error<ReportedError>();
    entry.semantics = std::move(*semantics);
  }
  return Error::success();
}

gpu::GPUModuleOp Program::getModule(const ScheduleEntry &entry) {
  return module->lookupSymbol<gpu::GPUModuleOp>(entry.name);
}

OwningOpRef<ModuleOp> Program::extract(const ScheduleEntry &entry) {
  OwningOpRef<ModuleOp> single = ModuleOp::create(module->getLoc());
  single->push_back(getModule(entry)->clone());
  return single;
}
