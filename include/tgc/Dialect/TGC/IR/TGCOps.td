//===- TGCOps.td - operations of the tgc dialect -----------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_OPS_TD
#define TGC_OPS_TD

include "tgc/Dialect/TGC/IR/TGCTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

class TGC_Op<string mnemonic, list<Trait> traits = []> : Op<TGC_Dialect, mnemonic, traits>;

def F32Pointer : MemRefRankOf<[F32], [1]>;

//===----------------------------------------------------------------------===//
// L1: what is computed
//===----------------------------------------------------------------------===//

def TGC_MatmulOp : TGC_Op<"matmul", [SingleBlock]> {
  let summary = "C = epilogue(A @ B), or C += A @ B";
  let description = [{
    A is M x K, B is K x N, C is M x N, each with its own strides, of which one is 1.
    Each element of the product adds k ascending, one fma per k, from 0; with
    `accumulate` the sum is added to C's old element. With K = 0 the product is 0.

    The optional region maps an element of the product to an element of C. Its
    arguments are the product and one element of each `extras` operand, which is
    indexed by the row (`extra_axes` 0), the column (1) or both (2) of the element.
    Scalars come from outside.

    ```mlir
    tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>,
                                      memref<?x?xf32, strided<[?, 1]>>
    ```
  }];
  let arguments = (ins F32MemRef:$a, F32MemRef:$b, F32MemRef:$c, Variadic<F32MemRef>:$extras,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$extra_axes, UnitAttr:$accumulate);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `)` `outs` `(` $c `)` (`extras` `(` $extras^ `:` type($extras) `)` `axes` $extra_axes)?
    (`accumulate` $accumulate^)? attr-dict `:` type($a) `,` type($b) `,` type($c) ($epilogue^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// L2: what a block does
//===----------------------------------------------------------------------===//

def TGC_WorkOp : TGC_Op<"work", [SingleBlockImplicitTerminator<"::tgc::YieldOp">]> {
  let summary = "runs its region once per output tile";
  let description = [{
    The region's arguments are the first row `m` and column `n` of the output tile,
    the range `k0` to `k1` of k to add up, and the batch index (0). `walk` says which
    block takes which tile.

    ```mlir
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <128x256> walk grouped 8 { ... }
    ```
  }];
  let arguments = (ins Index:$m_size, Index:$n_size, Index:$k_size, TGC_ShapeAttr:$tile,
                       TGC_WalkKindAttr:$walk, DefaultValuedAttr<I64Attr, "0">:$walk_group);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getM() { return getBody().getArgument(0); }
    ::mlir::Value getN() { return getBody().getArgument(1); }
    ::mlir::Value getK0() { return getBody().getArgument(2); }
    ::mlir::Value getK1() { return getBody().getArgument(3); }
  }];
}

def TGC_YieldOp : TGC_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["::tgc::WorkOp", "::tgc::MatmulOp", "::tgc::StoreOp"]>]> {
  let summary = "ends a region; yields the element of C in an epilogue";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def TGC_WindowOp : TGC_Op<"window", [Pure, AttrSizedOperandSegments]> {
  let summary = "a logical piece of a global operand";
  let description = [{
    The tile whose element (0, 0) is `source[offsets]`. Elements at or past `limits`
    are outside: **they read as 0, and writes to them are dropped.** `in_bounds` is a
    proven promise per dimension that none is outside.
  }];
  let arguments = (ins F32MemRef:$source, Variadic<Index>:$offsets, Variadic<Index>:$limits,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs TGC_TileType:$tile);
  let assemblyFormat = [{
    $source `[` $offsets `]` `limit` `[` $limits `]` (`in_bounds` $in_bounds^)? attr-dict `:` type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isInBounds(unsigned dim) { return getInBounds() && (*getInBounds())[dim]; }
  }];
}

def TGC_AllocOp : TGC_Op<"alloc"> {
  let summary = "a register tile";
  let results = (outs TGC_TileType:$tile);
  let assemblyFormat = "attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def TGC_FillOp : TGC_Op<"fill"> {
  let summary = "sets every element of a register tile";
  let arguments = (ins TGC_TileType:$tile, F32:$value);
  let assemblyFormat = "$tile `,` $value attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def TGC_SliceOp : TGC_Op<"slice", [Pure]> {
  let summary = "a piece of a shared or register tile";
  let description = [{
    The result has the source's place. A leading dimension of a register tile, which
    selects a buffer, is dropped.

    ```mlir
    %column = tgc.slice %a[%c0, %kk] : !tgc.tile<128x8xf32, ...> -> !tgc.tile<128x1xf32, ...>
    ```
  }];
  let arguments = (ins TGC_TileType:$source, Variadic<Index>:$offsets);
  let results = (outs TGC_TileType:$result);
  let assemblyFormat = "$source `[` $offsets `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TGC_CopyOp : TGC_Op<"copy"> {
  let summary = "tile to tile: all data movement";
  let description = [{
    Copies `source` to `dest`, tiles of one logical shape in any places. `width` is
    the number of elements of one access on the wider side. `kind = cp_async` writes
    shared memory asynchronously: the data is there after the ring's `wait`.

    global -> shared, global -> copy_regs and copy_regs -> shared share one
    assignment of pieces to threads: pieces of `width` elements along the source's
    contiguous dimension, in row-major order of pieces, piece p * threads + t to thread t.
  }];
  let arguments = (ins TGC_TileType:$source, TGC_TileType:$dest,
                       DefaultValuedAttr<TGC_CopyKindAttr, "::tgc::CopyKind::Plain">:$kind,
                       DefaultValuedAttr<I64Attr, "1">:$width);
  let assemblyFormat = "$source `,` $dest (`by` $kind^)? (`width` $width^)? attr-dict `:` type($source) `->` type($dest)";
  let hasVerifier = 1;
}

def TGC_ProductOp : TGC_Op<"product"> {
  let summary = "acc += a @ b: all arithmetic";
  let description = [{
    `acc` is a distributed register tile (BM x BN), `a` (BM x k) and `b` (k x BN) lie
    in any places. **Each element adds k ascending, one fma per k, always.**
    `inner` and `zigzag` order the independent elements only.
  }];
  let arguments = (ins TGC_TileType:$acc, TGC_TileType:$a, TGC_TileType:$b,
                       DefaultValuedAttr<TGC_InnerLoopAttr, "::tgc::InnerLoop::J">:$inner,
                       UnitAttr:$zigzag, DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$unroll);
  let assemblyFormat = "$acc `,` $a `,` $b (`order` $inner^)? (`zigzag` $zigzag^)? (`unroll` $unroll^)? attr-dict `:` type($acc) `,` type($a) `,` type($b)";
  let hasVerifier = 1;
}

def TGC_StoreOp : TGC_Op<"store", [SingleBlock]> {
  let summary = "accumulator to global memory, through the epilogue";
  let description = [{
    Writes the accumulator to the window `dest`, `width` elements an access. The
    region and `extras` are those of `tgc.matmul`; extras are windows.
  }];
  let arguments = (ins TGC_TileType:$acc, TGC_TileType:$dest, Variadic<TGC_TileType>:$extras,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$extra_axes,
                       UnitAttr:$accumulate, DefaultValuedAttr<I64Attr, "1">:$width);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $acc `,` $dest (`extras` `(` $extras^ `:` type($extras) `)` `axes` $extra_axes)?
    (`accumulate` $accumulate^)? (`width` $width^)? attr-dict `:` type($acc) `->` type($dest) ($epilogue^)?
  }];
  let hasVerifier = 1;
}

def TGC_RingOp : TGC_Op<"ring"> {
  let summary = "allocates the slots of a ring in shared memory; all are free";
  let results = (outs TGC_RingType:$ring);
  let assemblyFormat = "attr-dict `:` type($ring)";
}

class TGC_RingTilesOp<string mnemonic, string format = "$ring attr-dict `:` type($ring)"> : TGC_Op<mnemonic, [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins TGC_RingType:$ring);
  let results = (outs Variadic<TGC_TileType>:$tiles);
  let assemblyFormat = format;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      ::llvm::append_range(types, ::llvm::cast<RingType>(operands[0].getType()).getTiles());
      return ::mlir::success();
    }
  }];
}

def TGC_AcquireOp : TGC_RingTilesOp<"acquire"> {
  let summary = "the next free slot, to be filled";
  let description = "Lowers to a barrier only if no `wait` lies between the `release` of that slot and here.";
}

def TGC_CommitOp : TGC_Op<"commit"> {
  let summary = "the acquired slot's copies are all issued";
  let arguments = (ins TGC_RingType:$ring);
  let assemblyFormat = "$ring attr-dict `:` type($ring)";
}

def TGC_WaitOp : TGC_RingTilesOp<"wait", "$ring (`in_flight` $in_flight^)? attr-dict `:` type($ring)"> {
  let summary = "waits for the oldest committed slot that is not released";
  let description = [{
    After it the slot's tiles can be read by every thread: it waits for the thread's
    own copies, all but those of the `in_flight` youngest committed slots, then for
    all threads.
  }];
  let arguments = (ins TGC_RingType:$ring, DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$in_flight);
}

def TGC_FrontOp : TGC_RingTilesOp<"front"> {
  let summary = "the tiles of the slot last waited for and not released; does not wait";
}

def TGC_ReleaseOp : TGC_Op<"release"> {
  let summary = "the front slot is no longer read";
  let arguments = (ins TGC_RingType:$ring);
  let assemblyFormat = "$ring attr-dict `:` type($ring)";
}

//===----------------------------------------------------------------------===//
// L3: machine operations
//===----------------------------------------------------------------------===//

def TGC_AdvanceOp : TGC_Op<"advance", [Pure, AllTypesMatch<["pointer", "result"]>]> {
  let summary = "a global pointer moved by a 64-bit number of elements";
  let description = [{
    At L3 a global operand is a pointer, `memref<?xf32>`; `index` values are 32-bit
    offsets from it and `i64` values move it.
  }];
  let arguments = (ins F32Pointer:$pointer, I64:$offset);
  let results = (outs F32Pointer:$result);
  let assemblyFormat = "$pointer `,` $offset attr-dict `:` type($pointer)";
}

def TGC_CpAsyncOp : TGC_Op<"cp_async", [AttrSizedOperandSegments]> {
  let summary = "asynchronous copy of 4, 8 or 16 bytes from global to shared memory";
  let description = [{
    Copies `bytes` bytes from `source[source_index]` to `dest[dest_indices]`. With
    `valid` (a number of elements, 0 to bytes / 4), only the first `valid` elements
    are read and the others written as zeros; with 0 the source is not accessed.
    Visible to the issuing thread after `cp_async_wait`, to others after a barrier.
    PTX: `cp.async.cg` for 16 bytes, `cp.async.ca` otherwise.
  }];
  let arguments = (ins F32Pointer:$source, Index:$source_index, F32MemRef:$dest, Variadic<Index>:$dest_indices,
                       I64Attr:$bytes, Optional<Index>:$valid);
  let assemblyFormat = [{
    $source `[` $source_index `]` `,` $dest `[` $dest_indices `]` `,` $bytes (`valid` $valid^)? attr-dict
    `:` type($source) `,` type($dest)
  }];
  let hasVerifier = 1;
}

def TGC_CpAsyncCommitOp : TGC_Op<"cp_async_commit"> {
  let summary = "closes the group of asynchronous copies issued since the last commit";
  let assemblyFormat = "attr-dict";
}

def TGC_CpAsyncWaitOp : TGC_Op<"cp_async_wait"> {
  let summary = "waits until at most `in_flight` of this thread's youngest groups are pending";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$in_flight);
  let assemblyFormat = "$in_flight attr-dict";
}

#endif
