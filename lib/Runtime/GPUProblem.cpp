//===- GPUProblem.cpp - a problem's operands on the GPU -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/GPUProblem.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

/// A gap wider than this (elements) between rows is not copied: rows then travel one by one.
static constexpr int64_t kWidestCopiedGap = 16384;

/// Calls `copy` with the first byte and the bytes of every piece of `operand` that is ever touched.
static Error forEachPiece(const HostOperand &operand, function_ref<Error(uint64_t, uint64_t)> copy) {
  constexpr uint64_t size = sizeof(float);
  if (operand.rows < 2 || operand.ld - operand.cols <= kWidestCopiedGap)
    return copy(0, operand.allocationElements * size);
  int64_t first = operand.data - operand.allocation;
  if (Error error = copy(0, first * size))
    return error;
  for (int64_t row = 0; row + 1 < operand.rows; ++row)
    if (Error error = copy((first + row * operand.ld) * size, (operand.cols + operand.getGapGuard()) * size))
      return error;
  int64_t last = first + (operand.rows - 1) * operand.ld;
  return copy(last * size, (operand.allocationElements - last) * size);
}

static Error upload(const HostOperand &operand, cuda::Buffer &buffer) {
  auto *bytes = reinterpret_cast<const char *>(operand.allocation);
  return forEachPiece(operand,
                      [&](uint64_t offset, uint64_t size) { return buffer.upload(offset, bytes + offset, size); });
}

Expected<std::unique_ptr<GPUProblem>> GPUProblem::create(cuda::Device &device, const KernelInterface &interface,
                                                         Problem &problem) {
  uint64_t needed = 0;
  for (const HostOperand &operand : problem.getOperands())
    needed += operand.allocationElements * sizeof(float);
  Expected<uint64_t> free = device.getFreeMemory();
  if (!free)
    return free.takeError();
  if (needed > *free / 4 * 3)
    return createStringError("the operands take " + Twine(needed) + " bytes, more than 3/4 of the " + Twine(*free) +
                             " bytes free on " + device.getInfo().name +
                             ": choose smaller sizes or leading dimensions");

  std::unique_ptr<GPUProblem> result(new GPUProblem(device, interface, problem));
  for (const HostOperand &operand : problem.getOperands()) {
    Expected<cuda::Buffer> buffer = device.allocate(operand.allocationElements * sizeof(float), operand.name);
    if (!buffer)
      return buffer.takeError();
    if (Error error = upload(operand, *buffer))
      return std::move(error);
    result->pointers.push_back(buffer->getAddress() + (operand.data - operand.allocation) * sizeof(float));
    result->buffers.push_back(std::move(*buffer));
  }
  return std::move(result);
}

uint64_t GPUProblem::getPointer(StringRef name) const {
  for (auto [operand, pointer] : zip_equal(problem.getOperands(), pointers))
    if (operand.name == name)
      return pointer;
  return 0;
}

Error GPUProblem::resetOutput() {
  problem.resetOutput();
  for (auto [operand, buffer] : zip_equal(problem.getOperands(), buffers))
    if (&operand == &problem.getOutput())
      return upload(operand, buffer);
  return Error::success();
}

Error GPUProblem::downloadOutput() {
  for (auto [operand, buffer] : zip_equal(problem.getOperands(), buffers)) {
    if (&operand != &problem.getOutput())
      continue;
    auto *bytes = reinterpret_cast<char *>(operand.allocation);
    return forEachPiece(operand, [&, &buffer = buffer](uint64_t offset, uint64_t size) {
      return buffer.download(offset, bytes + offset, size);
    });
  }
  return Error::success();
}

Error GPUProblem::launch(const cuda::Function &function, const KernelVariant &variant) {
  const ProblemSpec &spec = problem.getSpec();
  int64_t blocks = divideCeil(spec.m, variant.tileM) * divideCeil(spec.n, variant.tileN);
  if (blocks == 0)
    return Error::success();
  if (blocks > kMaxGrid)
    return createStringError("a problem of " + Twine(spec.m) + "x" + Twine(spec.n) + " needs " + Twine(blocks) +
                             " blocks of " + Twine(variant.tileM) + "x" + Twine(variant.tileN) +
                             ", more than the largest grid, " + Twine(kMaxGrid) + ": choose a larger block tile");
  struct Value {
    int32_t size;
    int64_t ld;
    uint64_t pointer;
    float scalar;
  };
  SmallVector<Value, 16> values(interface.arguments.size());
  SmallVector<void *, 16> addresses;
  const int64_t sizes[] = {spec.m, spec.n, spec.k};
  unsigned nextSize = 0, nextOperand = 0, nextScalar = 0;
  for (auto [argument, value] : zip_equal(interface.arguments, values)) {
    switch (argument.kind) {
    case KernelArgument::Size:
      value.size = int32_t(sizes[nextSize++]);
      addresses.push_back(&value.size);
      break;
    case KernelArgument::Pointer:
      value.pointer = pointers[nextOperand++];
      addresses.push_back(&value.pointer);
      break;
    case KernelArgument::LeadingDimension:
      value.ld = problem.getOperands()[nextOperand - 1].ld;
      addresses.push_back(&value.ld);
      break;
    case KernelArgument::Scalar:
      value.scalar = problem.getScalars()[nextScalar++];
      addresses.push_back(&value.scalar);
      break;
    }
  }
  return device.launch(function, blocks, variant.threads, variant.sharedBytes, addresses);
}

Expected<BLASProduct> GPUProblem::getBLASProduct(bool accumulate) const {
  const ProblemSpec &spec = problem.getSpec();
  SmallVector<StringRef, 3> sizes;
  for (const KernelArgument &argument : interface.arguments)
    if (argument.kind == KernelArgument::Size)
      sizes.push_back(argument.name);
  assert(sizes.size() == 3 && "Problem::create has checked it");
  StringRef m = sizes[0], n = sizes[1], k = sizes[2];

  // A row-major matrix is its transpose in column-major memory: C' = B' @ A' for a row-major C.
  const HostOperand *a = nullptr, *b = nullptr, &c = problem.getOutput();
  for (const HostOperand &operand : problem.getOperands()) {
    if (&operand == &c || operand.dims.size() != 2)
      continue;
    auto hasDims = [&](StringRef x, StringRef y) {
      return (operand.dims[0] == x && operand.dims[1] == y) || (operand.dims[0] == y && operand.dims[1] == x);
    };
    if (!a && hasDims(m, k))
      a = &operand;
    else if (!b && hasDims(k, n))
      b = &operand;
  }
  assert(a && b && "Problem::create has checked it");
  for (const HostOperand *operand : {a, b})
    if (operand->ld < operand->cols)
      return createStringError("cuBLAS takes no leading dimension of 0, which " + operand->name + " has");
  bool rowMajor = c.dims[0] == m;
  bool aRowMajor = a->dims[0] == m, bRowMajor = b->dims[0] == k;
  BLASProduct product;
  product.k = spec.k;
  product.c = getPointer(c.name);
  product.ldc = c.ld;
  product.beta = accumulate ? 1 : 0;
  // In column-major terms the left factor is B' (row-major C) or A; it is transposed if its memory order is not that.
  const HostOperand &left = rowMajor ? *b : *a, &right = rowMajor ? *a : *b;
  product.m = rowMajor ? spec.n : spec.m;
  product.n = rowMajor ? spec.m : spec.n;
  product.a = getPointer(left.name);
  product.b = getPointer(right.name);
  product.lda = left.ld;
  product.ldb = right.ld;
  bool leftRowMajor = rowMajor ? bRowMajor : aRowMajor, rightRowMajor = rowMajor ? aRowMajor : bRowMajor;
  product.transposeA = leftRowMajor != rowMajor;
  product.transposeB = rightRowMajor != rowMajor;
  return product;
}

Expected<std::vector<double>> tgc::timeAlternating(cuda::Device &device, ArrayRef<std::function<Error()>> candidates,
                                                   const TimingOptions &options) {
  auto timeCalls = [&](const std::function<Error()> &call, int64_t calls) {
    return device.time([&]() -> Error {
      for (int64_t i = 0; i < calls; ++i)
        if (Error error = call())
          return error;
      return Error::success();
    });
  };
  // Warm-up, which also finds how many calls make a batch: double until half a batch, then scale.
  SmallVector<int64_t> calls(candidates.size(), 1);
  for (auto [candidate, count] : zip_equal(candidates, calls)) {
    if (Expected<double> first = timeCalls(candidate, 1); !first)
      return first.takeError();
    double milliseconds = 0;
    constexpr int64_t most = 1 << 20; // calls that queue nothing end here
    while (true) {
      Expected<double> measured = timeCalls(candidate, count);
      if (!measured)
        return measured.takeError();
      milliseconds = *measured;
      if (milliseconds >= options.batchMilliseconds / 2 || count >= most)
        break;
      count *= 2;
    }
    if (milliseconds > 0 && milliseconds < options.batchMilliseconds)
      count = std::min<int64_t>(most, std::ceil(count * options.batchMilliseconds / milliseconds * 1.05));
  }
  std::vector<std::vector<double>> samples(candidates.size());
  for (unsigned batch = 0; batch < options.batches; ++batch)
    for (auto [candidate, count, sample] : zip_equal(candidates, calls, samples)) {
      Expected<double> measured = timeCalls(candidate, count);
      if (!measured)
        return measured.takeError();
      sample.push_back(*measured / count);
    }
  std::vector<double> medians;
  for (std::vector<double> &sample : samples) {
    std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
    medians.push_back(sample[sample.size() / 2]);
  }
  return medians;
}
