//===- FuzzCompile.cpp - any bytes through the compiler ---------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `tgc build --emit=cuda` and `--emit=header` do, in process. Of every tile program: it fails with an error or
// succeeds without one; and what the check of schedules lets pass goes all the way.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "tgc/Driver/Compile.h"
#include "tgc/Driver/Program.h"
#include "tgc/Target/CUDA/CUDA.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tgc;
using fuzz::require;

static void loadDialects(MLIRContext &context) {
  loadAllDialects(context);
  context.printOpOnDiagnostic(false);
}

/// Whether `error` is none. A reported one has been counted, any other has a message.
static bool holds(llvm::Error error, const fuzz::ErrorCounter &counter) {
  if (!error)
    return true;
  if (error.isA<ReportedError>())
    require(counter.getErrors() > 0, "an error that counts as reported has been reported");
  std::string message = llvm::toString(std::move(error));
  require(!message.empty(), "an error has a message");
  return false;
}

static void compile(StringRef text, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.tgc");
  auto loaded = Program::load(std::move(buffer), "fuzz.tgc", Selection(), context);
  if (!loaded) {
    llvm::consumeError(loaded.takeError());
    return;
  }
  Program &program = **loaded;
  fuzz::ErrorCounter counter(context); // before the program's own handler, which prints with the source line
  counter.passOn();
  if (!holds(program.readSemantics(), counter) || !holds(program.runUpTo("", "tgc-check-schedule"), counter))
    return;
  require(counter.getErrors() == 0, "what passes the check has no errors");
  require(holds(program.lowerToThreads("", ""), counter), "what passes the check can be lowered");
  // Names of schedules that collide in C++ are found here; with several kernels that is legal until text is wanted.
  if (failed(checkKernelNames(program.getModule())))
    return;
  require(succeeded(compileToCUDA(program.getModule())), "what can be lowered has CUDA text");
  std::string header;
  llvm::raw_string_ostream os(header);
  require(succeeded(emitCUDAHeader(program.getModule(), os)), "what has CUDA text has a header");
  require(counter.getErrors() == 0, "what succeeds has no errors");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  compile(StringRef(reinterpret_cast<const char *>(data), size), fuzz::getContext(loadDialects));
  return 0;
}
