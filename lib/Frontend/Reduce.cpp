//===- Reduce.cpp - smaller versions of a tile program ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step changes the syntax tree, which the formatter then prints. Steps have no objects of their own: a `Step` walks
// the whole tree of a freshly parsed program, counts the places where something could go, and takes the one it was
// made for.
//
//===----------------------------------------------------------------------===//

#include "tgc/Frontend/Reduce.h"

#include "Parser.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::ast;

namespace {

/// Numbers up to this one are also tried one by one, larger ones only by halves.
constexpr int64_t kSmall = 16;

/// Takes step `number` of a program.
class Step {
public:
  explicit Step(unsigned number) : left(number) {}

  /// False if there are fewer steps; `program` is then as it was.
  bool apply(Program &program);

private:
  /// Whether this is the place whose turn it is.
  bool isTurn() { return !taken && left-- == 0 && (taken = true); }

  template <typename T> void erase(std::vector<T> &items) {
    for (size_t i = 0; !taken && i < items.size(); ++i)
      if (isTurn())
        items.erase(items.begin() + i);
  }
  template <typename T> void clear(T &option) {
    if (option != T() && isTurn())
      option = T();
  }
  template <typename T> void reset(std::optional<T> &option) {
    if (option && isTurn())
      option.reset();
  }
  void lower(int64_t &number);
  void lower(MutableArrayRef<int64_t> numbers) {
    for (int64_t &number : numbers)
      lower(number);
  }
  void eraseItems(Program &program);
  void dropLike(Program &program, Schedule &schedule);
  void visitOptions(Clause &clause);
  void visitNumbers(Clause &clause);
  void visitExpr(std::unique_ptr<Expr> &expr);
  void visitKernel(Kernel &kernel);
  void visitNumbers(Kernel &kernel);

  unsigned left;
  bool taken = false;
  /// Numbers in the place of those of the source.
  BumpPtrAllocator allocator;
  StringSaver strings{allocator};
};

} // namespace

void Step::lower(int64_t &number) {
  int64_t old = number;
  if (old > 1 && isTurn())
    number = 1;
  if (old > 3 && isTurn())
    number = old / 2;
  if (old > 2 && old <= kSmall && isTurn())
    number = old - 1;
}

/// Removes a schedule, or a kernel with its schedules.
void Step::eraseItems(Program &program) {
  std::vector<Item> &items = program.items;
  for (const Item &item : std::vector<Item>(items)) {
    if (!isTurn())
      continue;
    llvm::erase_if(items, [&](const Item &other) {
      return (other.isKernel == item.isKernel && other.index == item.index) ||
             (item.isKernel && !other.isKernel &&
              program.schedules[other.index].kernel.text == program.kernels[item.index].name.text);
    });
    return;
  }
}

/// Gives `schedule` the clauses of the schedule that it is like, one link of the chain.
void Step::dropLike(Program &program, Schedule &schedule) {
  if (!schedule.like || !isTurn())
    return;
  auto other = llvm::find_if(program.schedules,
                             [&](const Schedule &candidate) { return candidate.name.text == schedule.like->text; });
  schedule.like.reset();
  if (other == program.schedules.end())
    return;
  schedule.like = other->like;
  if (!schedule.target)
    schedule.target = other->target;
  std::vector<Clause> own = std::move(schedule.clauses);
  schedule.clauses.clear();
  auto isOwn = [&](const Clause &clause) {
    return llvm::any_of(own, [&](const Clause &mine) { return mine.getKey() == clause.getKey(); });
  };
  llvm::copy_if(other->clauses, std::back_inserter(schedule.clauses), std::not_fn(isOwn));
  llvm::copy_if(own, std::back_inserter(schedule.clauses),
                [&](const Clause &clause) { return !clause.drop || schedule.like; });
}

void Step::visitOptions(Clause &clause) {
  clear(clause.group);
  clear(clause.lanes);
  clear(clause.bytes);
  if (clause.kind == ClauseKind::Stage) {
    clear(clause.by);
    clear(clause.word);
    clear(clause.pad);
    clear(clause.swizzle);
  }
  if (clause.kind == ClauseKind::Product) {
    clear(clause.zigzag);
    clear(clause.number);
    if (!clause.zigzag)
      clear(clause.word);
  }
}

void Step::visitNumbers(Clause &clause) {
  lower(clause.shape);
  lower(clause.group);
  lower(clause.lanes);
  for (int64_t *number : {&clause.pad, &clause.swizzle, &clause.bytes, &clause.number})
    lower(*number);
}

/// Puts an operand in the place of an operator or function, and 1 in that of a number.
void Step::visitExpr(std::unique_ptr<Expr> &expr) {
  if (expr->kind != Expr::Product)
    for (std::unique_ptr<Expr> &operand : expr->operands) {
      if (!isTurn())
        continue;
      std::unique_ptr<Expr> inner = std::move(operand);
      inner->parenthesized |= !inner->operands.empty() && inner->kind != Expr::Call;
      expr = std::move(inner);
      return;
    }
  if (expr->parenthesized && isTurn())
    expr->parenthesized = false;
  if (expr->kind == Expr::Number && expr->text != "1" && isTurn())
    expr->text = "1";
  for (std::unique_ptr<Expr> &operand : expr->operands)
    if (!taken)
      visitExpr(operand);
}

static void collectNames(const Expr &expr, StringSet<> &names) {
  if (expr.kind == Expr::Reference)
    names.insert(expr.text);
  for (const std::unique_ptr<Expr> &operand : expr.operands)
    collectNames(*operand, names);
}

/// A kernel without a part of its expression may not keep parameters that it does not use.
static void dropUnused(Kernel &kernel) {
  StringSet<> names;
  collectNames(*kernel.value, names);
  llvm::erase_if(kernel.params, [&](const Param &param) { return !names.contains(param.name.text); });
}

void Step::visitKernel(Kernel &kernel) {
  erase(kernel.facts);
  clear(kernel.accumulate);
  visitExpr(kernel.value);
  if (taken)
    dropUnused(kernel);
  for (unsigned i = 0; i <= kernel.params.size(); ++i) {
    reset(kernel.getParam(i).colMajor);
    reset(kernel.getParam(i).ld);
  }
}

/// A dimension that is a number stays the same in all parameters.
void Step::visitNumbers(Kernel &kernel) {
  for (Fact &fact : kernel.facts)
    lower(fact.value);
  for (unsigned i = 0; i <= kernel.params.size(); ++i)
    for (const Dim &dim : kernel.getParam(i).dims) {
      if (!dim.value)
        continue;
      const int64_t old = *dim.value;
      int64_t value = old;
      lower(value);
      if (value == old)
        continue;
      StringRef text = strings.save(std::to_string(value));
      for (unsigned j = 0; j <= kernel.params.size(); ++j)
        for (Dim &other : kernel.getParam(j).dims)
          if (other.value == old)
            other.value = value, other.name.text = text;
      return;
    }
}

bool Step::apply(Program &program) {
  eraseItems(program);
  for (Schedule &schedule : program.schedules)
    dropLike(program, schedule);
  for (Schedule &schedule : program.schedules)
    erase(schedule.clauses);
  for (Kernel &kernel : program.kernels)
    visitKernel(kernel);
  for (Schedule &schedule : program.schedules) {
    reset(schedule.target);
    for (Clause &clause : schedule.clauses)
      visitOptions(clause);
  }
  for (Schedule &schedule : program.schedules)
    for (Clause &clause : schedule.clauses)
      visitNumbers(clause);
  for (Kernel &kernel : program.kernels)
    visitNumbers(kernel);
  return taken;
}

std::vector<std::string> tgc::getSmallerPrograms(StringRef text) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  StringRef buffer = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  Diagnostics diagnostics(sources, &context);
  std::vector<std::string> programs;
  Program whole = parse(buffer, diagnostics);
  if (diagnostics.hasErrors())
    return programs;
  whole.comments.clear();
  programs.push_back(format(whole));
  for (unsigned number = 0;; ++number) {
    Program program = parse(buffer, diagnostics);
    program.comments.clear();
    Step step(number);
    if (!step.apply(program))
      return programs;
    programs.push_back(format(program));
  }
}

/// Removes runs of pieces of `text`, each of which ends behind one of `separators`: halves first, single pieces last.
static std::string removePieces(StringRef text, StringRef separators, function_ref<bool(StringRef)> isInteresting) {
  std::vector<std::string> pieces;
  for (StringRef rest = text; !rest.empty(); rest = rest.drop_front(pieces.back().size()))
    pieces.push_back(rest.take_front(std::min(rest.find_first_of(separators), rest.size() - 1) + 1).str());
  for (size_t length = pieces.size(); length > 0; length /= 2)
    for (size_t begin = 0; begin < pieces.size();) {
      std::vector<std::string> fewer = pieces;
      fewer.erase(fewer.begin() + begin, fewer.begin() + std::min(begin + length, fewer.size()));
      if (isInteresting(join(fewer, "")))
        pieces = std::move(fewer);
      else
        begin += length;
    }
  return join(pieces, "");
}

std::string tgc::reduceProgram(StringRef text, function_ref<bool(StringRef)> isInteresting) {
  std::string best = text.str();
  StringSet<> tried;
  auto take = [&](StringRef candidate) {
    if (candidate == best || !tried.insert(candidate).second || !isInteresting(candidate))
      return false;
    best = candidate.str();
    return true;
  };
  if (getSmallerPrograms(best).empty()) {
    best = removePieces(best, "\n", take);
    best = removePieces(best, " \n", take);
  }
  // What follows a step that was taken moves into its place, so going on there tries everything once a round.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0;;) {
      std::vector<std::string> programs = getSmallerPrograms(best);
      for (; i < programs.size() && !take(programs[i]); ++i) {
      }
      if (i >= programs.size())
        break;
      changed = true;
    }
  }
  return best;
}
