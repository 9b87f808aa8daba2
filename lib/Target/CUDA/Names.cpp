//===- Names.cpp - C++ identifiers -------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tgc::cuda;

/// Keywords of C++20 (so that the text stays valid there), alternative tokens included.
static constexpr StringLiteral kKeywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

/// Built-in variables of CUDA, macros and functions of the usual headers and compilers that are not spelt like a macro,
/// and what the printed text refers to.
static constexpr StringLiteral kTaken[] = {
    "alloca",      "assert",      "blockDim", "blockIdx", "commitCopies", "copyAsync", "dim3",     "errno",
    "float2",      "float4",      "fmaf",     "gridDim",  "isnan",        "linux",     "main",     "math_errhandling",
    "make_float2", "make_float4", "max",      "maximum",  "min",          "minimum",   "offsetof", "shared",
    "Shared",      "sharedBytes", "signbit",  "std",      "stderr",       "stdin",     "stdout",   "strdupa",
    "strndupa",    "threadIdx",   "typeof",   "unix",     "waitCopies",   "warpSize"};

/// How the names of the CUDA runtime begin, many of which are macros, and macros with both small and capital letters:
/// math.h's (M_PIf), endian.h's and stdio.h's.
static constexpr StringLiteral kTakenPrefixes[] = {"cuda", "M_",    "L_",    "P_tmp", "NV_",  "be16", "be32",
                                                   "be64", "htobe", "htole", "le16",  "le32", "le64"};

/// Whether `name` is spelt as macros are, in capitals, so that some header may define it. Names with a single letter
/// are those of operands and sizes.
static bool isSpeltLikeMacro(StringRef name) { return count_if(name, isAlpha) > 1 && none_of(name, isLower); }

bool tgc::cuda::isUsableName(StringRef name) {
  if (name.empty() || isDigit(name.front()) || !all_of(name, [](char c) { return isAlnum(c) || c == '_'; }))
    return false;
  bool reserved = name.contains("__") || (name.size() > 1 && name[0] == '_' && isUpper(name[1]));
  return !reserved && !isSpeltLikeMacro(name) && !is_contained(kKeywords, name) && !is_contained(kTaken, name) &&
         none_of(kTakenPrefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

std::string tgc::cuda::getUsableName(StringRef name) {
  std::string result;
  for (char c : name) {
    char next = isAlnum(c) ? c : '_';
    if (next != '_' || result.empty() || result.back() != '_')
      result += next;
  }
  if (result.empty() || isDigit(result.front()) || result.front() == '_')
    result.insert(0, "v");
  if (isUsableName(result))
    return result;
  return result.back() == '_' ? "v_" + result : result + '_';
}

bool NameScopes::isVisible(StringRef name) const {
  return any_of(scopes, [&](const StringSet<> &scope) { return scope.contains(name); });
}

std::string NameScopes::declare(StringRef wanted) {
  std::string base = getUsableName(wanted), name = base;
  for (unsigned i = 2; isVisible(name); ++i)
    name = base + (isDigit(base.back()) ? "_" : "") + utostr(i);
  scopes.back().insert(name);
  return name;
}
