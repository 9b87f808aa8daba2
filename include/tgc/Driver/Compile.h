//===- Compile.h - L3 to text and binaries ----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_COMPILE_H
#define TGC_DRIVER_COMPILE_H

#include "tgc/Target/PTX/PTX.h"

#include "mlir/IR/BuiltinOps.h"

namespace tgc {

/// How L3 becomes machine code.
enum class Backend {
  PTX, ///< LLVM writes the PTX
  CUDA ///< the printed CUDA C++, compiled by NVRTC or nvcc
};
llvm::StringRef getName(Backend backend);

/// The CUDA C++ text of a module at L3.
mlir::FailureOr<std::string> compileToCUDA(mlir::ModuleOp module);

/// PTX of a module at L3 that holds one gpu.module, for `target` (empty: the module's own, or else sm_90).
mlir::FailureOr<std::string> compileToPTX(mlir::ModuleOp module, Backend backend, llvm::StringRef target);

/// Machine code of a module at L3 that holds one gpu.module. Both back ends share the assembler.
mlir::FailureOr<Cubin> compileToCubin(mlir::ModuleOp module, Backend backend, llvm::StringRef target);

} // namespace tgc

#endif
