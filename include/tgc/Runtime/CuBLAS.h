//===- CuBLAS.h - the library product to compare with -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_CUBLAS_H
#define TGC_RUNTIME_CUBLAS_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tgc {

/// A product in BLAS's terms: column-major C (m x n) = op(A) (m x k) @ op(B) (k x n) + beta * C; device addresses,
/// leading dimensions in elements.
struct BLASProduct {
  bool transposeA = false, transposeB = false;
  int64_t m = 0, n = 0, k = 0;
  uint64_t a = 0, b = 0, c = 0;
  int64_t lda = 0, ldb = 0, ldc = 0;
  float beta = 0;
};

/// cuBLAS (12 or newer), loaded at run time, on the current context's default stream. FP32 only: CUBLAS_PEDANTIC_MATH
/// rules out TF32.
class CuBLAS {
public:
  static llvm::Expected<std::unique_ptr<CuBLAS>> open();
  ~CuBLAS();

  /// "13.0.2".
  const std::string &getVersion() const { return version; }
  /// Queues the product.
  llvm::Error enqueue(const BLASProduct &product);

private:
  CuBLAS() = default;
  struct API;
  std::unique_ptr<API> api;
  void *handle = nullptr;
  std::string version;
};

} // namespace tgc

#endif
