//===- GPUProblem.h - a problem's operands on the GPU -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_GPUPROBLEM_H
#define TGC_RUNTIME_GPUPROBLEM_H

#include "tgc/Runtime/CUDADriver.h"
#include "tgc/Runtime/CuBLAS.h"
#include "tgc/Runtime/Problem.h"

namespace tgc {

/// Device copies of a Problem's operands, guard bands included, at the same distance from a 256-byte boundary, so that
/// alignment facts hold on the GPU as on the host. The device and the problem must outlive it.
class GPUProblem {
public:
  /// Allocates and uploads. Fails with the numbers if the operands need more than 3/4 of the free device memory.
  static llvm::Expected<std::unique_ptr<GPUProblem>> create(cuda::Device &device, const KernelInterface &interface,
                                                            Problem &problem);

  /// Device address of element (0, 0) of operand `name`.
  uint64_t getPointer(llvm::StringRef name) const;

  /// Restores C and its guards on the host and the device.
  llvm::Error resetOutput();
  /// Copies C, with its guards, back into the problem.
  llvm::Error downloadOutput();

  /// Queues one launch of `function`, which is `variant`. An empty grid is not launched. Fails if the grid is larger
  /// than kMaxGrid blocks.
  llvm::Error launch(const cuda::Function &function, const KernelVariant &variant);

  /// The same product for cuBLAS: without epilogue, added to C if `accumulate`. No size may be 0. Fails if
  /// an operand has leading dimension 0.
  llvm::Expected<BLASProduct> getBLASProduct(bool accumulate) const;

private:
  GPUProblem(cuda::Device &device, const KernelInterface &interface, Problem &problem)
      : device(device), interface(interface), problem(problem) {}

  cuda::Device &device;
  const KernelInterface &interface;
  Problem &problem;
  std::vector<cuda::Buffer> buffers; ///< one per operand
  std::vector<uint64_t> pointers;    ///< of element (0, 0)
};

/// How long to measure.
struct TimingOptions {
  double batchMilliseconds = 20; ///< least duration of a batch, which spans the events' resolution many times
  unsigned batches = 7;          ///< of each candidate; the result is the median
};

/// Milliseconds per call of each candidate, which queues work on the default stream: after a warm-up, batches of the
/// candidates alternate, so that all see the same clocks.
llvm::Expected<std::vector<double>> timeAlternating(cuda::Device &device,
                                                    llvm::ArrayRef<std::function<llvm::Error()>> candidates,
                                                    const TimingOptions &options = {});

} // namespace tgc

#endif
