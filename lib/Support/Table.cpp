//===- Table.cpp - columns of text -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;
using namespace tgc;

void Table::print(raw_ostream &os) const {
  SmallVector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (auto [width, cell] : zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (auto [i, cell] : enumerate(row)) {
      std::string space(widths[i] - cell.size(), ' ');
      line += i == 0 ? cell + space : "  " + space + cell;
    }
    os << StringRef(line).rtrim() << "\n";
  }
}
