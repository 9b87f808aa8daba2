//===- Writer.cpp - lines of C++ ---------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace llvm;
using namespace tgc::cuda;

void Writer::paragraph() {
  if (!lines.empty() && !lines.back().text.empty())
    lines.push_back({0, ""});
}

Writer::Lines Writer::capture(function_ref<void()> body) {
  Lines outer = std::exchange(lines, {});
  ++depth;
  body();
  --depth;
  return std::exchange(lines, std::move(outer));
}

void Writer::append(Lines &&body) { lines.insert(lines.end(), body.begin(), body.end()); }

/// A declaration alone would be useless, but a brace-less one reads as a mistake.
static bool needsBraces(const Writer::Lines &body) { return body.size() != 1 || body.front().isDeclaration; }

void Writer::block(const Twine &head, Lines body) {
  bool braces = needsBraces(body);
  statement(head + (braces ? " {" : ""));
  append(std::move(body));
  if (braces)
    statement("}");
}

void Writer::ifElse(StringRef condition, Lines thenBody, Lines elseBody) {
  if (elseBody.empty())
    return block("if (" + condition + ")", std::move(thenBody));
  bool braces = needsBraces(thenBody) || needsBraces(elseBody);
  statement("if (" + condition + ")" + (braces ? " {" : ""));
  append(std::move(thenBody));
  statement(braces ? "} else {" : "else");
  append(std::move(elseBody));
  if (braces)
    statement("}");
}

void Writer::print(raw_ostream &os) const {
  for (const Line &line : lines) {
    unsigned indent = line.isDirective ? 0 : 2 * line.depth;
    printWrapped(os, line.text, line.text.empty() ? 0 : indent, indent + 4);
  }
}

/// The best place to break `text` so that its first part is at most `limit` characters: the outermost operator or
/// comma in the second half of the line, the last of several. 0 if there is none.
static size_t findBreak(StringRef text, size_t limit) {
  static constexpr StringLiteral before[] = {"&& ", "|| ", "? ", ": ", "+ ", "- "};
  size_t best = 0;
  unsigned depth = 0, bestDepth = std::numeric_limits<unsigned>::max();
  for (size_t i = 0; i < std::min(text.size(), limit + 1); ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && depth > 0)
      --depth;
    if (c != ' ' || i == 0)
      continue;
    StringRef rest = text.substr(i + 1);
    bool breakable = text[i - 1] == ',' || text.substr(0, i).ends_with(" =") ||
                     any_of(before, [&](StringRef op) { return rest.starts_with(op); });
    if (breakable && (depth <= bestDepth || best < limit / 2)) {
      best = i;
      bestDepth = depth;
    }
  }
  return best;
}

void tgc::cuda::printWrapped(raw_ostream &os, StringRef text, unsigned indent, unsigned continuation) {
  while (indent + text.size() > kColumns) {
    size_t at = findBreak(text, kColumns - indent);
    if (at == 0)
      break;
    os.indent(indent) << text.take_front(at) << '\n';
    text = text.drop_front(at + 1);
    indent = continuation;
  }
  os.indent(indent) << text << '\n';
}

void tgc::cuda::printComment(raw_ostream &os, StringRef text, StringRef margin) {
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  for (StringRef line : lines) {
    line = line.rtrim();
    os << "//";
    if (!line.empty())
      os << margin;
    for (char c : line)
      os << (isPrint(c) || static_cast<unsigned char>(c) >= 0x80 || c == '\t' ? c : '?');
    // A backslash would continue the comment on the next line.
    if (line.ends_with("\\"))
      os << " //";
    os << '\n';
  }
}
