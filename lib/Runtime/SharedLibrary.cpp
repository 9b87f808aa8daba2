//===- SharedLibrary.cpp - a library found at run time -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/SharedLibrary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace llvm;
using namespace tgc;

std::string tgc::findToolkit() {
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> root = sys::Process::GetEnv(variable); root && sys::fs::is_directory(*root))
      return *root;
  if (ErrorOr<std::string> nvcc = sys::findProgramByName("nvcc")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*nvcc, real))
      return sys::path::parent_path(sys::path::parent_path(real)).str();
  }
  if (sys::fs::is_directory("/usr/local/cuda"))
    return "/usr/local/cuda";
  return {};
}

Expected<SharedLibrary> SharedLibrary::open(StringRef what, ArrayRef<StringRef> names) {
  std::string message;
  auto tryOpen = [&](const Twine &path) -> void * {
    std::string name = path.str();
    if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return handle;
    const char *reason = dlerror();
    if (message.empty() && reason)
      message = reason;
    return nullptr;
  };
  for (StringRef name : names)
    if (void *handle = tryOpen(name))
      return SharedLibrary(handle, name.str());
  if (std::string root = findToolkit(); !root.empty())
    for (StringRef name : names)
      for (StringRef folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
        SmallString<128> path(root);
        sys::path::append(path, folder, name);
        if (sys::fs::exists(path))
          if (void *handle = tryOpen(path))
            return SharedLibrary(handle, path.str().str());
      }
  return createStringError(Twine("cannot load ") + what + " (" + join(names, ", ") + "): " + message);
}

Expected<void *> SharedLibrary::find(const char *symbol) const {
  if (void *address = dlsym(handle, symbol))
    return address;
  return createStringError(Twine(path) + " has no function " + symbol + ": it is too old or not the library expected");
}
