//===- Lexer.cpp - tokens of a tile program ---------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tgc {

static constexpr StringRef kSpace = " \t\r\n";

static bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
static bool isWordChar(char c) { return isAlnum(c) || c == '_'; }

Lexer::Lexer(StringRef buffer, Diagnostics &diagnostics, std::vector<ast::Comment> &comments)
    : buffer(buffer), rest(buffer), diagnostics(diagnostics), comments(comments) {
  rest.consume_front("\xEF\xBB\xBF"); // UTF-8 byte order mark
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.text = rest.take_front(length);
  rest = rest.drop_front(length);
  return token;
}

void Lexer::skipSpaceAndComments() {
  while (true) {
    rest = rest.ltrim(kSpace);
    if (!rest.starts_with("//"))
      return;
    ast::Comment comment;
    comment.loc = SMLoc::getFromPointer(rest.begin());
    StringRef before = buffer.take_front(rest.begin() - buffer.begin());
    before = before.drop_front(before.rfind('\n') + 1); // npos + 1 is 0
    comment.ownLine = before.trim(kSpace).empty() || before == "\xEF\xBB\xBF";
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    comment.text = line.rtrim(kSpace);
    rest = rest.drop_front(line.size());
    StringRef space = rest.take_while([](char c) { return kSpace.contains(c); });
    comment.blankAfter = space.count('\n') > 1;
    comments.push_back(comment);
  }
}

Token Lexer::lexNumber() {
  auto digitsFrom = [&](size_t at) {
    size_t end = at;
    while (end < rest.size() && isDigit(rest[end]))
      ++end;
    return end - at;
  };
  size_t length = digitsFrom(0);
  Token::Kind kind = Token::Integer;
  auto charAt = [&](size_t at) { return at < rest.size() ? rest[at] : '\0'; };
  while (charAt(length) == 'x' && digitsFrom(length + 1)) {
    kind = Token::Shape;
    length += 1 + digitsFrom(length + 1);
  }
  if (kind == Token::Integer) {
    if (charAt(length) == '.' && digitsFrom(length + 1)) {
      kind = Token::Real;
      length += 1 + digitsFrom(length + 1);
    }
    if (charAt(length) == 'e' || charAt(length) == 'E') {
      size_t sign = charAt(length + 1) == '+' || charAt(length + 1) == '-';
      if (size_t exponent = digitsFrom(length + 1 + sign)) {
        kind = Token::Real;
        length += 1 + sign + exponent;
      }
    }
  }
  size_t end = length;
  while (end < rest.size() && (isWordChar(rest[end]) || rest[end] == '.'))
    ++end;
  Token token = take(kind, end);
  if (end != length) {
    diagnostics.error(token.getLoc(), "malformed number " + quote(token.text) +
                                          "; numbers are written 16, 0.5 or 2e-3, tile shapes 128x256x8");
    token.text = token.text.take_front(length); // a number, so that it is reported once
  }
  return token;
}

Token Lexer::next() {
  const char *before = rest.begin();
  skipSpaceAndComments();
  bool startsLine = StringRef(before, rest.begin() - before).contains('\n');
  Token token = lexToken();
  token.startsLine = startsLine;
  return token;
}

Token Lexer::lexToken() {
  if (rest.empty() || diagnostics.isExhausted()) {
    rest = rest.drop_front(rest.size());
    return take(Token::End, 0);
  }
  char c = rest.front();
  if (isWordStart(c)) {
    size_t length = 1;
    while (length < rest.size() && (isWordChar(rest[length]) ||
                                    (rest[length] == '.' && length + 1 < rest.size() && isWordStart(rest[length + 1]))))
      ++length;
    return take(Token::Word, length);
  }
  if (isDigit(c))
    return lexNumber();
  for (StringRef symbol : {"->", "+=", "==", "<="})
    if (rest.starts_with(symbol))
      return take(Token::Symbol, symbol.size());
  constexpr StringRef kSymbols = "()[]{},:=+-*/@'%";
  if (kSymbols.contains(c))
    return take(Token::Symbol, 1);
  size_t length = 1;
  while (length < rest.size() && !isWordChar(rest[length]) && !kSymbols.contains(rest[length]) &&
         !kSpace.contains(rest[length]))
    ++length;
  return take(Token::Symbol, length);
}

} // namespace tgc
