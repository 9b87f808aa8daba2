//===- Server.h - the language server of tile programs ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LSP_SERVER_H
#define TGC_LSP_SERVER_H

#include "llvm/Support/LSP/Transport.h"

#include <cstdio>
#include <string>

namespace tgc::lsp {

struct ServerOptions {
  llvm::lsp::JSONStreamStyle style = llvm::lsp::Standard;
  bool pretty = false;          ///< answers over several lines
  std::string target = "sm_90"; ///< limits of schedules that name no target
};

/// Answers the language server protocol from `input` to `output` until it is told to exit. Fails if it was not told to
/// shut down before (docs/lsp.md).
llvm::LogicalResult runServer(std::FILE *input, llvm::raw_ostream &output, const ServerOptions &options);

} // namespace tgc::lsp

#endif
