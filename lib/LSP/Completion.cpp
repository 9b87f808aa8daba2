//===- Completion.cpp - the words that can come next ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseTable.h"
#include "Queries.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::lsp;

namespace protocol = llvm::lsp;

namespace {

class Completer {
public:
  Completer(const Document &document, size_t offset) : document(document) {
    // A word that ends at the cursor is being written.
    for (const Token &token : document.getTokens()) {
      bool isWritten = token.kind == Token::Word ? document.getOffset(token.getEnd()) < offset
                                                 : document.getOffset(token.getEnd()) <= offset;
      if (!isWritten)
        break;
      before.push_back(token);
    }
  }

  protocol::CompletionList run();

private:
  void add(StringRef label, protocol::CompletionItemKind kind, StringRef detail = "") {
    list.items.emplace_back(label, kind).detail = detail.str();
  }
  template <typename T> void addNames(const std::vector<T> &items, protocol::CompletionItemKind kind) {
    for (const T &item : items)
      if (!item.name.text.empty())
        add(item.name.text, kind);
  }
  void addClauses();
  void completeHead(ArrayRef<Token> head);
  void completeClause(ArrayRef<Token> body, StringRef kernel);
  void addOperands(StringRef kernel);

  const Document &document;
  /// The tokens before the word at the cursor.
  std::vector<Token> before;
  protocol::CompletionList list;
};

} // namespace

static bool isKeyword(const Token &token) {
  return token.kind == Token::Word &&
         any_of(getClauseTable(), [&](const ClauseEntry &entry) { return entry.keyword == token.text; });
}

void Completer::addClauses() {
  StringRef last;
  for (const ClauseEntry &entry : getClauseTable()) {
    if (!entry.isOption && entry.keyword != last)
      add(entry.keyword, protocol::CompletionItemKind::Keyword, entry.means);
    last = entry.keyword;
  }
}

void Completer::addOperands(StringRef name) {
  const ast::Kernel *kernel = document.findKernel(name);
  if (!kernel || !kernel->product)
    return;
  for (const auto &operand : kernel->product->operands)
    add((operand->kind == ast::Expr::Transpose ? operand->operands[0] : operand)->text,
        protocol::CompletionItemKind::Variable);
}

void Completer::completeHead(ArrayRef<Token> head) {
  // schedule NAME for KERNEL on TARGET like NAME
  if (head.back().isWord("for"))
    return addNames(document.getProgram().kernels, protocol::CompletionItemKind::Function);
  if (head.back().isWord("like"))
    return addNames(document.getProgram().schedules, protocol::CompletionItemKind::Class);
  if (head.back().isWord("on")) {
    for (const TargetLimits &target : getTargets())
      add(target.name, protocol::CompletionItemKind::Constant);
    return;
  }
  if (head.size() == 2)
    add("for", protocol::CompletionItemKind::Keyword);
  if (head.size() < 4)
    return;
  for (StringRef word : {"on", "like"})
    if (none_of(head.drop_front(4), [&](const Token &token) { return token.isWord(word); }))
      add(word, protocol::CompletionItemKind::Keyword);
}

void Completer::completeClause(ArrayRef<Token> body, StringRef kernel) {
  if (!body.empty() && body.back().isWord("no"))
    return addClauses();
  if (auto keyword = find_if(reverse(body), isKeyword); keyword != body.rend()) {
    ArrayRef<Token> options = body.take_back(keyword - body.rbegin());
    if (keyword->isWord("stage") && options.empty())
      return addOperands(kernel);
    bool isDropped = options.size() + 1 < body.size() && body[body.size() - options.size() - 2].isWord("no");
    NextWords next = isDropped ? NextWords() : getNextWords(keyword->text, options);
    for (auto [word, entry] : next.words)
      add(word, protocol::CompletionItemKind::EnumMember, entry->means);
    if (next.mustFollow)
      return;
  }
  addClauses();
  add("no", protocol::CompletionItemKind::Keyword);
}

protocol::CompletionList Completer::run() {
  size_t start = before.size();
  while (start > 0 && !before[start - 1].isWord("schedule") && !before[start - 1].isWord("kernel"))
    --start;
  ArrayRef<Token> item = ArrayRef(before).drop_front(start ? start - 1 : 0);
  bool isClosed = any_of(item, [](const Token &token) { return token.isSymbol("}"); });
  if (start == 0 || isClosed) {
    for (StringRef word : {"kernel", "schedule"})
      add(word, protocol::CompletionItemKind::Keyword);
    return list;
  }
  if (!item.front().isWord("schedule"))
    return list;
  const Token *open = find_if(item, [](const Token &token) { return token.isSymbol("{"); });
  if (open == item.end())
    completeHead(item);
  else
    completeClause(ArrayRef(open + 1, item.end()), item.size() > 3 ? item[3].text : "");
  return list;
}

protocol::CompletionList tgc::lsp::getCompletion(const Document &document, protocol::Position position) {
  return Completer(document, document.getPositions().toOffset(position)).run();
}
