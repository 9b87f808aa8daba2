//===- ClauseTable.cpp - what clauses mean ----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseTable.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::lsp;

static constexpr ClauseEntry kEntries[] = {
#define TGC_CLAUSE(KEYWORD, FORMS, MEANS, LEFT_OUT, VALUES) {#KEYWORD, false, FORMS, MEANS, LEFT_OUT, VALUES},
#define TGC_OPTION(KEYWORD, FORMS, MEANS, LEFT_OUT, VALUES) {#KEYWORD, true, FORMS, MEANS, LEFT_OUT, VALUES},
#include "tgc/Frontend/Clauses.def"
};

ArrayRef<ClauseEntry> lsp::getClauseTable() { return kEntries; }

using Words = SmallVector<StringRef, 3>;

/// The alternatives of `entry` as sequences of words.
static SmallVector<Words, 3> getForms(const ClauseEntry &entry) {
  SmallVector<StringRef, 3> forms;
  entry.forms.split(forms, '|');
  SmallVector<Words, 3> result;
  for (StringRef form : forms)
    form.split(result.emplace_back(), ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return result;
}

/// Words that are not written as they stand begin with an upper case letter.
static bool isPlaceholder(StringRef word) { return isUpper(word.front()); }

static bool matches(StringRef word, const Token &token) {
  if (!isPlaceholder(word))
    return token.isWord(word);
  if (word == "X" || word == "HOW")
    return token.kind == Token::Word;
  return token.kind == Token::Integer || token.kind == Token::Shape;
}

static bool matches(ArrayRef<StringRef> form, ArrayRef<Token> tokens) {
  return form.size() == tokens.size() &&
         all_of(zip_equal(form, tokens), [](auto pair) { return matches(std::get<0>(pair), std::get<1>(pair)); });
}

std::string ClauseEntry::getTitle() const {
  SmallVector<StringRef, 3> alternatives;
  forms.split(alternatives, '|');
  StringRef prefix = isOption ? "..." : keyword;
  auto quote = [&](StringRef form) { return ("`" + prefix + (form.empty() ? "" : " ") + form + "`").str(); };
  return join(map_range(alternatives, quote), ", ");
}

std::optional<std::string> lsp::findForm(const ClauseEntry &entry, ArrayRef<Token> tokens) {
  for (const Words &form : getForms(entry))
    for (size_t i = 0; i + form.size() <= tokens.size(); ++i)
      if (ArrayRef<Token> found = tokens.slice(i, form.size()); matches(form, found))
        return join(map_range(found, [](const Token &token) { return token.text; }), " ");
  return std::nullopt;
}

NextWords lsp::getNextWords(StringRef keyword, ArrayRef<Token> before) {
  NextWords begun, fresh;
  begun.mustFollow = true;
  auto add = [](NextWords &next, StringRef word, const ClauseEntry &entry) {
    if (!isPlaceholder(word) && none_of(next.words, [&](const auto &other) { return other.first == word; }))
      next.words.emplace_back(word, &entry);
  };
  bool isBegun = false;
  for (const ClauseEntry &entry : kEntries) {
    if (entry.keyword != keyword)
      continue;
    for (const Words &form : getForms(entry)) {
      if (before.empty() && !entry.isOption && !form.empty()) {
        isBegun = true;
        add(begun, form[0], entry);
      } else if (form.size() > 1 && !before.empty() && before.back().isWord(form[0])) {
        isBegun = true;
        add(begun, form[1], entry);
      } else if (!before.empty() && !form.empty() && !findForm(entry, before)) {
        add(fresh, form[0], entry);
      }
    }
  }
  return isBegun ? begun : fresh;
}
