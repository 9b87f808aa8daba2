//===- Problem.h - operands of one run, and whether its result is right -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_PROBLEM_H
#define TGC_RUNTIME_PROBLEM_H

#include "tgc/Support/KernelInterface.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tgc {

/// What the user asks for: `tgc run --size --ld --offset --seed`.
struct ProblemSpec {
  int64_t m = 0, n = 0, k = 0;
  llvm::StringMap<int64_t> leadingDimensions; ///< by operand name; missing: the row length
  llvm::StringMap<int64_t> offsets;           ///< by operand name, in elements from a 256-byte aligned address
  llvm::StringMap<float> scalars;             ///< by name; missing: a fixed non-trivial value
  uint64_t seed = 0;
  enum Fill { Random, Integers } fill = Random; ///< uniform [-1, 1), or integers -4..4 (exact sums)
};

/// Reads `text`, "MxNxK", the value of `--size`. On failure returns false and sets `error` to one sentence.
bool parseSize(llvm::StringRef text, ProblemSpec &spec, std::string &error);
/// Reads `text`, "A=4099,B=64", the value of `option` ("--ld"), into `values`. On failure returns false and sets
/// `error`.
bool parseAssignments(llvm::StringRef option, llvm::StringRef text, llvm::StringMap<int64_t> &values,
                      std::string &error);

/// A rounding inside an epilogue: the result of operation `step` times `factor`. Default: none.
struct Rounding {
  unsigned step = ~0u;
  double factor = 1;
};

/// How an element of C follows from its product: for the reference. Null epilogue: the product itself.
struct Semantics {
  bool accumulate = false; ///< the old element of C is added last
  /// (product, one element per extra operand in argument order, scalars by argument order) -> element of C. A kernel
  /// that reads its output without accumulating gets C's old element as the last extra operand.
  std::function<double(double, llvm::ArrayRef<double>, llvm::ArrayRef<double>, Rounding)> epilogue;
  unsigned numSteps = 0; ///< operations of the epilogue
};

/// Elements of NaN before and after an operand, and at most as many after each row: 256 bytes, so that a whole aligned
/// 16-byte access past an edge meets them. The rest of a wider gap is zero, is never touched and costs no memory.
constexpr int64_t kGuardElements = 64;

/// One matrix or vector in host memory: `rows` x `cols` elements, row r at data + r * ld, NaN in the gaps between
/// rows and in guard bands before and after (see kGuardElements). An `ld` of 0 repeats one row. Memory is mapped
/// lazily, so a huge ld costs nothing.
struct HostOperand {
  std::string name;
  bool written = false;
  std::vector<std::string> dims;                  ///< logical dimensions from slow to fast; one for a vector
  int64_t rows = 0, cols = 0, ld = 0, offset = 0; ///< elements; a vector is one row
  float *data = nullptr;                          ///< element (0, 0)
  float *allocation = nullptr;                    ///< start of the mapping, guard included
  int64_t allocationElements = 0;

  /// Elements from the first to one past the last.
  int64_t getExtent() const { return rows == 0 ? 0 : (rows - 1) * ld + cols; }
  /// Elements of NaN after each row but the last, which is followed by kGuardElements.
  int64_t getGapGuard() const { return std::min(ld - cols, kGuardElements); }
};

/// The verdict on a result. `passed` is false for NaN where the reference has none.
struct Verdict {
  bool passed = false;
  double relativeError = 0; ///< Frobenius norm of (C - reference) over that of the reference
  double worstRatio = 0;    ///< largest |C - reference| / bound
  int64_t checked = 0;      ///< elements compared with the reference
  int64_t wrong = 0;        ///< elements beyond their bound
  int64_t guardWrites = 0;  ///< guard or gap elements changed
  std::string detail;       ///< first wrong element: row, column, both values, bound; empty if passed
};

class Problem {
public:
  /// Allocates and fills the operands of a call of `interface`. On a bad spec returns null and sets `error` to one
  /// sentence naming option, value and rule (size out of range, ld smaller than the row, unknown operand name, a
  /// `where` fact broken). Values depend on the seed, the operand and the logical position alone, not on layout.
  static std::unique_ptr<Problem> create(const KernelInterface &interface, const ProblemSpec &spec, std::string &error);
  /// The same without values: the operands have addresses, but take no memory.
  static std::unique_ptr<Problem> reserve(const KernelInterface &interface, const ProblemSpec &spec,
                                          std::string &error);
  ~Problem();
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  const ProblemSpec &getSpec() const { return spec; }
  /// One per pointer argument, in argument order.
  llvm::MutableArrayRef<HostOperand> getOperands() { return operands; }
  const HostOperand &getLeft() const { return operands[left]; } ///< the M x K operand
  HostOperand &getOutput() { return operands[output]; }         ///< the written operand, C
  /// Values of the kernel's scalar arguments in argument order.
  llvm::ArrayRef<float> getScalars() const { return scalars; }

  /// Restores C and its guards to their state before any run: NaN everywhere, or the old values if the kernel reads it.
  void resetOutput();
  /// Compares C with a float64 reference: |C - ref| <= 2 g (|A| @ |B|) + rounding, g = exp(K u) - 1, u = 2^-24 (each
  /// product passes through at most K roundings, and (1 + u)^K <= exp(K u) for every K). An epilogue's bound is how far
  /// it moves when the product moves by its bound and each operation by a rounding. Problems of more than 2^28
  /// multiplications are sampled: whole edges and one row and one column of each of equal parts, and no element may be
  /// NaN; guards are always checked.
  Verdict verify(const Semantics &semantics);
  /// A hash of C's logical elements, bit for bit, all NaNs alike; independent of its leading dimension and layout.
  uint64_t hashOutput();

private:
  Problem() = default;
  ProblemSpec spec;
  std::vector<HostOperand> operands;
  std::vector<float> scalars;
  bool readsOutput = false;
  std::string sizeNames[3]; ///< M, N, K
  unsigned left = 0, right = 0, output = 0;
  std::vector<unsigned> extras;

  void fill(unsigned operand);
  float initialValue(unsigned operand, int64_t row, int64_t col) const;
  int64_t countGuardWrites(const HostOperand &operand) const;
};

/// Whether `fact` holds for this problem's sizes, leading dimensions and pointers.
/// `pointerOf` gives the address an operand will have (device or host), by name.
bool factHolds(FactAttr fact, const KernelInterface &interface, const ProblemSpec &spec,
               llvm::function_ref<uintptr_t(llvm::StringRef)> pointerOf);
/// Why `fact` does not hold: "K = 65 is not a multiple of 16".
std::string describeBrokenFact(FactAttr fact, const KernelInterface &interface, const ProblemSpec &spec);
/// The first variant whose facts all hold: the one rule of the header, the GPU runtime and the simulator. The last
/// variant demands nothing but the program's own facts and is taken if no other is.
const KernelVariant &chooseVariant(const KernelInterface &interface, const ProblemSpec &spec,
                                   llvm::function_ref<uintptr_t(llvm::StringRef)> pointerOf);

} // namespace tgc

#endif
