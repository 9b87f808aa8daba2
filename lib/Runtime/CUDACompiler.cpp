//===- CUDACompiler.cpp - CUDA C++ to PTX at run time -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Runtime/CUDACompiler.h"

#include "tgc/Runtime/SharedLibrary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tgc;

/// "compute_90a" of "sm_90a": the virtual architecture that `nvcc -arch=sm_90a` goes through.
static std::string getVirtualArchitecture(StringRef chip) {
  chip.consume_front("sm_");
  return ("compute_" + chip).str();
}

//===----------------------------------------------------------------------===//
// NVRTC
//===----------------------------------------------------------------------===//

namespace {
/// The part of NVRTC that is used (NVRTC documentation). nvrtcResult is an int, nvrtcProgram a pointer.
struct NVRTC {
  int (*version)(int *, int *) = nullptr;
  int (*createProgram)(void **, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*destroyProgram)(void **) = nullptr;
  int (*compileProgram)(void *, int, const char *const *) = nullptr;
  int (*getPTXSize)(void *, size_t *) = nullptr;
  int (*getPTX)(void *, char *) = nullptr;
  int (*getProgramLogSize)(void *, size_t *) = nullptr;
  int (*getProgramLog)(void *, char *) = nullptr;
  const char *(*getErrorString)(int) = nullptr;

  static Expected<NVRTC> open() {
    auto library = SharedLibrary::open("NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
    if (!library)
      return library.takeError();
    NVRTC api;
    Error unbound = Error::success();
    auto bind = [&](const char *symbol, auto *&function) {
      unbound = joinErrors(std::move(unbound), library->bind(symbol, function));
    };
    bind("nvrtcVersion", api.version);
    bind("nvrtcCreateProgram", api.createProgram);
    bind("nvrtcDestroyProgram", api.destroyProgram);
    bind("nvrtcCompileProgram", api.compileProgram);
    bind("nvrtcGetPTXSize", api.getPTXSize);
    bind("nvrtcGetPTX", api.getPTX);
    bind("nvrtcGetProgramLogSize", api.getProgramLogSize);
    bind("nvrtcGetProgramLog", api.getProgramLog);
    bind("nvrtcGetErrorString", api.getErrorString);
    if (unbound)
      return std::move(unbound);
    // NVRTC loads its builtins by name, which fails in a toolkit that the dynamic linker does not know, unless they are
    // loaded already. If they are nowhere, compiling says so.
    int major = 0, minor = 0;
    if (api.version(&major, &minor) == 0) {
      std::string builtins = ("libnvrtc-builtins.so." + Twine(major) + "." + Twine(minor)).str();
      consumeError(SharedLibrary::open("NVRTC's builtins", {builtins}).takeError());
    }
    return api;
  }
};
} // namespace

static Expected<std::string> compileWithNVRTC(const NVRTC &api, StringRef text, StringRef name, StringRef chip) {
  std::string source = text.str(), file = name.str();
  std::string architecture = "--gpu-architecture=" + getVirtualArchitecture(chip);
  const char *options[] = {architecture.c_str(), "--std=c++17"};
  // What nvcc's header declares is built into NVRTC, which has no folder to look for it in.
  const char *headers[] = {""}, *headerNames[] = {"cuda_runtime.h"};
  void *program = nullptr;
  if (int status = api.createProgram(&program, source.c_str(), file.c_str(), 1, headers, headerNames))
    return createStringError(Twine("NVRTC cannot start: ") + api.getErrorString(status));
  std::string log, ptx;
  int status = api.compileProgram(program, std::size(options), options);
  size_t size = 0;
  if (status != 0 && api.getProgramLogSize(program, &size) == 0 && size > 1) {
    log.resize(size);
    if (api.getProgramLog(program, log.data()) != 0)
      log.clear();
  }
  int read = status == 0 ? api.getPTXSize(program, &size) : status;
  if (read == 0) {
    ptx.resize(size);
    read = api.getPTX(program, ptx.data());
  }
  (void)api.destroyProgram(&program);
  // Both texts end in a zero that is counted in their size.
  if (read != 0)
    return createStringError(Twine("NVRTC cannot compile ") + name + " for " + chip + ": " + api.getErrorString(read) +
                             (log.empty() ? "" : "\n") + StringRef(log.c_str()).rtrim());
  return std::string(ptx.c_str());
}

//===----------------------------------------------------------------------===//
// nvcc
//===----------------------------------------------------------------------===//

static std::string findNVCC() {
  if (std::string root = findToolkit(); !root.empty()) {
    SmallString<128> path(root);
    sys::path::append(path, "bin", "nvcc");
    if (sys::fs::can_execute(path))
      return path.str().str();
  }
  ErrorOr<std::string> found = sys::findProgramByName("nvcc");
  return found ? *found : std::string();
}

static Expected<std::string> compileWithNVCC(StringRef nvcc, StringRef text, StringRef name, StringRef chip) {
  SmallString<128> input, output, messages;
  int fd = -1;
  if (std::error_code code = sys::fs::createTemporaryFile("tgc", "cu", fd, input))
    return createStringError("cannot make a temporary file: " + code.message());
  FileRemover removeInput(input);
  {
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << text;
  }
  for (auto [suffix, path] : {std::pair<StringRef, SmallString<128> *>("ptx", &output), {"log", &messages}})
    if (std::error_code code = sys::fs::createTemporaryFile("tgc", suffix, *path))
      return createStringError("cannot make a temporary file: " + code.message());
  FileRemover removeOutput(output), removeMessages(messages);

  std::string architecture = "-arch=" + getVirtualArchitecture(chip);
  StringRef arguments[] = {nvcc, "-ptx", architecture, "-std=c++17", input, "-o", output};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(messages), StringRef(messages)};
  std::string reason;
  int status = sys::ExecuteAndWait(nvcc, arguments, /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &reason);
  if (status != 0) {
    auto log = MemoryBuffer::getFile(messages);
    std::string said = log ? (*log)->getBuffer().rtrim().str() : reason;
    return createStringError("nvcc cannot compile " + name + " for " + chip + ": exit status " + Twine(status) + "\n" +
                             said);
  }
  auto ptx = MemoryBuffer::getFile(output);
  if (!ptx)
    return createStringError("cannot read nvcc's output: " + ptx.getError().message());
  return (*ptx)->getBuffer().str();
}

Expected<std::string> tgc::compileCUDA(StringRef text, StringRef name, StringRef chip) {
  auto nvrtc = NVRTC::open();
  if (nvrtc)
    return compileWithNVRTC(*nvrtc, text, name, chip);
  std::string missing = toString(nvrtc.takeError());
  if (std::string nvcc = findNVCC(); !nvcc.empty())
    return compileWithNVCC(nvcc, text, name, chip);
  return createStringError("no CUDA compiler: " + missing +
                           ", and no nvcc on PATH or under CUDA_PATH; install the CUDA Toolkit or use --backend ptx");
}
