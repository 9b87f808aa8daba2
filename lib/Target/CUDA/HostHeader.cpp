//===- HostHeader.cpp - the C++ header that launches kernels -----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Target/CUDA/CUDA.h"

#include "Module.h"
#include "Names.h"
#include "Writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::cuda;

/// Dynamic shared memory that a kernel may use without cudaFuncAttributeMaxDynamicSharedMemorySize, bytes (CUDA C++
/// Programming Guide, technical specifications per compute capability).
constexpr int64_t kDefaultSharedBytes = 48 * 1024;
/// Elements of one operand: its byte offsets fit a 64-bit integer.
constexpr int64_t kMaxElements = int64_t(1) << 60;

namespace {
/// Prints one gpu.module's part of the header.
class HeaderPrinter {
public:
  HeaderPrinter(const ModuleInterface &entry, raw_ostream &os)
      : module(entry.module), interface(entry.interface), os(os) {}

  LogicalResult print();

private:
  LogicalResult resolve();
  FailureOr<std::string> getDim(const KernelArgument &pointer, StringRef dim);
  FailureOr<std::string> getCondition(FactAttr fact);
  FailureOr<std::string> getConditions(ArrayRef<FactAttr> facts);
  void printDeclarations();
  void printArguments();
  LogicalResult printCheck();
  LogicalResult printChoose();
  void printLaunch();
  void line(const Twine &text, unsigned indent = 0) { printWrapped(os, text.str(), indent, indent + 4); }
  void refuseIf(const Twine &condition, const Twine &reason) {
    line("if (" + condition + ")", 2);
    line("return {cudaErrorInvalidValue, \"" + reason + "\"};", 4);
  }

  gpu::GPUModuleOp module;
  const KernelInterface &interface;
  raw_ostream &os;
  std::vector<std::string> members; ///< of struct Arguments, one per argument
  std::vector<std::string> sizes;   ///< the sizes' members: M, N, K
};
} // namespace

/// Sets `members` and `sizes`.
LogicalResult HeaderPrinter::resolve() {
  NameScopes names;
  NameScopes::Scope scope(names);
  names.declare("Arguments"); // a member may not have the name of its struct
  for (const KernelArgument &argument : interface.arguments) {
    members.push_back(names.declare(argument.name));
    if (argument.kind == KernelArgument::Size)
      sizes.push_back(members.back());
  }
  if (sizes.size() < 2)
    return module.emitOpError() << "'" << interface.name << "' has kernels with " << sizes.size()
                                << " size arguments; a grid needs M and N (docs/threads.md)";
  return success();
}

/// The extent `dim` of an operand, as C++.
FailureOr<std::string> HeaderPrinter::getDim(const KernelArgument &pointer, StringRef dim) {
  int64_t number;
  if (!dim.getAsInteger(10, number) && number >= 0)
    return std::to_string(number);
  for (auto [argument, member] : llvm::zip_equal(interface.arguments, members))
    if (argument.kind == KernelArgument::Size && argument.name == dim)
      return "args." + member;
  return module.emitOpError() << "'" << interface.name << "': tgc.dims of '" << pointer.name << "' names '" << dim
                              << "', which is no size argument";
}

/// `fact` as a C++ condition on `args`.
FailureOr<std::string> HeaderPrinter::getCondition(FactAttr fact) {
  for (auto [argument, member] : llvm::zip_equal(interface.arguments, members)) {
    if (argument.name != fact.getSubject())
      continue;
    bool isPointer = argument.kind == KernelArgument::Pointer;
    bool isNumber = argument.kind == KernelArgument::Size || argument.kind == KernelArgument::LeadingDimension;
    if (fact.getKind() == FactKind::Aligned ? !isPointer : !isNumber)
      return module.emitOpError() << "'" << interface.name << "': the fact " << fact << " does not fit '"
                                  << argument.name
                                  << "'; 'aligned' is of pointers, the others of sizes and leading "
                                     "dimensions";
    std::string value = std::to_string(fact.getValue());
    switch (fact.getKind()) {
    case FactKind::Aligned:
      return "reinterpret_cast<std::uintptr_t>(args." + member + ") % " + value + " == 0";
    case FactKind::Multiple:
      return "args." + member + " % " + value + " == 0";
    case FactKind::AtMost:
      return "args." + member + " <= " + value;
    case FactKind::Equal:
      return "args." + member + " == " + value;
    }
  }
  return module.emitOpError() << "'" << interface.name << "': the fact " << fact << " names no argument";
}

FailureOr<std::string> HeaderPrinter::getConditions(ArrayRef<FactAttr> facts) {
  SmallVector<std::string> conditions;
  for (FactAttr fact : facts) {
    auto condition = getCondition(fact);
    if (failed(condition))
      return failure();
    conditions.push_back(*condition);
  }
  return llvm::join(conditions, " && ");
}

static StringRef getTypeName(const KernelArgument &argument) {
  switch (argument.kind) {
  case KernelArgument::Size:
    return "int ";
  case KernelArgument::Pointer:
    return argument.written ? "float *" : "const float *";
  case KernelArgument::LeadingDimension:
    return "long long ";
  case KernelArgument::Scalar:
    return "float ";
  }
  llvm_unreachable("all kinds are listed");
}

void HeaderPrinter::printDeclarations() {
  for (const KernelVariant &variant : interface.variants) {
    std::string text = "extern \"C\" __global__ void " + variant.symbol + "(";
    for (auto [i, argument] : llvm::enumerate(interface.arguments))
      text += (i ? ", " : "") + getTypeName(argument).str() + members[i];
    printWrapped(os, text + ");", 0, text.find('(') + 1);
  }
  os << '\n';
}

void HeaderPrinter::printArguments() {
  os << "/// The arguments of a call. Leading dimensions are in elements.\nstruct Arguments {\n";
  std::string lastPointer;
  SmallVector<std::pair<std::string, std::string>> lines; // declaration, comment
  for (auto [argument, member] : llvm::zip_equal(interface.arguments, members)) {
    switch (argument.kind) {
    case KernelArgument::Size:
      lines.push_back({"long long " + member + " = 0;", "0 to " + std::to_string(kMaxSize)});
      break;
    case KernelArgument::Pointer:
      lastPointer = argument.name;
      lines.push_back({(getTypeName(argument) + member + " = nullptr;").str(),
                       llvm::join(argument.dims, " x ") + (argument.written ? ", written" : "")});
      break;
    case KernelArgument::LeadingDimension:
      lines.push_back({"long long " + member + " = 0;", "from one row of " + lastPointer + " to the next"});
      break;
    case KernelArgument::Scalar:
      lines.push_back({"float " + member + " = 0;", ""});
      break;
    }
  }
  size_t width = 0;
  for (const auto &[declaration, comment] : lines)
    width = std::max(width, declaration.size());
  for (const auto &[declaration, comment] : lines) {
    os << "  " << declaration;
    if (!comment.empty())
      os.indent(width - declaration.size()) << " ///< " << comment;
    os << '\n';
  }
  os << "};\n\n";
}

LogicalResult HeaderPrinter::printCheck() {
  os << "/// Whether `args` describes a call that can be made.\ninline Status check(const Arguments &args) {\n";
  for (const std::string &size : sizes)
    refuseIf("args." + size + " < 0 || args." + size + " > " + Twine(kMaxSize),
             size + " is not between 0 and " + Twine(kMaxSize));
  for (const auto &[i, argument] : llvm::enumerate(interface.arguments)) {
    if (argument.kind != KernelArgument::Pointer)
      continue;
    SmallVector<std::string> extents, nonEmpty;
    for (StringRef dim : argument.dims) {
      auto extent = getDim(argument, dim);
      if (failed(extent))
        return failure();
      extents.push_back(*extent);
      nonEmpty.push_back(*extent + " > 0");
    }
    const std::string &pointer = members[i];
    bool hasLeadingDimension =
        i + 1 < interface.arguments.size() && interface.arguments[i + 1].kind == KernelArgument::LeadingDimension;
    if (argument.dims.size() != (hasLeadingDimension ? 2 : 1))
      return module.emitOpError() << "'" << interface.name << "': pointer '" << argument.name << "' has "
                                  << argument.dims.size() << " dimensions, expects "
                                  << (hasLeadingDimension ? "2 with a" : "1 without a") << " leading dimension";
    if (hasLeadingDimension) {
      const std::string &ld = members[i + 1];
      // One row may stand for all in what is only read.
      std::string repeats = argument.written ? "" : " && args." + ld + " != 0";
      refuseIf("args." + ld + " < " + extents[1] + repeats,
               ld + " is smaller than " + argument.dims[1] + ", the row length of " + pointer);
      refuseIf(nonEmpty[0] + " && args." + ld + " > " + Twine(kMaxElements) + " / " + extents[0],
               argument.dims[0] + " rows of " + ld + " elements do not fit the address space");
    }
    refuseIf("!args." + pointer + " && " + llvm::join(nonEmpty, " && "), pointer + " is null");
    refuseIf("reinterpret_cast<std::uintptr_t>(args." + pointer + ") % alignof(float) != 0",
             pointer + " is not aligned to " + Twine(sizeof(float)) + " bytes");
  }
  for (FactAttr fact : interface.whereFacts) {
    auto condition = getCondition(fact);
    if (failed(condition))
      return failure();
    refuseIf("!(" + *condition + ")", "the program demands " + describeFact(fact));
  }
  os << "  return {};\n}\n\n";
  return success();
}

LogicalResult HeaderPrinter::printChoose() {
  os << "/// The first kernel whose needs `args` meets. Its `function` is null if there is none.\n"
     << "inline Kernel choose(const Arguments &" << (interface.variants.front().facts.empty() ? "" : "args") << ") {\n";
  bool isComplete = false;
  for (const KernelVariant &variant : interface.variants) {
    auto conditions = getConditions(variant.facts);
    if (failed(conditions))
      return failure();
    isComplete = conditions->empty();
    if (!isComplete)
      line("if (" + *conditions + ")", 2);
    line("return {\"" + variant.symbol + "\", reinterpret_cast<const void *>(&" + variant.symbol + "), " +
             Twine(variant.threads) + ", " + Twine(variant.tileM) + ", " + Twine(variant.tileN) + ", " +
             Twine(variant.sharedBytes) + "};",
         isComplete ? 2 : 4);
    if (isComplete)
      break;
  }
  if (!isComplete)
    os << "  return {\"\", nullptr, 0, 1, 1, 0};\n";
  os << "}\n\n";
  return success();
}

void HeaderPrinter::printLaunch() {
  bool isComplete = llvm::any_of(interface.variants, [](const KernelVariant &v) { return v.facts.empty(); });
  bool needsAttribute =
      llvm::any_of(interface.variants, [](const KernelVariant &v) { return v.sharedBytes > kDefaultSharedBytes; });
  NameScopes names;
  NameScopes::Scope scope(names);
  for (StringRef local : {"args", "stream", "kernel", "blocks", "values", "error"})
    names.declare(local);

  os << "/// Launches on `stream` and returns without waiting. An empty output launches nothing.\n"
     << "inline Status launch(const Arguments &args, cudaStream_t stream = nullptr) {\n"
     << "  if (const Status status = check(args); !status)\n    return status;\n"
     << "  const Kernel kernel = choose(args);\n";
  if (!isComplete)
    refuseIf("!kernel.function", "no kernel of this schedule takes operands aligned like these");
  line("const long long blocks = (args." + sizes[0] + " + kernel.tileM - 1) / kernel.tileM * ((args." + sizes[1] +
           " + kernel.tileN - 1) / kernel.tileN);",
       2);
  os << "  if (blocks == 0)\n    return {};\n"
     << "  if (blocks > " << kMaxGrid << ")\n"
     << "    return {cudaErrorInvalidConfiguration, \"the grid has more than " << kMaxGrid << " blocks\"};\n";
  if (needsAttribute)
    os << "  if (kernel.sharedBytes > " << kDefaultSharedBytes << ") {\n"
       << "    const cudaError_t error = cudaFuncSetAttribute(\n"
       << "        kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, "
          "static_cast<int>(kernel.sharedBytes));\n"
       << "    if (error != cudaSuccess)\n      return {error, cudaGetErrorString(error)};\n  }\n";
  std::string values;
  for (auto [argument, member] : llvm::zip_equal(interface.arguments, members)) {
    std::string local = names.declare(member);
    std::string value = "args." + member;
    if (argument.kind == KernelArgument::Size)
      value = "static_cast<int>(" + value + ")";
    os << "  " << getTypeName(argument) << local << " = " << value << ";\n";
    values += (values.empty() ? "&" : ", &") + local;
  }
  line("void *values[] = {" + values + "};", 2);
  os << "  const cudaError_t error = cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(blocks)),\n"
     << "                                             dim3(kernel.threads), values, kernel.sharedBytes, stream);\n"
     << "  return {error, error == cudaSuccess ? \"\" : cudaGetErrorString(error)};\n}\n\n";
}

LogicalResult HeaderPrinter::print() {
  if (failed(resolve()))
    return failure();
  std::string nameSpace = getNamespace(interface);
  os << "namespace " << nameSpace << " {\n\n";
  printDeclarations();
  printArguments();
  os << R"(/// What became of a call: `error` is cudaSuccess, or `reason` says what is wrong.
struct Status {
  cudaError_t error = cudaSuccess;
  const char *reason = "";
  explicit operator bool() const { return error == cudaSuccess; }
};

/// One kernel of the family.
struct Kernel {
  const char *name;
  const void *function;
  unsigned threads;        ///< of a block
  long long tileM, tileN;  ///< elements of the output that a block computes
  std::size_t sharedBytes; ///< dynamic shared memory of a block
};

)";
  if (failed(printCheck()) || failed(printChoose()))
    return failure();
  os << "/// Bytes of device memory that a call needs beside its operands.\n"
     << "inline std::size_t workspaceBytes(const Arguments &) { return 0; }\n\n";
  printLaunch();
  os << "} // namespace " << nameSpace << '\n';
  return success();
}

LogicalResult tgc::emitCUDAHeader(ModuleOp module, raw_ostream &os) {
  auto modules = getModules(module);
  if (failed(modules))
    return failure();
  std::string text; // nothing is printed after an error
  llvm::raw_string_ostream stream(text);
  printFileComment(stream, *modules, "host side, C++17");
  stream << "#pragma once\n\n#include <cuda_runtime.h>\n\n#include <cstddef>\n#include <cstdint>\n";
  for (const ModuleInterface &entry : *modules) {
    stream << '\n';
    if (failed(HeaderPrinter(entry, stream).print()))
      return failure();
  }
  os << text;
  return success();
}
