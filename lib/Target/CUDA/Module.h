//===- Module.h - what the text and the header share -------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_TARGET_CUDA_MODULE_H
#define TGC_LIB_TARGET_CUDA_MODULE_H

#include "tgc/Support/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tgc::cuda {

struct ModuleInterface {
  mlir::gpu::GPUModuleOp module;
  KernelInterface interface;
};

/// The gpu.modules of `module` with their interfaces. Emits an error on one that cannot be printed: no kernels, names
/// that are no C++ identifiers or occur twice, arguments or functions that are not L3.
mlir::FailureOr<std::vector<ModuleInterface>> getModules(mlir::ModuleOp module);

/// The C++ namespace of a gpu.module.
std::string getNamespace(const KernelInterface &interface);

/// A fact as a C++ condition on the arguments' names: "ldB % 4 == 0"; alignment in words: "B aligned to 16 bytes".
std::string describeFact(FactAttr fact);

/// The comment at the top of a file: `title`, and the tile program of each gpu.module.
void printFileComment(llvm::raw_ostream &os, llvm::ArrayRef<ModuleInterface> modules, llvm::StringRef title);

/// `text`, one paragraph, as comment lines of at most kColumns columns.
void printWrappedComment(llvm::raw_ostream &os, llvm::StringRef text);

} // namespace tgc::cuda

#endif
