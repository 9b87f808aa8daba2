//===- ScheduleUtils.h - what several schedule passes ask of a kernel -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DIALECT_TGC_TRANSFORMS_SCHEDULEUTILS_H
#define TGC_LIB_DIALECT_TGC_TRANSFORMS_SCHEDULEUTILS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tgc/Dialect/TGC/IR/TGC.h"
#include "tgc/Dialect/TGC/Transforms/ScheduleResources.h"
#include "tgc/Support/Decisions.h"

namespace tgc {

struct TargetLimits;

/// Elements are f32.
constexpr int64_t kElementBytes = 4;

/// Largest extent of a tile: beyond it the thread limit refuses anyway; keeps all products within 64 bits.
constexpr int64_t kMaxExtent = 1024;

/// Thread block of the naive kernel, and of a block tile dealt out in strides: 16 x 16 threads.
constexpr int64_t kDefaultSide = 16;

/// What `block` left out means: one element a thread, k by k.
inline ShapeAttr getNaiveBlock(mlir::MLIRContext *context) {
  return ShapeAttr::get(context, {kDefaultSide, kDefaultSide, 1});
}

/// One factor of the product, or its result.
struct Operand {
  mlir::BlockArgument argument; ///< of the gpu.func
  llvm::StringRef name;
  unsigned fastDim = 1; ///< the logical dimension of stride 1 in global memory
  unsigned kDim = 0;    ///< the logical dimension that is summed: 1 for A, 0 for B
};

/// A gpu.func at L1 with its one tgc.matmul.
struct Kernel {
  mlir::gpu::GPUFuncOp func;
  MatmulOp matmul;
  ScheduleAttr schedule;
  Operand a, b, c;

  const Operand *find(llvm::StringRef name) const { return name == a.name ? &a : name == b.name ? &b : nullptr; }
};

/// The kernels at L1 in `module`. A gpu.func that holds no tgc.matmul is not one. Fails after a diagnostic on a
/// malformed one (no schedule, no operand names, several products).
mlir::FailureOr<llvm::SmallVector<Kernel>> getKernels(mlir::gpu::GPUModuleOp module);

/// The schedule of `kernel` with every clause that it leaves out, and the distribution that its clauses describe, if
/// they divide. Of a complete one: itself.
ScheduleAttr completeSchedule(const Kernel &kernel);

/// Whether the schedule of `kernel` is complete and keeps every rule of docs/schedule.md; without `limits` those that
/// hold for any target. Emits an error on the first that is broken.
mlir::LogicalResult checkSchedule(const Kernel &kernel, const TargetLimits *limits = nullptr);

/// The kernels at L1 in `module`, as for `getKernels`, if `checkSchedule` holds for all of them.
mlir::FailureOr<llvm::SmallVector<Kernel>> getCheckedKernels(mlir::gpu::GPUModuleOp module);

/// The operand behind a memref value of a gpu.func: an argument or a transpose of one.
mlir::FailureOr<Operand> getOperand(mlir::Value memref);

/// The layout in shared memory of operand `operand` staged as `stage` says.
SharedAttr getStagedLayout(StageAttr stage, const Operand &operand);

/// Elements of one access of the copy that stages `operand`, as the schedule asks: the widest that `stage` names (16
/// bytes if it names none) and that divides the rows of the tile; for cp.async also no wider than a contiguous run of
/// the same elements in shared memory. Tile: logical shape.
int64_t getRequestedWidth(StageAttr stage, const Operand &operand, llvm::ArrayRef<int64_t> tile);

/// Elements of one store of C as `store vector` asks: a group's columns, at most 16 bytes; 1 where C's rows are not
/// contiguous.
int64_t getRequestedStoreWidth(const Kernel &kernel);

/// The logical tile of `operand` in a block tile BM x BN x BK.
llvm::SmallVector<int64_t, 2> getOperandTile(const Operand &operand, ShapeAttr block);

/// What a block of `kernel` takes; its schedule is completed, in range and has a distribution.
ScheduleResources getResources(const Kernel &kernel);

/// Whether the factors of `getResources` are what they should be, and their products fit 64 bits.
bool isMeasurable(const Kernel &kernel);

/// What must be known so that accesses of `width` elements of a global operand are aligned and, with `wholePieces`,
/// each lies inside the operand or outside it: facts on its pointer, leading dimension and row length. None for
/// width 1.
llvm::SmallVector<FactAttr> getAccessFacts(mlir::gpu::GPUFuncOp func, const Operand &operand, int64_t width,
                                           bool wholePieces);

/// Whether copies of this kind need whole pieces: cp.async zero-fills part of one by itself.
inline bool needsWholePieces(CopyKind kind) { return kind != CopyKind::CpAsync; }

/// What is known in a function: its own tgc.facts and its module's.
class Facts {
public:
  explicit Facts(mlir::gpu::GPUFuncOp func);
  explicit Facts(mlir::gpu::GPUModuleOp module);
  bool implies(FactAttr fact) const;
  bool imply(llvm::ArrayRef<FactAttr> facts) const {
    return llvm::all_of(facts, [&](FactAttr fact) { return implies(fact); });
  }

private:
  void append(mlir::Operation *op);
  llvm::SmallVector<FactAttr> facts;
};

/// The widest access, at most `requested` elements, whose facts hold.
int64_t getPermittedWidth(mlir::gpu::GPUFuncOp func, const Operand &operand, int64_t requested, bool wholePieces);

} // namespace tgc

#endif
