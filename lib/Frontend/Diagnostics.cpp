//===- Diagnostics.cpp - errors of a tile program ---------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tgc {

LocationAttr Diagnostics::getLocation(llvm::SMLoc loc) const {
  unsigned buffer = sourceMgr.getMainFileID();
  auto [line, column] = sourceMgr.getLineAndColumn(loc, buffer);
  return FileLineColLoc::get(context, sourceMgr.getMemoryBuffer(buffer)->getBufferIdentifier(), line, column);
}

LocationAttr Diagnostics::getLocation() const {
  const llvm::MemoryBuffer *buffer = sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  return getLocation(llvm::SMLoc::getFromPointer(buffer->getBufferStart()));
}

void Diagnostics::error(llvm::SMLoc loc, const llvm::Twine &message) { error(loc, message, {}, ""); }

void Diagnostics::error(llvm::SMLoc loc, const llvm::Twine &message, llvm::SMLoc noteLoc, const llvm::Twine &note) {
  if (isExhausted() || loc == lastError)
    return;
  ++numErrors;
  lastError = loc;
  {
    InFlightDiagnostic diagnostic = emitError(Location(getLocation(loc)), message);
    if (noteLoc.isValid())
      diagnostic.attachNote(Location(getLocation(noteLoc))) << note;
  }
  if (isExhausted())
    emitError(Location(getLocation(loc)), "too many errors, the rest of the file is not checked");
}

void Diagnostics::warning(llvm::SMLoc loc, const llvm::Twine &message) {
  emitWarning(Location(getLocation(loc)), message);
}

std::string quoteList(ArrayRef<StringRef> names, StringRef last) {
  std::string result;
  for (auto [i, name] : llvm::enumerate(names)) {
    if (i)
      result += i + 1 == names.size() ? (" " + last + " ").str() : ", ";
    result += ("'" + name + "'").str();
  }
  return result;
}

std::string quote(StringRef text) {
  constexpr size_t kMaxLength = 40;
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  for (unsigned char c : text.take_front(kMaxLength)) {
    if (llvm::isPrint(c))
      os << c;
    else
      os << "\\x" << llvm::hexdigit(c >> 4) << llvm::hexdigit(c & 15);
  }
  if (text.size() > kMaxLength)
    os << "...";
  os << '\'';
  return result;
}

} // namespace tgc
