//===- CuBLAS.cpp - the library product to compare with -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/CuBLAS.h"

#include "tgc/Runtime/SharedLibrary.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace tgc;

// From the cuBLAS library documentation: cublasStatus_t and enumerations are ints.
static constexpr int kPedanticMath = 2; // CUBLAS_PEDANTIC_MATH
static constexpr int kNoTranspose = 0;  // CUBLAS_OP_N
static constexpr int kTranspose = 1;    // CUBLAS_OP_T

struct CuBLAS::API {
  int (*create)(void **) = nullptr;
  int (*destroy)(void *) = nullptr;
  int (*getVersion)(void *, int *) = nullptr;
  int (*setMathMode)(void *, int) = nullptr;
  int (*sgemm)(void *, int, int, int64_t, int64_t, int64_t, const float *, const float *, int64_t, const float *,
               int64_t, const float *, float *, int64_t) = nullptr;
  const char *(*getStatusName)(int) = nullptr;

  Error check(int status, StringRef what, StringRef call) const {
    if (status == 0)
      return Error::success();
    return createStringError("cannot " + what + ": " + call + " returned " + getStatusName(status));
  }
};

Expected<std::unique_ptr<CuBLAS>> CuBLAS::open() {
  auto library = SharedLibrary::open("cuBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  if (!library)
    return library.takeError();
  std::unique_ptr<CuBLAS> blas(new CuBLAS());
  blas->api = std::make_unique<API>();
  API &api = *blas->api;
  Error unbound = Error::success();
  auto bind = [&](const char *symbol, auto *&function) {
    unbound = joinErrors(std::move(unbound), library->bind(symbol, function));
  };
  bind("cublasCreate_v2", api.create);
  bind("cublasDestroy_v2", api.destroy);
  bind("cublasGetVersion_v2", api.getVersion);
  bind("cublasSetMathMode", api.setMathMode);
  bind("cublasSgemm_v2_64", api.sgemm);
  bind("cublasGetStatusName", api.getStatusName);
  if (unbound)
    return std::move(unbound);

  if (Error error = api.check(api.create(&blas->handle), "start cuBLAS", "cublasCreate"))
    return std::move(error);
  if (Error error = api.check(api.setMathMode(blas->handle, kPedanticMath), "set cuBLAS to FP32", "cublasSetMathMode"))
    return std::move(error);
  int version = 0;
  if (Error error = api.check(api.getVersion(blas->handle, &version), "read the version of cuBLAS", "cublasGetVersion"))
    return std::move(error);
  // 10000 * major + 100 * minor + patch (cublas_api.h)
  blas->version = (Twine(version / 10000) + "." + Twine(version % 10000 / 100) + "." + Twine(version % 100)).str();
  return std::move(blas);
}

CuBLAS::~CuBLAS() {
  if (handle)
    (void)api->destroy(handle);
}

Error CuBLAS::enqueue(const BLASProduct &p) {
  const float one = 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers, cuBLAS's are pointers
  auto pointer = [](uint64_t address) { return reinterpret_cast<float *>(address); };
  return api->check(api->sgemm(handle, p.transposeA ? kTranspose : kNoTranspose,
                               p.transposeB ? kTranspose : kNoTranspose, p.m, p.n, p.k, &one, pointer(p.a), p.lda,
                               pointer(p.b), p.ldb, &p.beta, pointer(p.c), p.ldc),
                    "multiply with cuBLAS", "cublasSgemm_64");
}
