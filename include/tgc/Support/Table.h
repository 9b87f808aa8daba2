//===- Table.h - columns of text -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_TABLE_H
#define TGC_SUPPORT_TABLE_H

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tgc {

/// Text in columns: the first to the left, the others to the right.
class Table {
public:
  explicit Table(std::vector<std::string> header) : rows{std::move(header)} {}
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace tgc

#endif
