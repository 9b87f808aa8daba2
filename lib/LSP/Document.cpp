//===- Document.cpp - an open tile program ----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"

#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Target/CUDA/CUDA.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::lsp;
using llvm::SMLoc;

namespace protocol = llvm::lsp;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

Document::Document(const protocol::URIForFile &uri, std::string contents, int64_t version, StringRef target)
    : uri(uri), text(std::move(contents)), version(version), target(target), positions(text),
      context(MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, uri.file()), SMLoc());
  tokens = lex(text);
  analyze();
}

std::vector<Token> Document::lex(StringRef piece) const {
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
  Diagnostics diagnostics(sources, &context);
  std::vector<ast::Comment> comments;
  Lexer lexer(piece, diagnostics, comments);
  std::vector<Token> result;
  for (Token token = lexer.next(); token.kind != Token::End; token = lexer.next())
    result.push_back(token);
  return result;
}

void Document::analyze() {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    add(diagnostic);
    return success();
  });
  Diagnostics diagnostics(sources, &context);
  program = parse(text, diagnostics);
  syntaxIsRight = !diagnostics.hasErrors();
  tgc::analyze(program, diagnostics);
  if (diagnostics.hasErrors())
    return;
  module = emit(program, diagnostics, &context);
  if (!module)
    return;
  for (auto [schedule, gpuModule] : llvm::zip_equal(program.schedules, module->getOps<gpu::GPUModuleOp>())) {
    infos.push_back({gpuModule});
    checkSchedule(schedule, infos.back());
  }
  // The names of kernels only show when it is known which variants there are.
  if (!llvm::all_of(infos, [](const ScheduleInfo &info) { return info.legal; }))
    return;
  OwningOpRef<ModuleOp> copy = module->clone();
  if (succeeded(runPipeline(*copy, "tgc-specialize")))
    (void)checkKernelNames(*copy);
}

LogicalResult Document::runPipeline(ModuleOp lowered, StringRef last) const {
  LoweringOptions options;
  for (auto kernels : lowered.getOps<gpu::GPUModuleOp>())
    if (!kernels->hasAttr("tgc.target"))
      kernels->setAttr("tgc.target", StringAttr::get(&context, target));
  options.after = last.str();
  options.stop = true;
  PassManager pm(&context);
  return success(succeeded(buildLoweringPipeline(pm, options)) && succeeded(pm.run(lowered)));
}

void Document::checkSchedule(const ast::Schedule &schedule, ScheduleInfo &info) {
  std::string wanted = info.module->hasAttr("tgc.target") ? "" : target;
  info.target = getTargetLimits(getTargetName(info.module, wanted));
  auto runPass = [&](std::unique_ptr<Pass> pass) {
    PassManager pm(&context, gpu::GPUModuleOp::getOperationName());
    pm.addPass(std::move(pass));
    return succeeded(pm.run(info.module));
  };
  size_t numProblems = problems.size();
  info.isCompleted = runPass(createCompleteSchedulePass());
  info.legal = info.isCompleted && runPass(createCheckSchedulePass(CheckSchedulePassOptions{wanted}));
  // A rule that an inherited clause breaks stands at that clause: say whose rule it is. Schedules that inherit the same
  // mistake share its diagnostic.
  std::vector<Problem> found(std::make_move_iterator(problems.begin() + numProblems),
                             std::make_move_iterator(problems.end()));
  problems.resize(numProblems);
  for (Problem &problem : found) {
    bool isInside = contains(schedule.head.begin, schedule.close.end, problem.offset);
    if (!isInside)
      problem.notes.emplace_back(getOffset(schedule.name.loc), ("in schedule '" + schedule.name.text + "'").str());
    auto same = llvm::find_if(problems, [&](const Problem &other) { return other.isSame(problem); });
    if (same == problems.end())
      problems.push_back(std::move(problem));
    else
      llvm::append_range(same->notes, problem.notes);
  }
}

OwningOpRef<ModuleOp> Document::lower(const ast::Schedule &schedule, StringRef last) const {
  const ScheduleInfo *info = getInfo(schedule);
  if (!info || !info->legal)
    return nullptr;
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> single = ModuleOp::create(UnknownLoc::get(&context));
  single->push_back(gpu::GPUModuleOp(info->module).clone());
  if (failed(runPipeline(*single, last)))
    return nullptr;
  return single;
}

std::optional<std::string> Document::format() const {
  return syntaxIsRight ? std::optional(tgc::format(program)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

size_t Document::getOffset(Location loc) const {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  return place ? positions.toOffset(place.getLine(), place.getColumn()) : 0;
}

void Document::add(Diagnostic &diagnostic) {
  auto getSeverity = [](DiagnosticSeverity severity) {
    switch (severity) {
    case DiagnosticSeverity::Error:
      return protocol::DiagnosticSeverity::Error;
    case DiagnosticSeverity::Warning:
      return protocol::DiagnosticSeverity::Warning;
    case DiagnosticSeverity::Note:
    case DiagnosticSeverity::Remark:
      return protocol::DiagnosticSeverity::Information;
    }
    llvm_unreachable("unknown severity");
  };
  Problem problem{getOffset(diagnostic.getLocation()), getSeverity(diagnostic.getSeverity()), diagnostic.str(),
                  /*notes=*/{}};
  for (Diagnostic &note : diagnostic.getNotes())
    problem.notes.emplace_back(getOffset(note.getLocation()), note.str());
  problems.push_back(std::move(problem));
}

protocol::Range Document::getRangeAt(size_t offset) const {
  const char *at = text.data() + offset;
  for (const ast::Schedule &schedule : program.schedules)
    for (const ast::Clause &clause : schedule.clauses)
      if (clause.range.begin.getPointer() == at)
        return toRange(clause.range.begin, clause.range.end);
  auto token = llvm::partition_point(tokens, [&](const Token &token) { return token.text.end() <= at; });
  if (token == tokens.end() || at < token->text.begin())
    return positions.toRange(offset, offset);
  StringRef rest(at, token->text.end() - at);
  // An extent of a shape; or `in 4x4` and `lanes 4x8`, which are located at their first word.
  if (token->kind == Token::Shape && token->text != rest)
    rest = rest.take_until([](char c) { return c == 'x'; });
  else if (auto next = std::next(token);
           (token->isWord("in") || token->isWord("lanes")) && next != tokens.end() && next->kind == Token::Shape)
    rest = StringRef(at, next->text.end() - at);
  return positions.toRange(offset, offset + rest.size());
}

std::vector<protocol::Diagnostic> Document::getDiagnostics() const {
  std::vector<protocol::Diagnostic> result;
  for (const Problem &problem : problems) {
    protocol::Diagnostic &diagnostic = result.emplace_back();
    diagnostic.range = getRangeAt(problem.offset);
    diagnostic.severity = problem.severity;
    diagnostic.source = "tgc";
    diagnostic.message = problem.message;
    if (problem.notes.empty())
      continue;
    diagnostic.relatedInformation.emplace();
    for (const auto &[offset, message] : problem.notes)
      diagnostic.relatedInformation->emplace_back(protocol::Location(uri, getRangeAt(offset)), message);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

template <typename T> static const T *findByName(const std::vector<T> &items, StringRef name) {
  auto it = llvm::find_if(items, [&](const T &item) { return item.name.text == name; });
  return it == items.end() || name.empty() ? nullptr : &*it;
}

const ast::Kernel *Document::findKernel(StringRef name) const { return findByName(program.kernels, name); }

const ast::Schedule *Document::findSchedule(StringRef name) const { return findByName(program.schedules, name); }

const ScheduleInfo *Document::getInfo(const ast::Schedule &schedule) const {
  return infos.empty() ? nullptr : &infos[&schedule - program.schedules.data()];
}

std::vector<ast::Clause> tgc::lsp::toClauses(ScheduleAttr schedule) {
  std::vector<ast::Clause> clauses;
  auto add = [&](ast::ClauseKind kind) -> ast::Clause & {
    ast::Clause &clause = clauses.emplace_back();
    clause.kind = kind;
    return clause;
  };
  auto shape = [](ShapeAttr shape) { return shape ? shape.getDims() : ArrayRef<int64_t>(); };
  llvm::append_range(add(ast::ClauseKind::Block).shape, shape(schedule.getBlock()));
  if (ShapeAttr warp = schedule.getWarp())
    llvm::append_range(add(ast::ClauseKind::Warp).shape, warp.getDims());
  if (ShapeAttr thread = schedule.getThread()) {
    ast::Clause &clause = add(ast::ClauseKind::Thread);
    llvm::append_range(clause.shape, thread.getDims());
    llvm::append_range(clause.group, shape(schedule.getGroup()));
    llvm::append_range(clause.lanes, shape(schedule.getLanes()));
  }
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    ast::Clause &clause = add(ast::ClauseKind::Stage);
    clause.operand.text = stage.getOperand().getValue();
    clause.word = stringifyStageOrder(stage.getOrder());
    clause.pad = stage.getPad();
    clause.swizzle = stage.getSwizzle();
    clause.by = stage.getBy() == CopyKind::CpAsync ? "cp.async" : stringifyCopyKind(stage.getBy());
    clause.bytes = stage.getBytes();
  }
  add(ast::ClauseKind::Pipeline).number = schedule.getPipeline();
  if (schedule.getPrefetch())
    add(ast::ClauseKind::Prefetch);
  ast::Clause &product = add(ast::ClauseKind::Product);
  product.word = stringifyInnerLoop(*schedule.getInner());
  product.zigzag = schedule.getZigzag();
  product.number = schedule.getUnroll();
  add(ast::ClauseKind::Store).word = stringifyStoreForm(*schedule.getStore());
  ast::Clause &walk = add(ast::ClauseKind::Walk);
  walk.word = stringifyWalkKind(*schedule.getWalk());
  walk.number = schedule.getWalkGroup();
  add(ast::ClauseKind::BlocksPerSM).number = schedule.getBlocksPerSm();
  return clauses;
}
