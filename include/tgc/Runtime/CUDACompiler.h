//===- CUDACompiler.h - CUDA C++ to PTX at run time -------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_CUDACOMPILER_H
#define TGC_RUNTIME_CUDACOMPILER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tgc {

/// Compiles CUDA C++ `text` to PTX for `chip` ("sm_90"), as `nvcc -arch=CHIP` does: with NVRTC, loaded at run time, or
/// else with an `nvcc` on PATH or in a toolkit. `name` is the file name in messages. Fails with the compiler's
/// messages, or if neither compiler is found.
llvm::Expected<std::string> compileCUDA(llvm::StringRef text, llvm::StringRef name, llvm::StringRef chip);

} // namespace tgc

#endif
