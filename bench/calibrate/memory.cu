//===- memory.cu - latency and bandwidth of L2 and device memory ----------===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of a GPU that the report's model needs and no data sheet gives. Prints CSV: what, value, unit.
//
//   nvcc -arch=native -O3 -o memory bench/calibrate/memory.cu && ./memory
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "memory: error: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// One thread follows `steps` links past L1 and writes the clocks that a link took.
__global__ void chase(const uint32_t *next, int steps, long long *clocks, uint32_t *end) {
  uint32_t at = 0;
  for (int i = 0; i < steps; ++i) // warms up L2 where the links fit
    at = __ldcg(next + at);
  long long start = clock64();
  for (int i = 0; i < steps; ++i)
    at = __ldcg(next + at);
  *clocks = (clock64() - start) / steps;
  *end = at;
}

/// Links through `bytes`, one in each 128 bytes, in an order that no prefetcher guesses.
static long long getLatency(size_t bytes, int steps) {
  constexpr size_t kStride = 128 / sizeof(uint32_t);
  size_t count = bytes / 128;
  std::vector<uint32_t> order(count), links(count * kStride);
  for (size_t i = 0; i < count; ++i)
    order[i] = i;
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (size_t i = 0; i < count; ++i)
    links[order[i] * kStride] = order[(i + 1) % count] * kStride;
  uint32_t *device, *end;
  long long *clocks, result;
  check(cudaMalloc(&device, bytes));
  check(cudaMalloc(&end, sizeof(*end)));
  check(cudaMalloc(&clocks, sizeof(*clocks)));
  check(cudaMemcpy(device, links.data(), bytes, cudaMemcpyHostToDevice));
  chase<<<1, 1>>>(device, steps, clocks, end);
  check(cudaMemcpy(&result, clocks, sizeof(result), cudaMemcpyDeviceToHost));
  check(cudaFree(device));
  check(cudaFree(end));
  check(cudaFree(clocks));
  return result;
}

/// Reads `count` vectors `rounds` times past L1, every block from another place on.
__global__ void readAll(const float4 *data, size_t count, int rounds, float *sum) {
  float total = 0;
  size_t threads = size_t(gridDim.x) * blockDim.x, first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round)
#pragma unroll 8
    for (size_t i = first; i < count; i += threads) {
      float4 value = __ldcg(data + i);
      total += value.x + value.y + value.z + value.w;
    }
  if (total == 1.0f) // never: the data are zeros
    *sum = total;
}

/// GB/s.
static double getBandwidth(size_t bytes, int rounds, int blocks) {
  float4 *data;
  float *sum, milliseconds, best = 1e30f;
  cudaEvent_t start, stop;
  check(cudaMalloc(&data, bytes));
  check(cudaMalloc(&sum, sizeof(*sum)));
  check(cudaMemset(data, 0, bytes));
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  for (int i = 0; i < 5; ++i) {
    check(cudaEventRecord(start));
    readAll<<<blocks, 1024>>>(data, bytes / sizeof(float4), rounds, sum);
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&milliseconds, start, stop));
    best = std::min(best, milliseconds);
  }
  check(cudaFree(data));
  check(cudaFree(sum));
  return double(bytes) * rounds / best * 1e-6;
}

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  int clock;
  check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  constexpr size_t kMiB = size_t(1) << 20;
  std::printf("what,value,unit\n");
  std::printf("clock,%d,MHz\n", clock / 1000);
  std::printf("multiprocessors,%d,\n", device.multiProcessorCount);
  std::printf("l2_size,%d,bytes\n", device.l2CacheSize);
  for (size_t size : {1, 4, 16})
    std::printf("l2_latency_%zu_mib,%lld,clocks\n", size, getLatency(size * kMiB, 100000));
  std::printf("memory_latency,%lld,clocks\n", getLatency(2048 * kMiB, 100000));
  for (size_t size : {4, 16, 32})
    std::printf("l2_read_%zu_mib,%.0f,GB/s\n", size, getBandwidth(size * kMiB, 200, 2 * device.multiProcessorCount));
  std::printf("memory_read,%.0f,GB/s\n", getBandwidth(4096 * kMiB, 1, 2 * device.multiProcessorCount));
}
