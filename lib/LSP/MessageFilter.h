//===- MessageFilter.h - messages that can be answered ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_LSP_MESSAGEFILTER_H
#define TGC_LIB_LSP_MESSAGEFILTER_H

#include "llvm/Support/LSP/Transport.h"

namespace tgc::lsp {

/// Reads messages and passes on those that the transport handles. The rest it answers itself: what is no JSON or no
/// JSON-RPC 2.0, and requests before `initialize` or after `shutdown`.
class MessageFilter : public llvm::lsp::JSONTransportInput {
public:
  using Refuse = std::function<void(llvm::json::Value id, llvm::lsp::ErrorCode code, const std::string &message)>;

  MessageFilter(std::FILE *input, llvm::lsp::JSONStreamStyle style) : JSONTransportInput(style), file(input, style) {}

  /// How to answer.
  void setRefuse(Refuse function) { refuse = std::move(function); }
  bool wasShutDown() const { return state == State::ShutDown; }

  bool hasError() const override { return file.hasError(); }
  bool isEndOfInput() const override { return file.isEndOfInput(); }
  llvm::LogicalResult readDelimitedMessage(std::string &json) override {
    return llvm::success(succeeded(file.readDelimitedMessage(json)) && isAcceptable(json));
  }
  llvm::LogicalResult readStandardMessage(std::string &json) override {
    return llvm::success(succeeded(file.readStandardMessage(json)) && isAcceptable(json));
  }

private:
  enum class State { Start, Running, ShutDown };

  /// False after the message was answered, or dropped because it wants no answer.
  bool isAcceptable(llvm::StringRef json);

  llvm::lsp::JSONTransportInputOverFile file;
  Refuse refuse;
  State state = State::Start;
};

} // namespace tgc::lsp

#endif
