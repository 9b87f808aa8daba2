//===- Grid.cpp - runs a grid on one CPU thread -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block by block; each thread of a block is a fiber that runs until it comes to a barrier or its end. A phase, from
// barrier to barrier, runs the threads one after the other, forward or in reverse.
//
//===----------------------------------------------------------------------===//

#include "Grid.h"

#include <cuda_runtime.h>

#include <cstdarg>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <unistd.h>

// The statements below are the compiler's.
#undef asm
#undef volatile

using namespace tgc::host;

dim3 threadIdx, blockIdx;

/// The most dynamic shared memory of a block on any target: 227 KB (CUDA C++ Programming Guide, technical
/// specifications per compute capability).
static constexpr std::size_t kMaxSharedBytes = 227 * 1024;
/// The emitted kernels declare it. What lies behind the bytes of a launch is poisoned.
extern "C" {
alignas(1024) unsigned char sharedBytes[kMaxSharedBytes];
}
static std::size_t sharedSize;

static constexpr std::size_t kStackBytes = 128 * 1024;
static constexpr unsigned kMaxThreads = 1024;

namespace {

struct Copy {
  unsigned shared;
  int size;
  unsigned char data[16];
};

/// One thread of a block. It lives as long as the process and runs one kernel after the other.
struct Fiber {
  enum { Ready, AtBarrier, Finished } state = Finished;
  int line = 0; ///< of the barrier that it waits at
  void *stack = nullptr;
  void *stackPointer = nullptr;
  std::vector<Copy> open; ///< copies of no group yet
  std::deque<std::vector<Copy>> groups;
};

} // namespace

static std::vector<std::unique_ptr<Fiber>> fibers;
static Fiber *current;
static void *schedulerStackPointer;
static const void *schedulerStack;
static std::size_t schedulerStackBytes;
static const std::function<void()> *kernelCall;
static Order order = Order::Forward;

void tgc::host::setOrder(Order newOrder) { order = newOrder; }

void tgc::host::fail(const char *format, ...) {
  std::fflush(stdout);
  std::fprintf(stderr, "host: error: ");
  if (current)
    std::fprintf(stderr, "block %u, thread %u: ", blockIdx.x, threadIdx.x);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "\n");
  if (current)
    __sanitizer_print_stack_trace();
  std::fflush(stderr);
  _exit(1);
}

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

#ifndef __x86_64__
#error "the switch of fibers is written for x86-64"
#endif

/// Saves the registers that a call keeps (System V ABI) and the stack pointer, and continues at `to`.
extern "C" void tgcSwitchStack(void **from, void *to);
asm(R"(
  .text
  .type tgcSwitchStack, @function
tgcSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size tgcSwitchStack, .-tgcSwitchStack
)");

static void switchToScheduler() {
  void *fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, schedulerStack, schedulerStackBytes);
  tgcSwitchStack(&current->stackPointer, schedulerStackPointer);
  __sanitizer_finish_switch_fiber(fakeStack, &schedulerStack, &schedulerStackBytes);
}

static void switchTo(Fiber &fiber) {
  current = &fiber;
  void *fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, fiber.stack, kStackBytes);
  tgcSwitchStack(&schedulerStackPointer, fiber.stackPointer);
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
  current = nullptr;
}

static void runFiber() {
  __sanitizer_finish_switch_fiber(nullptr, &schedulerStack, &schedulerStackBytes);
  while (true) {
    (*kernelCall)();
    current->open.clear();
    current->groups.clear();
    current->state = Fiber::Finished;
    switchToScheduler();
  }
}

static std::unique_ptr<Fiber> makeFiber() {
  auto fiber = std::make_unique<Fiber>();
  fiber->stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fiber->stack == MAP_FAILED)
    fail("no memory for the stack of a thread");
  // What tgcSwitchStack pops: six registers and the address it returns to. As at every entry of a function, the stack
  // is 8 bytes off a multiple of 16 there.
  auto top = reinterpret_cast<std::uintptr_t *>(static_cast<char *>(fiber->stack) + kStackBytes) - 2;
  *top = reinterpret_cast<std::uintptr_t>(&runFiber);
  fiber->stackPointer = top - 6;
  return fiber;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::map<const void *, std::function<void(void **)>> &getKernels() {
  static std::map<const void *, std::function<void(void **)>> kernels;
  return kernels;
}

void tgc::host::registerKernel(const void *kernel, std::function<void(void **)> call) {
  getKernels()[kernel] = std::move(call);
}

/// The index of step `i` of `count` in the order that was asked for.
static unsigned at(unsigned i, unsigned count) { return order == Order::Forward ? i : count - 1 - i; }

/// Runs every thread up to its next barrier or its end. Returns whether there is a next phase.
static bool runPhase(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) {
    threadIdx.x = at(i, threads);
    switchTo(*fibers[threadIdx.x]);
  }
  const Fiber &first = *fibers[0];
  for (unsigned i = 1; i < threads; ++i) {
    const Fiber &fiber = *fibers[i];
    if (fiber.state == first.state && fiber.line == first.line)
      continue;
    const bool isFirst = first.state == Fiber::AtBarrier;
    const Fiber &waiting = isFirst ? first : fiber;
    const Fiber &other = isFirst ? fiber : first;
    if (other.state == Fiber::Finished)
      fail("divergent barrier: in block %u, thread %u waits at line %d and thread %u has returned", blockIdx.x,
           isFirst ? 0 : i, waiting.line, isFirst ? i : 0);
    fail("divergent barrier: in block %u, thread 0 waits at line %d and thread %u at line %d", blockIdx.x, first.line,
         i, fiber.line);
  }
  return first.state == Fiber::AtBarrier;
}

static void fillWithNaN(unsigned char *bytes, std::size_t count) { std::memset(bytes, 0xff, count); }

static void runBlock(unsigned threads) {
  fillWithNaN(sharedBytes, sharedSize);
  for (unsigned i = 0; i < threads; ++i) {
    fibers[i]->state = Fiber::Ready;
    fibers[i]->line = 0;
  }
  while (runPhase(threads))
    ;
}

/// The shared bytes that launches of a kernel may have, where they were set.
static std::map<const void *, std::size_t> &getAllowedBytes() {
  static std::map<const void *, std::size_t> bytes;
  return bytes;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || std::size_t(value) > kMaxSharedBytes)
    return cudaErrorInvalidValue;
  getAllowedBytes()[function] = value;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, std::size_t bytes,
                             cudaStream_t) {
  auto kernel = getKernels().find(function);
  if (kernel == getKernels().end())
    fail("the launched kernel is not one of the emitted text");
  if (grid.y != 1 || grid.z != 1 || block.y != 1 || block.z != 1 || grid.x == 0 || block.x == 0 ||
      block.x > kMaxThreads || bytes > kMaxSharedBytes)
    return cudaErrorInvalidConfiguration;
  constexpr std::size_t kDefaultSharedBytes = 48 * 1024;
  auto allowed = getAllowedBytes().find(function);
  if (bytes > (allowed == getAllowedBytes().end() ? kDefaultSharedBytes : allowed->second))
    return cudaErrorInvalidValue;
  while (fibers.size() < block.x)
    fibers.push_back(makeFiber());
  const std::function<void()> call = [&] { kernel->second(arguments); };
  kernelCall = &call;
  sharedSize = bytes;
  __asan_poison_memory_region(sharedBytes + bytes, kMaxSharedBytes - bytes);
  for (unsigned i = 0; i < grid.x; ++i) {
    blockIdx.x = at(i, grid.x);
    runBlock(block.x);
  }
  __asan_unpoison_memory_region(sharedBytes, kMaxSharedBytes);
  return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  }
  return "unknown error";
}

//===----------------------------------------------------------------------===//
// What a kernel calls
//===----------------------------------------------------------------------===//

void __syncthreads(int line) {
  current->state = Fiber::AtBarrier;
  current->line = line;
  switchToScheduler();
}

std::size_t __cvta_generic_to_shared(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer), start = reinterpret_cast<std::uintptr_t>(sharedBytes);
  if (address < start || address - start >= sharedSize)
    fail("%p is not in the %zu bytes of shared memory of this launch", pointer, sharedSize);
  return address - start;
}

void tgc::host::copyAsync(unsigned shared, const float *from, int size, int bytes) {
  if (size != 4 && size != 8 && size != 16)
    fail("cp.async of %d bytes; 4, 8 and 16 are legal", size);
  if (bytes < 0 || bytes > size)
    fail("cp.async of %d bytes reads %d", size, bytes);
  if (shared % size != 0 || reinterpret_cast<std::uintptr_t>(from) % size != 0)
    fail("cp.async of %d bytes from %p to shared memory at byte %u: one is not a multiple of the size", size,
         static_cast<const void *>(from), shared);
  Copy copy = {shared, size, {}};
  std::memcpy(copy.data, from, bytes);
  fillWithNaN(sharedBytes + shared, size);
  current->open.push_back(copy);
}

void tgc::host::commitCopies() { current->groups.push_back(std::exchange(current->open, {})); }

void tgc::host::waitCopies(int inFlight) {
  while (current->groups.size() > static_cast<std::size_t>(inFlight)) {
    for (const Copy &copy : current->groups.front())
      std::memcpy(sharedBytes + copy.shared, copy.data, copy.size);
    current->groups.pop_front();
  }
}

float tgc::host::maximumOrNaN(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}

float tgc::host::minimumOrNaN(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
