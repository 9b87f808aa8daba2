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

/// How an element of C follows from its product: for the reference. Null epilogue: the product itself.
struct Semantics {
  bool accumulate = false;
  /// (product, one element per extra operand in argument order, scalars by argument order) -> element of C
  std::function<double(double, llvm::ArrayRef<double>, llvm::ArrayRef<double>)> epilogue;
};

/// One matrix or vector in host memory: `rows` x `cols` elements, row r at data + r * ld, NaN in the gaps between
/// rows and in guard bands before and after. Memory is mapped lazily, so a huge ld costs nothing.
struct HostOperand {
  std::string name;
  bool written = false;
  int64_t rows = 0, cols = 0, ld = 0, offset = 0; ///< elements
  float *data = nullptr;                         ///< element (0, 0)
  float *allocation = nullptr;                   ///< start of the mapping, guard included
  int64_t allocationElements = 0;
};

/// The verdict on a result. `passed` is false for NaN where the reference has none.
struct Verdict {
  bool passed = false;
  double relativeError = 0; ///< Frobenius norm of (C - reference) over that of the reference
  double worstRatio = 0;    ///< largest |C - reference| / bound
  int64_t wrong = 0;        ///< elements beyond their bound
  int64_t guardWrites = 0;  ///< guard or gap elements changed
  std::string detail;       ///< first wrong element: row, column, both values, bound; empty if passed
};

class Problem {
public:
  /// Allocates and fills the operands of a call of `interface`. On a bad spec returns null and sets `error` to one
  /// sentence naming option, value and rule (size out of range, ld smaller than the row, unknown operand name, a
  /// `where` fact broken).
  static std::unique_ptr<Problem> create(const KernelInterface &interface, const ProblemSpec &spec, std::string &error);
  ~Problem();

  const ProblemSpec &getSpec() const { return spec; }
  llvm::MutableArrayRef<HostOperand> getOperands() { return operands; }
  HostOperand &getOutput(); ///< the written operand, C
  /// Values of the kernel's scalar arguments in argument order.
  llvm::ArrayRef<float> getScalars() const { return scalars; }

  /// Restores C to its state before any run: NaN everywhere, or the old values if the kernel reads it.
  void resetOutput();
  /// Compares C with a float64 reference: |C - ref| <= 2 g (|A| @ |B|) + rounding, g = K u / (1 - K u), u = 2^-24. For
  /// large problems only a sample of rows and columns (all edges included) is recomputed; guards are always checked.
  Verdict verify(const Semantics &semantics);

private:
  Problem() = default;
  ProblemSpec spec;
  std::vector<HostOperand> operands;
  std::vector<float> scalars;
  bool readsOutput = false;
};

/// Whether `fact` holds for this problem's sizes, leading dimensions and pointers.
/// `pointerOf` gives the address an operand will have (device or host), by name.
bool factHolds(FactAttr fact, const KernelInterface &interface, const ProblemSpec &spec,
               llvm::function_ref<uintptr_t(llvm::StringRef)> pointerOf);
/// The first variant whose facts all hold: the one rule of the header, the GPU runtime and the simulator. The last
/// variant demands nothing but the program's own facts, so there always is one.
const KernelVariant &chooseVariant(const KernelInterface &interface, const ProblemSpec &spec,
                                   llvm::function_ref<uintptr_t(llvm::StringRef)> pointerOf);

} // namespace tgc

#endif
