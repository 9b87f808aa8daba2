//===- cuda_runtime.h - CUDA C++ as plain C++ for one CPU thread -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitted kernels and headers use of CUDA, so that clang compiles them for the host unchanged, under
// AddressSanitizer and UndefinedBehaviorSanitizer. It stands in for the toolkit's header of this name; Grid.cpp runs
// the kernels. Include it after all standard headers: it makes macros of `asm` and `volatile`.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TEST_HOST_SHIM_CUDA_RUNTIME_H
#define TGC_TEST_HOST_SHIM_CUDA_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

//===----------------------------------------------------------------------===//
// Types and functions of the host side
//===----------------------------------------------------------------------===//

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorInvalidConfiguration = 9 };
using cudaStream_t = struct CUstream_st *;

const char *cudaGetErrorString(cudaError_t error);
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
/// Sets how many bytes of shared memory launches of `function` may have; 48 KiB otherwise.
cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value);
/// Runs the whole grid, block by block, before it returns. `function` has to be registered (registerKernel).
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, std::size_t sharedBytes,
                             cudaStream_t stream);

//===----------------------------------------------------------------------===//
// What a kernel sees
//===----------------------------------------------------------------------===//

/// Vectors copy through functions of their own, because the sanitizer checks the alignment of what a reference binds
/// to, not that of a trivial copy.
struct alignas(8) float2 {
  float x, y;
  float2(const float2 &other) : x(other.x), y(other.y) {}
  float2 &operator=(const float2 &other) {
    x = other.x, y = other.y;
    return *this;
  }
};
struct alignas(16) float4 {
  float x, y, z, w;
  float4(const float4 &other) : x(other.x), y(other.y), z(other.z), w(other.w) {}
  float4 &operator=(const float4 &other) {
    x = other.x, y = other.y, z = other.z, w = other.w;
    return *this;
  }
};

extern dim3 threadIdx, blockIdx;

using std::max;
using std::min;

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __int_as_float(int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Waits for all threads of the block, which have to come to the barrier of the same `line`.
void __syncthreads(int line = __builtin_LINE());
/// The address in shared memory: bytes from its start.
std::size_t __cvta_generic_to_shared(const void *pointer);

namespace tgc::host {

/// Copies `bytes` from `from` and zeros up to `size` to shared memory. What is there is NaN from now on until this
/// thread waits for the copy: neither its old contents nor the new ones may be read.
void copyAsync(unsigned shared, const float *from, int size, int bytes);
/// Closes the group of copies that this thread has issued since the last call.
void commitCopies();
/// Lets all groups of this thread but the `inFlight` youngest land.
void waitCopies(int inFlight);
/// PTX max.NaN and min.NaN: NaN if either is, and -0 < +0.
float maximumOrNaN(float a, float b);
float minimumOrNaN(float a, float b);

/// Makes `kernel` known to cudaLaunchKernel.
void registerKernel(const void *kernel, std::function<void(void **)> call);

template <typename... Arguments, std::size_t... index>
void callKernel(void (*kernel)(Arguments...), void **arguments, std::index_sequence<index...>) {
  kernel(*static_cast<Arguments *>(arguments[index])...);
}
template <typename... Arguments> void registerKernel(void (*kernel)(Arguments...)) {
  registerKernel(reinterpret_cast<const void *>(kernel), [kernel](void **arguments) {
    callKernel(kernel, arguments, std::index_sequence_for<Arguments...>());
  });
}

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//
//
// An `asm` statement of the emitted text becomes a call of execute() with the statement as a string and every variable
// that one of them names. The statement is looked up as a whole, so any change to it has to be made here too.

/// Stands for a variable that the function of a statement does not have.
struct Absent {};

#define TGC_HOST_STATEMENT(...) std::string_view(#__VA_ARGS__)

/// Whether two statements are the same but for blanks.
constexpr bool isStatement(std::string_view text, std::string_view known) {
  while (true) {
    while (!text.empty() && text.front() == ' ')
      text.remove_prefix(1);
    while (!known.empty() && known.front() == ' ')
      known.remove_prefix(1);
    if (text.empty() || known.empty())
      return text.empty() && known.empty();
    if (text.front() != known.front())
      return false;
    text.remove_prefix(1);
    known.remove_prefix(1);
  }
}

struct Assembler {
  template <typename Statement, typename Shared, typename From, typename Valid, typename Size, typename InFlight,
            typename Result, typename Value>
  static void execute(Statement statement, Shared shared, From from, Valid valid, Size size, InFlight inFlight,
                      Result &result, Value a, Value b) {
    constexpr std::string_view text = statement();
    if constexpr (isStatement(text, TGC_HOST_STATEMENT("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
                                                       "l"(from), "r"(valid * 4) : "memory")))
      copyAsync(shared, from, 16, valid * 4);
    else if constexpr (isStatement(text,
                                   TGC_HOST_STATEMENT("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared),
                                                      "l"(from), "n"(N), "r"(valid * 4) : "memory")))
      copyAsync(shared, from, size, valid * 4);
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared),
                                                            "l"(from) : "memory")))
      copyAsync(shared, from, 16, 16);
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared),
                                                            "l"(from), "n"(N) : "memory")))
      copyAsync(shared, from, size, size);
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("cp.async.commit_group;" :: : "memory")))
      commitCopies();
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("cp.async.wait_group %0;" ::"n"(IN_FLIGHT) : "memory")))
      waitCopies(inFlight);
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b))))
      result = maximumOrNaN(a, b);
    else if constexpr (isStatement(text, TGC_HOST_STATEMENT("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b))))
      result = minimumOrNaN(a, b);
    else
      static_assert(text.empty(), "test/Host/shim/cuda_runtime.h does not know this asm statement");
  }
};

} // namespace tgc::host

// Found where no variable of the function hides them.
constexpr tgc::host::Absent shared, from, valid, N, IN_FLIGHT, result, a, b;
constexpr tgc::host::Assembler tgcAssembler;

#define TGC_HOST_EXECUTE(...)                                                                                          \
  .execute([] { return TGC_HOST_STATEMENT(__VA_ARGS__); }, shared, from, valid, N, IN_FLIGHT, result, a, b)
// `asm volatile(...)` is `tgcAssembler .execute(...)`, and `asm(...)` as well.
#define asm tgcAssembler
#define tgcAssembler(...) tgcAssembler TGC_HOST_EXECUTE(__VA_ARGS__)
#define volatile(...) TGC_HOST_EXECUTE(__VA_ARGS__)

#endif
