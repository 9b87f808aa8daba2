//===- Occupancy.cpp - blocks that fit on an SM -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Occupancy.h"

#include "tgc/Support/TargetLimits.h"

#ifdef TGC_HAS_CUDA_OCCUPANCY
#include "cuda_occupancy.h"
#endif

using namespace llvm;
using namespace tgc;

#ifdef TGC_HAS_CUDA_OCCUPANCY
std::optional<Occupancy> tgc::computeOccupancy(StringRef target, const KernelVariant &launch, int64_t registers,
                                               std::string &missing) {
  const TargetLimits *limits = getTargetLimits(target);
  int number = 0;
  assert(limits && "expected a known target");
  bool failed = limits->name.drop_front(3).getAsInteger(10, number);
  assert(!failed && "expected sm_NUMBER");
  (void)failed;
  cudaOccDeviceProp device = {};
  device.computeMajor = number / 10;
  device.computeMinor = number % 10;
  device.maxThreadsPerBlock = TargetLimits::kThreadsPerBlock;
  device.maxThreadsPerMultiprocessor = limits->threadsPerSm;
  device.regsPerBlock = device.regsPerMultiprocessor = TargetLimits::kRegistersPerSm;
  device.warpSize = kWarpSize;
  device.sharedMemPerBlock = 48 * 1024; // what a block gets without asking for more
  device.sharedMemPerMultiprocessor = limits->sharedBytesPerSm;
  device.numSms = 1;
  device.sharedMemPerBlockOptin = limits->sharedBytesPerBlock;
  device.reservedSharedMemPerBlock = TargetLimits::kSharedBytesReserved;
  cudaOccFuncAttributes function = {};
  function.maxThreadsPerBlock = launch.threads;
  function.numRegs = registers;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = launch.sharedBytes;
  function.numBlockBarriers = 1;
  cudaOccDeviceState state;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, launch.threads,
                                              launch.sharedBytes) != CUDA_OCC_SUCCESS) {
    missing = "cuda_occupancy.h refuses this launch";
    return std::nullopt;
  }
  Occupancy occupancy;
  occupancy.blocksPerSm = result.activeBlocksPerMultiprocessor;
  for (auto [factor, name] : {std::pair(OCC_LIMIT_REGISTERS, "registers"),
                              {OCC_LIMIT_SHARED_MEMORY, "shared memory"},
                              {OCC_LIMIT_WARPS, "warps"},
                              {OCC_LIMIT_BLOCKS, "blocks"}})
    if (result.limitingFactors & factor)
      occupancy.limits.push_back(name);
  return occupancy;
}
#else
std::optional<Occupancy> tgc::computeOccupancy(StringRef, const KernelVariant &, int64_t, std::string &missing) {
  missing = "this tgc was built without cuda_occupancy.h of the CUDA Toolkit";
  return std::nullopt;
}
#endif
