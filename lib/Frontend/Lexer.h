//===- Lexer.h - tokens of a tile program -----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_FRONTEND_LEXER_H
#define TGC_LIB_FRONTEND_LEXER_H

#include "AST.h"
#include "Diagnostics.h"

namespace tgc {

struct Token {
  enum Kind {
    End,     ///< of the file
    Word,    ///< a letter or _, then letters, digits, _; a dot may join two words: cp.async
    Integer, ///< digits
    Real,    ///< 1.5, 2e-3
    Shape,   ///< 128x256x8
    Symbol   ///< punctuation, or characters that mean nothing
  } kind = End;
  llvm::StringRef text;
  /// It is the first token of its line.
  bool startsLine = false;

  llvm::SMLoc getLoc() const { return llvm::SMLoc::getFromPointer(text.begin()); }
  llvm::SMLoc getEnd() const { return llvm::SMLoc::getFromPointer(text.end()); }
  bool isWord(llvm::StringRef word) const { return kind == Word && text == word; }
  bool isSymbol(llvm::StringRef symbol) const { return kind == Symbol && text == symbol; }
};

/// Cuts `buffer`, which may hold any bytes, into tokens. Characters that start no token are a symbol that no rule
/// expects.
class Lexer {
public:
  Lexer(llvm::StringRef buffer, Diagnostics &diagnostics, std::vector<ast::Comment> &comments);

  Token next();

private:
  void skipSpaceAndComments();
  Token lexToken();
  Token lexNumber();
  /// A token of `length` characters at the current place.
  Token take(Token::Kind kind, size_t length);

  llvm::StringRef buffer;
  /// What is left of `buffer`.
  llvm::StringRef rest;
  Diagnostics &diagnostics;
  std::vector<ast::Comment> &comments;
};

} // namespace tgc

#endif
