//===- Parser.cpp - source text to AST --------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Lexer.h"

#include "tgc/Support/NearMiss.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/LogicalResult.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::ast;

/// Words that cannot name anything: they begin what follows them.
static constexpr StringRef kReserved[] = {"aligned", "kernel", "max", "min", "relu", "schedule", "tgc", "where"};

/// In the order of ClauseKind.
static constexpr StringRef kClauses[] = {"block",    "warp",    "thread", "stage", "pipeline",
                                         "prefetch", "product", "store",  "walk",  "blocks_per_sm"};
/// Clauses of later versions.
static constexpr StringRef kFutureClauses[] = {"split_k", "roles", "cluster"};
/// Arithmetic units of later versions: `product UNIT`.
static constexpr StringRef kFutureUnits[] = {"simt", "fma", "mma", "wgmma", "tf32", "tcgen05"};

StringRef ast::getKeyword(ClauseKind kind) { return kClauses[static_cast<unsigned>(kind)]; }

std::string Clause::getKey() const {
  std::string key = getKeyword(kind).str();
  return kind == ClauseKind::Stage ? key + " " + operand.text.str() : key;
}

namespace {

class Parser {
public:
  Parser(StringRef buffer, Diagnostics &diagnostics)
      : diagnostics(diagnostics), lexer(buffer, diagnostics, program.comments) {
    advance();
  }

  Program parse();

private:
  //===--- Tokens -----------------------------------------------------------===//

  void advance() {
    lastEnd = token.getEnd();
    token = lexer.next();
  }
  LogicalResult error(const Twine &message) {
    diagnostics.error(token.getLoc(), message);
    return failure();
  }
  LogicalResult error(SMLoc loc, const Twine &message) {
    diagnostics.error(loc, message);
    return failure();
  }
  /// What the current token is, for "expected ..., got ...".
  std::string got() const {
    return token.kind == Token::End ? ", got the end of the file" : ", got " + quote(token.text);
  }
  /// Of `words`, what the current token may have been meant to be.
  std::string hint(ArrayRef<StringRef> words) const {
    return token.kind == Token::Word ? didYouMean(token.text, words) : "";
  }
  bool consume(StringRef symbol) {
    if (!token.isSymbol(symbol))
      return false;
    advance();
    return true;
  }
  bool consumeWord(StringRef word) {
    if (!token.isWord(word))
      return false;
    advance();
    return true;
  }
  /// `words` might have stood before it.
  LogicalResult expect(StringRef symbol, const Twine &where, ArrayRef<StringRef> words = {}) {
    if (consume(symbol))
      return success();
    return error("expected '" + symbol + "' " + where + got() + hint(words));
  }
  bool atItem() const { return token.isWord("kernel") || token.isWord("schedule"); }
  void skipToItem() {
    while (token.kind != Token::End && !atItem())
      advance();
  }

  LogicalResult parseName(Name &name, const Twine &what);
  /// A decimal number of 0 or `min` to 2^31 - 1.
  LogicalResult parseInteger(int64_t &value, const Twine &what, int64_t min = 1);
  LogicalResult parseDigits(StringRef digits, SMLoc loc, int64_t &value, const Twine &what, int64_t min);
  LogicalResult parseShape(SmallVectorImpl<int64_t> &shape, size_t rank, StringRef what, StringRef form);
  LogicalResult refuseSet(const Twine &what);

  //===--- Kernels ----------------------------------------------------------===//

  LogicalResult parseKernel(Kernel &kernel);
  LogicalResult parseParam(Param &param);
  LogicalResult parseFact(Fact &fact);
  std::unique_ptr<Expr> makeExpr(Expr::Kind kind, Token at);
  std::unique_ptr<Expr> parseSum(unsigned depth);
  std::unique_ptr<Expr> parseTerm(unsigned depth);
  std::unique_ptr<Expr> parseUnary(unsigned depth);
  std::unique_ptr<Expr> parseProduct(unsigned depth);
  std::unique_ptr<Expr> parseTransposed(unsigned depth);
  std::unique_ptr<Expr> parsePrimary(unsigned depth);

  //===--- Schedules --------------------------------------------------------===//

  LogicalResult parseSchedule(Schedule &schedule);
  LogicalResult parseClause(Schedule &schedule);
  LogicalResult parseStage(Clause &clause);
  LogicalResult parseThread(Clause &clause);
  LogicalResult parseProductClause(Clause &clause);
  void skipToClause();
  bool atClause() const {
    return token.kind == Token::Word && (is_contained(kClauses, token.text) || token.text == "no");
  }
  /// One of `words` after `what`; those of `future` are known but not built.
  LogicalResult parseChoice(StringRef &choice, ArrayRef<StringRef> words, ArrayRef<StringRef> future, StringRef what);
  /// Marks the option `name` at the current token as given; an error if it was.
  LogicalResult once(bool &given, StringRef clause);

  Program program;
  Diagnostics &diagnostics;
  Lexer lexer;
  Token token;
  /// End of the token before the current one.
  SMLoc lastEnd;
  /// Options that the clause before the current token could still have had: candidates for a near miss.
  ArrayRef<StringRef> openOptions;
  unsigned numTerms = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names and numbers
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseName(Name &name, const Twine &what) {
  if (token.kind != Token::Word)
    return error("expected " + what + got());
  if (is_contained(kReserved, token.text))
    return error("expected " + what + ", got the keyword '" + token.text + "'");
  if (token.text.contains('.'))
    return error("expected " + what + ", got " + quote(token.text) + "; a name has letters, digits and _");
  name = {token.text, token.getLoc()};
  advance();
  return success();
}

LogicalResult Parser::refuseSet(const Twine &what) {
  return error("a set of values for " + what + " is not supported yet; give one value");
}

LogicalResult Parser::parseDigits(StringRef digits, SMLoc loc, int64_t &value, const Twine &what, int64_t min) {
  constexpr int64_t kMax = 2147483647;
  if (digits.getAsInteger(10, value) || value > kMax)
    return error(loc, what + " is " + quote(digits) + ", expected at most " + Twine(kMax));
  if (value < min)
    return error(loc, what + " is " + Twine(value) + ", expected at least " + Twine(min));
  return success();
}

LogicalResult Parser::parseInteger(int64_t &value, const Twine &what, int64_t min) {
  if (token.isSymbol("{"))
    return refuseSet(what);
  if (token.kind != Token::Integer)
    return error("expected a whole number for " + what + got());
  if (failed(parseDigits(token.text, token.getLoc(), value, what, min)))
    return failure();
  advance();
  return success();
}

LogicalResult Parser::parseShape(SmallVectorImpl<int64_t> &shape, size_t rank, StringRef what, StringRef form) {
  if (token.isSymbol("{"))
    return refuseSet("'" + what + "'");
  SmallVector<StringRef, 4> extents;
  if (token.kind == Token::Shape)
    token.text.split(extents, 'x');
  if (extents.size() != rank)
    return error("expected '" + what + " " + form + "' with " + Twine(rank) + " extents" + got());
  for (StringRef extent : extents)
    if (failed(parseDigits(extent, SMLoc::getFromPointer(extent.begin()), shape.emplace_back(),
                           "an extent of '" + what + "'", /*min=*/1)))
      return failure();
  advance();
  return success();
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

Program Parser::parse() {
  program.version.begin = program.version.end = token.getLoc();
  if (consumeWord("tgc")) {
    SMLoc loc = token.getLoc();
    int64_t version = 0;
    if (failed(parseInteger(version, "the language version")))
      return std::move(program);
    if (version != 1) { // its rules are others
      diagnostics.error(loc, "language version " + Twine(version) + " is not known; this compiler reads 'tgc 1'");
      return std::move(program);
    }
    program.version.end = lastEnd;
  } else {
    (void)error("expected 'tgc 1' at the start of a tile program" + got());
    return std::move(program);
  }
  while (token.kind != Token::End) {
    if (token.isWord("kernel")) {
      program.items.push_back({/*isKernel=*/true, static_cast<unsigned>(program.kernels.size())});
      Kernel &kernel = program.kernels.emplace_back();
      if (failed(parseKernel(kernel))) {
        kernel.value = nullptr;
        program.incomplete |= kernel.name.text.empty();
        skipToItem();
      }
    } else if (token.isWord("schedule")) {
      program.items.push_back({/*isKernel=*/false, static_cast<unsigned>(program.schedules.size())});
      Schedule &schedule = program.schedules.emplace_back();
      if (failed(parseSchedule(schedule))) {
        schedule.broken = true;
        program.incomplete |= schedule.name.text.empty();
        skipToItem();
      }
    } else {
      // Behind an error it may be the rest of what the error cut short.
      if (!diagnostics.hasErrors())
        (void)error("expected 'kernel' or 'schedule'" + got() + hint({"kernel", "schedule"}));
      program.incomplete = true;
      advance();
      skipToItem();
    }
  }
  return std::move(program);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseKernel(Kernel &kernel) {
  kernel.head.begin = token.getLoc();
  advance();
  if (failed(parseName(kernel.name, "the name of the kernel")) || failed(expect("(", "after the kernel's name")))
    return failure();
  kernel.head.end = lastEnd;
  do {
    if (failed(parseParam(kernel.params.emplace_back())))
      return failure();
  } while (consume(","));
  if (failed(expect(")", "or ',' after a parameter")) || failed(expect("->", "and the output after the parameters")) ||
      failed(parseParam(kernel.output)))
    return failure();
  if (consumeWord("where")) {
    do {
      if (failed(parseFact(kernel.facts.emplace_back())))
        return failure();
    } while (consume(","));
  }
  if (failed(expect("{", "and the statement of the kernel")))
    return failure();
  kernel.statement.begin = token.getLoc();
  if (failed(parseName(kernel.assigned, "the output's name")))
    return failure();
  kernel.accumulate = consume("+=");
  if (!kernel.accumulate && failed(expect("=", "or '+=' after the output's name")))
    return failure();
  numTerms = 0;
  kernel.value = parseSum(0);
  if (!kernel.value)
    return failure();
  kernel.statement.end = lastEnd;
  kernel.close.begin = token.getLoc();
  if (failed(expect("}", "after the expression")))
    return failure();
  kernel.close.end = lastEnd;
  return success();
}

LogicalResult Parser::parseParam(Param &param) {
  param.range.begin = token.getLoc();
  if (failed(parseName(param.name, "the name of a parameter")) ||
      failed(expect(":", "and a type after '" + param.name.text + "'")) || failed(parseName(param.type, "a type")))
    return failure();
  if (consume("[")) {
    do {
      Dim &dim = param.dims.emplace_back();
      if (token.kind == Token::Integer) {
        dim.name = {token.text, token.getLoc()};
        if (failed(parseInteger(dim.value.emplace(), "a dimension")))
          return failure();
      } else if (failed(parseName(dim.name, "a dimension, a name or a number"))) {
        return failure();
      }
    } while (consume(","));
    if (failed(expect("]", "or ',' after a dimension")))
      return failure();
  }
  while (token.isWord("ld") || token.isWord("col_major")) {
    bool isLd = token.isWord("ld");
    std::optional<Name> &option = isLd ? param.ld : param.colMajor;
    bool given = option.has_value();
    if (failed(once(given, "parameter")))
      return failure();
    option = Name{token.text, token.getLoc()};
    advance();
    if (isLd && failed(parseName(*option, "the name of the leading dimension")))
      return failure();
  }
  param.range.end = lastEnd;
  if (token.kind == Token::Word)
    if (std::string hint = didYouMean(token.text, {"ld", "col_major", "where"});
        !hint.empty() && !token.isWord("where"))
      return error("unknown word " + quote(token.text) + " after parameter '" + param.name.text + "'" + hint);
  return success();
}

LogicalResult Parser::parseFact(Fact &fact) {
  fact.range.begin = token.getLoc();
  if (consumeWord("aligned")) {
    fact.kind = "aligned";
    if (failed(expect("(", "after 'aligned'")) || failed(parseName(fact.subject, "the name of a parameter")) ||
        failed(expect(",", "and a number of bytes in 'aligned'")))
      return failure();
    SMLoc loc = token.getLoc();
    if (failed(parseInteger(fact.value, "the alignment")))
      return failure();
    if (!isPowerOf2_64(fact.value))
      return error(loc, "the alignment is " + Twine(fact.value) + " bytes, expected a power of 2");
    if (failed(expect(")", "after the alignment")))
      return failure();
  } else {
    if (failed(parseName(fact.subject, "a fact such as 'K % 16 == 0', 'M <= 4096', 'M == 128' or 'aligned(A, 16)'")))
      return failure();
    if (consume("%")) {
      fact.kind = "multiple";
      if (failed(parseInteger(fact.value, "the divisor")) || failed(expect("==", "and 0 after the divisor")))
        return failure();
      if (token.text != "0")
        return error("expected 0 after '==', only exact multiples can be stated" + got());
      advance();
    } else if (consume("<=")) {
      fact.kind = "at_most";
      if (failed(parseInteger(fact.value, "the bound")))
        return failure();
    } else if (consume("==")) {
      fact.kind = "equal";
      if (failed(parseInteger(fact.value, "the size")))
        return failure();
    } else {
      return error("expected '%', '<=' or '==' after '" + fact.subject.text + "'" + got() +
                   (token.isSymbol("(") ? didYouMean(fact.subject.text, {"aligned"}) : ""));
    }
  }
  fact.range.end = lastEnd;
  return success();
}

std::unique_ptr<Expr> Parser::makeExpr(Expr::Kind kind, Token at) {
  if (++numTerms > kMaxTerms) {
    (void)error(at.getLoc(), "the expression has more than " + Twine(kMaxTerms) + " operators, names and numbers");
    return nullptr;
  }
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->text = at.text;
  expr->loc = at.getLoc();
  return expr;
}

std::unique_ptr<Expr> Parser::parseSum(unsigned depth) {
  std::unique_ptr<Expr> left = parseTerm(depth);
  while (left && (token.isSymbol("+") || token.isSymbol("-"))) {
    std::unique_ptr<Expr> sum = makeExpr(token.text == "+" ? Expr::Add : Expr::Subtract, token);
    advance();
    std::unique_ptr<Expr> right = sum ? parseTerm(depth) : nullptr;
    if (!right)
      return nullptr;
    sum->operands.push_back(std::move(left));
    sum->operands.push_back(std::move(right));
    left = std::move(sum);
  }
  return left;
}

std::unique_ptr<Expr> Parser::parseTerm(unsigned depth) {
  std::unique_ptr<Expr> left = parseUnary(depth);
  while (left && (token.isSymbol("*") || token.isSymbol("/"))) {
    std::unique_ptr<Expr> term = makeExpr(token.text == "*" ? Expr::Multiply : Expr::Divide, token);
    advance();
    std::unique_ptr<Expr> right = term ? parseUnary(depth) : nullptr;
    if (!right)
      return nullptr;
    term->operands.push_back(std::move(left));
    term->operands.push_back(std::move(right));
    left = std::move(term);
  }
  return left;
}

std::unique_ptr<Expr> Parser::parseUnary(unsigned depth) {
  if (!token.isSymbol("-"))
    return parseProduct(depth);
  if (depth == kMaxNesting) {
    (void)error("the expression is nested deeper than " + Twine(kMaxNesting) + " levels");
    return nullptr;
  }
  std::unique_ptr<Expr> negate = makeExpr(Expr::Negate, token);
  advance();
  std::unique_ptr<Expr> operand = negate ? parseUnary(depth + 1) : nullptr;
  if (!operand)
    return nullptr;
  negate->operands.push_back(std::move(operand));
  return negate;
}

std::unique_ptr<Expr> Parser::parseProduct(unsigned depth) {
  std::unique_ptr<Expr> left = parseTransposed(depth);
  while (left && token.isSymbol("@")) {
    std::unique_ptr<Expr> product = makeExpr(Expr::Product, token);
    advance();
    std::unique_ptr<Expr> right = product ? parseTransposed(depth) : nullptr;
    if (!right)
      return nullptr;
    product->operands.push_back(std::move(left));
    product->operands.push_back(std::move(right));
    left = std::move(product);
  }
  return left;
}

std::unique_ptr<Expr> Parser::parseTransposed(unsigned depth) {
  std::unique_ptr<Expr> expr = parsePrimary(depth);
  if (!expr || !token.isSymbol("'"))
    return expr;
  if (expr->kind != Expr::Reference || expr->parenthesized) {
    (void)error("only the name of a matrix can be transposed");
    return nullptr;
  }
  std::unique_ptr<Expr> transpose = makeExpr(Expr::Transpose, token);
  advance();
  if (!transpose)
    return nullptr;
  if (token.isSymbol("'")) {
    (void)error("'" + expr->text + "' is transposed twice; leave both out");
    return nullptr;
  }
  transpose->operands.push_back(std::move(expr));
  return transpose;
}

std::unique_ptr<Expr> Parser::parsePrimary(unsigned depth) {
  if (token.kind == Token::Integer || token.kind == Token::Real) {
    std::unique_ptr<Expr> number = makeExpr(Expr::Number, token);
    advance();
    return number;
  }
  bool isCall = token.isWord("max") || token.isWord("min") || token.isWord("relu");
  if (isCall || token.isSymbol("(")) {
    if (depth == kMaxNesting) {
      (void)error("the expression is nested deeper than " + Twine(kMaxNesting) + " levels");
      return nullptr;
    }
    if (!isCall) {
      advance();
      std::unique_ptr<Expr> inner = parseSum(depth + 1);
      if (!inner || failed(expect(")", "after the expression in parentheses")))
        return nullptr;
      inner->parenthesized = true;
      return inner;
    }
    std::unique_ptr<Expr> call = makeExpr(Expr::Call, token);
    advance();
    if (!call || failed(expect("(", "after '" + call->text + "'")))
      return nullptr;
    do {
      std::unique_ptr<Expr> operand = parseSum(depth + 1);
      if (!operand)
        return nullptr;
      call->operands.push_back(std::move(operand));
    } while (consume(","));
    if (failed(expect(")", "or ',' after an operand of '" + call->text + "'")))
      return nullptr;
    size_t expected = call->text == "relu" ? 1 : 2;
    if (call->operands.size() != expected) {
      (void)error(call->loc, "'" + call->text + "' has " + Twine(call->operands.size()) + " operands, expected " +
                                 Twine(expected));
      return nullptr;
    }
    return call;
  }
  Name name;
  Token start = token;
  if (failed(parseName(name, "a name, a number or '('")))
    return nullptr;
  if (token.isSymbol("(")) {
    (void)error(name.loc, "unknown function " + quote(name.text) + "; functions are 'max', 'min' and 'relu'" +
                              didYouMean(name.text, {"max", "min", "relu"}));
    return nullptr;
  }
  if (token.isSymbol("[")) {
    (void)error("'" + name.text + "' takes no index here; it binds by the dimensions it was declared with");
    return nullptr;
  }
  return makeExpr(Expr::Reference, start);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseSchedule(Schedule &schedule) {
  schedule.head.begin = token.getLoc();
  advance();
  if (failed(parseName(schedule.name, "the name of the schedule")))
    return failure();
  if (!consumeWord("for"))
    return error("expected 'for' and a kernel after the schedule's name" + got());
  if (failed(parseName(schedule.kernel, "the name of a kernel")))
    return failure();
  Name name;
  if (consumeWord("on")) {
    if (failed(parseName(name, "a target such as 'sm_90'")))
      return failure();
    schedule.target = name;
    StringRef version = schedule.target->text;
    bool known = version.consume_front("sm_");
    if (known && !version.empty() && StringRef("af").contains(version.back()))
      version = version.drop_back();
    if (!known || version.size() < 2 || version.size() > 3 || !all_of(version, [](char c) { return isDigit(c); }))
      diagnostics.error(schedule.target->loc, "unknown target " + quote(schedule.target->text) +
                                                  "; a target is written 'sm_' and a number, 'sm_90'");
  }
  if (consumeWord("like")) {
    if (failed(parseName(name, "the name of a schedule")))
      return failure();
    schedule.like = name;
  }
  if (failed(expect("{", "and the clauses of the schedule", {"on", "like"}))) {
    schedule.kernel = {}; // it may be a word of what is missing
    return failure();
  }
  schedule.head.end = lastEnd;
  openOptions = {};
  while (!token.isSymbol("}")) {
    if (token.kind == Token::End || atItem())
      return error("expected '}' at the end of schedule '" + schedule.name.text + "'" + got());
    if (failed(parseClause(schedule))) {
      schedule.broken = true;
      skipToClause();
      if (token.kind == Token::End || atItem())
        return failure(); // the same error cut the schedule short
    }
  }
  schedule.close.begin = token.getLoc();
  advance();
  schedule.close.end = lastEnd;
  return success();
}

void Parser::skipToClause() {
  openOptions = {};
  // A set of values, { 1, 2 }, does not end the schedule.
  unsigned depth = 0;
  while (token.kind != Token::End && !atItem()) {
    if (depth == 0 &&
        (token.startsLine || atClause() || token.isSymbol("}") || is_contained(kFutureClauses, token.text)))
      return;
    if (token.isSymbol("{"))
      ++depth;
    else if (depth && token.isSymbol("}"))
      --depth;
    advance();
  }
}

LogicalResult Parser::once(bool &given, StringRef clause) {
  if (given)
    return error("'" + token.text + "' is given twice in one " + clause + "; keep one");
  given = true;
  return success();
}

LogicalResult Parser::parseChoice(StringRef &choice, ArrayRef<StringRef> words, ArrayRef<StringRef> future,
                                  StringRef what) {
  if (token.kind == Token::Word && is_contained(words, token.text)) {
    choice = token.text;
    advance();
    return success();
  }
  if (token.isSymbol("{"))
    return refuseSet("'" + what + "'");
  if (token.kind == Token::Word && is_contained(future, token.text)) {
    SMLoc loc = token.getLoc();
    std::string message =
        ("'" + what + " " + token.text + "' is not supported yet; use " + quoteList(words, "or")).str();
    advance();
    return error(loc, message);
  }
  return error("expected " + quoteList(words, "or") + " after '" + what + "'" + got() + hint(words));
}

LogicalResult Parser::parseClause(Schedule &schedule) {
  Clause clause;
  clause.range.begin = token.getLoc();
  clause.drop = consumeWord("no");
  const auto *keyword = token.kind == Token::Word ? find(kClauses, token.text) : std::end(kClauses);
  if (keyword == std::end(kClauses)) {
    SMLoc loc = token.getLoc();
    Token unknown = token;
    std::string described = got();
    if (token.kind != Token::End && !token.isSymbol("}") && !atItem())
      advance(); // progress: what follows is skipped up to the next clause
    if (unknown.kind != Token::Word)
      return error(loc, "expected a clause or '}'" + described);
    if (is_contained(kFutureClauses, unknown.text))
      return error(loc, "clause '" + unknown.text + "' is not supported yet; leave it out");
    SmallVector<StringRef> candidates(openOptions);
    append_range(candidates, kClauses);
    candidates.push_back("no");
    std::string hint = didYouMean(unknown.text, candidates);
    return error(loc, "unknown clause " + quote(unknown.text) +
                          (hint.empty() ? "; clauses are " + quoteList(kClauses) : hint));
  }
  clause.kind = static_cast<ClauseKind>(keyword - std::begin(kClauses));
  StringRef name = *keyword;
  advance();
  openOptions = {};
  if (clause.drop) {
    if (clause.kind == ClauseKind::Stage && failed(parseName(clause.operand, "the operand of 'no stage'")))
      return failure();
  } else {
    LogicalResult result = success();
    switch (clause.kind) {
    case ClauseKind::Block:
      result = parseShape(clause.shape, 3, name, "BMxBNxBK");
      break;
    case ClauseKind::Warp:
      result = parseShape(clause.shape, 2, name, "WMxWN");
      break;
    case ClauseKind::Thread:
      result = parseThread(clause);
      break;
    case ClauseKind::Stage:
      result = parseStage(clause);
      break;
    case ClauseKind::Pipeline:
    case ClauseKind::BlocksPerSM:
      result = parseInteger(clause.number, "'" + name + "'");
      break;
    case ClauseKind::Prefetch:
      break;
    case ClauseKind::Product:
      result = parseProductClause(clause);
      break;
    case ClauseKind::Store:
      result = parseChoice(clause.word, {"scalar", "vector"}, {"staged", "tma"}, name);
      break;
    case ClauseKind::Walk:
      result = parseChoice(clause.word, {"rows", "grouped"}, {"persistent", "stream_k"}, name);
      if (succeeded(result) && clause.word == "grouped")
        result = parseInteger(clause.number, "the number of tile rows of 'walk grouped'");
      break;
    }
    if (failed(result))
      return failure();
  }
  clause.range.end = lastEnd;
  schedule.clauses.push_back(std::move(clause));
  return success();
}

LogicalResult Parser::parseThread(Clause &clause) {
  static constexpr StringRef kOptions[] = {"in", "lanes"};
  openOptions = kOptions;
  if (failed(parseShape(clause.shape, 2, "thread", "TMxTN")))
    return failure();
  bool group = false, lanes = false;
  while (true) {
    SMLoc loc = token.getLoc();
    if (token.isWord("in")) {
      clause.groupLoc = loc;
      if (failed(once(group, "'thread'")))
        return failure();
      advance();
      if (failed(parseShape(clause.group, 2, "in", "GMxGN")))
        return failure();
    } else if (token.isWord("lanes")) {
      clause.lanesLoc = loc;
      if (failed(once(lanes, "'thread'")))
        return failure();
      advance();
      if (failed(parseShape(clause.lanes, 2, "lanes", "LMxLN")))
        return failure();
    } else {
      return success();
    }
  }
}

LogicalResult Parser::parseStage(Clause &clause) {
  static constexpr StringRef kOptions[] = {"row_major", "k_major", "pad", "swizzle", "by"};
  openOptions = kOptions;
  if (failed(parseName(clause.operand, "the operand of 'stage'")))
    return failure();
  bool order = false, space = false, by = false;
  while (true) {
    SMLoc loc = token.getLoc();
    if (token.isWord("row_major") || token.isWord("k_major")) {
      if (order && clause.word != token.text)
        return error("'" + token.text + "' contradicts '" + clause.word + "' of this 'stage'; give one of them");
      if (failed(once(order, "'stage'")))
        return failure();
      clause.word = token.text;
      advance();
    } else if (token.isWord("pad") || token.isWord("swizzle")) {
      bool isPad = token.isWord("pad");
      if (isPad ? clause.swizzle : clause.pad)
        return error("'pad' and 'swizzle' exclude each other; give one of them");
      if (failed(once(space, "'stage'")))
        return failure();
      advance();
      loc = token.getLoc();
      if (isPad) {
        if (failed(parseInteger(clause.pad, "'pad'")))
          return failure();
      } else {
        if (failed(parseInteger(clause.swizzle, "'swizzle'")))
          return failure();
        if (clause.swizzle != 2 && clause.swizzle != 4 && clause.swizzle != 8)
          return error(loc, "'swizzle' is " + Twine(clause.swizzle) + ", expected 2, 4 or 8");
      }
    } else if (token.isWord("by")) {
      if (failed(once(by, "'stage'")))
        return failure();
      advance();
      if (failed(parseChoice(clause.by, {"plain", "registers", "cp.async"}, {"tma"}, "by")))
        return failure();
      if (token.isSymbol("{"))
        return refuseSet("the bytes of 'by'");
      if (token.kind != Token::Integer)
        continue;
      loc = token.getLoc();
      if (failed(parseInteger(clause.bytes, "the bytes of 'by'")))
        return failure();
      if (clause.bytes != 4 && clause.bytes != 8 && clause.bytes != 16)
        return error(loc,
                     "'by " + clause.by + "' copies " + Twine(clause.bytes) + " bytes at most, expected 4, 8 or 16");
    } else {
      return success();
    }
  }
}

LogicalResult Parser::parseProductClause(Clause &clause) {
  static constexpr StringRef kOptions[] = {"order", "unroll", "zigzag"};
  openOptions = kOptions;
  if (token.kind == Token::Word && is_contained(kFutureUnits, token.text)) {
    SMLoc loc = token.getLoc();
    std::string message = ("'product " + token.text + "' is not supported yet; leave it out").str();
    advance();
    return error(loc, message);
  }
  bool order = false, unroll = false;
  while (true) {
    if (token.isWord("order")) {
      if (failed(once(order, "'product'")))
        return failure();
      advance();
      if (failed(parseChoice(clause.word, {"i_inner", "j_inner"}, {}, "order")))
        return failure();
      clause.zigzag = consumeWord("zigzag");
    } else if (token.isWord("unroll")) {
      if (failed(once(unroll, "'product'")))
        return failure();
      advance();
      if (failed(parseInteger(clause.number, "'unroll'")))
        return failure();
    } else if (token.isWord("zigzag")) {
      return error("'zigzag' belongs to 'order': write 'product order i_inner zigzag'");
    } else if (!order && !unroll) {
      return error("expected 'order' or 'unroll' after 'product'" + got() + hint({"order", "unroll"}));
    } else {
      return success();
    }
  }
}

Program tgc::parse(StringRef buffer, Diagnostics &diagnostics) { return Parser(buffer, diagnostics).parse(); }
