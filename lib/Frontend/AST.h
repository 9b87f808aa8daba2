//===- AST.h - a tile program as written ------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parser reads, the formatter prints and the semantic checks resolve. Every string is a piece of the source
// buffer. Locations are pointers into that buffer; `end` is one past the last character. docs/language.md has the
// grammar.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_FRONTEND_AST_H
#define TGC_LIB_FRONTEND_AST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <memory>
#include <optional>
#include <vector>

namespace tgc::ast {

using llvm::SMLoc;
using llvm::StringRef;

/// A word of the program and where it stands.
struct Name {
  StringRef text;
  SMLoc loc;
};

/// One piece of source text that comments attach to.
struct Range {
  SMLoc begin, end;
};

/// A dimension of an operand: a name, or a number of elements.
struct Dim {
  Name name;
  /// The number, or nothing for a name.
  std::optional<int64_t> value;

  bool operator==(const Dim &other) const {
    return value ? value == other.value : !other.value && name.text == other.name.text;
  }
};

/// `A: f32[M, K] ld lda col_major`.
struct Param {
  Name name, type;
  llvm::SmallVector<Dim, 2> dims;
  std::optional<Name> ld, colMajor;
  Range range;

  // Set by the semantic checks.
  /// The name of the leading dimension of a matrix: `ld` or "ld" + name.
  std::string ldName;
  bool used = false;
};

/// A statement of a `where` list about `subject`.
struct Fact {
  /// "aligned", "multiple", "at_most", "equal": the spelling of tgc::FactKind.
  StringRef kind;
  Name subject;
  int64_t value = 0;
  Range range;
};

/// A node of an elementwise expression.
struct Expr {
  enum Kind {
    Number,    ///< `text`
    Reference, ///< `text` names a parameter
    Transpose, ///< one operand, a reference
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Product, ///< X @ Y
    Call     ///< `text` is max, min or relu
  } kind;
  StringRef text;
  /// Of the operator, function, number or name.
  SMLoc loc;
  llvm::SmallVector<std::unique_ptr<Expr>, 2> operands;
  /// Written in parentheses, which the formatter keeps.
  bool parenthesized = false;

  // Set by the semantic checks.
  /// Reference: index into the kernel's parameters; their number stands for the output.
  unsigned param = 0;
  /// Number: the nearest f32.
  float value = 0;
};

struct Kernel {
  Name name;
  std::vector<Param> params;
  Param output;
  std::vector<Fact> facts;
  Name assigned;
  bool accumulate = false;
  std::unique_ptr<Expr> value;
  /// `kernel NAME`, the statement, the closing brace.
  Range head, statement, close;

  // Set by the semantic checks.
  bool valid = false;
  const Expr *product = nullptr;
  /// The dimensions that play M, N, K and the names they go by: of a number, the role's letter.
  Dim roles[3];
  std::string roleNames[3];

  const Param &getParam(unsigned i) const { return i < params.size() ? params[i] : output; }
  Param &getParam(unsigned i) { return i < params.size() ? params[i] : output; }
};

/// In the order in which the formatter prints them.
enum class ClauseKind { Block, Warp, Thread, Stage, Pipeline, Prefetch, Product, Store, Walk, BlocksPerSM };

/// One clause of a schedule; what a clause does not have is empty or 0.
struct Clause {
  ClauseKind kind;
  /// `no CLAUSE`: drops what `like` brought.
  bool drop = false;
  Range range;
  /// block, warp, thread: the extents.
  llvm::SmallVector<int64_t, 3> shape;
  /// thread: `in GMxGN` and `lanes LMxLN`.
  llvm::SmallVector<int64_t, 2> group, lanes;
  SMLoc groupLoc, lanesLoc;
  /// stage: the operand.
  Name operand;
  /// stage: row_major, k_major; product: i_inner, j_inner; store: scalar, vector; walk: rows, grouped.
  StringRef word;
  /// stage: plain, registers, cp.async.
  StringRef by;
  int64_t pad = 0, swizzle = 0, bytes = 0;
  bool zigzag = false;
  /// product: `unroll`; pipeline, blocks_per_sm, walk grouped: their number.
  int64_t number = 0;

  /// "block", "stage A": what a clause is at most once.
  std::string getKey() const;
};

struct Schedule {
  Name name, kernel;
  std::optional<Name> target, like;
  std::vector<Clause> clauses;
  /// `schedule ... {`, the closing brace.
  Range head, close;
  /// It has a syntax error, so that clauses are missing.
  bool broken = false;
};

/// A kernel (index into `kernels`) or a schedule.
struct Item {
  bool isKernel;
  unsigned index;
};

/// A `//` comment, without the line's end.
struct Comment {
  StringRef text;
  SMLoc loc;
  /// Nothing but spaces stands before it on its line.
  bool ownLine = false;
  /// An empty line follows it.
  bool blankAfter = false;
};

struct Program {
  Range version;
  std::vector<Kernel> kernels;
  std::vector<Schedule> schedules;
  /// All of them in the order of the source.
  std::vector<Item> items;
  std::vector<Comment> comments;
  /// A syntax error may hide a kernel or schedule: a name that is not found may be its.
  bool incomplete = false;
};

/// The keyword of a clause.
StringRef getKeyword(ClauseKind kind);

} // namespace tgc::ast

#endif
