//===- Writer.h - lines of C++ -----------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_TARGET_CUDA_WRITER_H
#define TGC_LIB_TARGET_CUDA_WRITER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tgc::cuda {

/// Columns of the text that the printers write.
constexpr unsigned kColumns = 120;

/// Statements as indented lines; braces only where a body is more than one statement.
class Writer {
public:
  struct Line {
    unsigned depth; ///< of indentation
    std::string text;
    bool isDeclaration = false;
    bool isDirective = false; ///< starts in the first column
  };
  using Lines = std::vector<Line>;

  explicit Writer(unsigned depth) : depth(depth) {}

  void statement(const llvm::Twine &text) { lines.push_back({depth, text.str()}); }
  void declaration(const llvm::Twine &text) { lines.push_back({depth, text.str(), true}); }
  void directive(const llvm::Twine &text) { lines.push_back({depth, text.str(), false, true}); }
  /// An empty line, unless the text so far ends in one or is empty.
  void paragraph();

  /// The lines that `body` writes, one level deeper.
  Lines capture(llvm::function_ref<void()> body);
  /// `head`, then `body` as its controlled statement.
  void block(const llvm::Twine &head, Lines body);
  /// `if (condition) thenBody else elseBody`; an empty `elseBody` is left out.
  void ifElse(llvm::StringRef condition, Lines thenBody, Lines elseBody);

  /// Writes all lines, breaking those longer than kColumns.
  void print(llvm::raw_ostream &os) const;

private:
  void append(Lines &&body);

  unsigned depth;
  Lines lines;
};

/// Writes `text` after `indent` spaces, broken at operators and commas so that no line is longer than kColumns where
/// that is possible; continuation lines are indented by `continuation` spaces.
void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, unsigned indent, unsigned continuation);

/// Writes `text` as `//` comment lines: one for each of its lines, each behind `margin`.
void printComment(llvm::raw_ostream &os, llvm::StringRef text, llvm::StringRef margin = " ");

} // namespace tgc::cuda

#endif
