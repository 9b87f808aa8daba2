//===- SharedLibrary.h - a library found at run time ------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_RUNTIME_SHAREDLIBRARY_H
#define TGC_RUNTIME_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tgc {

/// A shared library that stays loaded until the process ends: CUDA's libraries have threads and exit handlers of their
/// own, so unloading them is not safe.
class SharedLibrary {
public:
  /// Loads the first of `names` ("libcublas.so.13") that the dynamic linker finds, else that lies in the library folder
  /// of a toolkit (`findToolkit`). Fails with `what`, the names and the linker's message for the first.
  static llvm::Expected<SharedLibrary> open(llvm::StringRef what, llvm::ArrayRef<llvm::StringRef> names);

  /// Sets `function` to the address of `symbol`; fails if the library has none.
  template <typename Function> llvm::Error bind(const char *symbol, Function *&function) const {
    auto address = find(symbol);
    if (!address)
      return address.takeError();
    function = reinterpret_cast<Function *>(*address);
    return llvm::Error::success();
  }

private:
  SharedLibrary(void *handle, std::string path) : handle(handle), path(std::move(path)) {}
  llvm::Expected<void *> find(const char *symbol) const;

  void *handle;
  std::string path;
};

/// The root of a CUDA Toolkit: $CUDA_PATH, $CUDA_HOME, the parent of the folder of an `nvcc` on PATH, or
/// /usr/local/cuda, the first that is a folder. Empty if none is.
std::string findToolkit();

} // namespace tgc

#endif
