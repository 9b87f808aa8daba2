//===- Program.h - an L3 kernel as instructions for warps -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear program. An instruction acts on all lanes of a warp at once; control flow narrows a mask of active lanes,
// so that a warp can stop at any barrier and be resumed: its state is a position, a mask and registers.
//
// Registers are structures of arrays. Integers (index, i64, i1 and pointers) are 64 bits wide and lie in one register
// file: one word for a value that is the same in all active lanes, 32 otherwise. Floats always take 32 words, a vector
// of w floats w times 32.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_SIMULATOR_PROGRAM_H
#define TGC_LIB_SIMULATOR_PROGRAM_H

#include "tgc/Support/KernelInterface.h"

namespace tgc::sim {

constexpr unsigned kLanes = kWarpSize;

/// A pointer is its operand's number times this plus a signed offset in elements.
constexpr int64_t kPointerStride = int64_t(1) << 50;
/// Offsets of pointers stay within plus and minus this.
constexpr int64_t kMaxPointerOffset = int64_t(1) << 48;

/// A register: position in the integer or the float file.
struct Slot {
  uint32_t at = 0;
  bool uniform = false; ///< integers only: one word for the warp
};

enum class Opcode : uint8_t {
  // Integers: dst = a op b. Index results must fit 32 bits, Long ones 64.
  AddIndex,
  SubIndex,
  MulIndex,
  AddLong,
  SubLong,
  MulLong,
  DivU,
  RemU,
  MinS,
  MaxS,
  Xor,
  And,
  Or,
  Compare,   ///< aux: arith::CmpIPredicate; width: bits of the operands
  SelectInt, ///< dst = a ? b : c
  ToIndex,   ///< 64 to 32 bits
  Advance,   ///< dst = pointer a + b
  ThreadId,
  BlockId,
  CopyInt, ///< active lanes only
  // Floats.
  AddF,
  SubF,
  MulF,
  DivF,
  NegF,
  MaxF,
  MinF,
  Fma,
  CompareF, ///< aux: arith::CmpFPredicate; dst is an integer
  SelectFloat,
  CopyFloat, ///< active lanes only
  // Memory: width elements. aux: buffer.
  LoadGlobal,
  StoreGlobal, ///< pointer a, index b; value c
  LoadShared,
  StoreShared, ///< indices; value c
  LoadPrivate,
  StorePrivate, ///< indices; value c
  CpAsync,      ///< pointer a, index b, indices, valid elements c if hasValid
  Commit,
  Wait, ///< aux: groups that may stay in flight
  // Control.
  LoopBegin, ///< saves the mask in aux; step a
  LoopTest,  ///< lanes with a < b stay; if none, restores the mask in aux and goes to target
  LoopNext,  ///< a += b, then goes to target
  IfBegin,   ///< saves the mask in aux; lanes with a stay; if none, goes to target
  IfElse,    ///< lanes saved in aux without a stay; if none, goes to target
  IfEnd,     ///< restores the mask in aux
  Barrier,
  Return,
};

struct Instruction {
  Opcode op;
  uint8_t width = 1;
  bool hasValid = false;
  uint8_t rank = 0;        ///< indices: how many,
  uint32_t firstIndex = 0; ///< and where they start in Program::indices
  Slot dst, a, b, c;
  uint32_t aux = 0, target = 0;
  uint32_t alignment = 0; ///< bytes, of a vector access
  mlir::Operation *source = nullptr;
};

/// A shared or private memref: static shape, identity layout.
struct Buffer {
  std::string name;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t first = 0; ///< element of the block's shared, or the thread's private memory
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Slot> indices;
  std::vector<Buffer> buffers;
  uint32_t intWords = 0, floatWords = 0, masks = 0;
  int64_t sharedElements = 0, privateElements = 0;
  /// Constants, written to the register files once: uniform integers, and floats in all lanes.
  std::vector<std::pair<uint32_t, int64_t>> intConstants;
  std::vector<std::pair<uint32_t, float>> floatConstants;
  /// One per kernel argument, in order.
  std::vector<Slot> arguments;
};

/// Compiles `func`. Emits an error on whatever is not L3.
mlir::FailureOr<Program> compile(mlir::gpu::GPUFuncOp func);

} // namespace tgc::sim

#endif
