//===- Format.cpp - tile programs in canonical form -------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::ast;

/// A kernel wider than this is broken into lines.
static constexpr size_t kMaxColumns = 100;

namespace {

/// The comments of one piece of source text.
struct Attached {
  /// On lines of their own before it, among them those written inside it.
  SmallVector<const Comment *, 1> before;
  /// Behind it on its line.
  SmallVector<const Comment *, 1> behind;
};

class Formatter {
public:
  /// Without `program`, comments are left out.
  explicit Formatter(const Program *program) {
    if (program)
      attachComments(*program);
  }

  std::string formatProgram(const Program &program);
  void print(const Kernel &kernel);
  void print(const Schedule &schedule);
  std::string take() { return std::move(text); }

private:
  void attachComments(const Program &program);
  const Attached &commentsOf(const Range &range) const {
    static const Attached none;
    auto it = attached.find(range.begin.getPointer());
    return it == attached.end() ? none : it->second;
  }
  /// Prints `line`, indented, with the comments of the pieces it holds. At the top level, empty lines behind comments
  /// stay.
  void printLine(const Twine &line, ArrayRef<const Range *> pieces, unsigned indent);
  void printComments(ArrayRef<const Comment *> comments, unsigned indent, bool keepBlank);

  std::string text;
  raw_string_ostream os{text};
  DenseMap<const char *, Attached> attached;
};

} // namespace

//===----------------------------------------------------------------------===//
// Comments
//===----------------------------------------------------------------------===//

void Formatter::attachComments(const Program &program) {
  std::vector<Range> pieces = {program.version};
  for (const Kernel &kernel : program.kernels) {
    pieces.push_back(kernel.head);
    for (const Param &param : kernel.params)
      pieces.push_back(param.range);
    pieces.push_back(kernel.output.range);
    for (const Fact &fact : kernel.facts)
      pieces.push_back(fact.range);
    pieces.push_back(kernel.statement);
    pieces.push_back(kernel.close);
  }
  for (const Schedule &schedule : program.schedules) {
    pieces.push_back(schedule.head);
    for (const Clause &clause : schedule.clauses)
      pieces.push_back(clause.range);
    pieces.push_back(schedule.close);
  }
  llvm::sort(pieces, [](const Range &a, const Range &b) { return a.begin.getPointer() < b.begin.getPointer(); });
  for (const Comment &comment : program.comments) {
    const char *at = comment.loc.getPointer();
    auto next = llvm::partition_point(pieces, [&](const Range &piece) { return piece.begin.getPointer() <= at; });
    bool inside = next != pieces.begin() && at < std::prev(next)->end.getPointer();
    if (inside)
      attached[std::prev(next)->begin.getPointer()].before.push_back(&comment);
    else if (!comment.ownLine && next != pieces.begin())
      attached[std::prev(next)->begin.getPointer()].behind.push_back(&comment);
    else // behind the last piece: null
      attached[next == pieces.end() ? nullptr : next->begin.getPointer()].before.push_back(&comment);
  }
}

void Formatter::printComments(ArrayRef<const Comment *> comments, unsigned indent, bool keepBlank) {
  for (const Comment *comment : comments) {
    os.indent(indent) << comment->text << '\n';
    if (keepBlank && comment->ownLine && comment->blankAfter)
      os << '\n';
  }
}

void Formatter::printLine(const Twine &line, ArrayRef<const Range *> pieces, unsigned indent) {
  SmallVector<const Comment *, 2> before, behind;
  for (const Range *piece : pieces) {
    llvm::append_range(before, commentsOf(*piece).before);
    llvm::append_range(behind, commentsOf(*piece).behind);
  }
  // One comment fits behind a line.
  const Comment *last = behind.empty() ? nullptr : behind.pop_back_val();
  llvm::append_range(before, behind);
  printComments(before, indent, /*keepBlank=*/indent == 0);
  os.indent(indent) << line;
  if (last)
    os << "  " << last->text;
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string toString(const Param &param) {
  std::string result = (param.name.text + ": " + param.type.text).str();
  if (!param.dims.empty())
    result += "[" + join(map_range(param.dims, [](const Dim &dim) { return dim.name.text; }), ", ") + "]";
  if (param.ld)
    result += (" ld " + param.ld->text).str();
  if (param.colMajor)
    result += " col_major";
  return result;
}

std::string tgc::format(const Fact &fact) {
  std::string value = std::to_string(fact.value);
  if (fact.kind == "aligned")
    return ("aligned(" + fact.subject.text + ", " + value + ")").str();
  StringRef middle = fact.kind == "multiple" ? " % " : fact.kind == "at_most" ? " <= " : " == ";
  return (fact.subject.text + middle + value + (fact.kind == "multiple" ? " == 0" : "")).str();
}

static std::string toString(const Expr &expr) {
  SmallVector<std::string, 2> operands;
  for (const auto &operand : expr.operands)
    operands.push_back(toString(*operand));
  std::string result;
  switch (expr.kind) {
  case Expr::Number:
  case Expr::Reference:
    result = expr.text.str();
    break;
  case Expr::Transpose:
    result = operands[0] + "'";
    break;
  case Expr::Negate:
    result = "-" + operands[0];
    break;
  case Expr::Call:
    result = (expr.text + "(" + join(operands, ", ") + ")").str();
    break;
  default:
    result = (operands[0] + " " + expr.text + " " + operands[1]).str();
  }
  return expr.parenthesized ? "(" + result + ")" : result;
}

void Formatter::print(const Kernel &kernel) {
  SmallVector<std::string> params, facts;
  for (const Param &param : kernel.params)
    params.push_back(toString(param));
  for (const Fact &fact : kernel.facts)
    facts.push_back(format(fact));
  std::string head = ("kernel " + kernel.name.text + "(").str(), output = toString(kernel.output);
  std::string statement = (kernel.assigned.text + (kernel.accumulate ? " += " : " = ") + toString(*kernel.value)).str();

  bool hasComments = false;
  auto look = [&](const Range &range) {
    const Attached &comments = commentsOf(range);
    hasComments |= !comments.before.empty() || !comments.behind.empty();
  };
  auto lookAt = [&](const auto &items) {
    for (const auto &item : items)
      look(item.range);
  };
  lookAt(kernel.params);
  lookAt(kernel.facts);
  look(kernel.output.range);
  bool breakHead = hasComments || !commentsOf(kernel.head).behind.empty();
  look(kernel.statement);
  hasComments |= !commentsOf(kernel.close).before.empty();

  std::string signature = head + join(params, ", ") + ") -> " + output;
  std::string where = facts.empty() ? "" : "where " + join(facts, ", ");
  std::string line = signature + (facts.empty() ? "" : " ") + where + " {";
  std::string whole = line + " " + statement + " }";
  if (!breakHead && !hasComments && whole.size() <= kMaxColumns) {
    printLine(whole, {&kernel.head, &kernel.close}, 0);
    return;
  }
  if (!breakHead && line.size() <= kMaxColumns) {
    printLine(line, {&kernel.head}, 0);
  } else if (!breakHead && std::max(signature.size(), where.size() + 6) <= kMaxColumns) {
    printLine(signature, {&kernel.head}, 0);
    os.indent(4) << where << " {\n";
  } else {
    printLine(head, {&kernel.head}, 0);
    for (auto [i, param] : enumerate(kernel.params))
      printLine(params[i] + (i + 1 == params.size() ? "" : ","), {&param.range}, 4);
    printLine(") -> " + output + (facts.empty() ? " {" : ""), {&kernel.output.range}, 0);
    for (auto [i, fact] : enumerate(kernel.facts))
      printLine((i ? "      " : "where ") + facts[i] + (i + 1 == facts.size() ? " {" : ","), {&fact.range}, 4);
  }
  printLine(statement, {&kernel.statement}, 2);
  printComments(commentsOf(kernel.close).before, 2, /*keepBlank=*/false);
  os << '}';
  for (const Comment *comment : commentsOf(kernel.close).behind)
    os << "  " << comment->text;
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

std::string tgc::format(const Clause &clause) {
  if (clause.drop)
    return "no " + clause.getKey();
  auto shape = [](ArrayRef<int64_t> extents) {
    return join(map_range(extents, [](int64_t extent) { return std::to_string(extent); }), "x");
  };
  std::string result = clause.getKey();
  auto add = [&](const Twine &words) { result += (" " + words).str(); };
  switch (clause.kind) {
  case ClauseKind::Block:
  case ClauseKind::Warp:
  case ClauseKind::Thread:
    add(shape(clause.shape));
    if (!clause.group.empty())
      add("in " + shape(clause.group));
    if (!clause.lanes.empty())
      add("lanes " + shape(clause.lanes));
    break;
  case ClauseKind::Stage:
    if (!clause.word.empty())
      add(clause.word);
    if (clause.pad)
      add("pad " + Twine(clause.pad));
    if (clause.swizzle)
      add("swizzle " + Twine(clause.swizzle));
    if (!clause.by.empty())
      add("by " + clause.by);
    if (clause.bytes)
      add(Twine(clause.bytes));
    break;
  case ClauseKind::Pipeline:
  case ClauseKind::BlocksPerSM:
    add(Twine(clause.number));
    break;
  case ClauseKind::Prefetch:
    break;
  case ClauseKind::Product:
    if (!clause.word.empty())
      add("order " + clause.word);
    if (clause.zigzag)
      add("zigzag");
    if (clause.number)
      add("unroll " + Twine(clause.number));
    break;
  case ClauseKind::Store:
  case ClauseKind::Walk:
    add(clause.word);
    if (clause.number)
      add(Twine(clause.number));
    break;
  }
  return result;
}

/// Clauses of one group share a line; stages never do.
static unsigned getGroup(ClauseKind kind) {
  switch (kind) {
  case ClauseKind::Block:
    return 0;
  case ClauseKind::Warp:
  case ClauseKind::Thread:
    return 1;
  case ClauseKind::Stage:
    return 2;
  case ClauseKind::Pipeline:
  case ClauseKind::Prefetch:
    return 3;
  case ClauseKind::Product:
  case ClauseKind::Store:
    return 4;
  case ClauseKind::Walk:
  case ClauseKind::BlocksPerSM:
    return 5;
  }
  llvm_unreachable("unknown clause");
}

void Formatter::print(const Schedule &schedule) {
  std::string head = ("schedule " + schedule.name.text + " for " + schedule.kernel.text).str();
  if (schedule.target)
    head += (" on " + schedule.target->text).str();
  if (schedule.like)
    head += (" like " + schedule.like->text).str();
  head += " {";
  bool hasComments = !commentsOf(schedule.head).behind.empty() || !commentsOf(schedule.close).before.empty();
  if (schedule.clauses.empty() && !hasComments) {
    printLine(head + "}", {&schedule.head, &schedule.close}, 0);
    return;
  }
  printLine(head, {&schedule.head}, 0);
  SmallVector<const Clause *> clauses = to_vector(make_pointer_range(schedule.clauses));
  llvm::sort(clauses, [](const Clause *a, const Clause *b) { return std::tie(a->kind, a) < std::tie(b->kind, b); });
  for (size_t i = 0; i < clauses.size();) {
    std::string line;
    SmallVector<const Range *, 2> pieces;
    unsigned group = getGroup(clauses[i]->kind);
    do {
      line += (line.empty() ? "" : "   ") + format(*clauses[i]);
      pieces.push_back(&clauses[i]->range);
      ++i;
    } while (i < clauses.size() && clauses[i]->kind != ClauseKind::Stage && getGroup(clauses[i]->kind) == group);
    printLine(line, pieces, 2);
  }
  printComments(commentsOf(schedule.close).before, 2, /*keepBlank=*/false);
  os << '}';
  for (const Comment *comment : commentsOf(schedule.close).behind)
    os << "  " << comment->text;
  os << '\n';
}

std::string Formatter::formatProgram(const Program &program) {
  printLine("tgc 1", {&program.version}, 0);
  for (const Item &item : program.items) {
    os << '\n';
    if (item.isKernel)
      print(program.kernels[item.index]);
    else
      print(program.schedules[item.index]);
  }
  if (auto it = attached.find(nullptr); it != attached.end()) {
    os << '\n';
    printComments(it->second.before, 0, /*keepBlank=*/true);
    text.resize(StringRef(text).rtrim('\n').size() + 1);
  }
  return take();
}

std::string tgc::format(const Program &program) { return Formatter(&program).formatProgram(program); }

std::string tgc::format(const Kernel &kernel) {
  Formatter formatter(nullptr);
  formatter.print(kernel);
  return formatter.take();
}

std::string tgc::format(const Schedule &schedule) {
  Formatter formatter(nullptr);
  formatter.print(schedule);
  return formatter.take();
}
