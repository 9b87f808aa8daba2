//===- tgc-simulate.cpp - runs a kernel at L3 on the simulator -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A development tool: hand-written IR in, counts and a verdict out. Users run `tgc run`.
//
//===----------------------------------------------------------------------===//

#include "tgc/Conversion/TGCToThreads/Passes.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"
#include "tgc/Simulator/Simulator.h"
#include "tgc/Support/NearMiss.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tgc;
namespace cl = llvm::cl;

static cl::OptionCategory category("Command options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE (MLIR; - for standard input)"), cl::init("-"),
                                      cl::cat(category));
static cl::opt<std::string> sizeOption("size", cl::desc("Sizes of the product"), cl::value_desc("MxNxK"), cl::Required,
                                       cl::cat(category));
static cl::opt<std::string> kernelOption("kernel", cl::desc("Kernel (gpu.module) to run; needed if there are several"),
                                         cl::value_desc("name"), cl::cat(category));
static cl::opt<std::string> variantOption("variant",
                                          cl::desc("Variant to run instead of the one that the facts choose"),
                                          cl::value_desc("name"), cl::cat(category));
static cl::list<std::string> ldOption("ld", cl::desc("Leading dimensions, in elements"), cl::value_desc("A=N,..."),
                                      cl::cat(category));
static cl::list<std::string> offsetOption("offset", cl::desc("Offsets from a 256-byte boundary, in elements"),
                                          cl::value_desc("A=N,..."), cl::cat(category));
static cl::opt<uint64_t> seedOption("seed", cl::desc("Seed of the operands' values"), cl::value_desc("number"),
                                    cl::init(0), cl::cat(category));
static cl::opt<ProblemSpec::Fill>
    fillOption("fill", cl::desc("Values of the operands"),
               cl::values(clEnumValN(ProblemSpec::Random, "random", "Uniform in [-1, 1)"),
                          clEnumValN(ProblemSpec::Integers, "integers", "-4 to 4: sums are exact")),
               cl::init(ProblemSpec::Random), cl::cat(category));
enum class Counts { None, All, Representative };
static cl::opt<Counts> countsOption(
    "counts", cl::desc("Also print what each operation does"), cl::init(Counts::None), cl::cat(category),
    cl::values(clEnumValN(Counts::All, "all", "Of all blocks"),
               clEnumValN(Counts::Representative, "representative",
                          "From one block for all that do the same; values are neither made nor checked")));
static cl::opt<bool> hashOption("hash", cl::desc("Also print a 64-bit hash of C"), cl::cat(category));

/// Prints `message` as an error and returns the exit code.
static int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tgc-simulate") << message << "\n";
  return 1;
}

/// One line an operation: location, kind, executions and what its accesses cost.
static void printCounts(const SimulationResult &result) {
  for (const OperationCount &count : result.operations) {
    llvm::outs() << count.op->getName() << ": " << getName(count.kind) << ", " << count.warps << " warps, "
                 << count.threads << " threads";
    if (const AccessCount &access = count.access; access.requests)
      llvm::outs() << ", width " << count.width << ", " << access.units << " units, least " << access.least << ", "
                   << access.conflicts << " conflicts, " << access.bytes << " bytes";
    if (const AccessCount &stored = count.stored; stored.requests)
      llvm::outs() << ", stored in " << stored.units << " units, " << stored.conflicts << " conflicts";
    llvm::outs() << "\n";
  }
}

/// The gpu.module that --kernel names, or the only one. Null after an error.
static gpu::GPUModuleOp findModule(ModuleOp module) {
  SmallVector<gpu::GPUModuleOp> all;
  SmallVector<StringRef> names;
  module.walk([&](gpu::GPUModuleOp candidate) {
    all.push_back(candidate);
    names.push_back(candidate.getName());
  });
  if (kernelOption.empty() && all.size() == 1)
    return all.front();
  for (gpu::GPUModuleOp candidate : all)
    if (candidate.getName() == kernelOption)
      return candidate;
  if (all.empty())
    fail("'" + inputFile + "' has no gpu.module");
  else if (kernelOption.empty())
    fail("'" + inputFile + "' has several kernels; choose one with --kernel: " + llvm::join(names, ", "));
  else
    fail("--kernel " + kernelOption + ": '" + inputFile + "' has no such kernel" + itHas(kernelOption, names));
  return {};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category); // the passes', which come next, are shown
  registerTransformsPasses();
  registerTGCPasses();
  registerTGCToThreadsPasses();
  registerTGCPipelines();
  PassPipelineCLParser pipeline("", "Passes to run first"); // also --pass-pipeline
  cl::ParseCommandLineOptions(argc, argv, "tgc-simulate: runs a kernel at L3 on the simulator\n");

  std::string error;
  ProblemSpec spec;
  spec.seed = seedOption;
  spec.fill = fillOption;
  if (!parseSize(sizeOption, spec, error))
    return fail(error);
  for (const std::string &text : ldOption)
    if (!parseAssignments("--ld", text, spec.leadingDimensions, error))
      return fail(error);
  for (const std::string &text : offsetOption)
    if (!parseAssignments("--offset", text, spec.offsets, error))
      return fail(error);

  DialectRegistry registry;
  registry.insert<TGCDialect, affine::AffineDialect, arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // the source line is shown
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(inputFile, sources, &context);
  if (!module)
    return 1;
  if (pipeline.hasAnyOccurrences()) {
    PassManager passes(&context);
    if (failed(pipeline.addToPipeline(passes,
                                      [](const Twine &message) {
                                        fail("--pass-pipeline: " + message);
                                        return failure();
                                      })) ||
        failed(passes.run(*module)))
      return 1;
  }

  gpu::GPUModuleOp gpuModule = findModule(*module);
  if (!gpuModule)
    return 1;
  FailureOr<KernelInterface> interface = getKernelInterface(gpuModule);
  if (failed(interface))
    return 1;
  bool countOnly = countsOption == Counts::Representative;
  std::unique_ptr<Problem> problem =
      countOnly ? Problem::reserve(*interface, spec, error) : Problem::create(*interface, spec, error);
  if (!problem)
    return fail(error);

  auto pointerOf = [&](StringRef name) -> uintptr_t {
    for (HostOperand &operand : problem->getOperands())
      if (operand.name == name)
        return reinterpret_cast<uintptr_t>(operand.data);
    return 0;
  };
  const KernelVariant *variant = &chooseVariant(*interface, spec, pointerOf);
  if (variantOption.getNumOccurrences() > 0) {
    auto found = llvm::find_if(interface->variants,
                               [](const KernelVariant &candidate) { return candidate.variant == variantOption; });
    if (found == interface->variants.end()) {
      SmallVector<StringRef> names;
      for (const KernelVariant &known : interface->variants)
        if (!known.variant.empty())
          names.push_back(known.variant);
      return fail("--variant " + variantOption + ": " + interface->name + " has no such variant" +
                  itHas(variantOption, names));
    }
    variant = &*found;
  }
  auto func = gpuModule.lookupSymbol<gpu::GPUFuncOp>(variant->symbol);
  FailureOr<SimulationResult> result =
      countOnly ? countOperations(func, *interface, *problem) : simulate(func, *interface, *problem);
  if (failed(result))
    return 1;
  if (countsOption != Counts::None)
    printCounts(*result);
  if (countOnly)
    return 0;

  Semantics semantics;
  semantics.accumulate = interface->readsOutput;
  Verdict verdict = problem->verify(semantics);
  llvm::outs() << variant->symbol << " " << spec.m << "x" << spec.n << "x" << spec.k << ": " << result->blocks
               << " blocks, " << result->barriers << " barriers, " << result->fma << " fma, "
               << (verdict.passed ? "correct" : "wrong") << ", relative error "
               << llvm::format("%.3g", verdict.relativeError) << ", worst element at "
               << llvm::format("%.3g", verdict.worstRatio) << " of its bound";
  if (hashOption)
    llvm::outs() << ", hash " << llvm::format_hex_no_prefix(problem->hashOutput(), 16);
  llvm::outs() << "\n";
  if (verdict.passed)
    return 0;
  return fail(verdict.detail + " (" + Twine(verdict.wrong) + " of " + Twine(verdict.checked) +
              " checked elements are wrong, " + Twine(verdict.guardWrites) + " guard elements were written)");
}
