//===- PositionMap.cpp - offsets and positions of the protocol --*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PositionMap.h"

using namespace llvm;
using namespace tgc::lsp;

namespace protocol = llvm::lsp;

PositionMap::PositionMap(StringRef text) : text(text), lineStarts{0} {
  for (size_t i = text.find('\n'); i != StringRef::npos; i = text.find('\n', i + 1))
    lineStarts.push_back(i + 1);
}

/// UTF-16 code units of the character whose first byte is `c`; 0 for a byte inside one.
static unsigned getUnits(unsigned char c) { return (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1; }

StringRef PositionMap::getLine(size_t line) const {
  size_t end = line + 1 < lineStarts.size() ? lineStarts[line + 1] : text.size();
  return text.slice(lineStarts[line], end).rtrim("\r\n");
}

protocol::Position PositionMap::toPosition(size_t offset) const {
  offset = std::min(offset, text.size());
  size_t line = partition_point(lineStarts, [&](size_t start) { return start <= offset; }) - lineStarts.begin() - 1;
  unsigned units = 0;
  for (unsigned char c : text.slice(lineStarts[line], offset))
    units += getUnits(c);
  return {static_cast<int>(line), static_cast<int>(units)};
}

size_t PositionMap::toOffset(protocol::Position position) const {
  if (position.line < 0)
    return 0;
  size_t lineNumber = position.line;
  if (lineNumber >= lineStarts.size())
    return text.size();
  StringRef line = getLine(lineNumber);
  size_t offset = 0;
  for (int units = 0; offset < line.size(); ++offset) {
    if (units >= position.character && getUnits(line[offset]))
      break;
    units += getUnits(line[offset]);
  }
  return lineStarts[lineNumber] + offset;
}

size_t PositionMap::toOffset(unsigned line, unsigned column) const {
  if (line == 0 || line > lineStarts.size())
    return text.size();
  return std::min(lineStarts[line - 1] + (column ? column - 1 : 0), text.size());
}
