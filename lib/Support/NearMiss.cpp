//===- NearMiss.cpp - what a misspelt word was meant to be -----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/NearMiss.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

/// Whether `a` becomes `b` when two neighbouring letters change places.
static bool isSwapped(StringRef a, StringRef b) {
  if (a.size() != b.size())
    return false;
  size_t at = 0;
  while (at < a.size() && a[at] == b[at])
    ++at;
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] && a.substr(at + 2) == b.substr(at + 2);
}

std::string tgc::didYouMean(StringRef word, ArrayRef<StringRef> candidates) {
  constexpr unsigned kMaxEdits = 2;
  StringRef best;
  unsigned bestDistance = kMaxEdits + 1;
  for (StringRef candidate : candidates) {
    unsigned distance = isSwapped(word, candidate)
                            ? 1
                            : word.edit_distance_insensitive(candidate, /*AllowReplacements=*/true, kMaxEdits);
    if (distance < bestDistance && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best.empty() ? "" : ("; did you mean '" + best + "'?").str();
}

std::string tgc::itHas(StringRef name, ArrayRef<StringRef> known) {
  return "; it has " + (known.empty() ? "none" : join(known, ", ")) + didYouMean(name, known);
}
