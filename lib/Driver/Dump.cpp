//===- Dump.cpp - operands of a run as files --------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Dump.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tgc;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static std::string getPath(StringRef folder, const Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static std::string getInputName(const HostOperand &operand) { return operand.name + ".in.f32"; }
static std::string getOutputName(const HostOperand &operand) { return operand.name + ".out.f32"; }

static Error addOption(StringRef folder, Error error) {
  if (!error)
    return Error::success();
  return llvm::createStringError("--dump " + folder + ": " + llvm::toString(std::move(error)));
}

/// Writes a file as a whole or not at all.
static Error writeFile(StringRef folder, const Twine &name, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  return addOption(folder, llvm::writeToOutput(getPath(folder, name), [&](llvm::raw_ostream &os) {
                     write(os);
                     return Error::success();
                   }));
}

/// The elements without what lies between rows.
static Error writeElements(StringRef folder, const Twine &name, const HostOperand &operand) {
  return writeFile(folder, name, [&](llvm::raw_ostream &os) {
    for (int64_t row = 0; row < operand.rows; ++row)
      os.write(reinterpret_cast<const char *>(operand.data + row * operand.ld), operand.cols * sizeof(float));
  });
}

/// The values of all arguments, in the kernel's order.
static void writeArguments(llvm::json::OStream &json, const KernelInterface &interface, Problem &problem) {
  const ProblemSpec &spec = problem.getSpec();
  const int64_t sizes[] = {spec.m, spec.n, spec.k};
  unsigned size = 0, operandsSeen = 0, scalar = 0;
  for (const KernelArgument &argument : interface.arguments)
    json.object([&] {
      json.attribute("name", argument.name);
      switch (argument.kind) {
      case KernelArgument::Size:
        json.attribute("kind", "size");
        json.attribute("value", sizes[size++]);
        break;
      case KernelArgument::Pointer: {
        const HostOperand &operand = problem.getOperands()[operandsSeen++];
        json.attribute("kind", "operand");
        json.attributeArray("dims", [&] {
          for (const std::string &dim : operand.dims)
            json.value(dim);
        });
        json.attribute("rows", operand.rows);
        json.attribute("cols", operand.cols);
        json.attribute("ld", operand.ld);
        json.attribute("offset", operand.offset);
        if (!operand.written || interface.readsOutput)
          json.attribute("in", getInputName(operand));
        if (operand.written)
          json.attribute("out", getOutputName(operand));
        break;
      }
      case KernelArgument::LeadingDimension:
        json.attribute("kind", "ld");
        json.attribute("value", problem.getOperands()[operandsSeen - 1].ld);
        break;
      case KernelArgument::Scalar:
        json.attribute("kind", "scalar");
        json.attribute("value", problem.getScalars()[scalar++]);
        break;
      }
    });
}

Error tgc::dumpCall(StringRef folder, const KernelInterface &interface, const KernelVariant &variant,
                    Problem &problem) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return addOption(folder, llvm::createStringError(code, "cannot make the folder: " + code.message()));
  if (!llvm::sys::fs::is_directory(folder))
    return addOption(folder, llvm::createStringError("there is a file of this name; give a folder"));
  if (std::error_code code = llvm::sys::fs::remove(getPath(folder, getOutputName(problem.getOutput()))))
    return addOption(folder, llvm::createStringError(code, "cannot remove the old result: " + code.message()));
  for (const HostOperand &operand : problem.getOperands())
    if (!operand.written || interface.readsOutput)
      if (Error error = writeElements(folder, getInputName(operand), operand))
        return error;
  return writeFile(folder, "call.json", [&](llvm::raw_ostream &os) {
    llvm::json::OStream json(os, 2);
    json.object([&] {
      json.attribute("kernel", interface.name);
      json.attribute("variant", variant.variant);
      json.attribute("function", variant.symbol);
      json.attributeArray("arguments", [&] { writeArguments(json, interface, problem); });
    });
    os << '\n';
  });
}

Error tgc::dumpOutput(StringRef folder, Problem &problem) {
  return writeElements(folder, getOutputName(problem.getOutput()), problem.getOutput());
}
