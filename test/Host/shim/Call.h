//===- Call.h - one call of a kernel from dumped operands -------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that scripts/host-check writes is made of: the arguments of a call from `tgc run --dump`, and whether
// C has the same bits afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TEST_HOST_SHIM_CALL_H
#define TGC_TEST_HOST_SHIM_CALL_H

#include "Grid.h"

#include <deque>
#include <string>
#include <vector>

namespace tgc::host {

/// A matrix, or a vector as one row, in an allocation of exactly its extent. Its elements lie `offset` elements behind
/// a multiple of 256 bytes. Elements before it and between its rows are NaN, and poisoned where AddressSanitizer's
/// 8-byte granules allow.
class Operand {
public:
  Operand(std::string name, long long rows, long long cols, long long ld, long long offset);
  Operand(const Operand &) = delete;
  ~Operand();

  float *getData() const { return data; }
  /// Fills the elements from the raw file `path`, or with NaN if `path` is "-".
  void read(const std::string &path);
  /// Fails unless the elements are those of the raw file `path`, bit for bit, NaNs being all alike.
  void expect(const std::string &path) const;
  /// Fails if an element before the operand or between its rows has changed.
  void checkGaps() const;

private:
  template <typename Visit> void visitGaps(Visit visit) const;
  long long getExtent() const { return rows == 0 ? 0 : (rows - 1) * ld + cols; }
  std::vector<float> readFile(const std::string &path) const;

  std::string name;
  long long rows, cols, ld, offset;
  float *allocation = nullptr, *data = nullptr;
};

/// The values of a call's arguments by position. Each word of the command line is one:
///   int:VALUE   float:VALUE   operand:NAME:ROWS:COLS:LD:OFFSET:IN:OUT
/// IN is a raw file or "-" for NaN, OUT the raw file that the operand has to equal afterwards or "-" for IN.
class Call {
public:
  explicit Call(const std::vector<std::string> &words);

  long long getInteger(unsigned position) const { return arguments[position].integer; }
  float getScalar(unsigned position) const { return arguments[position].scalar; }
  float *getPointer(unsigned position) const;
  /// Fails if an operand is not what it should be after the call.
  void check() const;

private:
  struct Argument {
    long long integer = 0;
    float scalar = 0;
    int operand = -1;
  };
  std::vector<Argument> arguments;
  std::deque<Operand> operands;
  std::vector<std::string> results; ///< of each operand
};

/// Fails unless the header chose the kernel that the simulator ran.
void expectKernel(const std::string &chosen, const std::string &expected);

/// Makes a call in both orders and checks it. The first word is the kernel that is to be chosen, the others are the
/// arguments. `launch` returns an empty string, or why the header refused the call.
int runCall(const std::vector<std::string> &words, std::string (*launch)(const Call &call, const std::string &kernel));

} // namespace tgc::host

#endif
