//===- CUDA.cpp - L3 as a CUDA C++ file --------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Target/CUDA/CUDA.h"

#include "KernelPrinter.h"
#include "Module.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tgc/Support/KernelInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tgc;
using namespace tgc::cuda;

//===----------------------------------------------------------------------===//
// Device functions around inline PTX
//===----------------------------------------------------------------------===//

static void printHelpers(const Helpers &helpers, raw_ostream &os) {
  if (helpers.copyAsyncZeroFill)
    os << R"(// Copies the first `valid` of N / 4 floats from global to shared memory asynchronously and writes zeros for the others.
template <int N>
__device__ __forceinline__ void copyAsync(float *to, const float *from, int valid) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (N == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(valid * 4) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 ::"r"(shared), "l"(from), "n"(N), "r"(valid * 4) : "memory");
}

)";
  if (helpers.copyAsync)
    os << R"(// Copies N bytes from global to shared memory asynchronously.
template <int N>
__device__ __forceinline__ void copyAsync(float *to, const float *from) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (N == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(N) : "memory");
}

)";
  if (helpers.commitCopies)
    os << R"(// Closes the group of copies that this thread has issued since the last call.
__device__ __forceinline__ void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

)";
  if (helpers.waitCopies)
    os << R"(// Waits until at most IN_FLIGHT of this thread's youngest groups of copies are pending.
template <int IN_FLIGHT>
__device__ __forceinline__ void waitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(IN_FLIGHT) : "memory");
}

)";
  auto printExtremum = [&](StringRef name, StringRef instruction) {
    os << "// The " << name << " of two floats; NaN if either is, and -0 < +0.\n"
       << "__device__ __forceinline__ float " << name << "(float a, float b) {\n"
       << "  float result;\n"
       << "  asm(\"" << instruction << ".NaN.f32 %0, %1, %2;\" : \"=f\"(result) : \"f\"(a), \"f\"(b));\n"
       << "  return result;\n}\n\n";
  };
  if (helpers.maximum)
    printExtremum("maximum", "max");
  if (helpers.minimum)
    printExtremum("minimum", "min");
}

static void printUsingHelpers(const Helpers &helpers, StringRef home, raw_ostream &os) {
  auto use = [&](bool isUsed, StringRef name) {
    if (isUsed)
      os << "using " << home << "::" << name << ";\n";
  };
  use(helpers.copyAsync || helpers.copyAsyncZeroFill, "copyAsync");
  use(helpers.commitCopies, "commitCopies");
  use(helpers.waitCopies, "waitCopies");
  use(helpers.maximum, "maximum");
  use(helpers.minimum, "minimum");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The members of the struct that holds the workgroup attributions of `func`, at the offsets of getSharedBytes.
static std::string declareSharedMembers(gpu::GPUFuncOp func) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t end = 0;
  for (auto [buffer, name] : llvm::zip_equal(func.getWorkgroupAttributions(), getSharedMembers(func))) {
    auto type = cast<MemRefType>(buffer.getType());
    std::string member = (end % 16 ? "alignas(16) float " : "float ") + name;
    for (int64_t extent : type.getShape())
      member += "[" + std::to_string(extent) + "]";
    end = llvm::alignTo(end, 16) + 4 * type.getNumElements();
    os << "  " << member << "; // "
       << llvm::join(llvm::map_range(type.getShape(), [](int64_t n) { return std::to_string(n); }), " x ")
       << " elements, " << 4 * type.getNumElements() << " bytes\n";
  }
  return text;
}

/// The comment in front of a kernel.
static std::string describe(const KernelVariant &variant) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!variant.variant.empty())
    os << "Variant " << variant.variant << ". ";
  if (!variant.facts.empty()) {
    os << "Needs ";
    llvm::interleaveComma(variant.facts, os, [&](FactAttr fact) { os << describeFact(fact); });
    os << ". ";
  }
  os << "A block computes " << variant.tileM << " x " << variant.tileN << " elements with " << variant.threads
     << " threads and " << variant.sharedBytes << " bytes of shared memory.";
  return text;
}

/// One gpu.module, printed but for its surroundings.
struct PrintedModule {
  std::string nameSpace;
  Helpers helpers;
  std::string structs, kernels;
};

static FailureOr<PrintedModule> printModule(gpu::GPUModuleOp module, const KernelInterface &interface) {
  PrintedModule printed;
  printed.nameSpace = getNamespace(interface);
  llvm::raw_string_ostream structs(printed.structs), kernels(printed.kernels);
  llvm::MapVector<StringRef, std::string> sharedTypes; // members -> name of the struct
  std::vector<std::string> members;
  members.reserve(interface.variants.size());
  for (auto [func, variant] : llvm::zip_equal(module.getOps<gpu::GPUFuncOp>(), interface.variants)) {
    StringRef sharedType;
    if (variant.sharedBytes > 0) {
      members.push_back(declareSharedMembers(func));
      auto [it, isNew] = sharedTypes.insert({members.back(), ""});
      if (isNew) {
        it->second = sharedTypes.size() == 1 ? "Shared" : "Shared" + std::to_string(sharedTypes.size());
        structs << "struct alignas(16) " << it->second << " {\n"
                << members.back() << "};\n"
                << "static_assert(sizeof(" << it->second << ") == " << variant.sharedBytes << ");\n\n";
      }
      sharedType = it->second;
    }
    printWrappedComment(kernels, describe(variant));
    if (failed(KernelPrinter(func, sharedType, printed.helpers).print(kernels)))
      return failure();
    kernels << '\n';
  }
  return printed;
}

LogicalResult tgc::emitCUDA(ModuleOp module, raw_ostream &os) {
  auto modules = getModules(module);
  if (failed(modules))
    return failure();
  std::vector<PrintedModule> printed;
  Helpers all;
  for (const ModuleInterface &entry : *modules) {
    auto text = printModule(entry.module, entry.interface);
    if (failed(text))
      return failure();
    const Helpers &used = text->helpers;
    all.copyAsync |= used.copyAsync;
    all.copyAsyncZeroFill |= used.copyAsyncZeroFill;
    all.commitCopies |= used.commitCopies;
    all.waitCopies |= used.waitCopies;
    all.maximum |= used.maximum;
    all.minimum |= used.minimum;
    printed.push_back(std::move(*text));
  }

  printFileComment(os, *modules, "FP32 GEMM for sm_80 and later, CUDA C++17");
  os << "#include <cuda_runtime.h>\n\n";
  for (auto [i, text] : llvm::enumerate(printed)) {
    os << "namespace " << text.nameSpace << " {\n\n";
    // The first namespace holds the device functions of the whole file.
    std::string usings;
    llvm::raw_string_ostream usingStream(usings);
    if (i == 0)
      printHelpers(all, os);
    else
      printUsingHelpers(text.helpers, printed.front().nameSpace, usingStream);
    os << usings << (usings.empty() ? "" : "\n");
    os << text.structs << text.kernels << "} // namespace " << text.nameSpace << '\n';
    if (i + 1 < printed.size())
      os << '\n';
  }
  return success();
}
