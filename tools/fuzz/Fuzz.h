//===- Fuzz.h - what the fuzz targets share ---------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TOOLS_FUZZ_FUZZ_H
#define TGC_TOOLS_FUZZ_FUZZ_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <memory>

namespace tgc::fuzz {

/// Ends the run with a finding unless `holds`. In every build, unlike assert.
inline void require(bool holds, const llvm::Twine &rule) {
  if (!holds)
    llvm::report_fatal_error(rule);
}

/// A context for one input. It is shared by a number of inputs, since loading dialects takes longer than most of them,
/// and replaced then, since it keeps every attribute that it has seen.
template <typename LoadDialects> mlir::MLIRContext &getContext(LoadDialects loadDialects) {
  constexpr unsigned kInputsOfAContext = 500;
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % kInputsOfAContext == 0) {
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    loadDialects(*context);
  }
  return *context;
}

/// Counts the errors of a context while it lives, and lets nothing be printed.
class ErrorCounter {
public:
  explicit ErrorCounter(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
          return mlir::success(isQuiet);
        }) {}

  /// Diagnostics go on to the handler registered before.
  void passOn() { isQuiet = false; }
  unsigned getErrors() const { return errors; }

private:
  unsigned errors = 0;
  bool isQuiet = true;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tgc::fuzz

#endif
