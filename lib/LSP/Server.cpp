//===- Server.cpp - the language server of tile programs --------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/LSP/Server.h"

#include "MessageFilter.h"
#include "Queries.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::lsp;

namespace protocol = llvm::lsp;

namespace {

class Server {
public:
  Server(protocol::MessageHandler &handler, const ServerOptions &options);

private:
  using DocumentParams = protocol::DocumentSymbolParams; // of formatting, too: its options are not used
  using PositionParams = protocol::TextDocumentPositionParams;

  void initialize(const protocol::InitializeParams &, protocol::Callback<json::Value> reply);
  void shutDown(const protocol::NoParams &, protocol::Callback<std::nullptr_t> reply) { reply(nullptr); }
  void ignore(const protocol::NoParams &) {}

  void open(const protocol::DidOpenTextDocumentParams &params);
  void change(const protocol::DidChangeTextDocumentParams &params);
  void close(const protocol::DidCloseTextDocumentParams &params);

  void hover(const PositionParams &params, protocol::Callback<std::optional<protocol::Hover>> reply);
  void define(const PositionParams &params, protocol::Callback<std::vector<protocol::Location>> reply);
  void complete(const protocol::CompletionParams &params, protocol::Callback<protocol::CompletionList> reply);
  void listSymbols(const DocumentParams &params, protocol::Callback<std::vector<protocol::DocumentSymbol>> reply);
  void format(const DocumentParams &params, protocol::Callback<std::vector<protocol::TextEdit>> reply);

  void setDocument(const protocol::URIForFile &uri, std::string text, int64_t version);
  /// Null if the client did not open it.
  const Document *find(const protocol::TextDocumentIdentifier &document) const {
    auto it = documents.find(document.uri.uri());
    return it == documents.end() ? nullptr : it->second.get();
  }

  std::string target;
  StringMap<std::unique_ptr<Document>> documents;
  protocol::OutgoingNotification<protocol::PublishDiagnosticsParams> publish;
};

} // namespace

Server::Server(protocol::MessageHandler &handler, const ServerOptions &options)
    : target(options.target),
      publish(handler.outgoingNotification<protocol::PublishDiagnosticsParams>("textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::ignore);
  handler.method("shutdown", this, &Server::shutDown);
  handler.notification("textDocument/didOpen", this, &Server::open);
  handler.notification("textDocument/didChange", this, &Server::change);
  handler.notification("textDocument/didClose", this, &Server::close);
  handler.method("textDocument/hover", this, &Server::hover);
  handler.method("textDocument/definition", this, &Server::define);
  handler.method("textDocument/completion", this, &Server::complete);
  handler.method("textDocument/documentSymbol", this, &Server::listSymbols);
  handler.method("textDocument/formatting", this, &Server::format);
}

void Server::initialize(const protocol::InitializeParams &, protocol::Callback<json::Value> reply) {
  json::Object sync{{"openClose", true}, {"change", static_cast<int>(protocol::TextDocumentSyncKind::Incremental)}};
  json::Object capabilities{
      {"positionEncoding", "utf-16"},       {"textDocumentSync", std::move(sync)},  {"hoverProvider", true},
      {"definitionProvider", true},         {"completionProvider", json::Object{}}, {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
  };
  reply(json::Object{{"capabilities", std::move(capabilities)},
                     {"serverInfo", json::Object{{"name", "tgc-lsp-server"}, {"version", TGC_VERSION}}}});
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Server::setDocument(const protocol::URIForFile &uri, std::string text, int64_t version) {
  auto &document = documents[uri.uri()];
  document = std::make_unique<Document>(uri, std::move(text), version, target);
  protocol::PublishDiagnosticsParams params(uri, version);
  params.diagnostics = document->getDiagnostics();
  publish(params);
}

void Server::open(const protocol::DidOpenTextDocumentParams &params) {
  setDocument(params.textDocument.uri, params.textDocument.text, params.textDocument.version);
}

void Server::change(const protocol::DidChangeTextDocumentParams &params) {
  const Document *document = find({params.textDocument.uri});
  if (!document)
    return protocol::Logger::error("didChange of {0}, which is not open", params.textDocument.uri.uri());
  std::string text = document->getText();
  for (const protocol::TextDocumentContentChangeEvent &change : params.contentChanges) {
    if (!change.range) {
      text = change.text;
      continue;
    }
    PositionMap positions(text);
    size_t begin = positions.toOffset(change.range->start), end = positions.toOffset(change.range->end);
    text.replace(begin, std::max(begin, end) - begin, change.text);
  }
  setDocument(params.textDocument.uri, std::move(text), params.textDocument.version);
}

void Server::close(const protocol::DidCloseTextDocumentParams &params) {
  const Document *document = find(params.textDocument);
  if (!document)
    return protocol::Logger::error("didClose of {0}, which is not open", params.textDocument.uri.uri());
  publish(protocol::PublishDiagnosticsParams(params.textDocument.uri, document->getVersion()));
  documents.erase(params.textDocument.uri.uri());
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void Server::hover(const PositionParams &params, protocol::Callback<std::optional<protocol::Hover>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? getHover(*document, params.position) : std::nullopt);
}

void Server::define(const PositionParams &params, protocol::Callback<std::vector<protocol::Location>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? getDefinition(*document, params.position) : std::vector<protocol::Location>());
}

void Server::complete(const protocol::CompletionParams &params, protocol::Callback<protocol::CompletionList> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? getCompletion(*document, params.position) : protocol::CompletionList());
}

void Server::listSymbols(const DocumentParams &params,
                         protocol::Callback<std::vector<protocol::DocumentSymbol>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? getSymbols(*document) : std::vector<protocol::DocumentSymbol>());
}

void Server::format(const DocumentParams &params, protocol::Callback<std::vector<protocol::TextEdit>> reply) {
  std::vector<protocol::TextEdit> edits;
  if (const Document *document = find(params.textDocument)) {
    std::optional<std::string> text = document->format();
    if (text && *text != document->getText())
      edits.push_back({document->getPositions().toRange(0, document->getText().size()), std::move(*text)});
  }
  reply(std::move(edits));
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

LogicalResult tgc::lsp::runServer(std::FILE *input, raw_ostream &output, const ServerOptions &options) {
  protocol::URIForFile::registerSupportedScheme("untitled");
  auto filter = std::make_unique<MessageFilter>(input, options.style);
  MessageFilter &messages = *filter;
  protocol::JSONTransport transport(std::move(filter), output, options.pretty);
  messages.setRefuse([&](json::Value id, protocol::ErrorCode code, const std::string &message) {
    transport.reply(std::move(id), make_error<protocol::LSPError>(message, code));
  });
  protocol::MessageHandler handler(transport);
  Server server(handler, options);
  if (Error error = transport.run(handler)) {
    consumeError(std::move(error));
    protocol::Logger::error("the input ended before 'exit'");
    return failure();
  }
  return success(messages.wasShutDown());
}
