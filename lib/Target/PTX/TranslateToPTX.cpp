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
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringSet.h"
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

/// A module in LLVM IR, in a context of its own: what one thread compiles.
struct Unit {
  OwningOpRef<gpu::GPUModuleOp> source; ///< where the kernels are the module's clones
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// `module` as LLVM IR.
FailureOr<Unit> translate(OwningOpRef<gpu::GPUModuleOp> module) {
  auto converted = convert(*module);
  if (failed(converted))
    return failure();
  Unit unit;
  unit.context = std::make_unique<llvm::LLVMContext>();
  unit.module =
      translateModuleToLLVMIR(*(**converted).getOps<gpu::GPUModuleOp>().begin(), *unit.context, module->getName());
  if (!unit.module)
    return failure();
  unit.source = std::move(module);
  return unit;
}

/// PTX of `unit`.
FailureOr<std::string> compile(Unit &unit, const llvm::Target &target, StringRef chip) {
  Location loc = unit.source->getLoc();
  auto forwarder = std::make_unique<DiagnosticForwarder>(loc);
  DiagnosticForwarder &diagnostics = *forwarder;
  unit.context->setDiagnosticHandler(std::move(forwarder));
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, chip);
  unit.module->setTargetTriple(llvm::Triple(kTriple));
  unit.module->setDataLayout(machine->createDataLayout());
  optimize(*unit.module, *machine);
  warnOfLocalMemory(*unit.module, *unit.source);

  SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, stream, /*DwoOut=*/nullptr, llvm::CodeGenFileType::AssemblyFile))
    return emitError(loc) << "this LLVM cannot print PTX";
  emission.run(*unit.module);
  if (diagnostics.failed)
    return failure();
  return ptx.str().str();
}

/// For each kernel of `module`, a module with it alone; one module if it holds anything but kernels.
SmallVector<OwningOpRef<gpu::GPUModuleOp>> splitKernels(gpu::GPUModuleOp module) {
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> modules;
  if (!llvm::all_of(*module.getBody(), [](Operation &op) {
        auto func = dyn_cast<gpu::GPUFuncOp>(op);
        return func && func.isKernel();
      })) {
    modules.push_back(module.clone());
    return modules;
  }
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    modules.push_back(cast<gpu::GPUModuleOp>(module->cloneWithoutRegions()));
    modules.back()->getBodyRegion().emplaceBlock();
    modules.back()->getBody()->push_back(kernel->clone());
  }
  return modules;
}

/// One file of the PTX of several kernels: what each text says of the whole file (version, target, shared memory,
/// source) is said once. Nothing if two texts number other sources alike.
std::optional<std::string> joinTexts(ArrayRef<std::string> texts) {
  constexpr StringLiteral kFileDirectives[] = {"//",      ".version", ".target", ".address_size",
                                               ".extern", ".section", ".file"};
  std::string joined;
  llvm::StringSet<> said;
  llvm::StringMap<StringRef> sources; // by number
  for (auto [i, text] : llvm::enumerate(texts))
    for (StringRef line : llvm::split(StringRef(text).rtrim('\n'), '\n')) {
      StringRef words = line.ltrim();
      if (words.consume_front(".file")) {
        auto [number, source] = words.ltrim().split(' ');
        if (sources.try_emplace(number, source).first->second != source)
          return std::nullopt;
      }
      bool isOfFile = llvm::any_of(kFileDirectives, [&](StringRef start) { return line.ltrim().starts_with(start); });
      if (!isOfFile || said.insert(line).second || i == 0)
        (joined += line) += '\n';
    }
  return joined;
}

/// PTX of `modules`, each compiled on a thread of the context. Nothing inside if they cannot share a file.
FailureOr<std::optional<std::string>> compileAll(SmallVector<OwningOpRef<gpu::GPUModuleOp>> modules,
                                                 const llvm::Target &target, StringRef chip) {
  MLIRContext *context = modules.front()->getContext();
  SmallVector<Unit> units;
  for (OwningOpRef<gpu::GPUModuleOp> &module : modules) {
    auto unit = translate(std::move(module));
    if (failed(unit))
      return failure();
    units.push_back(std::move(*unit));
  }
  std::vector<std::string> texts(units.size());
  if (failed(failableParallelForEachN(context, 0, units.size(), [&](size_t i) {
        auto text = compile(units[i], target, chip);
        if (succeeded(text))
          texts[i] = std::move(*text);
        return LogicalResult(text);
      })))
    return failure();
  return joinTexts(texts);
}

} // namespace

void tgc::registerPTXDialectTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

FailureOr<std::string> tgc::translateToPTX(gpu::GPUModuleOp module, StringRef chip) {
  std::string error;
  const llvm::Target *target = getTarget(error);
  if (!target)
    return emitError(module.getLoc()) << "this LLVM has no NVPTX target: " << error;
  if (failed(verifyChip(*target, chip, module.getLoc())))
    return failure();
  if (module.getOps<gpu::GPUFuncOp>().empty())
    return module.emitOpError("holds no kernel");

  auto ptx = compileAll(splitKernels(module), *target, chip);
  if (succeeded(ptx) && !*ptx) { // kernels from several files
    SmallVector<OwningOpRef<gpu::GPUModuleOp>> whole;
    whole.push_back(module.clone());
    ptx = compileAll(std::move(whole), *target, chip);
  }
  if (failed(ptx))
    return failure();
  return std::move(**ptx);
}
