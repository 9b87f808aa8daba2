//===- PositionMap.h - offsets and positions of the protocol ----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_LSP_POSITIONMAP_H
#define TGC_LIB_LSP_POSITIONMAP_H

#include "llvm/Support/LSP/Protocol.h"

#include <vector>

namespace tgc::lsp {

/// Byte offsets of a UTF-8 text as positions of the protocol: a line, and UTF-16 code units from its start. Any
/// argument is legal; what lies outside the text or a line is moved to its end.
class PositionMap {
public:
  /// `text` has to outlive the map.
  explicit PositionMap(llvm::StringRef text);

  llvm::lsp::Position toPosition(size_t offset) const;
  llvm::lsp::Range toRange(size_t begin, size_t end) const { return {toPosition(begin), toPosition(end)}; }
  size_t toOffset(llvm::lsp::Position position) const;
  /// The offset of a place that counts lines and columns, which are bytes, from 1.
  size_t toOffset(unsigned line, unsigned column) const;

private:
  /// Without its end.
  llvm::StringRef getLine(size_t line) const;

  llvm::StringRef text;
  std::vector<size_t> lineStarts;
};

} // namespace tgc::lsp

#endif
