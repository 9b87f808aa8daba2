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

using namespace mlir;
using namespace tgc;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file>"), cl::init("-"));
static cl::opt<std::string> sizeOption("size", cl::desc("sizes of the product"), cl::value_desc("MxNxK"), cl::Required);
static cl::opt<std::string> kernelOption("kernel", cl::desc("gpu.module to run; needed if there are several"),
                                         cl::value_desc("name"));
static cl::opt<std::string> variantOption("variant",
                                          cl::desc("variant to run instead of the one that the facts choose"),
                                          cl::value_desc("name"));
static cl::list<std::string> ldOption("ld", cl::desc("leading dimensions, in elements"), cl::value_desc("A=N,..."));
static cl::list<std::string> offsetOption("offset", cl::desc("offsets from a 256-byte boundary, in elements"),
                                          cl::value_desc("A=N,..."));
static cl::opt<uint64_t> seedOption("seed", cl::desc("seed of the operands' values"), cl::init(0));
static cl::opt<ProblemSpec::Fill>
    fillOption("fill", cl::desc("values of the operands"),
               cl::values(clEnumValN(ProblemSpec::Random, "random", "uniform in [-1, 1)"),
                          clEnumValN(ProblemSpec::Integers, "integers", "-4 to 4: sums are exact")),
               cl::init(ProblemSpec::Random));
static cl::opt<bool> hashOption("hash", cl::desc("also print a 64-bit hash of C"));

/// Prints `message` as an error and returns the exit code.
static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// The gpu.module that --kernel names, or the only one. Null after an error.
static gpu::GPUModuleOp findModule(ModuleOp module) {
  SmallVector<gpu::GPUModuleOp> all;
  std::string names;
  module.walk([&](gpu::GPUModuleOp candidate) {
    all.push_back(candidate);
    names += (names.empty() ? "" : ", ") + candidate.getName().str();
  });
  if (kernelOption.empty() && all.size() == 1)
    return all.front();
  for (gpu::GPUModuleOp candidate : all)
    if (candidate.getName() == kernelOption)
      return candidate;
  if (all.empty())
    fail("'" + inputFile + "' has no gpu.module");
  else if (kernelOption.empty())
    fail("'" + inputFile + "' has several kernels; choose one with --kernel: " + names);
  else
    fail("--kernel " + kernelOption + ": '" + inputFile + "' has no gpu.module of that name; it has " + names);
  return {};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerTransformsPasses();
  registerTGCPasses();
  registerTGCToThreadsPasses();
  registerTGCPipelines();
  PassPipelineCLParser pipeline("", "passes to run first"); // also --pass-pipeline
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
  std::unique_ptr<Problem> problem = Problem::create(*interface, spec, error);
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
    if (found == interface->variants.end())
      return fail("--variant " + variantOption + ": kernel '" + interface->name + "' has no variant of that name");
    variant = &*found;
  }
  auto func = gpuModule.lookupSymbol<gpu::GPUFuncOp>(variant->symbol);
  FailureOr<SimulationResult> result = simulate(func, *interface, *problem);
  if (failed(result))
    return 1;

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
