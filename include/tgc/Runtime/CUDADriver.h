//===- CUDADriver.h - the CUDA driver API, loaded at run time ---*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner layer over libcuda.so.1. Neither CUDA's headers nor its libraries are needed to build it. Every failing
// call becomes an llvm::Error that says what was being done, the call and CUDA's name for the error.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_CUDADRIVER_H
#define TGC_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace tgc::cuda {

struct DriverAPI;

/// What a report says of the device.
struct DeviceInfo {
  std::string name;           ///< "NVIDIA H200"
  int major = 0, minor = 0;   ///< compute capability
  int multiprocessors = 0;    ///< SMs
  int64_t memory = 0;         ///< device memory, bytes
  int64_t sharedPerBlock = 0; ///< largest opt-in shared memory of a block, bytes
  std::string driverVersion;  ///< "580.65.06", or empty if the driver does not say
  std::string cudaVersion;    ///< newest CUDA the driver supports: "13.0"

  /// The target name: "sm_90".
  std::string getChip() const;
};

/// Device memory. Freed with the object; the Device must outlive it.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) { swap(other); }
  Buffer &operator=(Buffer &&other) {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// At least 256-byte aligned (CUDA C++ Programming Guide, device memory accesses).
  uint64_t getAddress() const { return address; }
  /// Copies between host memory and the buffer, `offset` and `bytes` in bytes.
  llvm::Error upload(uint64_t offset, const void *source, uint64_t bytes);
  llvm::Error download(uint64_t offset, void *dest, uint64_t bytes) const;

private:
  friend class Device;
  void swap(Buffer &other) {
    std::swap(api, other.api);
    std::swap(address, other.address);
  }
  const DriverAPI *api = nullptr;
  uint64_t address = 0;
};

/// What the driver says of a loaded kernel.
struct FunctionInfo {
  int registers = 0;   ///< per thread
  int localBytes = 0;  ///< per thread: spills and local arrays
  int sharedBytes = 0; ///< static, per block
  int maxThreads = 0;  ///< per block
};

/// A loaded cubin. Unloaded with the object; the Device must outlive it.
class Module {
public:
  Module() = default;
  Module(Module &&other) { swap(other); }
  Module &operator=(Module &&other) {
    swap(other);
    return *this;
  }
  ~Module();

private:
  friend class Device;
  void swap(Module &other) {
    std::swap(api, other.api);
    std::swap(handle, other.handle);
  }
  const DriverAPI *api = nullptr;
  void *handle = nullptr;
};

/// A kernel of a loaded module, ready to launch.
struct Function {
  void *handle = nullptr;
  std::string name;
  FunctionInfo info;
};

/// The first GPU that the driver shows (CUDA_VISIBLE_DEVICES chooses), with its primary context current on the thread
/// that opened it.
class Device {
public:
  /// Fails if there is no driver or no device.
  static llvm::Expected<std::unique_ptr<Device>> open();
  ~Device();

  const DeviceInfo &getInfo() const { return info; }
  /// Free device memory, bytes.
  llvm::Expected<uint64_t> getFreeMemory() const;

  /// `what` names the allocation in an error.
  llvm::Expected<Buffer> allocate(uint64_t bytes, llvm::StringRef what);
  llvm::Expected<Module> load(llvm::StringRef cubin);
  /// Finds kernel `name` and lets it use `dynamicShared` bytes of shared memory.
  llvm::Expected<Function> getFunction(const Module &module, llvm::StringRef name, int64_t dynamicShared);
  /// Queues a launch with a one-dimensional grid on the default stream. `arguments` point to the argument values.
  llvm::Error launch(const Function &function, int64_t blocks, int64_t threads, int64_t dynamicShared,
                     llvm::ArrayRef<void *> arguments);
  /// Waits for all work; reports errors of kernels launched before.
  llvm::Error synchronize(llvm::StringRef what);
  /// Milliseconds that the work queued by `enqueue` on the default stream takes, by events.
  llvm::Expected<double> time(llvm::function_ref<llvm::Error()> enqueue);

private:
  Device() = default;
  std::unique_ptr<DriverAPI> api;
  int device = 0;
  void *context = nullptr;
  void *startEvent = nullptr, *stopEvent = nullptr;
  DeviceInfo info;
};

} // namespace tgc::cuda

#endif
