//===- NearMiss.h - what a misspelt word was meant to be -------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_NEARMISS_H
#define TGC_SUPPORT_NEARMISS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tgc {

/// "; did you mean 'block'?" for the nearest candidate that is at most two edits from `word`, or nothing. Neighbouring
/// letters that changed places are one edit. A name that would have to change entirely is no near miss.
std::string didYouMean(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

/// "; it has naive, staged; did you mean 'naive'?", for a name that is none of `known`.
std::string itHas(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

} // namespace tgc

#endif // TGC_SUPPORT_NEARMISS_H
