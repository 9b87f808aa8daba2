//===- Hover.cpp - explains what is under the cursor ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseTable.h"
#include "Queries.h"

#include "tgc/Target/CUDA/CUDA.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::lsp;

namespace protocol = llvm::lsp;

static std::string fence(StringRef language, const Twine &code) {
  return ("```" + language + "\n" + code + "\n```\n").str();
}

/// The completed record of `schedule`, or null.
static ScheduleAttr getCompleted(const Document &document, const ast::Schedule &schedule) {
  const ScheduleInfo *info = document.getInfo(schedule);
  return info && info->isCompleted ? info->getFunc()->getAttrOfType<ScheduleAttr>("tgc.schedule") : ScheduleAttr();
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// The tokens of `clause` behind its keyword.
static std::vector<Token> getOptions(const Document &document, const std::string &clause) {
  std::vector<Token> tokens = document.lex(clause);
  tokens.erase(tokens.begin());
  return tokens;
}

/// The clause with the key of `clause` in the completed schedule, in canonical form; empty if there is none.
static std::string getCompletedClause(const Document &document, const ast::Schedule &schedule,
                                      const ast::Clause &clause) {
  ScheduleAttr completed = getCompleted(document, schedule);
  if (!completed)
    return "";
  std::vector<ast::Clause> clauses = toClauses(completed);
  auto it = llvm::find_if(clauses, [&](const ast::Clause &other) { return other.getKey() == clause.getKey(); });
  return it == clauses.end() ? "" : format(*it);
}

static std::string explainClause(const Document &document, const ast::Schedule &schedule, const ast::Clause &clause) {
  std::string given = format(clause), result = fence("tgc", given);
  std::string completed = getCompletedClause(document, schedule, clause);
  std::vector<Token> givenTokens, completedTokens;
  if (!clause.drop)
    givenTokens = getOptions(document, given);
  if (!completed.empty())
    completedTokens = getOptions(document, completed);
  for (const ClauseEntry &entry : getClauseTable()) {
    if (entry.keyword != ast::getKeyword(clause.kind))
      continue;
    result += "- " + entry.getTitle() + ": " + entry.means.str();
    if (!entry.values.empty())
      result += " (" + entry.values.str() + ")";
    std::optional<std::string> written, decided;
    if (!clause.drop)
      written = findForm(entry, givenTokens);
    if (!completed.empty())
      decided = findForm(entry, completedTokens);
    if (written)
      result += written->empty() ? ". Here: given" : ". Here: **" + *written + "**";
    else if (decided)
      result += ". Left out: **" + *decided + "**";
    else if (!entry.leftOut.empty())
      result += ". Left out: " + entry.leftOut.str();
    result += "\n";
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// What a completed schedule makes of a block.
static void printTiles(ScheduleAttr schedule, llvm::raw_ostream &os) {
  SIMTAttr distribution = schedule.getDistribution();
  if (!distribution)
    return;
  ShapeAttr block = schedule.getBlock(), warps = distribution.getWarps(), each = distribution.getEach();
  int64_t numWarps = warps[0] * warps[1];
  os << "- a block of " << distribution.getNumThreads() << " threads computes " << block[0] << "x" << block[1]
     << " elements, " << block[2] << " of k at a time\n"
     << "- " << numWarps << (numWarps == 1 ? " warp" : " warps") << " (" << warps[0] << "x" << warps[1] << ") of "
     << block[0] / warps[0] << "x" << block[1] / warps[1] << " elements\n"
     << "- accumulators of a thread: " << each[0] << "x" << each[1] << " = " << each[0] * each[1] << "\n";
}

static void printResources(const ScheduleInfo &info, llvm::raw_ostream &os) {
  std::optional<ScheduleResources> needs = getScheduleResources(info.getFunc());
  if (!needs || !info.target)
    return;
  os << "- registers of a thread: about " << needs->getRegisters() << " of " << needs->registerLimit
     << " (accumulators " << needs->accumulators << ", fragments " << needs->fragments << ", copies " << needs->copied
     << ", operands not staged " << needs->direct << ", others " << ScheduleResources::kOtherRegisters << ")\n"
     << "- shared memory: " << needs->sharedBytes << " of the " << info.target->sharedBytesPerBlock << " bytes that "
     << info.target->name << " allows a block\n";
}

static ast::Fact toFact(FactAttr attribute) {
  ast::Fact fact;
  fact.kind = stringifyFactKind(attribute.getKind());
  fact.subject.text = attribute.getSubject().getValue();
  fact.value = attribute.getValue();
  return fact;
}

/// The kernels that a legal schedule becomes, and what each relies on.
static void printVariants(const Document &document, const ast::Schedule &schedule, llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> module = document.lower(schedule, "tgc-specialize");
  if (!module)
    return;
  module->walk([&](gpu::GPUFuncOp func) {
    os << "- kernel `" << func.getName() << "`";
    SmallVector<std::string> facts;
    if (auto list = func->getAttrOfType<ArrayAttr>("tgc.facts"))
      for (auto fact : list.getAsRange<FactAttr>())
        facts.push_back("`" + format(toFact(fact)) + "`");
    os << (facts.empty() ? "" : " where " + llvm::join(facts, ", ")) << "\n";
  });
}

static std::string explainSchedule(const Document &document, const ast::Schedule &schedule) {
  ScheduleAttr completed = getCompleted(document, schedule);
  if (!completed)
    return fence("tgc", StringRef(format(schedule)).rtrim()) +
           "The program has errors: what is left out is not decided.\n";
  const ScheduleInfo &info = *document.getInfo(schedule);
  ast::Schedule complete;
  complete.name = schedule.name;
  complete.kernel = schedule.kernel;
  if (auto target = info.module->getAttrOfType<StringAttr>("tgc.target"))
    complete.target = ast::Name{target.getValue(), {}};
  complete.clauses = toClauses(completed);
  std::string result = fence("tgc", StringRef(format(complete)).rtrim());
  llvm::raw_string_ostream os(result);
  SmallVector<std::string> decided;
  std::vector<const ast::Clause *> given = resolveClauses(document.getProgram(), schedule);
  for (const ast::Clause &clause : complete.clauses)
    if (llvm::none_of(given, [&](const ast::Clause *other) { return other->getKey() == clause.getKey(); }))
      decided.push_back("`" + clause.getKey() + "`");
  if (!decided.empty())
    os << "Left out, so decided: " << llvm::join(decided, ", ") << ".\n";
  os << "\n";
  printTiles(completed, os);
  printResources(info, os);
  printVariants(document, schedule, os);
  if (!info.legal)
    os << "\nIt breaks a rule, see the diagnostic.\n";
  return result;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// `struct Arguments` of the generated header of one of the kernel's schedules: they all have the same.
static std::string getArguments(const Document &document, const ast::Kernel &kernel) {
  for (const ast::Schedule &schedule : document.getProgram().schedules) {
    if (schedule.kernel.text != kernel.name.text)
      continue;
    OwningOpRef<ModuleOp> module = document.lower(schedule, "");
    std::string header;
    llvm::raw_string_ostream os(header);
    if (!module || failed(emitCUDAHeader(*module, os)))
      continue;
    constexpr StringRef kEnd = "\n};";
    StringRef text = StringRef(header).substr(header.find("struct Arguments {"));
    return text.take_front(text.find(kEnd) + kEnd.size()).str();
  }
  return "";
}

static std::string explainKernel(const Document &document, const ast::Kernel &kernel) {
  if (!kernel.valid)
    return "";
  std::string result = fence("tgc", StringRef(format(kernel)).rtrim());
  std::string arguments = getArguments(document, kernel);
  if (!arguments.empty())
    result += "The arguments of the compiled kernel:\n" + fence("cpp", arguments);
  return result;
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

std::optional<protocol::Hover> tgc::lsp::getHover(const Document &document, protocol::Position position) {
  size_t offset = document.getPositions().toOffset(position);
  auto hover = [](protocol::Range range, std::string contents) -> std::optional<protocol::Hover> {
    if (contents.empty())
      return std::nullopt;
    protocol::Hover result(range);
    result.contents.value = std::move(contents);
    return result;
  };
  for (const ast::Schedule &schedule : document.getProgram().schedules) {
    for (const ast::Clause &clause : schedule.clauses)
      if (document.contains(clause.range.begin, clause.range.end, offset))
        return hover(document.toRange(clause.range.begin, clause.range.end), explainClause(document, schedule, clause));
    if (document.contains(schedule.name, offset))
      return hover(document.toRange(schedule.name), explainSchedule(document, schedule));
    if (schedule.like && document.contains(*schedule.like, offset))
      if (const ast::Schedule *base = document.findSchedule(schedule.like->text))
        return hover(document.toRange(*schedule.like), explainSchedule(document, *base));
    if (document.contains(schedule.kernel, offset))
      if (const ast::Kernel *kernel = document.findKernel(schedule.kernel.text))
        return hover(document.toRange(schedule.kernel), explainKernel(document, *kernel));
  }
  for (const ast::Kernel &kernel : document.getProgram().kernels)
    if (document.contains(kernel.name, offset))
      return hover(document.toRange(kernel.name), explainKernel(document, kernel));
  return std::nullopt;
}
