//===- FuzzParser.cpp - any bytes through the front end ---------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of every text: it is a program or has an error, not both; its IR verifies; its canonical form means the same, and is
// its own canonical form.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Frontend/Frontend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tgc;
using fuzz::require;

static void loadDialects(MLIRContext &context) {
  context.loadDialect<TGCDialect, arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect>();
}

static void addText(llvm::SourceMgr &sources, StringRef text) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.tgc"), SMLoc());
}

/// The IR of `text` without what its spelling decides, or nothing if it has an error.
static std::optional<std::string> parse(StringRef text, MLIRContext &context) {
  llvm::SourceMgr sources;
  addText(sources, text);
  fuzz::ErrorCounter counter(context);
  OwningOpRef<ModuleOp> module = parseTileProgram(sources, &context);
  require(bool(module) == (counter.getErrors() == 0), "a program without IR has an error, one with IR has none");
  if (!module)
    return std::nullopt;
  require(succeeded(verify(*module)), "the IR of a program verifies");
  module->walk([](Operation *op) {
    for (StringRef name : {"tgc.source", "tgc.clause_locs"})
      op->removeAttr(name);
  });
  std::string ir;
  llvm::raw_string_ostream(ir) << *module;
  return ir;
}

static std::optional<std::string> format(StringRef text, MLIRContext &context) {
  llvm::SourceMgr sources;
  addText(sources, text);
  fuzz::ErrorCounter counter(context);
  std::optional<std::string> formatted = formatTileProgram(sources, &context);
  require(formatted.has_value() == (counter.getErrors() == 0), "formatting fails if and only if it reports an error");
  return formatted;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  MLIRContext &context = fuzz::getContext(loadDialects);
  std::optional<std::string> ir = parse(text, context);
  std::optional<std::string> formatted = format(text, context);
  require(!ir || formatted, "a program has a canonical form");
  if (!formatted)
    return 0;
  require(parse(*formatted, context) == ir, "the canonical form of a program means the same");
  require(format(*formatted, context) == formatted, "a canonical form is its own");
  return 0;
}
