//===- Mutator.cpp - mutations of tile programs by token --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes alone rarely leave a program legal enough to reach the passes. So every second mutation takes whole tokens: it
// removes, repeats, moves or swaps runs of them, or replaces one by another of its kind.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lexer.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

#include <random>

using namespace llvm;
using tgc::Token;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// The words of all forms of all clauses, one string a form.
static constexpr StringRef kForms[] = {
#define TGC_CLAUSE(KEYWORD, FORMS, MEANS, LEFT_OUT, VALUES) #KEYWORD " " FORMS,
#define TGC_OPTION(KEYWORD, FORMS, MEANS, LEFT_OUT, VALUES) FORMS,
#include "tgc/Frontend/Clauses.def"
};
static constexpr StringRef kOtherWords[] = {"on sm_80",  "on sm_120", "like",  "no",
                                            "col_major", "ld",        "where", "aligned"};
static constexpr StringRef kNumbers[] = {"0",  "1",   "2",    "3",     "4",          "8",
                                         "16", "128", "1024", "65536", "2147483647", "2147483648"};
static constexpr unsigned kExtents[] = {0, 1, 2, 3, 4, 5, 8, 12, 16, 32, 64, 96, 128, 256, 1024, 65536};

namespace {
class Mutation {
public:
  Mutation(StringRef text, unsigned seed);
  std::string apply();

private:
  size_t draw(size_t below) { return below == 0 ? 0 : generator() % below; }
  template <typename Range> auto &pick(Range &range) { return range[draw(std::size(range))]; }
  /// A few tokens behind `begin`.
  size_t drawEnd(size_t begin) { return std::min(tokens.size(), begin + 1 + draw(draw(2) ? 4 : 24)); }
  std::string getReplacement(StringRef token);
  std::string drawForm();

  std::vector<std::string> tokens; ///< each with the space before it
  std::minstd_rand generator;
};
} // namespace

Mutation::Mutation(StringRef text, unsigned seed) : generator(seed) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  StringRef copy = sources.getMemoryBuffer(buffer)->getBuffer();
  tgc::Diagnostics diagnostics(sources, &context);
  std::vector<tgc::ast::Comment> comments;
  tgc::Lexer lexer(copy, diagnostics, comments);
  const char *end = copy.begin();
  for (Token token = lexer.next(); token.kind != Token::End; token = lexer.next()) {
    tokens.emplace_back(end, token.text.end());
    end = token.text.end();
  }
}

std::string Mutation::drawForm() {
  if (draw(6) == 0)
    return pick(kOtherWords).str();
  SmallVector<StringRef> words;
  pick(kForms).split(words, ' ');
  std::string form;
  for (StringRef word : words) {
    SmallVector<StringRef> choices;
    word.split(choices, '|');
    StringRef choice = pick(choices);
    size_t extents = choice.count('x') + 1;
    bool isNumber = !choice.empty() && isUpper(choice.front()) && choice != "X" && choice != "HOW";
    form += " ";
    if (choice == "X")
      form += draw(2) ? "A" : "B";
    else if (choice == "HOW")
      form += "cp.async";
    else if (isNumber)
      for (size_t i = 0; i < extents; ++i)
        form += (i ? "x" : "") + std::to_string(pick(kExtents));
    else
      form += choice;
  }
  return form;
}

std::string Mutation::getReplacement(StringRef token) {
  StringRef text = token.ltrim();
  if (text.empty() || !isAlnum(text.front()) || draw(8) == 0)
    return tokens[draw(tokens.size())];
  if (isAlpha(text.front())) {
    std::vector<StringRef> words;
    for (StringRef other : tokens)
      if (StringRef word = other.ltrim(); !word.empty() && isAlpha(word.front()))
        words.push_back(word);
    return (" " + pick(words)).str();
  }
  if (!text.contains('x'))
    return (" " + pick(kNumbers)).str();
  SmallVector<StringRef> extents;
  text.split(extents, 'x');
  std::string changed = std::to_string(pick(kExtents));
  pick(extents) = changed;
  return " " + join(extents, "x");
}

std::string Mutation::apply() {
  if (tokens.empty())
    return drawForm();
  for (size_t count = 1 + draw(3); count && !tokens.empty(); --count) {
    size_t begin = draw(tokens.size()), end = drawEnd(begin);
    std::vector<std::string> run(tokens.begin() + begin, tokens.begin() + end);
    switch (draw(6)) {
    case 0:
      tokens.erase(tokens.begin() + begin, tokens.begin() + end);
      break;
    case 1: // repeat elsewhere
      tokens.insert(tokens.begin() + draw(tokens.size() + 1), run.begin(), run.end());
      break;
    case 2: // move
      tokens.erase(tokens.begin() + begin, tokens.begin() + end);
      tokens.insert(tokens.begin() + draw(tokens.size() + 1), run.begin(), run.end());
      break;
    case 3:
      std::swap(tokens[begin], pick(tokens));
      break;
    case 4:
      tokens[begin] = getReplacement(tokens[begin]);
      break;
    case 5:
      tokens.insert(tokens.begin() + begin, drawForm());
      break;
    }
  }
  return join(tokens, "");
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 2)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text = Mutation(StringRef(reinterpret_cast<char *>(data), size), seed / 2).apply();
  size_t newSize = std::min(text.size(), maxSize);
  std::copy_n(text.begin(), newSize, data);
  return newSize;
}
