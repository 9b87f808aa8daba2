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

/// Built-in variables of CUDA, macros of the usual headers and compilers, and what the printed text refers to.
static constexpr StringLiteral kTaken[] = {"threadIdx",
                                           "blockIdx",
                                           "blockDim",
                                           "gridDim",
                                           "warpSize",
                                           "std",
                                           "NULL",
                                           "INFINITY",
                                           "NAN",
                                           "EOF",
                                           "assert",
                                           "errno",
                                           "linux",
                                           "unix",
                                           "min",
                                           "max",
                                           "fmaf",
                                           "isnan",
                                           "float2",
                                           "float4",
                                           "make_float2",
                                           "make_float4",
                                           "dim3",
                                           "copyAsync",
                                           "commitCopies",
                                           "waitCopies",
                                           "maximum",
                                           "minimum",
                                           "Shared",
                                           "sharedBytes",
                                           "shared",
                                           "main",
                                           "typeof",
                                           "cudaError_t",
                                           "cudaStream_t",
                                           "cudaSuccess",
                                           "cudaErrorInvalidValue",
                                           "cudaLaunchKernel",
                                           "cudaFuncSetAttribute",
                                           "cudaGetErrorString",
                                           "BIG_ENDIAN",
                                           "LITTLE_ENDIAN",
                                           "BYTE_ORDER",
                                           "M_PI",
                                           "M_E"};

bool tgc::cuda::isUsableName(StringRef name) {
  if (name.empty() || isDigit(name.front()) || !all_of(name, [](char c) { return isAlnum(c) || c == '_'; }))
    return false;
  bool reserved = name.contains("__") || (name.size() > 1 && name[0] == '_' && isUpper(name[1]));
  return !reserved && !is_contained(kKeywords, name) && !is_contained(kTaken, name);
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
  if (!isUsableName(result))
    result += '_';
  return result;
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
