//===- Parser.h - source text to AST ----------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_FRONTEND_PARSER_H
#define TGC_LIB_FRONTEND_PARSER_H

#include "AST.h"
#include "Diagnostics.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tgc {

/// Parentheses, calls and signs of an expression nest at most this deep.
constexpr unsigned kMaxNesting = 200;
/// Operators, names and numbers of one expression.
constexpr unsigned kMaxTerms = 1000;

/// Parses `buffer`. After an error it goes on at the next clause, kernel or schedule; `diagnostics` knows if there was
/// one. A kernel with a syntax error is in the program without `value`.
ast::Program parse(llvm::StringRef buffer, Diagnostics &diagnostics);

/// Resolves names, `like` and dimensions, and checks every rule of docs/language.md that needs more than syntax.
void analyze(ast::Program &program, Diagnostics &diagnostics);

/// The clauses of `schedule` and of those it is `like`, as they hold for it, in canonical order. Only after `analyze`
/// found no error.
std::vector<const ast::Clause *> resolveClauses(const ast::Program &program, const ast::Schedule &schedule);

/// `program` in canonical form, with its comments.
std::string format(const ast::Program &program);

/// The schedules that `schedule` is built from by `like`, itself first. Only after `analyze` found no error.
llvm::SmallVector<const ast::Schedule *> getLikeChain(const ast::Program &program, const ast::Schedule &schedule);

/// One kernel or schedule in canonical form, without comments, ending in a newline.
std::string format(const ast::Kernel &kernel);
std::string format(const ast::Schedule &schedule);
/// One clause or fact in canonical form, on one line.
std::string format(const ast::Clause &clause);
std::string format(const ast::Fact &fact);

/// L1 of `program`, in which `analyze` found no error; null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> emit(const ast::Program &program, const Diagnostics &diagnostics,
                                       mlir::MLIRContext *context);

} // namespace tgc

#endif
