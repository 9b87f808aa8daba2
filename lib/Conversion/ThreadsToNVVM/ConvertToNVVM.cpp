//===- ConvertToNVVM.cpp - from the thread program to NVVM ----*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tgc-convert-to-nvvm`: docs/threads.md to the llvm and nvvm dialects.
//
//===----------------------------------------------------------------------===//

#include "tgc/Conversion/ThreadsToNVVM/Passes.h"
#include "tgc/Dialect/TGC/IR/ThreadOps.h"
#include "tgc/Support/KernelInterface.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tgc {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "tgc/Conversion/ThreadsToNVVM/Passes.h.inc"
} // namespace tgc

using namespace mlir;
using namespace tgc;
using LLVM::GEPNoWrapFlags;

namespace {

/// Bytes of an f32.
constexpr int64_t kElementBytes = 4;
/// Alignment of shared memory and of private arrays: the widest access, in bytes. getSharedBytes rounds to it as well.
constexpr int64_t kBufferAlignment = 16;
/// Threads of a block (CUDA C++ Programming Guide, technical specifications per compute capability).
constexpr int64_t kMaxThreads = 1024;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Where a memref of the thread level is.
enum class Space { Global, Shared, Private };

std::optional<Space> getSpace(MemRefType type) {
  if (!type.getElementType().isF32() || !type.getLayout().isIdentity())
    return std::nullopt;
  if (!type.getMemorySpace())
    return type.getRank() == 1 && type.isDynamicDim(0) ? std::optional(Space::Global) : std::nullopt;
  auto space = dyn_cast<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space || !type.hasStaticShape())
    return std::nullopt;
  switch (space.getValue()) {
  case gpu::AddressSpace::Workgroup:
    return Space::Shared;
  case gpu::AddressSpace::Private:
    return Space::Private;
  default:
    return std::nullopt;
  }
}

LLVM::LLVMPointerType getPointerType(MLIRContext *context, Space space) {
  switch (space) {
  case Space::Global:
    return LLVM::LLVMPointerType::get(context, unsigned(NVVM::NVVMMemorySpace::Global));
  case Space::Shared:
    return LLVM::LLVMPointerType::get(context, unsigned(NVVM::NVVMMemorySpace::Shared));
  case Space::Private:
    return LLVM::LLVMPointerType::get(context);
  }
  llvm_unreachable("unknown space");
}

/// `memref<AxBxf32>` as `!llvm.array<A x array<B x f32>>`; `memref<f32>` as `f32`.
Type getArrayType(MemRefType type) {
  Type array = type.getElementType();
  for (int64_t size : llvm::reverse(type.getShape()))
    array = LLVM::LLVMArrayType::get(array, size);
  return array;
}

/// The address of an element. Sizes stay in the GEP's type, so that each index keeps its own constant part.
Value getAddress(OpBuilder &builder, Location loc, MemRefType type, Value base, ValueRange indices) {
  Space space = *getSpace(type);
  if (space == Space::Global)
    // Not inbounds: the pointer itself may have been moved past its operand's end, where nothing is accessed.
    return LLVM::GEPOp::create(builder, loc, base.getType(), type.getElementType(), base, indices,
                               GEPNoWrapFlags::nusw);
  SmallVector<LLVM::GEPArg> args{0};
  llvm::append_range(args, indices);
  return LLVM::GEPOp::create(builder, loc, base.getType(), getArrayType(type), base, args, GEPNoWrapFlags::inbounds);
}

/// Alignment of an access of `type` with the operation's `alignment` attribute, in bytes.
template <typename OpTy> unsigned getAlignment(OpTy op) {
  return op.getAlignment() ? *op.getAlignment() : kElementBytes;
}

template <typename OpTy> struct LoadLowering : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if constexpr (std::is_same_v<OpTy, memref::LoadOp>) {
      Value address = getAddress(rewriter, op.getLoc(), op.getMemRefType(), adaptor.getMemref(), adaptor.getIndices());
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), address, getAlignment(op));
    } else {
      Value address = getAddress(rewriter, op.getLoc(), op.getMemRefType(), adaptor.getBase(), adaptor.getIndices());
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getVectorType(), address, getAlignment(op));
    }
    return success();
  }
};

template <typename OpTy> struct StoreLowering : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value base, value;
    if constexpr (std::is_same_v<OpTy, memref::StoreOp>) {
      base = adaptor.getMemref();
      value = adaptor.getValue();
    } else {
      base = adaptor.getBase();
      value = adaptor.getValueToStore();
    }
    Value address = getAddress(rewriter, op.getLoc(), op.getMemRefType(), base, adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, address, getAlignment(op));
    return success();
  }
};

struct AllocaLowering : OpConversionPattern<memref::AllocaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(memref::AllocaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value one = LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), 1);
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(op, getPointerType(op.getContext(), Space::Private),
                                                getArrayType(op.getType()), one, kBufferAlignment);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Machine operations
//===----------------------------------------------------------------------===//

struct AdvanceLowering : OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AdvanceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value pointer = adaptor.getPointer();
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, pointer.getType(), rewriter.getF32Type(), pointer,
                                             ValueRange(adaptor.getOffset()), GEPNoWrapFlags::nusw);
    return success();
  }
};

struct CpAsyncLowering : OpConversionPattern<CpAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CpAsyncOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getAddress(rewriter, loc, cast<MemRefType>(op.getSource().getType()), adaptor.getSource(),
                              adaptor.getSourceIndex());
    Value dest = getAddress(rewriter, loc, cast<MemRefType>(op.getDest().getType()), adaptor.getDest(),
                            adaptor.getDestIndices());
    Value bytes;
    if (Value valid = adaptor.getValid()) {
      Value size = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), kElementBytes);
      bytes = LLVM::MulOp::create(rewriter, loc, valid, size, LLVM::IntegerOverflowFlags::nsw);
    }
    // The copy past L1 exists for 16 bytes only (PTX ISA, cp.async).
    auto modifier = op.getBytes() == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(rewriter, loc, dest, source, rewriter.getI32IntegerAttr(op.getBytes()),
                            NVVM::LoadCacheModifierKindAttr::get(op.getContext(), modifier), bytes);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CpAsyncCommitLowering : OpConversionPattern<CpAsyncCommitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CpAsyncCommitOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct CpAsyncWaitLowering : OpConversionPattern<CpAsyncWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CpAsyncWaitOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getInFlight());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// `gpu.thread_id x`, `gpu.block_id x` as the special register, with its range.
template <typename OpTy, typename RegisterOp> struct IdLowering : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor, ConversionPatternRewriter &rewriter) const override {
    int64_t limit = kMaxGrid;
    if constexpr (std::is_same_v<OpTy, gpu::ThreadIdOp>)
      limit = op->template getParentOfType<LLVM::LLVMFuncOp>()->template getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName())[0];
    Type type = rewriter.getI32Type();
    auto range = LLVM::ConstantRangeAttr::get(op.getContext(), APInt(32, 0), APInt(32, limit));
    rewriter.replaceOpWithNewOp<RegisterOp>(op, type, range);
    return success();
  }
};

struct BarrierLowering : OpConversionPattern<gpu::BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(gpu::BarrierOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::Barrier0Op>(op);
    return success();
  }
};

struct ReturnLowering : OpConversionPattern<gpu::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(gpu::ReturnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

struct FuncLowering : OpConversionPattern<gpu::GPUFuncOp> {
  /// `shared` names the module's array of dynamic shared memory; empty if no kernel uses any.
  FuncLowering(const TypeConverter &converter, MLIRContext *context, StringRef shared)
      : OpConversionPattern(converter, context), shared(shared) {}

  LogicalResult matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    auto inputs = op.getFunctionType().getInputs();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(inputs, types)))
      return failure();
    TypeConverter::SignatureConversion signature(op.getBody().getNumArguments());
    for (auto [i, type] : llvm::enumerate(types))
      signature.addInputs(i, type);

    // Shared buffers are pieces of one array, whose size the launch gives.
    rewriter.setInsertionPointToStart(&op.getBody().front());
    SmallVector<int64_t> offsets;
    getSharedBytes(op, &offsets);
    auto pointer = getPointerType(context, Space::Shared);
    Value base;
    if (!offsets.empty())
      base = LLVM::AddressOfOp::create(rewriter, loc, pointer, shared);
    for (auto [i, offset] : llvm::enumerate(offsets)) {
      Value buffer =
          offset == 0
              ? base
              : LLVM::GEPOp::create(rewriter, op.getWorkgroupAttributions()[i].getLoc(), pointer, rewriter.getI8Type(),
                                    base, ArrayRef<LLVM::GEPArg>{int32_t(offset)}, GEPNoWrapFlags::inbounds)
                    .getResult();
      signature.remapInput(inputs.size() + i, buffer);
    }

    rewriter.setInsertionPoint(op);
    auto func = LLVM::LLVMFuncOp::create(rewriter, loc, op.getName(),
                                         LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
    setAttributes(op, func);
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void setAttributes(gpu::GPUFuncOp op, LLVM::LLVMFuncOp func) {
    Builder builder(op.getContext());
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), op.getKnownBlockSizeAttr());
    if (auto launch = op->getAttrOfType<LaunchAttr>("tgc.launch"))
      func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(launch.getMinBlocks()));
    for (auto [i, type] : llvm::enumerate(op.getFunctionType().getInputs())) {
      if (ArrayAttr attrs = op.getArgAttrsAttr())
        for (NamedAttribute attr : cast<DictionaryAttr>(attrs[i]))
          if (isa_and_nonnull<LLVM::LLVMDialect>(attr.getNameDialect()))
            func.setArgAttr(i, attr.getName(), attr.getValue());
      if (type.isIndex())
        func.setArgAttr(i, LLVM::LLVMDialect::getRangeAttrName(),
                        LLVM::ConstantRangeAttr::get(op.getContext(), APInt(32, 0), APInt(32, kMaxSize + 1)));
    }
  }

  StringRef shared;
};

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

bool isThreadType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return getSpace(memref).has_value();
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isF32() && vector.getRank() == 1 && !vector.isScalable() &&
           (vector.getDimSize(0) == 2 || vector.getDimSize(0) == 4);
  return type.isIndex() || type.isInteger(64) || type.isInteger(1) || type.isF32();
}

LogicalResult verifyTypes(Operation *op, TypeRange types) {
  bool accesses =
      isa<memref::LoadOp, memref::StoreOp, memref::AllocaOp, vector::LoadOp, vector::StoreOp, CpAsyncOp>(op);
  for (Type type : types) {
    if (!isThreadType(type))
      return op->emitOpError() << "has type " << type
                               << ", which the thread level does not have; see docs/threads.md for those it has";
    auto memref = dyn_cast<MemRefType>(type);
    if (!accesses && (isa<VectorType>(type) || (memref && getSpace(memref) != Space::Global)))
      return op->emitOpError() << "has type " << type << ", which only loads, stores and copies may have";
  }
  return success();
}

/// Vector accesses of memory that other threads see are single instructions only if aligned.
template <typename OpTy> LogicalResult verifyVectorAccess(OpTy op) {
  int64_t bytes = op.getVectorType().getNumElements() * kElementBytes;
  if (*getSpace(op.getMemRefType()) != Space::Private && op.getAlignment() != uint64_t(bytes))
    return op.emitOpError() << "moves " << bytes << " bytes, so it needs alignment = " << bytes << " : i64";
  return success();
}

LogicalResult verifyOp(Operation *op) {
  if (!isThreadOp(op))
    return op->emitOpError("is no operation of L3; see docs/threads.md for those there are");
  if (failed(verifyTypes(op, op->getOperandTypes())) || failed(verifyTypes(op, op->getResultTypes())))
    return failure();
  if (auto fmf = dyn_cast<arith::ArithFastMathInterface>(op);
      fmf && fmf.getFastMathFlagsAttr() && fmf.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
    return op->emitOpError("has fastmath flags; L3 rounds every operation, so remove them");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gpu::ThreadIdOp, gpu::BlockIdOp>([](auto id) -> LogicalResult {
        if (id.getDimension() != gpu::Dimension::x)
          return id.emitOpError("is not along x; blocks and grids have one dimension at L3");
        return success();
      })
      .Case([](scf::ForOp loop) -> LogicalResult {
        Attribute unroll = loop->getAttr("tgc.unroll");
        if (!loop.getInductionVar().getType().isIndex())
          return loop.emitOpError() << "counts in " << loop.getInductionVar().getType() << ", expects index";
        if (isa_and_nonnull<UnitAttr>(unroll) && !loop.getStaticTripCount())
          return loop.emitOpError("is to be unrolled fully (tgc.unroll), but its bounds and step are not constants; "
                                  "give the number of turns, as in tgc.unroll = 4");
        return success();
      })
      .Case([](arith::ConstantOp constant) -> LogicalResult {
        if (auto value = dyn_cast<IntegerAttr>(constant.getValue());
            value && value.getType().isIndex() && !value.getValue().isSignedIntN(32))
          return constant.emitOpError() << value.getInt() << " does not fit the 32 bits of an index at L3; use i64";
        return success();
      })
      .Case([](memref::AllocaOp alloca) -> LogicalResult {
        if (getSpace(alloca.getType()) != Space::Private)
          return alloca.emitOpError() << "makes " << alloca.getType()
                                      << ", expects #gpu.address_space<private>; shared memory is a workgroup "
                                         "attribution of the kernel";
        if (!isa<gpu::GPUFuncOp>(alloca->getParentOp()))
          return alloca.emitOpError("is inside a loop or a condition, expects the kernel's entry block");
        return success();
      })
      .Case<vector::LoadOp, vector::StoreOp>([](auto access) { return verifyVectorAccess(access); })
      .Case([](CpAsyncOp copy) -> LogicalResult {
        if (getSpace(cast<MemRefType>(copy.getDest().getType())) != Space::Shared)
          return copy.emitOpError() << "writes " << copy.getDest().getType()
                                    << ", expects shared memory (#gpu.address_space<workgroup>)";
        return success();
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult verifyKernel(gpu::GPUFuncOp func) {
  if (!func.isKernel())
    return func.emitOpError("is not a kernel; functions at L3 are kernels, without calls");
  if (func.getNumPrivateAttributions())
    return func.emitOpError("has private attributions; use memref.alloca for private memory");
  auto block = func.getKnownBlockSizeAttr();
  if (!block)
    return func.emitOpError("has no known_block_size; it says for how many threads the kernel is compiled");
  if (block[0] < 1 || block[0] > kMaxThreads || block[1] != 1 || block[2] != 1)
    return func.emitOpError() << "has known_block_size " << block[0] << " x " << block[1] << " x " << block[2]
                              << ", expects one dimension of 1 to " << kMaxThreads << " threads";
  for (BlockArgument argument : func.getArguments()) {
    auto memref = dyn_cast<MemRefType>(argument.getType());
    bool shared = argument.getArgNumber() >= func.getFunctionType().getNumInputs();
    if (!isThreadType(argument.getType()) || isa<VectorType>(argument.getType()) ||
        (memref && getSpace(memref) != (shared ? Space::Shared : Space::Global)))
      return func.emitOpError() << "argument " << argument.getArgNumber() << " has type " << argument.getType()
                                << (shared ? ", expects shared memory of static shape and of f32"
                                           : ", expects index, i64, f32 or memref<?xf32>");
  }
  if (failed(checkArrays(func)))
    return failure();
  for (Operation &op : func.getBody().front())
    if (op.walk([](Operation *nested) { return WalkResult(verifyOp(nested)); }).wasInterrupted())
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Says on every loop what LLVM may unroll: what the thread program marks. A loop with a barrier is unrolled no
/// further, a loop without one as LLVM and ptxas see fit: the naive kernel's loop over k, for one, waits for each load
/// in turn unless it is (2.7 TFLOP/s against 5.3 through nvcc, which unrolls it by 4).
void annotateLoops(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  module.walk([&](scf::ForOp loop) {
    BoolAttr yes = builder.getBoolAttr(true);
    BoolAttr full, disable;
    IntegerAttr count;
    Attribute unroll = loop->removeAttr("tgc.unroll");
    if (auto turns = dyn_cast_if_present<IntegerAttr>(unroll))
      count = builder.getI32IntegerAttr(turns.getValue().getSExtValue());
    else if (unroll)
      full = yes;
    else if (loop.getBody()->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); }).wasInterrupted())
      disable = yes;
    else
      return;
    auto how = LLVM::LoopUnrollAttr::get(builder.getContext(), disable, count, /*runtimeDisable=*/{}, full, {}, {}, {});
    loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, how, {}, {}, {},
                                                                   {}, {}, {}, {}, {}, {}, {}, {}));
  });
}

/// Index values fit 31 bits (docs/threads.md), so their sums and products do not wrap. LLVM needs to know it to keep
/// constant parts of 32-bit indices in the immediate offset of an access.
void setNoWrap(gpu::GPUModuleOp module) {
  auto nsw = arith::IntegerOverflowFlagsAttr::get(module.getContext(), arith::IntegerOverflowFlags::nsw);
  module.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) && op->getResult(0).getType().isIndex())
      op->setAttr(op.getIntegerOverflowAttrName(), nsw);
  });
}

struct ConvertToNVVM : tgc::impl::ConvertToNVVMPassBase<ConvertToNVVM> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    for (Operation &op : *module.getBody()) {
      auto func = dyn_cast<gpu::GPUFuncOp>(op);
      if (!func) {
        op.emitOpError("is not a kernel; a gpu.module at L3 holds gpu.func kernels only");
        return signalPassFailure();
      }
      if (failed(verifyKernel(func)))
        return signalPassFailure();
    }

    annotateLoops(module);
    RewritePatternSet structured(context);
    populateSCFToControlFlowConversionPatterns(structured);
    ConversionTarget unstructured(*context);
    unstructured.addIllegalDialect<scf::SCFDialect>();
    unstructured.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(module, unstructured, std::move(structured))))
      return signalPassFailure();
    setNoWrap(module);

    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(32);
    LLVMTypeConverter converter(context, options);
    converter.addConversion([](MemRefType type) -> std::optional<Type> {
      auto space = getSpace(type);
      return space ? getPointerType(type.getContext(), *space) : Type();
    });
    RewritePatternSet patterns(context);
    patterns.add<FuncLowering>(converter, context, createSharedMemory(module));
    patterns.add<LoadLowering<memref::LoadOp>, LoadLowering<vector::LoadOp>, StoreLowering<memref::StoreOp>,
                 StoreLowering<vector::StoreOp>, AllocaLowering, AdvanceLowering, CpAsyncLowering,
                 CpAsyncCommitLowering, CpAsyncWaitLowering, BarrierLowering, ReturnLowering,
                 IdLowering<gpu::ThreadIdOp, NVVM::ThreadIdXOp>, IdLowering<gpu::BlockIdOp, NVVM::BlockIdXOp>>(
        converter, context);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<gpu::GPUModuleOp>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }

private:
  /// One array for all kernels of the module, as dynamic shared memory starts at the same address for every symbol.
  /// Returns its name, or nothing if no kernel uses shared memory.
  static StringRef createSharedMemory(gpu::GPUModuleOp module) {
    if (llvm::none_of(module.getOps<gpu::GPUFuncOp>(),
                      [](gpu::GPUFuncOp func) { return func.getNumWorkgroupAttributions() != 0; }))
      return {};
    OpBuilder builder(module.getContext());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    // External, or NVPTX turns it into a static array.
    auto shared = LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External,
                                         "tgc_shared", /*value=*/Attribute(), kBufferAlignment,
                                         unsigned(NVVM::NVVMMemorySpace::Shared));
    SymbolTable(module).insert(shared, module.getBody()->begin()); // makes the name unique
    return shared.getSymName();
  }
};

} // namespace
