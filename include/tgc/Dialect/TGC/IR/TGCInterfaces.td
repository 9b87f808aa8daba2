//===- TGCInterfaces.td - layouts and distributions --------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations speak of logical (row, column) coordinates; only these two
// interfaces know addresses and owners. New hardware adds implementations,
// not operations.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_INTERFACES_TD
#define TGC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TGC_TileLayout : AttrInterface<"TileLayout"> {
  let cppNamespace = "::tgc";
  let description = [{
    Where an element of a logical (rows x columns) tile lies in shared memory.
    A tile is stored as a two-dimensional array `[slow][fast]`; consecutive
    `fast` positions are consecutive elements.
  }];
  let methods = [
    InterfaceMethod<"The logical dimension (0 rows, 1 columns) that runs along `fast`.",
      "unsigned", "getFastDim", (ins)>,
    InterfaceMethod<[{The array that stores a tile of this logical `shape`: {slow extent, fast extent with padding}.}],
      "::std::array<int64_t, 2>", "getStorageShape", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<[{The longest run, in elements, that is contiguous in storage wherever a multiple of it starts,
      for a tile of this logical `shape`: the widest vector access is one run.}],
      "int64_t", "getContiguousRun", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"The storage position {slow, fast} of the logical element (row, col).",
      "::std::array<int64_t, 2>", "getPosition", (ins "int64_t":$row, "int64_t":$col)>,
    InterfaceMethod<"The same position as IR: `row` and `col` are index values or constants.",
      "::std::array<::mlir::OpFoldResult, 2>", "buildPosition",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::OpFoldResult":$row, "::mlir::OpFoldResult":$col)>,
  ];
}

def TGC_TileDistribution : AttrInterface<"TileDistribution"> {
  let cppNamespace = "::tgc";
  let description = [{
    Which thread of the block holds which elements of a register tile.
    Thread `t` holds a thread tile of TM x TN elements; element (i, j) of it is
    the tile's element (origin(t).row + offset(0, i), origin(t).col + offset(1, j)).
    Within one group of consecutive i (or j) the offset grows by one.
  }];
  let methods = [
    InterfaceMethod<"Threads in the block.", "int64_t", "getNumThreads", (ins)>,
    InterfaceMethod<"The logical shape of the whole tile: {BM, BN}.", "::std::array<int64_t, 2>", "getTileShape", (ins)>,
    InterfaceMethod<"Elements of one thread: {TM, TN}.", "::std::array<int64_t, 2>", "getThreadTile", (ins)>,
    InterfaceMethod<"Consecutive elements held together: {GM, GN}.", "::std::array<int64_t, 2>", "getGroupShape", (ins)>,
    InterfaceMethod<"Distance between the starts of neighbouring groups of a thread, in elements of the tile.",
      "::std::array<int64_t, 2>", "getGroupStride", (ins)>,
    InterfaceMethod<"First element {row, col} of thread `thread`.",
      "::std::array<int64_t, 2>", "getOrigin", (ins "int64_t":$thread)>,
    InterfaceMethod<"The same origin as IR.", "::std::array<::mlir::Value, 2>", "buildOrigin",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::Value":$thread)>,
  ];
  let extraSharedClassDeclaration = [{
    /// Offset of element `i` of the thread tile along `dim` from the thread's origin.
    int64_t getOffset(unsigned dim, int64_t i) const {
      int64_t group = $_attr.getGroupShape()[dim];
      return i / group * $_attr.getGroupStride()[dim] + i % group;
    }
  }];
}

#endif
