//===- KernelInterface.h - how a kernel is called ---------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one description of a kernel's arguments, launch geometry and variants that the C++ header, the GPU runtime and
// the simulator share, read off the L3 functions of a gpu.module (docs/threads.md).
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_KERNELINTERFACE_H
#define TGC_SUPPORT_KERNELINTERFACE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tgc/Dialect/TGC/IR/TGC.h"

#include <string>
#include <vector>

namespace tgc {

/// One argument of a kernel.
struct KernelArgument {
  enum Kind {
    Size,             ///< M, N or K: int, 0 to kMaxSize
    Pointer,          ///< const float * (read only) or float *
    LeadingDimension, ///< of the pointer before it: long long, elements
    Scalar            ///< float
  } kind;
  std::string name;     ///< "M", "A", "ldA", "alpha"
  bool written = false; ///< Pointer: the kernel writes it
  /// Pointer: the logical dimensions in memory order, slow to fast: {"M", "K"} for a row-major A. One name for a
  /// vector.
  std::vector<std::string> dims;
};

/// One member of a schedule's family of kernels.
struct KernelVariant {
  std::string symbol;           ///< name of the gpu.func and of the emitted kernel
  std::string variant;          ///< "aligned", "any"
  std::vector<FactAttr> facts;  ///< what a launch must guarantee
  int64_t threads = 0;          ///< per block
  int64_t tileM = 0, tileN = 0; ///< output tile of a block
  int64_t walkGroup = 0;        ///< rows of tiles in a group of the walk; 0: row by row
  int64_t minBlocks = 1;
  int64_t sharedBytes = 0; ///< dynamic shared memory, bytes
};

/// A gpu.module: one schedule of one kernel.
struct KernelInterface {
  std::string name;   ///< name of the gpu.module
  std::string source; ///< the tile program's text, or empty
  std::vector<KernelArgument> arguments;
  std::vector<FactAttr> whereFacts;    ///< facts the program states: a call that breaks one is an error
  std::vector<KernelVariant> variants; ///< most demanding first; the first whose facts hold is launched
  /// Kernel accumulates into C (`+=`) or otherwise reads it.
  bool readsOutput = false;
};

/// How far past a size a kernel's coordinates reach at most: a block tile, or the k tiles of a full pipeline.
constexpr int64_t kMaxOvershoot = 65536;
/// The largest size of one dimension: coordinates past the edge still fit a 32-bit int.
constexpr int64_t kMaxSize = 2147483647 - kMaxOvershoot;
/// The largest one-dimensional grid (CUDA C++ Programming Guide, technical specifications per compute capability).
constexpr int64_t kMaxGrid = 2147483647;

/// Reads the interface of `module`, whose functions are at L3. Emits an error on a function that has none.
mlir::FailureOr<KernelInterface> getKernelInterface(mlir::gpu::GPUModuleOp module);

/// Whether the workgroup attributions of an L3 function are arrays of f32 that fit a block of some target, and its
/// private arrays a thread. Emits an error if not.
mlir::LogicalResult checkArrays(mlir::gpu::GPUFuncOp func);

/// Bytes of shared memory of one L3 function that `checkArrays` accepts: its workgroup attributions in order,
/// each at a multiple of 16 bytes. `offsets`, if given, receives the byte offset of each.
int64_t getSharedBytes(mlir::gpu::GPUFuncOp func, llvm::SmallVectorImpl<int64_t> *offsets = nullptr);

/// The name an emitter prints for `value`: that of its NameLoc, or empty.
llvm::StringRef getValueName(mlir::Value value);

} // namespace tgc

#endif
