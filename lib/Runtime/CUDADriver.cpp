//===- CUDADriver.cpp - the CUDA driver API, loaded at run time -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/CUDADriver.h"

#include "tgc/Runtime/SharedLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::cuda;

// The part of the driver API's ABI that is used (CUDA Driver API reference manual). CUresult, CUdevice and enumerations
// are ints, CUdeviceptr is a 64-bit integer, handles are pointers.
using Result = int;

// The functions: member of DriverAPI, exported symbol, parameters.
#define TGC_CUDA_FUNCTIONS(X)                                                                                          \
  X(init, "cuInit", unsigned)                                                                                          \
  X(getErrorName, "cuGetErrorName", Result, const char **)                                                             \
  X(driverGetVersion, "cuDriverGetVersion", int *)                                                                     \
  X(deviceGetCount, "cuDeviceGetCount", int *)                                                                         \
  X(deviceGet, "cuDeviceGet", int *, int)                                                                              \
  X(deviceGetName, "cuDeviceGetName", char *, int, int)                                                                \
  X(deviceGetAttribute, "cuDeviceGetAttribute", int *, int, int)                                                       \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", size_t *, int)                                                              \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", void **, int)                                                        \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", int)                                                            \
  X(ctxSetCurrent, "cuCtxSetCurrent", void *)                                                                          \
  X(ctxSynchronize, "cuCtxSynchronize")                                                                                \
  X(moduleLoadData, "cuModuleLoadData", void **, const void *)                                                         \
  X(moduleUnload, "cuModuleUnload", void *)                                                                            \
  X(moduleGetFunction, "cuModuleGetFunction", void **, void *, const char *)                                           \
  X(funcGetAttribute, "cuFuncGetAttribute", int *, int, void *)                                                        \
  X(funcSetAttribute, "cuFuncSetAttribute", void *, int, int)                                                          \
  X(launchKernel, "cuLaunchKernel", void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
    void *, void **, void **)                                                                                          \
  X(memGetInfo, "cuMemGetInfo_v2", size_t *, size_t *)                                                                 \
  X(memAlloc, "cuMemAlloc_v2", uint64_t *, size_t)                                                                     \
  X(memFree, "cuMemFree_v2", uint64_t)                                                                                 \
  X(memcpyHtoD, "cuMemcpyHtoD_v2", uint64_t, const void *, size_t)                                                     \
  X(memcpyDtoH, "cuMemcpyDtoH_v2", void *, uint64_t, size_t)                                                           \
  X(eventCreate, "cuEventCreate", void **, unsigned)                                                                   \
  X(eventDestroy, "cuEventDestroy_v2", void *)                                                                         \
  X(eventRecord, "cuEventRecord", void *, void *)                                                                      \
  X(eventSynchronize, "cuEventSynchronize", void *)                                                                    \
  X(eventElapsedTime, "cuEventElapsedTime", float *, void *, void *)

namespace tgc::cuda {
struct DriverAPI {
#define TGC_MEMBER(name, symbol, ...) Result (*name)(__VA_ARGS__) = nullptr;
  TGC_CUDA_FUNCTIONS(TGC_MEMBER)
#undef TGC_MEMBER

  /// "cannot WHAT: CALL returned NAME".
  Error check(Result result, const Twine &what, StringRef call) const {
    if (result == 0)
      return Error::success();
    const char *name = nullptr;
    if (!getErrorName || getErrorName(result, &name) != 0 || !name)
      name = "an unknown error";
    return createStringError(Twine("cannot ") + what + ": " + call + " returned " + name + " (" + Twine(result) + ")");
  }
};
} // namespace tgc::cuda

/// CUdevice_attribute and CUfunction_attribute values.
enum DeviceAttribute {
  kMultiprocessorCount = 16,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedPerBlockOptIn = 97
};
enum FunctionAttribute {
  kMaxThreadsPerBlock = 0,
  kSharedSizeBytes = 1,
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kMaxDynamicSharedSizeBytes = 8
};

std::string DeviceInfo::getChip() const { return ("sm_" + Twine(major) + Twine(minor)).str(); }

//===----------------------------------------------------------------------===//
// Buffer, Module
//===----------------------------------------------------------------------===//

Buffer::~Buffer() {
  // A failure here is that of an earlier kernel, which `synchronize` has reported.
  if (api)
    (void)api->memFree(address);
}

Error Buffer::upload(uint64_t offset, const void *source, uint64_t size) {
  return api->check(api->memcpyHtoD(address + offset, source, size), "copy operands to the GPU", "cuMemcpyHtoD");
}

Error Buffer::download(uint64_t offset, void *dest, uint64_t size) const {
  return api->check(api->memcpyDtoH(dest, address + offset, size), "copy the result from the GPU", "cuMemcpyDtoH");
}

cuda::Module::~Module() {
  if (api)
    (void)api->moduleUnload(handle);
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

/// The version of the kernel driver, through NVML; empty if that library is missing.
static std::string getDriverVersion() {
  auto library = SharedLibrary::open("NVML", {"libnvidia-ml.so.1"});
  if (!library) {
    consumeError(library.takeError());
    return {};
  }
  int (*init)() = nullptr;
  int (*getVersion)(char *, unsigned) = nullptr;
  if (Error error =
          joinErrors(library->bind("nvmlInit_v2", init), library->bind("nvmlSystemGetDriverVersion", getVersion))) {
    consumeError(std::move(error));
    return {};
  }
  char version[96] = ""; // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE is 80
  if (init() != 0 || getVersion(version, sizeof(version)) != 0)
    return {};
  return version;
}

Expected<std::unique_ptr<Device>> Device::open() {
  auto library = SharedLibrary::open("the CUDA driver", {"libcuda.so.1"});
  if (!library)
    return library.takeError();
  std::unique_ptr<Device> result(new Device());
  result->api = std::make_unique<DriverAPI>();
  DriverAPI &api = *result->api;
#define TGC_BIND(name, symbol, ...)                                                                                    \
  if (Error error = library->bind(symbol, api.name))                                                                   \
    return std::move(error);
  TGC_CUDA_FUNCTIONS(TGC_BIND)
#undef TGC_BIND

  if (Error error = api.check(api.init(0), "start the CUDA driver", "cuInit"))
    return std::move(error);
  int count = 0;
  if (Error error = api.check(api.deviceGetCount(&count), "count the GPUs", "cuDeviceGetCount"))
    return std::move(error);
  if (count == 0)
    return createStringError("the CUDA driver shows no GPU");

  DeviceInfo &info = result->info;
  int device = 0, version = 0, shared = 0;
  size_t memory = 0;
  char name[256] = "";
  auto getAttribute = [&](int attribute, int &value) { return api.deviceGetAttribute(&value, attribute, device); };
  for (auto [status, call] : {
           std::pair<Result, StringRef>(api.deviceGet(&device, 0), "cuDeviceGet"),
           {api.deviceGetName(name, sizeof(name), device), "cuDeviceGetName"},
           {api.deviceTotalMem(&memory, device), "cuDeviceTotalMem"},
           {api.driverGetVersion(&version), "cuDriverGetVersion"},
           {getAttribute(kComputeCapabilityMajor, info.major), "cuDeviceGetAttribute"},
           {getAttribute(kComputeCapabilityMinor, info.minor), "cuDeviceGetAttribute"},
           {getAttribute(kMultiprocessorCount, info.multiprocessors), "cuDeviceGetAttribute"},
           {getAttribute(kMaxSharedPerBlockOptIn, shared), "cuDeviceGetAttribute"},
       })
    if (Error error = api.check(status, "describe GPU 0", call))
      return std::move(error);
  info.name = name;
  info.memory = memory;
  info.sharedPerBlock = shared;
  info.cudaVersion = (Twine(version / 1000) + "." + Twine(version % 1000 / 10)).str(); // 1000 * major + 10 * minor
  info.driverVersion = getDriverVersion();

  if (Error error = api.check(api.primaryCtxRetain(&result->context, device), "open GPU 0", "cuDevicePrimaryCtxRetain"))
    return std::move(error);
  result->device = device;
  for (auto [status, call] : {
           std::pair<Result, StringRef>(api.ctxSetCurrent(result->context), "cuCtxSetCurrent"),
           {api.eventCreate(&result->startEvent, 0), "cuEventCreate"},
           {api.eventCreate(&result->stopEvent, 0), "cuEventCreate"},
       })
    if (Error error = api.check(status, "open GPU 0", call))
      return std::move(error);
  return std::move(result);
}

Device::~Device() {
  for (void *event : {startEvent, stopEvent})
    if (event)
      (void)api->eventDestroy(event);
  if (context)
    (void)api->primaryCtxRelease(device);
}

Expected<uint64_t> Device::getFreeMemory() const {
  size_t free = 0, total = 0;
  if (Error error = api->check(api->memGetInfo(&free, &total), "read the GPU's free memory", "cuMemGetInfo"))
    return std::move(error);
  return free;
}

Expected<Buffer> Device::allocate(uint64_t bytes, StringRef what) {
  Buffer buffer;
  bytes = std::max<uint64_t>(bytes, 4); // an empty allocation is an error in CUDA
  if (Error error = api->check(api->memAlloc(&buffer.address, bytes),
                               "allocate " + Twine(bytes) + " bytes on the GPU for " + what, "cuMemAlloc"))
    return std::move(error);
  buffer.api = api.get();
  return std::move(buffer);
}

Expected<cuda::Module> Device::load(StringRef cubin) {
  cuda::Module module;
  std::string image = cubin.str(); // ends in a zero, as cuModuleLoadData wants
  if (Error error =
          api->check(api->moduleLoadData(&module.handle, image.data()),
                     "load a cubin of " + Twine(cubin.size()) + " bytes on " + info.getChip(), "cuModuleLoadData"))
    return std::move(error);
  module.api = api.get();
  return std::move(module);
}

Expected<cuda::Function> Device::getFunction(const cuda::Module &module, StringRef name, int64_t dynamicShared) {
  cuda::Function function;
  function.name = name.str();
  if (Error error = api->check(api->moduleGetFunction(&function.handle, module.handle, function.name.c_str()),
                               "find kernel '" + name + "' in the cubin", "cuModuleGetFunction"))
    return std::move(error);
  for (auto [attribute, value] : {std::pair<int, int *>(kNumRegs, &function.info.registers),
                                  {kLocalSizeBytes, &function.info.localBytes},
                                  {kSharedSizeBytes, &function.info.sharedBytes},
                                  {kMaxThreadsPerBlock, &function.info.maxThreads}})
    if (Error error = api->check(api->funcGetAttribute(value, attribute, function.handle),
                                 "read the attributes of kernel '" + name + "'", "cuFuncGetAttribute"))
      return std::move(error);
  if (dynamicShared > 0)
    if (Error error = api->check(api->funcSetAttribute(function.handle, kMaxDynamicSharedSizeBytes, int(dynamicShared)),
                                 "give kernel '" + name + "' " + Twine(dynamicShared) +
                                     " bytes of shared memory, of at most " + Twine(info.sharedPerBlock),
                                 "cuFuncSetAttribute"))
      return std::move(error);
  return std::move(function);
}

Error Device::launch(const cuda::Function &function, int64_t blocks, int64_t threads, int64_t dynamicShared,
                     ArrayRef<void *> arguments) {
  SmallVector<void *, 16> pointers(arguments);
  return api->check(api->launchKernel(function.handle, unsigned(blocks), 1, 1, unsigned(threads), 1, 1,
                                      unsigned(dynamicShared), nullptr, pointers.data(), nullptr),
                    "launch kernel '" + Twine(function.name) + "' with " + Twine(blocks) + " blocks of " +
                        Twine(threads) + " threads",
                    "cuLaunchKernel");
}

Error Device::synchronize(StringRef what) { return api->check(api->ctxSynchronize(), what, "cuCtxSynchronize"); }

Expected<double> Device::time(function_ref<Error()> enqueue) {
  if (Error error = api->check(api->eventRecord(startEvent, nullptr), "start a measurement", "cuEventRecord"))
    return std::move(error);
  if (Error error = enqueue())
    return std::move(error);
  float milliseconds = 0;
  if (Error error = api->check(api->eventRecord(stopEvent, nullptr), "end a measurement", "cuEventRecord"))
    return std::move(error);
  if (Error error = api->check(api->eventSynchronize(stopEvent), "wait for the measured work", "cuEventSynchronize"))
    return std::move(error);
  if (Error error = api->check(api->eventElapsedTime(&milliseconds, startEvent, stopEvent), "read a measurement",
                               "cuEventElapsedTime"))
    return std::move(error);
  return milliseconds;
}
