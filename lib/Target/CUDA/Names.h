//===- Names.h - C++ identifiers ---------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_TARGET_CUDA_NAMES_H
#define TGC_LIB_TARGET_CUDA_NAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace tgc::cuda {

/// Whether generated code may declare `name`: a C++ identifier that is no keyword of C++ or CUDA, no name reserved to
/// the implementation, nothing spelt as macros are and nothing the printer itself refers to.
bool isUsableName(llvm::StringRef name);

/// The usable name nearest to `name`.
std::string getUsableName(llvm::StringRef name);

/// The names visible at one place of a function. A name is never shadowed; sibling scopes may repeat it.
class NameScopes {
public:
  /// A C++ scope, open while the object lives.
  class Scope {
  public:
    explicit Scope(NameScopes &names) : names(names) { names.scopes.emplace_back(); }
    ~Scope() { names.scopes.pop_back(); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    NameScopes &names;
  };

  /// Declares `wanted`, or that name with the first free number behind it, in the innermost scope.
  std::string declare(llvm::StringRef wanted);
  bool isVisible(llvm::StringRef name) const;

private:
  llvm::SmallVector<llvm::StringSet<>> scopes;
};

} // namespace tgc::cuda

#endif
