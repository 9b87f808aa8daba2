//===- TranslateToPTX.cpp - a gpu.module at L3 as PTX -----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Conversion/ThreadsToNVVM/Passes.h"
#include "tgc/Target/PTX/PTX.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tgc;

namespace {

constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";
/// The oldest compute capability with cp.async and with max and min that keep NaN (PTX ISA 7.0).
constexpr unsigned kMinChip = 80;

/// What LLVM reports while it compiles becomes a diagnostic of the gpu.module.
struct DiagnosticForwarder : llvm::DiagnosticHandler {
  explicit DiagnosticForwarder(Location loc) : loc(loc) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      emitError(loc) << "LLVM: " << text;
      failed = true;
    } else {
      emitWarning(loc) << "LLVM: " << text;
    }
    return true;
  }

  Location loc;
  bool failed = false;
};

/// LLVM's NVPTX target, initialised once.
const llvm::Target *getTarget(std::string &error) {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // 32-bit pointers to shared memory: their arithmetic takes half the instructions. LLVM has no other way to ask for
    // them; the data layout follows, as it is taken from the target machine.
    if (llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup("nvptx-short-ptr"))
      static_cast<llvm::cl::opt<bool> *>(option)->setValue(true);
    return true;
  }();
  (void)initialised;
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), error);
}

/// Emits an error unless `chip` is one that LLVM knows and that is new enough.
LogicalResult verifyChip(const llvm::Target &target, StringRef chip, Location loc) {
  StringRef number = chip;
  unsigned capability = 0;
  std::unique_ptr<llvm::MCSubtargetInfo> known(target.createMCSubtargetInfo(llvm::Triple(kTriple), "", ""));
  if (!known || !number.consume_front("sm_") || number.consumeInteger(10, capability) || !known->isCPUStringValid(chip))
    return emitError(loc) << "unknown chip '" << chip << "'; expects sm_80, sm_90 or another that LLVM "
                          << LLVM_VERSION_STRING << " knows";
  if (capability < kMinChip)
    return emitError(loc) << "chip '" << chip << "' is older than sm_" << kMinChip
                          << ", the oldest with the instructions the thread level needs (cp.async)";
  return success();
}

std::unique_ptr<llvm::TargetMachine> createMachine(const llvm::Target &target, StringRef chip) {
  llvm::TargetOptions options;
  // Every reader of the thread level rounds alike: a product and a sum stay two operations.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(llvm::Triple(kTriple), chip, /*Features=*/"",
                                                                         options, llvm::Reloc::Static, std::nullopt,
                                                                         llvm::CodeGenOptLevel::Aggressive));
}

/// The O3 pipeline of LLVM, with what the target adds to it.
void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // The thread program says what is a vector access; GPUs have no float vectors in registers.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// Warns of each kernel whose private arrays are not all in registers.
void warnOfLocalMemory(const llvm::Module &module, gpu::GPUModuleOp source) {
  for (const llvm::Function &function : module) {
    uint64_t bytes = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *array = dyn_cast<llvm::AllocaInst>(&instruction))
        bytes += array->getAllocationSize(module.getDataLayout()).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
    if (bytes == 0)
      continue;
    Operation *kernel = source.lookupSymbol(StringRef(function.getName()));
    emitWarning(kernel ? kernel->getLoc() : source.getLoc())
        << "'" << function.getName() << "' keeps " << bytes
        << " bytes of private memory outside registers: an index is not a constant after unrolling";
  }
}

/// `module` converted to the llvm and nvvm dialects, in a module of its own.
FailureOr<OwningOpRef<ModuleOp>> convert(gpu::GPUModuleOp module) {
  OwningOpRef<ModuleOp> wrapper(ModuleOp::create(module.getLoc()));
  wrapper->push_back(module->clone());
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.addNestedPass<gpu::GPUModuleOp>(createConvertToNVVMPass());
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
  if (failed(passes.run(*wrapper)))
    return failure();
  return wrapper;
}

} // namespace

FailureOr<std::string> tgc::translateToPTX(gpu::GPUModuleOp module, StringRef chip) {
  Location loc = module.getLoc();
  std::string error;
  const llvm::Target *target = getTarget(error);
  if (!target)
    return emitError(loc) << "this LLVM has no NVPTX target: " << error;
  if (failed(verifyChip(*target, chip, loc)))
    return failure();
  auto converted = convert(module);
  if (failed(converted))
    return failure();

  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerGPUDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);
  llvm::LLVMContext llvmContext;
  auto forwarder = std::make_unique<DiagnosticForwarder>(loc);
  DiagnosticForwarder &diagnostics = *forwarder;
  llvmContext.setDiagnosticHandler(std::move(forwarder));
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(*(**converted).getOps<gpu::GPUModuleOp>().begin(), llvmContext, module.getName());
  if (!llvmModule)
    return failure();

  std::unique_ptr<llvm::TargetMachine> machine = createMachine(*target, chip);
  llvmModule->setTargetTriple(llvm::Triple(kTriple));
  llvmModule->setDataLayout(machine->createDataLayout());
  optimize(*llvmModule, *machine);
  warnOfLocalMemory(*llvmModule, module);

  SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, stream, /*DwoOut=*/nullptr, llvm::CodeGenFileType::AssemblyFile))
    return emitError(loc) << "this LLVM cannot print PTX";
  emission.run(*llvmModule);
  if (diagnostics.failed)
    return failure();
  return ptx.str().str();
}
