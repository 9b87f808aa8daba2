//===- PTX.h - L3 as PTX and cubin, in process -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TARGET_PTX_PTX_H
#define TGC_TARGET_PTX_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>
#include <vector>

namespace tgc {

/// What ptxas says of one kernel.
struct KernelResources {
  std::string symbol;
  int64_t registers = 0;       ///< per thread
  int64_t sharedBytes = 0;     ///< static, per block
  int64_t localBytes = 0;      ///< stack frame per thread
  int64_t spillStoreBytes = 0; ///< per thread
  int64_t spillLoadBytes = 0;  ///< per thread
};

struct Cubin {
  std::string image;
  std::vector<KernelResources> kernels;
  std::vector<std::string> notes; ///< every warning and C75xx note of ptxas
};

/// Registers how the dialects that kernels are converted to become LLVM IR: translateToPTX needs it of its context.
void registerPTXDialectTranslations(mlir::DialectRegistry &registry);

/// PTX of all functions of `module` (at L3; it is cloned, not changed) for `chip` ("sm_80", "sm_90", ...). Kernels are
/// compiled in parallel, on the threads of the context. Emits an error on failure.
mlir::FailureOr<std::string> translateToPTX(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// Assembles PTX with nvJitLink, loaded at run time, or else with a `ptxas` found on PATH or under the toolkit. Emits
/// an error at `loc` if neither is there or the assembler refuses.
mlir::FailureOr<Cubin> assemblePTX(llvm::StringRef ptx, llvm::StringRef chip, mlir::Location loc);

/// Registers `tgc-translate --tgc-to-ptx`.
void registerPTXTranslation();

} // namespace tgc

#endif
