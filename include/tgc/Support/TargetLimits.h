//===- TargetLimits.h - what one GPU generation allows -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_TARGETLIMITS_H
#define TGC_SUPPORT_TARGETLIMITS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tgc {

/// Limits of one compute capability. Source of every number: CUDA C++ Programming Guide 13.0, section "Compute
/// Capabilities", table "Technical Specifications per Compute Capability".
struct TargetLimits {
  llvm::StringLiteral name;    ///< "sm_90"
  int64_t sharedBytesPerBlock; ///< opt-in maximum
  int64_t sharedBytesPerSm;
  int64_t threadsPerSm;
  int64_t blocksPerSm;

  // The same on every target.
  static constexpr int64_t kThreadsPerBlock = 1024;
  static constexpr int64_t kRegistersPerSm = 65536;
  static constexpr int64_t kRegistersPerThread = 255;
  /// Registers are given to a warp in units of 256: 8 per thread.
  static constexpr int64_t kRegisterUnit = 8;
  /// Shared memory the system keeps per block (compute capability 8.0 and later).
  static constexpr int64_t kSharedBytesReserved = 1024;
};

/// All targets, oldest first.
llvm::ArrayRef<TargetLimits> getTargets();
/// The limits of `name`, or null. A suffix as in "sm_90a" is ignored.
const TargetLimits *getTargetLimits(llvm::StringRef name);
/// "sm_80, sm_86, ...", for messages.
std::string listTargets();

/// The target that `module` is compiled for: `wanted`, or if that is empty the module's `tgc.target` (`on sm_90` in a
/// tile program), or else sm_90.
llvm::StringRef getTargetName(mlir::gpu::GPUModuleOp module, llvm::StringRef wanted);
/// The limits of that target. Emits an error if it is unknown, or older than the module's `tgc.target`; a remark if it
/// is another one, as the schedule was written for the limits of its own.
mlir::FailureOr<const TargetLimits *> resolveTarget(mlir::gpu::GPUModuleOp module, llvm::StringRef wanted);

} // namespace tgc

#endif
