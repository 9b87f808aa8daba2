//===- Diagnostics.h - errors of a tile program -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_FRONTEND_DIAGNOSTICS_H
#define TGC_LIB_FRONTEND_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"

#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir {
class LocationAttr;
class MLIRContext;
} // namespace mlir

namespace tgc {

/// Reports through the context's diagnostic engine, at FILE:LINE:COL. A second error in a row at one place follows from
/// the first and is left out. After `kMaxErrors` errors it says so and is exhausted: the lexer then ends the file.
class Diagnostics {
public:
  static constexpr unsigned kMaxErrors = 20;

  Diagnostics(const llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context) : sourceMgr(sourceMgr), context(context) {}

  void error(llvm::SMLoc loc, const llvm::Twine &message);
  /// An error with a note at `noteLoc`.
  void error(llvm::SMLoc loc, const llvm::Twine &message, llvm::SMLoc noteLoc, const llvm::Twine &note);
  void warning(llvm::SMLoc loc, const llvm::Twine &message);

  bool hasErrors() const { return numErrors != 0; }
  bool isExhausted() const { return numErrors >= kMaxErrors; }

  /// FILE:LINE:COL of a place in the main buffer.
  mlir::LocationAttr getLocation(llvm::SMLoc loc) const;
  /// That of the start of the main buffer.
  mlir::LocationAttr getLocation() const;

private:
  const llvm::SourceMgr &sourceMgr;
  mlir::MLIRContext *context;
  unsigned numErrors = 0;
  llvm::SMLoc lastError;
};

/// "'a', 'b' and 'c'".
std::string quoteList(llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef last = "and");

/// `text` in quotes, long text cut, bytes that do not print as \xNN.
std::string quote(llvm::StringRef text);

} // namespace tgc

#endif
