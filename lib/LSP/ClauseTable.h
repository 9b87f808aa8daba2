//===- ClauseTable.h - what clauses mean ------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_LSP_CLAUSETABLE_H
#define TGC_LIB_LSP_CLAUSETABLE_H

#include "Frontend/Lexer.h"

#include "llvm/ADT/SmallVector.h"

namespace tgc::lsp {

/// A row of tgc/Frontend/Clauses.def.
struct ClauseEntry {
  llvm::StringRef keyword;
  bool isOption;
  /// Separated by |.
  llvm::StringRef forms;
  llvm::StringRef means, leftOut, values;

  /// "`... row_major`, `... k_major`".
  std::string getTitle() const;
};

/// All rows, in the order of the definitions.
llvm::ArrayRef<ClauseEntry> getClauseTable();

/// The first form of `entry` that stands in `tokens`, a clause behind its keyword, as it is written there.
std::optional<std::string> findForm(const ClauseEntry &entry, llvm::ArrayRef<Token> tokens);

/// What can follow a piece of a clause.
struct NextWords {
  /// Each with its row.
  llvm::SmallVector<std::pair<llvm::StringRef, const ClauseEntry *>> words;
  /// The clause cannot end here: one of `words` follows, or if there are none a name, number or shape.
  bool mustFollow = false;
};
/// `before`: what is written of clause `keyword` behind it.
NextWords getNextWords(llvm::StringRef keyword, llvm::ArrayRef<Token> before);

} // namespace tgc::lsp

#endif
