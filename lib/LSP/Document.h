//===- Document.h - an open tile program ------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_LSP_DOCUMENT_H
#define TGC_LIB_LSP_DOCUMENT_H

#include "Frontend/Lexer.h"
#include "Frontend/Parser.h"
#include "PositionMap.h"

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Dialect/TGC/Transforms/ScheduleResources.h"
#include "tgc/Support/TargetLimits.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/SourceMgr.h"

namespace tgc::lsp {

/// What is known of one schedule of a program without errors of the language.
struct ScheduleInfo {
  /// Of L1.
  mlir::gpu::GPUModuleOp module;
  /// What was left out of its schedule is decided.
  bool isCompleted = false;
  /// It keeps every rule of docs/schedule.md.
  bool legal = false;
  /// Null if the target is unknown.
  const TargetLimits *target = nullptr;

  mlir::gpu::GPUFuncOp getFunc() const {
    mlir::gpu::GPUModuleOp handle = module;
    return *handle.getOps<mlir::gpu::GPUFuncOp>().begin();
  }
};

/// One version of a tile program: its text, what the front end makes of it, and what `tgc build` would refuse.
class Document {
public:
  /// `target`: the limits of schedules that name none.
  Document(const llvm::lsp::URIForFile &uri, std::string text, int64_t version, llvm::StringRef target);

  const llvm::lsp::URIForFile &getURI() const { return uri; }
  int64_t getVersion() const { return version; }
  const std::string &getText() const { return text; }
  const PositionMap &getPositions() const { return positions; }
  const ast::Program &getProgram() const { return program; }
  llvm::ArrayRef<Token> getTokens() const { return tokens; }
  std::vector<llvm::lsp::Diagnostic> getDiagnostics() const;

  size_t getOffset(llvm::SMLoc loc) const { return loc.getPointer() - text.data(); }
  llvm::lsp::Range toRange(llvm::SMLoc begin, llvm::SMLoc end) const {
    return positions.toRange(getOffset(begin), getOffset(end));
  }
  llvm::lsp::Range toRange(const ast::Name &name) const {
    return toRange(name.loc, llvm::SMLoc::getFromPointer(name.text.end()));
  }
  /// Whether a cursor at `offset` is in, or right behind, a piece of text.
  bool contains(llvm::SMLoc begin, llvm::SMLoc end, size_t offset) const {
    return begin.isValid() && end.isValid() && getOffset(begin) <= offset && offset <= getOffset(end);
  }
  bool contains(const ast::Name &name, size_t offset) const {
    return contains(name.loc, llvm::SMLoc::getFromPointer(name.text.end()), offset);
  }

  const ast::Kernel *findKernel(llvm::StringRef name) const;
  const ast::Schedule *findSchedule(llvm::StringRef name) const;
  /// Null if the program has errors of the language.
  const ScheduleInfo *getInfo(const ast::Schedule &schedule) const;
  /// `text` cut into tokens.
  std::vector<Token> lex(llvm::StringRef text) const;
  /// The program in canonical form, or nothing if its syntax is wrong.
  std::optional<std::string> format() const;
  /// `schedule` of a legal program after the pass `last` ("tgc-specialize"), or with an empty name at L3; null if that
  /// fails.
  mlir::OwningOpRef<mlir::ModuleOp> lower(const ast::Schedule &schedule, llvm::StringRef last) const;

private:
  struct Problem {
    size_t offset;
    llvm::lsp::DiagnosticSeverity severity;
    std::string message;
    /// Notes and where they point to.
    std::vector<std::pair<size_t, std::string>> notes;

    bool isSame(const Problem &other) const { return offset == other.offset && message == other.message; }
  };

  void analyze();
  /// Up to the pass `last`, or with an empty name to L3.
  llvm::LogicalResult runPipeline(mlir::ModuleOp lowered, llvm::StringRef last) const;
  void checkSchedule(const ast::Schedule &schedule, ScheduleInfo &info);
  /// Takes what the compiler says.
  void add(mlir::Diagnostic &diagnostic);
  size_t getOffset(mlir::Location loc) const;
  /// The piece of text that a diagnostic at `offset` is about.
  llvm::lsp::Range getRangeAt(size_t offset) const;

  llvm::lsp::URIForFile uri;
  std::string text;
  int64_t version;
  std::string target;
  PositionMap positions;
  llvm::SourceMgr sources;
  mutable mlir::MLIRContext context;
  ast::Program program;
  std::vector<Token> tokens;
  bool syntaxIsRight = false;
  /// L1, if the program has no errors of the language.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// As the schedules of `program`.
  std::vector<ScheduleInfo> infos;
  std::vector<Problem> problems;
};

/// The completed schedule as clauses, with what was left out; their strings live as long as `schedule`.
std::vector<ast::Clause> toClauses(ScheduleAttr schedule);

} // namespace tgc::lsp

#endif
