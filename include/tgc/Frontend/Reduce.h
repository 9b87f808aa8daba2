//===- Reduce.h - smaller versions of a tile program ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_FRONTEND_REDUCE_H
#define TGC_FRONTEND_REDUCE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tgc {

/// The tile program `text` in canonical form without comments, and behind it every program that is one step smaller:
/// without a schedule, kernel, clause, option of a clause, fact or part of an epilogue, or with a smaller number. The
/// largest steps come first. Only the syntax is looked at, so a smaller program may be wrong. Empty if `text` has a
/// syntax error.
std::vector<std::string> getSmallerPrograms(llvm::StringRef text);

/// Makes `text` smaller while `isInteresting` holds, as it does for `text` itself: step by step, and a text that is no
/// tile program by lines and words, until no single step is left.
std::string reduceProgram(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef)> isInteresting);

} // namespace tgc

#endif
