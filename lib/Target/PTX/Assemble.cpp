//===- Assemble.cpp - PTX as a cubin ----------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With nvJitLink, loaded at run time, or with the program ptxas. CUDA_PATH, if set, is the only toolkit looked into.
//
//===----------------------------------------------------------------------===//

#include "tgc/Target/PTX/PTX.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace tgc;

namespace {

/// Where Linux installations of the CUDA Toolkit are.
constexpr llvm::StringLiteral kDefaultToolkit = "/usr/local/cuda";

/// The toolkit that CUDA_PATH names, if it is set.
std::optional<std::string> getChosenToolkit() {
  auto path = llvm::sys::Process::GetEnv("CUDA_PATH");
  return path && !path->empty() ? path : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The report of the assembler
//===----------------------------------------------------------------------===//

/// The number before `what` in `line` ("40 registers"), or 0.
int64_t getNumberBefore(StringRef line, StringRef what) {
  size_t at = line.find(what);
  int64_t value = 0;
  if (at == StringRef::npos)
    return 0;
  StringRef number = line.take_front(at).rtrim();
  number = number.take_back(number.size() - (number.find_last_not_of("0123456789") + 1));
  return number.getAsInteger(10, value) ? 0 : value;
}

/// Reads what ptxas and nvJitLink print when verbose: per kernel a line that names it, then its numbers.
void parseReport(StringRef report, Cubin &cubin) {
  for (StringRef line : llvm::split(report, '\n')) {
    line = line.trim();
    auto [before, after] = line.split("Compiling entry function '");
    if (!after.empty()) {
      cubin.kernels.emplace_back();
      cubin.kernels.back().symbol = after.split('\'').first.str();
    } else if (line.contains("warning") || line.contains("(C75")) {
      cubin.notes.push_back(line.str());
    } else if (!cubin.kernels.empty()) {
      KernelResources &kernel = cubin.kernels.back();
      if (line.contains("bytes stack frame")) {
        kernel.localBytes = getNumberBefore(line, " bytes stack frame");
        kernel.spillStoreBytes = getNumberBefore(line, " bytes spill stores");
        kernel.spillLoadBytes = getNumberBefore(line, " bytes spill loads");
      } else if (line.contains("Used ")) {
        kernel.registers = getNumberBefore(line, " registers");
        kernel.sharedBytes = getNumberBefore(line, " bytes smem");
      }
    }
  }
}

/// One line of what an assembler said: its first error, or all of it.
std::string getFirstError(StringRef log) {
  for (StringRef line : llvm::split(log, '\n'))
    if (line.contains("error") || line.contains("fatal"))
      return line.trim().str();
  return log.trim().str();
}

//===----------------------------------------------------------------------===//
// nvJitLink
//===----------------------------------------------------------------------===//

/// The part of nvJitLink's C interface that is used; names and values are those of its documentation.
struct JitLink {
  using Handle = void *;
  static constexpr int kSuccess = 0;
  static constexpr int kInputPTX = 2;

  int (*create)(Handle *, uint32_t, const char **) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*getCubinSize)(Handle, size_t *) = nullptr;
  int (*getCubin)(Handle, void *) = nullptr;
  int (*getErrorLogSize)(Handle, size_t *) = nullptr;
  int (*getErrorLog)(Handle, char *) = nullptr;
  int (*getInfoLogSize)(Handle, size_t *) = nullptr;
  int (*getInfoLog)(Handle, char *) = nullptr;

  /// The library, or nothing if none is found. It stays loaded.
  static std::optional<JitLink> load();

  std::string getLog(Handle handle, int (*getSize)(Handle, size_t *), int (*get)(Handle, char *)) const {
    size_t size = 0;
    if (getSize(handle, &size) != kSuccess || size == 0)
      return {};
    std::string log(size, '\0');
    if (get(handle, log.data()) != kSuccess)
      return {};
    return StringRef(log).take_until([](char c) { return c == '\0'; }).str();
  }
};

std::optional<JitLink> JitLink::load() {
  std::vector<std::string> folders;
  if (auto toolkit = getChosenToolkit())
    folders = {*toolkit + "/lib64", *toolkit + "/lib"};
  else
    folders = {"", (kDefaultToolkit + "/lib64").str()}; // "": where the loader looks
  for (const std::string &folder : folders)
    for (StringRef name : {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}) {
      SmallString<128> path(folder);
      llvm::sys::path::append(path, name);
      std::string error;
      auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &error);
      if (!library.isValid())
        continue;
      JitLink link;
      bool complete = true;
      auto find = [&](auto &function, const char *symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.getAddressOfSymbol(symbol));
        complete &= function != nullptr;
      };
      find(link.create, "nvJitLinkCreate");
      find(link.destroy, "nvJitLinkDestroy");
      find(link.addData, "nvJitLinkAddData");
      find(link.complete, "nvJitLinkComplete");
      find(link.getCubinSize, "nvJitLinkGetLinkedCubinSize");
      find(link.getCubin, "nvJitLinkGetLinkedCubin");
      find(link.getErrorLogSize, "nvJitLinkGetErrorLogSize");
      find(link.getErrorLog, "nvJitLinkGetErrorLog");
      find(link.getInfoLogSize, "nvJitLinkGetInfoLogSize");
      find(link.getInfoLog, "nvJitLinkGetInfoLog");
      if (complete)
        return link;
    }
  return std::nullopt;
}

FailureOr<Cubin> assembleWithJitLink(const JitLink &link, StringRef ptx, StringRef chip, Location loc) {
  std::string arch = ("-arch=" + chip).str();
  const char *options[] = {arch.c_str(), "-O3", "-verbose", "-lineinfo", "-no-cache"};
  JitLink::Handle handle = nullptr;
  if (int code = link.create(&handle, std::size(options), options))
    return emitError(loc) << "nvJitLink refuses chip '" << chip << "' (error " << code
                          << "); another CUDA Toolkit may know it";
  llvm::scope_exit close([&] { link.destroy(&handle); });
  std::string text = ptx.str();
  int code = link.addData(handle, JitLink::kInputPTX, text.c_str(), text.size() + 1, "tgc.ptx");
  if (code == JitLink::kSuccess)
    code = link.complete(handle);
  Cubin cubin;
  size_t size = 0;
  if (code == JitLink::kSuccess)
    code = link.getCubinSize(handle, &size);
  if (code == JitLink::kSuccess) {
    cubin.image.resize(size);
    code = link.getCubin(handle, cubin.image.data());
  }
  if (code != JitLink::kSuccess)
    return emitError(loc) << "nvJitLink refuses the PTX for " << chip << " (error " << code
                          << "): " << getFirstError(link.getLog(handle, link.getErrorLogSize, link.getErrorLog));
  parseReport(link.getLog(handle, link.getInfoLogSize, link.getInfoLog), cubin);
  return cubin;
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

std::optional<std::string> findPtxas() {
  std::string fallback = (kDefaultToolkit + "/bin").str();
  if (auto toolkit = getChosenToolkit())
    fallback = *toolkit + "/bin";
  else if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  if (auto path = llvm::sys::findProgramByName("ptxas", {StringRef(fallback)}))
    return *path;
  return std::nullopt;
}

FailureOr<Cubin> assembleWithPtxas(StringRef program, StringRef ptx, StringRef chip, Location loc) {
  SmallString<128> input, output, log;
  for (auto [path, suffix] : {std::pair(&input, "ptx"), std::pair(&output, "cubin"), std::pair(&log, "log")})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("tgc", suffix, *path))
      return emitError(loc) << "cannot make a temporary file: " << code.message();
  llvm::FileRemover removeInput(input), removeOutput(output), removeLog(log);
  std::error_code code;
  llvm::raw_fd_ostream stream(input, code);
  stream << ptx;
  stream.close();
  if (stream.has_error()) {
    stream.clear_error();
    return emitError(loc) << "cannot write " << input;
  }
  std::string arch = ("-arch=" + chip).str();
  std::string error;
  int exit = llvm::sys::ExecuteAndWait(program, {program, arch, "-O3", "-v", "-lineinfo", "-o", output, input},
                                       /*Env=*/std::nullopt, {std::nullopt, log.str(), log.str()},
                                       /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  auto report = llvm::MemoryBuffer::getFile(log, /*IsText=*/true);
  StringRef text = report ? (*report)->getBuffer() : StringRef(error);
  if (exit != 0)
    return emitError(loc) << program << " refuses the PTX for " << chip << " (exit code " << exit
                          << "): " << (error.empty() ? getFirstError(text) : error);
  auto image = llvm::MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!image)
    return emitError(loc) << program << " left no cubin: " << image.getError().message();
  Cubin cubin;
  cubin.image = (*image)->getBuffer().str();
  parseReport(text, cubin);
  return cubin;
}

} // namespace

FailureOr<Cubin> tgc::assemblePTX(StringRef ptx, StringRef chip, Location loc) {
  if (auto link = JitLink::load())
    return assembleWithJitLink(*link, ptx, chip, loc);
  if (auto program = findPtxas())
    return assembleWithPtxas(*program, ptx, chip, loc);
  auto error = emitError(loc) << "found neither the library libnvJitLink nor the program ptxas ";
  if (auto toolkit = getChosenToolkit())
    return error << "under CUDA_PATH = " << *toolkit << "; set CUDA_PATH to a CUDA Toolkit, or unset it";
  return error << "on the search paths or under " << kDefaultToolkit << "; install the CUDA Toolkit or set CUDA_PATH";
}
