//===- Queries.h - what an editor asks about a tile program -----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_LSP_QUERIES_H
#define TGC_LIB_LSP_QUERIES_H

#include "Document.h"

namespace tgc::lsp {

/// Over a clause: what it means and is set to. Over the name of a kernel: its interface. Over the name of a schedule:
/// the completed schedule and what it takes.
std::optional<llvm::lsp::Hover> getHover(const Document &document, llvm::lsp::Position position);

/// Where what is named at `position` is introduced.
std::vector<llvm::lsp::Location> getDefinition(const Document &document, llvm::lsp::Position position);

/// Kernels with their parameters, and schedules with their clauses.
std::vector<llvm::lsp::DocumentSymbol> getSymbols(const Document &document);

/// The words that can stand at `position`.
llvm::lsp::CompletionList getCompletion(const Document &document, llvm::lsp::Position position);

} // namespace tgc::lsp

#endif
