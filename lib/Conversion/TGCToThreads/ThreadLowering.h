//===- ThreadLowering.h - state of the lowering from L2 to L3 -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

// The lowering walks one L2 function in program order and builds the L3 function beside it. Tiles, windows and rings
// have no L3 value: the maps below say what stands for each. Data movement and arithmetic are in TileAccess.cpp,
// control flow and the ring in TGCToThreads.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_CONVERSION_TGCTOTHREADS_THREADLOWERING_H
#define TGC_LIB_CONVERSION_TGCTOTHREADS_THREADLOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Support/IndexMath.h"

namespace tgc {

/// A global operand: a matrix, or a vector (no leading dimension).
struct GlobalOperand {
  std::string name;
  mlir::Value pointer;          ///< memref<?xf32>
  mlir::Value leadingDimension; ///< i64, null for a vector
  unsigned rank = 2;
  unsigned fastDim = 1;                       ///< the logical dimension of stride 1
  llvm::SmallVector<llvm::StringRef, 2> dims; ///< names of the sizes, slow to fast

  /// The name of the size of logical dimension `dim`.
  llvm::StringRef getDim(unsigned dim) const { return dim == fastDim ? dims.back() : dims.front(); }
};

/// A window: element (i, j) is `operand[offsets + (i, j)]`, inside while below `limits`.
struct WindowValue {
  GlobalOperand operand;
  llvm::SmallVector<mlir::OpFoldResult, 2> offsets, limits;
  llvm::SmallVector<bool, 2> inBounds;
};

/// A shared tile: element (i, j) of it is logical element (i, j) + `offset` of one slot of `buffer`.
struct SharedValue {
  mlir::Value buffer; ///< memref<[slots x] slow x fast>
  TileLayout layout;
  std::array<int64_t, 2> slotShape; ///< logical shape of the whole slot's tile
  mlir::OpFoldResult slot;          ///< null if the ring has one slot
  std::array<mlir::OpFoldResult, 2> offset;
};

/// A register tile: a private array without the extents of 1 of `shape`; `buffer` selects among leading buffers.
struct RegisterValue {
  mlir::Value array;
  llvm::SmallVector<int64_t, 3> shape;
  mlir::OpFoldResult buffer; ///< null if the tile has no leading dimension
};

/// A ring while it is lowered: the slots the next `acquire` and the front stand for.
struct RingValue {
  llvm::SmallVector<mlir::Value> buffers;
  int64_t slots = 1;
  bool async = false; ///< filled by cp.async
  mlir::OpFoldResult write, read;
};

class ThreadLowering {
public:
  ThreadLowering(mlir::gpu::GPUFuncOp source) : source(source), builder(source) {}

  /// Builds the L3 function in front of `source`. Fails after a diagnostic.
  mlir::FailureOr<mlir::gpu::GPUFuncOp> run();

private:
  using OFR = mlir::OpFoldResult;

  // TGCToThreads.cpp: the function, control flow, work and the ring.
  mlir::LogicalResult buildFunction();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation *op);
  mlir::LogicalResult lowerFor(mlir::scf::ForOp loop);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp branch);
  mlir::LogicalResult lowerWork(WorkOp work);
  mlir::LogicalResult lowerDim(mlir::memref::DimOp dim);
  mlir::LogicalResult lowerRing(RingOp ring);
  mlir::LogicalResult lowerAcquire(AcquireOp acquire);
  void bindTiles(mlir::Value ring, OFR slot, mlir::ValueRange tiles);
  OFR nextSlot(OFR slot, int64_t slots, llvm::StringRef name);

  // TileAccess.cpp: copies, products, stores.
  mlir::LogicalResult lowerCopy(CopyOp copy);
  mlir::LogicalResult lowerProduct(ProductOp product);
  mlir::LogicalResult lowerStore(StoreOp store);
  void lowerFill(FillOp fill);
  /// Checks that `tile` is no window of a vector.
  mlir::LogicalResult checkMatrix(mlir::Operation *op, mlir::Value tile);
  mlir::LogicalResult copyPieces(CopyOp copy);
  mlir::LogicalResult copyFragment(mlir::Value source, const RegisterValue &dest, TileDistribution of, unsigned dim,
                                   OFR k, int64_t width);
  mlir::Value loadElement(mlir::Value tile, OFR row, OFR col);
  llvm::SmallVector<mlir::Value> sharedIndices(const SharedValue &tile, OFR row, OFR col);
  OFR distributionOffset(TileDistribution distribution, unsigned dim, OFR i, int64_t step);

  // Builder helpers.
  mlir::Value thread();
  std::array<mlir::Value, 2> origin(TileDistribution distribution);
  RegisterValue privateArray(llvm::ArrayRef<int64_t> shape, llvm::StringRef name);
  llvm::SmallVector<mlir::Value> privateIndices(const RegisterValue &tile, llvm::ArrayRef<OFR> indices);
  mlir::Value loadPrivate(const RegisterValue &tile, llvm::ArrayRef<OFR> indices);
  void storePrivate(mlir::Value value, const RegisterValue &tile, llvm::ArrayRef<OFR> indices);
  void unrolledLoop(int64_t lower, int64_t upper, int64_t step, llvm::StringRef name,
                    llvm::function_ref<void(OFR)> body, int64_t unroll = 0, llvm::StringRef comment = {});
  mlir::Value less(OFR a, OFR b);
  mlir::Value both(mlir::Value a, mlir::Value b); ///< null means true
  mlir::Value pointerTo(const GlobalOperand &operand, OFR slow);
  mlir::Value advance(mlir::Value pointer, OFR rows, const GlobalOperand &operand);
  mlir::Value constantF32(float value);
  mlir::VectorType vectorOf(int64_t width);
  IndexMath math() { return IndexMath(builder, loc); }
  OFR mapped(mlir::Value value) {
    if (auto constant = mlir::getConstantIntValue(mlir::OpFoldResult(value)))
      if (value.getType().isIndex())
        return builder.getIndexAttr(*constant);
    return mapping.lookup(value);
  }

  mlir::gpu::GPUFuncOp source, target;
  mlir::OpBuilder builder;
  mlir::Location loc = mlir::UnknownLoc::get(builder.getContext());
  int64_t threads = 0;
  mlir::Value threadId;
  llvm::DenseMap<mlir::Attribute, std::array<mlir::Value, 2>> origins;
  mlir::IRMapping mapping;
  llvm::StringMap<mlir::Value> sizes; ///< by symbol
  llvm::DenseMap<mlir::Value, GlobalOperand> operands;
  llvm::DenseMap<mlir::Value, WindowValue> windows;
  llvm::DenseMap<mlir::Value, SharedValue> sharedTiles;
  llvm::DenseMap<mlir::Value, RegisterValue> registerTiles;
  llvm::DenseMap<mlir::Value, RingValue> rings;
};

/// Which operand fills tile `index` of `ring`, by the copies into its acquired slots: "A"; empty if none does.
llvm::StringRef getRingOperandName(RingOp ring, unsigned index);

} // namespace tgc

#endif
