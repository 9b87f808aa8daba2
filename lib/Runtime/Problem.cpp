//===- Problem.cpp - operands of one run, and whether its result is right -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/Problem.h"

#include "tgc/Support/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <sys/mman.h>

using namespace tgc;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringMap;
using llvm::StringRef;

/// Space before an operand whose offset is 0: a page, so that it is aligned as the mapping is.
static constexpr int64_t kFrontElements = 4096 / sizeof(float);
/// The largest mapping, in elements: half of a 47-bit address space.
static constexpr int64_t kMaxElements = int64_t(1) << 44;
/// Multiplications of a reference that is computed in full.
static constexpr int64_t kFullCheck = int64_t(1) << 28;
/// Unit roundoff of f32.
static constexpr double kUnit = 0x1p-24;
/// A quiet NaN that arithmetic does not make: a changed guard is noticed even if what was written is NaN.
static constexpr uint32_t kPoison = 0x7fc0dead;

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float poison() {
  float value;
  std::memcpy(&value, &kPoison, sizeof(value));
  return value;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

bool tgc::parseSize(StringRef text, ProblemSpec &spec, std::string &error) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  int64_t sizes[3];
  bool good = parts.size() == 3;
  for (unsigned i = 0; good && i < 3; ++i)
    good = !parts[i].getAsInteger(10, sizes[i]);
  if (!good) {
    error = formatv("--size {0}: expected three numbers, MxNxK, as in 257x129x65", text).str();
    return false;
  }
  spec.m = sizes[0], spec.n = sizes[1], spec.k = sizes[2];
  return true;
}

bool tgc::parseAssignments(StringRef option, StringRef text, StringMap<int64_t> &values, std::string &error) {
  for (StringRef part : llvm::split(text, ',')) {
    auto [name, number] = part.split('=');
    int64_t value;
    if (name.empty() || number.getAsInteger(10, value)) {
      error = formatv("{0} {1}: expected NAME=NUMBER, as in A=64, separated by commas", option, text).str();
      return false;
    }
    if (!values.try_emplace(name, value).second) {
      error = formatv("{0} {1}: '{2}' is given twice; give each operand once", option, text, name).str();
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What the interface says of sizes
//===----------------------------------------------------------------------===//

/// Names of the size arguments, by role: M, N, K.
static llvm::SmallVector<StringRef, 3> getSizeNames(const KernelInterface &interface) {
  llvm::SmallVector<StringRef, 3> names;
  for (const KernelArgument &argument : interface.arguments)
    if (argument.kind == KernelArgument::Size)
      names.push_back(argument.name);
  return names;
}

/// The size called `name`, or -1.
static int64_t getSize(const KernelInterface &interface, const ProblemSpec &spec, StringRef name) {
  const int64_t values[3] = {spec.m, spec.n, spec.k};
  for (auto [i, size] : llvm::enumerate(getSizeNames(interface)))
    if (size == name && i < 3)
      return values[i];
  return -1;
}

static int64_t getLeadingDimension(const KernelInterface &interface, const ProblemSpec &spec,
                                   const KernelArgument &pointer) {
  auto given = spec.leadingDimensions.find(pointer.name);
  return given != spec.leadingDimensions.end() ? given->second : getSize(interface, spec, pointer.dims.back());
}

/// The value of the size or leading dimension that a fact speaks of, or -1.
static int64_t getFactValue(const KernelInterface &interface, const ProblemSpec &spec, StringRef subject) {
  const KernelArgument *pointer = nullptr;
  for (const KernelArgument &argument : interface.arguments) {
    if (argument.kind == KernelArgument::Pointer)
      pointer = &argument;
    else if (argument.kind == KernelArgument::LeadingDimension && argument.name == subject && pointer)
      return getLeadingDimension(interface, spec, *pointer);
  }
  return getSize(interface, spec, subject);
}

bool tgc::factHolds(FactAttr fact, const KernelInterface &interface, const ProblemSpec &spec,
                    llvm::function_ref<uintptr_t(StringRef)> pointerOf) {
  int64_t value = fact.getValue();
  if (fact.getKind() == FactKind::Aligned)
    return value > 0 && pointerOf(fact.getSubject()) % static_cast<uint64_t>(value) == 0;
  int64_t actual = getFactValue(interface, spec, fact.getSubject());
  if (actual < 0)
    return false;
  switch (fact.getKind()) {
  case FactKind::Multiple:
    return value > 0 && actual % value == 0;
  case FactKind::AtMost:
    return actual <= value;
  case FactKind::Equal:
    return actual == value;
  case FactKind::Aligned:
    break;
  }
  llvm_unreachable("handled above");
}

const KernelVariant &tgc::chooseVariant(const KernelInterface &interface, const ProblemSpec &spec,
                                        llvm::function_ref<uintptr_t(StringRef)> pointerOf) {
  for (const KernelVariant &variant : interface.variants)
    if (llvm::all_of(variant.facts, [&](FactAttr fact) { return factHolds(fact, interface, spec, pointerOf); }))
      return variant;
  return interface.variants.back();
}

std::string tgc::describeBrokenFact(FactAttr fact, const KernelInterface &interface, const ProblemSpec &spec) {
  StringRef subject = fact.getSubject();
  int64_t actual = getFactValue(interface, spec, subject);
  switch (fact.getKind()) {
  case FactKind::Aligned:
    return formatv("pointer {0}, {1} elements from a 256-byte boundary, is not a multiple of {2} bytes", subject,
                   spec.offsets.lookup(subject), fact.getValue())
        .str();
  case FactKind::Multiple:
    return formatv("{0} = {1} is not a multiple of {2}", subject, actual, fact.getValue()).str();
  case FactKind::AtMost:
    return formatv("{0} = {1} is more than {2}", subject, actual, fact.getValue()).str();
  case FactKind::Equal:
    return formatv("{0} = {1} is not {2}", subject, actual, fact.getValue()).str();
  }
  llvm_unreachable("all kinds handled");
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// The option through which a user gives the size of role `i`.
static std::string formatSizeOption(const ProblemSpec &spec) {
  return formatv("--size {0}x{1}x{2}", spec.m, spec.n, spec.k).str();
}

/// Checks that every name of `values` is one of `known`.
template <typename T>
static bool checkNames(StringRef option, const StringMap<T> &values, ArrayRef<StringRef> known, StringRef what,
                       std::string &error) {
  llvm::SmallVector<StringRef> names;
  for (StringRef name : values.keys())
    if (!llvm::is_contained(known, name))
      names.push_back(name);
  if (names.empty())
    return true;
  llvm::sort(names);
  error = formatv("{0} {1}: the kernel has no {2} of that name{3}", option, names.front(), what,
                  itHas(names.front(), known))
              .str();
  return false;
}

std::unique_ptr<Problem> Problem::create(const KernelInterface &interface, const ProblemSpec &spec,
                                         std::string &error) {
  std::unique_ptr<Problem> problem = reserve(interface, spec, error);
  for (unsigned i = 0; problem && i < problem->operands.size(); ++i)
    problem->fill(i);
  return problem;
}

std::unique_ptr<Problem> Problem::reserve(const KernelInterface &interface, const ProblemSpec &spec,
                                          std::string &error) {
  auto fail = [&](std::string message) {
    error = std::move(message);
    return nullptr;
  };
  llvm::SmallVector<StringRef, 3> sizeNames = getSizeNames(interface);
  if (sizeNames.size() != 3)
    return fail(
        formatv("kernel '{0}' has {1} sizes; a matrix product has three, M, N and K", interface.name, sizeNames.size())
            .str());
  const int64_t sizes[] = {spec.m, spec.n, spec.k};
  for (auto [name, value] : llvm::zip(sizeNames, sizes))
    if (value < 0 || value > kMaxSize)
      return fail(
          formatv("{0}: {1} = {2} is not in the range 0 to {3}", formatSizeOption(spec), name, value, kMaxSize).str());

  // One pass over the arguments: the logical shape of each operand and its role in the product.
  std::unique_ptr<Problem> problem(new Problem());
  problem->spec = spec;
  problem->readsOutput = interface.readsOutput;
  for (unsigned i = 0; i < 3; ++i)
    problem->sizeNames[i] = sizeNames[i].str();
  constexpr float kScalars[] = {1.25f, -0.75f, 1.5f, -0.5f};
  llvm::SmallVector<StringRef> pointers, matrices, scalars;
  int lefts = 0, rights = 0, outputs = 0;
  for (const KernelArgument &argument : interface.arguments) {
    if (argument.kind == KernelArgument::Scalar) {
      auto given = spec.scalars.find(argument.name);
      problem->scalars.push_back(given != spec.scalars.end() ? given->second : kScalars[scalars.size() % 4]);
      scalars.push_back(argument.name);
    }
    if (argument.kind != KernelArgument::Pointer)
      continue;
    unsigned index = problem->operands.size();
    HostOperand operand;
    operand.name = argument.name;
    operand.written = argument.written;
    operand.dims = argument.dims;
    bool known = argument.dims.size() == 1 || (argument.dims.size() == 2 && argument.dims[0] != argument.dims[1]);
    for (const std::string &dim : argument.dims)
      known &= llvm::is_contained(sizeNames, dim);
    if (!known)
      return fail(formatv("operand '{0}' of kernel '{1}' has dimensions [{2}]; expected one or two different ones of "
                          "{3}",
                          argument.name, interface.name, llvm::join(argument.dims, ", "), llvm::join(sizeNames, ", "))
                      .str());
    bool matrix = argument.dims.size() == 2;
    operand.cols = getSize(interface, spec, argument.dims.back());
    operand.rows = matrix ? getSize(interface, spec, argument.dims.front()) : 1;
    operand.ld = matrix ? getLeadingDimension(interface, spec, argument) : operand.cols;
    operand.offset = spec.offsets.lookup(argument.name);
    auto has = [&](unsigned size) { return llvm::is_contained(argument.dims, sizeNames[size]); };
    if (argument.written && matrix && !has(2))
      problem->output = index, ++outputs;
    else if (!argument.written && matrix && has(0) && has(2))
      problem->left = index, ++lefts;
    else if (!argument.written && matrix && has(1) && has(2))
      problem->right = index, ++rights;
    else if (!argument.written && !has(2))
      problem->extras.push_back(index);
    else
      return fail(formatv("operand '{0}' of kernel '{1}' is {2} and has dimensions [{3}]; it is no factor, output or "
                          "epilogue operand of a product",
                          argument.name, interface.name, argument.written ? "written" : "read only",
                          llvm::join(argument.dims, ", "))
                      .str());
    pointers.push_back(argument.name);
    if (matrix)
      matrices.push_back(argument.name);
    problem->operands.push_back(std::move(operand));
  }
  if (lefts != 1 || rights != 1 || outputs != 1)
    return fail(formatv("kernel '{0}' has {1} operands over {4} and {6}, {2} over {6} and {5}, and {3} written; a "
                        "product has one of each",
                        interface.name, lefts, rights, outputs, sizeNames[0], sizeNames[1], sizeNames[2])
                    .str());
  if (!checkNames("--ld", spec.leadingDimensions, matrices, "matrix", error) ||
      !checkNames("--offset", spec.offsets, pointers, "operand", error) ||
      !checkNames("--set", spec.scalars, scalars, "scalar", error))
    return nullptr;

  // Ranges, then the mappings. All of them before any is filled: filling is what costs.
  for (HostOperand &operand : problem->operands) {
    bool repeatsRow = operand.ld == 0 && !operand.written;
    if (operand.ld < operand.cols && !repeatsRow)
      return fail(formatv("--ld {0}={1}: a leading dimension is at least the row length, {2} = {3}{4}", operand.name,
                          operand.ld, operand.dims.back(), operand.cols,
                          operand.written ? "" : ", or 0 to repeat one row")
                      .str());
    if (operand.offset < 0 || operand.offset > kMaxElements)
      return fail(formatv("--offset {0}={1}: an offset is in the range 0 to {2} elements", operand.name, operand.offset,
                          kMaxElements)
                      .str());
    if (operand.rows > 0 && operand.ld > kMaxElements / operand.rows)
      return fail(formatv("operand '{0}' of {1} rows with leading dimension {2} spans more than {3} elements",
                          operand.name, operand.rows, operand.ld, kMaxElements)
                      .str());
    operand.allocationElements = kFrontElements + operand.offset + operand.getExtent() + kGuardElements;
    void *memory = mmap(nullptr, operand.allocationElements * sizeof(float), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return fail(formatv("operand '{0}' needs {1} bytes of address space: {2}", operand.name,
                          operand.allocationElements * sizeof(float), std::strerror(errno))
                      .str());
    operand.allocation = static_cast<float *>(memory);
    operand.data = operand.allocation + kFrontElements + operand.offset;
  }

  // Addresses as any allocator gives them: 256-byte aligned but for the offset.
  auto pointerOf = [&](StringRef name) -> uintptr_t { return spec.offsets.lookup(name) * sizeof(float); };
  for (FactAttr fact : interface.whereFacts)
    if (!factHolds(fact, interface, spec, pointerOf))
      return fail(formatv("{0}: {1}; the where clause of kernel '{2}' demands it", formatSizeOption(spec),
                          describeBrokenFact(fact, interface, spec), interface.name)
                      .str());
  return problem;
}

Problem::~Problem() {
  for (HostOperand &operand : operands)
    if (operand.allocation)
      munmap(operand.allocation, operand.allocationElements * sizeof(float));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A counter-based generator: the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The value at logical position (row, col), stored order, of `operand`.
float Problem::initialValue(unsigned index, int64_t row, int64_t col) const {
  const HostOperand &operand = operands[index];
  // The same values in either layout: count along the order in which the sizes are declared.
  bool swapped =
      operand.dims.size() == 2 && llvm::find(sizeNames, operand.dims[0]) > llvm::find(sizeNames, operand.dims[1]);
  // K x N is the natural order of a right factor.
  if (index == right)
    swapped = !swapped;
  uint64_t position = swapped ? uint64_t(col) * operand.rows + row : uint64_t(row) * operand.cols + col;
  constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;
  uint64_t stream = mix(mix(spec.seed + kGamma) + (index + 1) * kGamma);
  uint64_t random = mix(stream + (position + 1) * kGamma);
  if (spec.fill == ProblemSpec::Integers)
    return static_cast<float>(static_cast<int64_t>(((random >> 32) * 9) >> 32) - 4);
  return static_cast<float>(static_cast<int64_t>(random >> 40) - (1 << 23)) * 0x1p-23f;
}

/// Calls `visit(first element, count)` for each guard of `operand`: before, after each row, at the end. Elements are
/// relative to element (0, 0).
template <typename Visit> static void visitGuards(const HostOperand &operand, Visit visit) {
  visit(-kGuardElements, kGuardElements);
  if (operand.getGapGuard() > 0)
    for (int64_t row = 0; row + 1 < operand.rows; ++row)
      visit(row * operand.ld + operand.cols, operand.getGapGuard());
  visit(operand.getExtent(), kGuardElements);
}

void Problem::fill(unsigned index) {
  HostOperand &operand = operands[index];
  bool poisoned = operand.written && !readsOutput;
  visitGuards(operand, [&](int64_t first, int64_t count) { std::fill_n(operand.data + first, count, poison()); });
  int64_t rows = operand.ld == 0 ? std::min<int64_t>(operand.rows, 1) : operand.rows;
  // One row at a time is too little work for a task where rows are short.
  int64_t rowsPerTask = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, operand.cols));
  llvm::parallelFor(0, llvm::divideCeil(rows, rowsPerTask), [&](size_t task) {
    int64_t end = std::min<int64_t>(rows, (task + 1) * rowsPerTask);
    for (int64_t row = task * rowsPerTask; row < end; ++row)
      for (int64_t col = 0; col < operand.cols; ++col)
        operand.data[row * operand.ld + col] = poisoned ? poison() : initialValue(index, row, col);
  });
}

void Problem::resetOutput() { fill(output); }

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

int64_t Problem::countGuardWrites(const HostOperand &operand) const {
  int64_t changed = 0;
  visitGuards(operand, [&](int64_t first, int64_t count) {
    changed += llvm::count_if(ArrayRef<float>(operand.data + first, count),
                              [](float value) { return bitsOf(value) != kPoison; });
  });
  return changed;
}

namespace {
/// A matrix by logical position: element (i, j) at data[i * rowStride + j * colStride].
struct View {
  const float *data;
  int64_t rowStride, colStride;

  /// `rowDim` is the logical dimension that i counts. A vector over the other dimension is the same in every row.
  View(const HostOperand &operand, StringRef rowDim) : data(operand.data) {
    bool slow = operand.dims.size() == 2 && operand.dims[0] == rowDim;
    if (operand.dims.size() == 1) {
      rowStride = operand.dims[0] == rowDim;
      colStride = 1 - rowStride;
    } else {
      rowStride = slow ? operand.ld : 1;
      colStride = slow ? 1 : operand.ld;
    }
  }
  float operator()(int64_t i, int64_t j) const { return data[i * rowStride + j * colStride]; }
};

/// What one row of C contributes to the verdict.
struct RowVerdict {
  double differenceSquares = 0, referenceSquares = 0, worstRatio = 0;
  int64_t wrong = 0;
  std::string detail;
};
} // namespace

namespace {
/// Rows and columns of C.
struct Sample {
  std::vector<int64_t> rows, cols;
};

/// A reference value and how far a right result may be from it.
struct Expected {
  double value, bound;
};
} // namespace

/// The element of C that follows from a product.
static Expected expectElement(const Semantics &semantics, Expected product, llvm::ArrayRef<double> extras,
                              llvm::ArrayRef<double> scalars, double old) {
  Expected result = product;
  if (semantics.epilogue) {
    auto evaluate = [&](double input, Rounding rounding = {}) {
      return semantics.epilogue(input, extras, scalars, rounding);
    };
    result.value = evaluate(product.value);
    // The bound is how far the result moves when the product moves by its bound, and each operation by its rounding:
    // twice that, for what these movements do to each other.
    result.bound = 2 * kUnit * std::fabs(result.value) + 0x1p-147;
    for (double sign : {-1.0, 1.0}) {
      result.bound += std::fabs(evaluate(product.value + sign * product.bound) - result.value);
      for (unsigned step = 0; step < semantics.numSteps; ++step)
        result.bound += std::fabs(evaluate(product.value, {step, 1 + sign * kUnit}) - result.value);
    }
  }
  if (semantics.accumulate) {
    result.value += old;
    result.bound += 2 * kUnit * std::fabs(result.value) + 0x1p-149;
  }
  return result;
}

/// Rows or columns at each edge that a sample always has.
static constexpr int64_t kEdge = 32;

/// `count` of 0..size-1: kEdge at each end, else one of each of equal parts.
static std::vector<int64_t> sampleIndices(int64_t size, int64_t count, uint64_t seed) {
  std::vector<int64_t> indices;
  if (count >= size || size <= 2 * kEdge) {
    for (int64_t i = 0; i < size; ++i)
      indices.push_back(i);
    return indices;
  }
  int64_t parts = std::max<int64_t>(1, count - 2 * kEdge), inner = size - 2 * kEdge;
  parts = std::min(parts, inner);
  for (int64_t i = 0; i < kEdge; ++i)
    indices.push_back(i);
  for (int64_t i = 0; i < parts; ++i) {
    int64_t begin = i * inner / parts, end = (i + 1) * inner / parts;
    indices.push_back(kEdge + begin + mix(seed + i) % (end - begin));
  }
  for (int64_t i = size - kEdge; i < size; ++i)
    indices.push_back(i);
  return indices;
}

/// The rows and columns of C whose crossings are recomputed: all of them within kFullCheck, else about as many as make
/// up that much work.
static Sample chooseSample(int64_t m, int64_t n, int64_t k, uint64_t seed) {
  if (m == 0 || n == 0)
    return {};
  int64_t budget = kFullCheck / std::max<int64_t>(1, k);
  if (n <= budget / m)
    return {sampleIndices(m, m, seed), sampleIndices(n, n, seed)};
  // A square; what a short side leaves goes to the other. A side is at least both edges and as many between them.
  int64_t side = std::max<int64_t>(4 * kEdge, std::sqrt(budget));
  int64_t shorter = std::min({m, n, side});
  int64_t longer = std::max(side, budget / shorter);
  return {sampleIndices(m, m <= n ? shorter : longer, seed), sampleIndices(n, m <= n ? longer : shorter, seed + 1)};
}

Verdict Problem::verify(const Semantics &semantics) {
  const int64_t M = spec.m, N = spec.n, K = spec.k;
  const Sample sample = chooseSample(M, N, K, spec.seed);
  const std::vector<int64_t> &rows = sample.rows, &cols = sample.cols;
  bool allCols = static_cast<int64_t>(cols.size()) == N;

  StringRef mName = sizeNames[0], kName = sizeNames[2];
  const View a(operands[left], mName), b(operands[right], kName), c(operands[output], mName);
  std::vector<View> extraViews;
  extraViews.reserve(extras.size());
  for (unsigned extra : extras)
    extraViews.emplace_back(operands[extra], mName);
  bool rowMajorOutput = operands[output].dims[0] == mName;
  auto oldElement = [&](int64_t i, int64_t j) {
    return rowMajorOutput ? initialValue(output, i, j) : initialValue(output, j, i);
  };
  const double growth = std::expm1(K * kUnit);

  std::vector<RowVerdict> results(rows.size());
  llvm::parallelFor(0, rows.size(), [&](size_t r) {
    int64_t i = rows[r];
    RowVerdict &result = results[r];
    std::vector<double> sums(cols.size()), magnitudes(cols.size());
    auto add = [&](int64_t k, size_t at) {
      double product = double(a(i, k)) * double(b(k, cols[at]));
      sums[at] += product;
      magnitudes[at] += std::fabs(product);
    };
    if (b.colStride == 1 && allCols) {
      for (int64_t k = 0; k < K; ++k) {
        const double factor = a(i, k);
        const float *row = b.data + k * b.rowStride;
        for (int64_t j = 0; j < N; ++j) {
          double product = factor * double(row[j]);
          sums[j] += product;
          magnitudes[j] += std::fabs(product);
        }
      }
    } else if (b.colStride == 1) {
      for (int64_t k = 0; k < K; ++k)
        for (size_t at = 0; at < cols.size(); ++at)
          add(k, at);
    } else {
      for (size_t at = 0; at < cols.size(); ++at)
        for (int64_t k = 0; k < K; ++k)
          add(k, at);
    }

    llvm::SmallVector<double> extraValues;
    const llvm::SmallVector<double> scalarValues(scalars.begin(), scalars.end());
    for (size_t at = 0; at < cols.size(); ++at) {
      int64_t j = cols[at];
      double old = readsOutput ? oldElement(i, j) : 0;
      extraValues.clear();
      for (const View &extra : extraViews)
        extraValues.push_back(extra(i, j));
      if (readsOutput && !semantics.accumulate)
        extraValues.push_back(old);
      // Sums of K terms may each underflow by half the smallest subnormal.
      Expected product = {sums[at], 2 * growth * magnitudes[at] + (K + 1.0) * 0x1p-149};
      auto [reference, bound] = expectElement(semantics, product, extraValues, scalarValues, old);
      double got = c(i, j), difference = std::fabs(got - reference);
      bool bothNaN = std::isnan(got) && std::isnan(reference);
      bool sameInfinity = std::isinf(got) && got == double(float(reference));
      // Written so that a NaN difference is wrong.
      bool good = (std::isfinite(reference) && difference <= bound) || bothNaN || sameInfinity;
      if (bothNaN || sameInfinity)
        difference = 0;
      double ratio = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                     : difference == 0      ? 0
                                            : difference / bound;
      result.worstRatio = std::max(result.worstRatio, ratio);
      result.differenceSquares += difference * difference;
      if (std::isfinite(reference))
        result.referenceSquares += reference * reference;
      if (!good && result.wrong++ == 0)
        result.detail = formatv("{0}[{1}, {2}] is {3}, expected {4} within {5}", operands[output].name, i, j,
                                llvm::format("%.9g", got), llvm::format("%.9g", reference), llvm::format("%.3g", bound))
                            .str();
    }
  });

  Verdict verdict;
  verdict.checked = rows.size() * cols.size();
  double differenceSquares = 0, referenceSquares = 0;
  for (RowVerdict &result : results) {
    differenceSquares += result.differenceSquares;
    referenceSquares += result.referenceSquares;
    verdict.worstRatio = std::max(verdict.worstRatio, result.worstRatio);
    verdict.wrong += result.wrong;
    if (verdict.detail.empty())
      verdict.detail = std::move(result.detail);
  }
  verdict.relativeError = differenceSquares == 0  ? 0
                          : referenceSquares == 0 ? std::numeric_limits<double>::infinity()
                                                  : std::sqrt(differenceSquares / referenceSquares);

  // Elements outside the sample: inputs are finite, so a product is no NaN; an epilogue may make one.
  if (verdict.wrong == 0 && verdict.checked < M * N && !semantics.epilogue) {
    for (int64_t i = 0; i < M; ++i)
      for (int64_t j = 0; j < N; ++j)
        if (std::isnan(c(i, j))) {
          if (verdict.wrong++ == 0)
            verdict.detail = formatv("{0}[{1}, {2}] is nan, expected a finite value", operands[output].name, i, j);
          verdict.worstRatio = std::numeric_limits<double>::infinity();
        }
  }

  for (const HostOperand &operand : operands) {
    int64_t changed = countGuardWrites(operand);
    verdict.guardWrites += changed;
    if (changed > 0 && verdict.detail.empty())
      verdict.detail = formatv("{0} elements outside {1} (before it, after it or between its rows) were written",
                               changed, operand.name);
  }
  verdict.passed = verdict.wrong == 0 && verdict.guardWrites == 0;
  return verdict;
}

uint64_t Problem::hashOutput() {
  const View c(operands[output], sizeNames[0]);
  std::vector<float> row(spec.n);
  uint64_t hash = 0;
  for (int64_t i = 0; i < spec.m; ++i) {
    for (int64_t j = 0; j < spec.n; ++j)
      row[j] = std::isnan(c(i, j)) ? poison() : c(i, j);
    uint64_t parts[2] = {hash, llvm::xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(row.data()), 4 * spec.n))};
    hash = llvm::xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(parts), sizeof(parts)));
  }
  return hash;
}
