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

namespace {
/// Where a line is broken: the first part ends before column `at`, the rest is aligned with column `align`, or is
/// indented as usual if that is 0.
struct Break {
  size_t at = 0, align = 0;
};
} // namespace

/// The best place to break `text` so that its first part is at most `limit` characters: the outermost comma, else the
/// outermost operator; the last of several. `at` is 0 if there is none.
static Break findBreak(StringRef text, size_t limit) {
  static constexpr StringLiteral operators[] = {"&& ", "|| ", "? ", ": ", "+ ", "- "};
  Break best;
  unsigned bestRank = std::numeric_limits<unsigned>::max();
  SmallVector<size_t> open; // columns behind the open brackets
  for (size_t i = 0; i < std::min(text.size(), limit + 1); ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{')
      open.push_back(i + 1);
    else if ((c == ')' || c == ']' || c == '}') && !open.empty())
      open.pop_back();
    if (c != ' ' || i == 0)
      continue;
    StringRef rest = text.substr(i + 1);
    bool isComma = text[i - 1] == ',' || text.substr(0, i).ends_with(" =");
    if (!isComma && none_of(operators, [&](StringRef op) { return rest.starts_with(op); }))
      continue;
    unsigned rank = 2 * open.size() + !isComma;
    if (rank <= bestRank) {
      bestRank = rank;
      // A call that begins far to the right leaves no room to align with.
      best = {i, isComma && !open.empty() && open.back() < limit / 2 ? open.back() : 0};
    }
  }
  return best;
}

void tgc::cuda::printWrapped(raw_ostream &os, StringRef text, unsigned indent, unsigned continuation) {
  while (indent + text.size() > kColumns) {
    Break point = findBreak(text, kColumns - indent);
    if (point.at == 0)
      break;
    os.indent(indent) << text.take_front(point.at) << '\n';
    text = text.drop_front(point.at + 1);
    indent = point.align > 0 ? indent + point.align : continuation;
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
