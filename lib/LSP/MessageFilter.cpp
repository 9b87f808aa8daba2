//===- MessageFilter.cpp - messages that can be answered --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessageFilter.h"

using namespace llvm;
using namespace tgc::lsp;
using llvm::lsp::ErrorCode;

/// The JSON parser recurses.
static constexpr unsigned kMaxDepth = 500;

static bool isTooDeep(StringRef json) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > kMaxDepth)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth)
      --depth;
  }
  return false;
}

bool MessageFilter::isAcceptable(StringRef json) {
  if (json.trim().empty()) // the end of the input
    return false;
  auto reject = [&](json::Value id, ErrorCode code, const std::string &message) {
    refuse(std::move(id), code, message);
    return false;
  };
  if (isTooDeep(json))
    return reject(nullptr, ErrorCode::ParseError,
                  "the message nests deeper than " + std::to_string(kMaxDepth) + " levels");
  Expected<json::Value> message = json::parse(json);
  if (!message)
    return reject(nullptr, ErrorCode::ParseError, "the message is not JSON: " + toString(message.takeError()));
  const json::Object *object = message->getAsObject();
  if (!object || object->getString("jsonrpc") != "2.0")
    return reject(nullptr, ErrorCode::InvalidRequest, "the message is not a JSON-RPC 2.0 object");
  const json::Value *id = object->get("id");
  std::optional<StringRef> method = object->getString("method");
  if (!method) {
    bool isResponse = id && (object->get("result") || object->get("error"));
    return isResponse || reject(id ? *id : nullptr, ErrorCode::InvalidRequest, "the message has no method");
  }
  if (method == "exit")
    return true;
  if (state == State::Start && method != "initialize")
    return id && reject(*id, ErrorCode::ServerNotInitialized, ("'" + *method + "' came before 'initialize'").str());
  if (state == State::ShutDown)
    return id && reject(*id, ErrorCode::InvalidRequest, ("'" + *method + "' came after 'shutdown'").str());
  if (state == State::Running && method == "initialize" && id)
    return reject(*id, ErrorCode::InvalidRequest, "'initialize' came twice");
  if (id && (method == "initialize" || method == "shutdown"))
    state = method == "initialize" ? State::Running : State::ShutDown;
  return true;
}
