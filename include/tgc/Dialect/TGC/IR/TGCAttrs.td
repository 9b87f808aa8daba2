//===- TGCAttrs.td - schedules, layouts, distributions -----*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_ATTRS_TD
#define TGC_ATTRS_TD

include "tgc/Dialect/TGC/IR/TGCDialect.td"
include "tgc/Dialect/TGC/IR/TGCInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class TGC_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tgc";
  let genSpecializedAttr = 0;
}

def TGC_Order : TGC_Enum<"Order", "which logical dimension of a tile is contiguous in shared memory", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">,  // columns are contiguous
  I32EnumAttrCase<"ColMajor", 1, "col_major">   // rows are contiguous
]>;

def TGC_StageOrder : TGC_Enum<"StageOrder", "how a schedule stores an operand in shared memory", [
  I32EnumAttrCase<"Operand", 0, "row_major">,   // the operand's own rows, as in global memory
  I32EnumAttrCase<"KMajor", 1, "k_major">       // one row per k
]>;

def TGC_CopyKind : TGC_Enum<"CopyKind", "how a copy moves its data", [
  I32EnumAttrCase<"Plain", 0, "plain">,         // load, then store at once
  I32EnumAttrCase<"Registers", 1, "registers">, // loads before the product, stores after it
  I32EnumAttrCase<"CpAsync", 2, "cp_async">     // asynchronous, without registers
]>;

def TGC_StoreForm : TGC_Enum<"StoreForm", "how accumulators are written to global memory", [
  I32EnumAttrCase<"Scalar", 0, "scalar">,       // one element a store
  I32EnumAttrCase<"Vector", 1, "vector">        // as wide as the variant's alignment allows
]>;

def TGC_WalkKind : TGC_Enum<"WalkKind", "in which order blocks take output tiles", [
  I32EnumAttrCase<"Rows", 0, "rows">,           // along a row of tiles, then the next row
  I32EnumAttrCase<"Grouped", 1, "grouped">      // down a group of rows of tiles, then the next column
]>;

def TGC_InnerLoop : TGC_Enum<"InnerLoop", "which loop of a thread's outer product is innermost", [
  I32EnumAttrCase<"J", 0, "j_inner">,
  I32EnumAttrCase<"I", 1, "i_inner">
]>;

def TGC_FactKind : TGC_Enum<"FactKind", "what a fact says of its subject", [
  I32EnumAttrCase<"Aligned", 0, "aligned">,     // a pointer is a multiple of `value` bytes
  I32EnumAttrCase<"Multiple", 1, "multiple">,   // a size or leading dimension is a multiple of `value`
  I32EnumAttrCase<"AtMost", 2, "at_most">,      // a size is at most `value`
  I32EnumAttrCase<"Equal", 3, "equal">          // a size is `value`
]>;

def TGC_CopyKindAttr : EnumAttr<TGC_Dialect, TGC_CopyKind, "copy_kind">;
def TGC_WalkKindAttr : EnumAttr<TGC_Dialect, TGC_WalkKind, "walk_kind">;
def TGC_InnerLoopAttr : EnumAttr<TGC_Dialect, TGC_InnerLoop, "inner_loop">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class TGC_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<TGC_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TGC_ShapeAttr : TGC_Attr<"Shape", "shape"> {
  let summary = "extents written as in `128x256x8`";
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    int64_t operator[](unsigned i) const { return getDims()[i]; }
    unsigned size() const { return getDims().size(); }
    /// Whether these are two extents of 1 to kMaxTileExtent.
    bool isTile() const;
  }];
}

def TGC_StageAttr : TGC_Attr<"Stage", "stage"> {
  let summary = "how one operand is staged in shared memory";
  let description = [{
    `pad` is in elements, added to each row. `swizzle` (0, 2, 4 or 8) XORs the
    16-byte chunk index of a row with the row number modulo `swizzle`. `bytes` is
    the widest access of the copy; 0 lets the compiler choose the widest legal one.
  }];
  let parameters = (ins
    "::mlir::StringAttr":$operand,
    DefaultValuedParameter<"::tgc::StageOrder", "::tgc::StageOrder::Operand">:$order,
    DefaultValuedParameter<"int64_t", "0">:$pad,
    DefaultValuedParameter<"int64_t", "0">:$swizzle,
    DefaultValuedParameter<"::tgc::CopyKind", "::tgc::CopyKind::Plain">:$by,
    DefaultValuedParameter<"int64_t", "0">:$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TGC_ScheduleAttr : TGC_Attr<"Schedule", "schedule"> {
  let summary = "how a product is tiled: the record that a tile program's schedule becomes";
  let description = [{
    A record: the order of clauses does not matter, each is given at most once, and
    a clause left out (null, 0) has the simplest meaning (docs/schedule.md).
    `tgc-complete-schedule` fills every clause but `thread`, which alone asks for
    register fragments, and derives `distribution`; only the completed
    record is lowered.

    | clause | meaning |
    |---|---|
    | `block` | BM x BN x BK elements a block computes per k tile |
    | `warp` | WM x WN elements of the block tile a warp holds |
    | `thread` | TM x TN elements a thread holds |
    | `group` | GM x GN neighbouring elements a thread holds together |
    | `lanes` | LM x LN arrangement of the 32 lanes |
    | `stages` | one entry per operand staged in shared memory |
    | `pipeline` | number of slots of the ring, 1 or more |
    | `prefetch` | fragments of step k + 1 are loaded before the product of step k |
    | `inner`, `zigzag` | order of a thread's outer product |
    | `unroll` | k steps unrolled together |
    | `store` | scalar or vector |
    | `walk`, `walk_group` | order of output tiles |
    | `blocks_per_sm` | blocks the register budget leaves room for |
  }];
  let parameters = (ins
    OptionalParameter<"::tgc::ShapeAttr">:$block,
    OptionalParameter<"::tgc::ShapeAttr">:$warp,
    OptionalParameter<"::tgc::ShapeAttr">:$thread,
    OptionalParameter<"::tgc::ShapeAttr">:$group,
    OptionalParameter<"::tgc::ShapeAttr">:$lanes,
    OptionalParameter<"::mlir::ArrayAttr">:$stages,
    DefaultValuedParameter<"int64_t", "0">:$pipeline,
    DefaultValuedParameter<"bool", "false">:$prefetch,
    OptionalParameter<"::std::optional<::tgc::InnerLoop>">:$inner,
    DefaultValuedParameter<"bool", "false">:$zigzag,
    DefaultValuedParameter<"int64_t", "0">:$unroll,
    OptionalParameter<"::std::optional<::tgc::StoreForm>">:$store,
    OptionalParameter<"::std::optional<::tgc::WalkKind>">:$walk,
    DefaultValuedParameter<"int64_t", "0">:$walk_group,
    DefaultValuedParameter<"int64_t", "0">:$blocks_per_sm,
    OptionalParameter<"::tgc::SIMTAttr">:$distribution);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The entry for operand `name`, or null.
    StageAttr getStageOf(::llvm::StringRef name) const;

    /// The record's parameters, to change some and build a new record.
    struct Fields {
      ShapeAttr block, warp, thread, group, lanes;
      ::mlir::ArrayAttr stages;
      int64_t pipeline = 0;
      bool prefetch = false;
      ::std::optional<InnerLoop> inner;
      bool zigzag = false;
      int64_t unroll = 0;
      ::std::optional<StoreForm> store;
      ::std::optional<WalkKind> walk;
      int64_t walkGroup = 0, blocksPerSm = 0;
      ::mlir::Attribute distribution; ///< SIMTAttr or null
    };
    Fields getFields() const;
    static ScheduleAttr get(::mlir::MLIRContext *context, const Fields &fields);
  }];
}

def TGC_SIMTAttr : TGC_Attr<"SIMT", "simt", [DeclareAttrInterfaceMethods<TGC_TileDistribution>]> {
  let summary = "a register tile over warps x lanes x groups";
  let description = [{
    `warps` WGM x WGN warps side by side; in a warp `lanes` LM x LN; each lane holds
    `each` TM x TN elements as blocks of `group` GM x GN, neighbouring blocks of one
    lane `lanes * group` apart. For thread t, warp w = t / 32, lane l = t % 32:

    row(i) = w / WGN * (LM * TM) + i / GM * (LM * GM) + l / LN * GM + i % GM
    col(j) = w % WGN * (LN * TN) + j / GN * (LN * GN) + l % LN * GN + j % GN
  }];
  let parameters = (ins
    "::tgc::ShapeAttr":$warps, "::tgc::ShapeAttr":$lanes, "::tgc::ShapeAttr":$each, "::tgc::ShapeAttr":$group);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TGC_FragmentAttr : TGC_Attr<"Fragment", "fragment"> {
  let summary = "the rows (or columns) of a distributed tile that a thread needs of one operand";
  let description = [{
    A (BM x 1) tile along `dim` 0, or a (1 x BN) tile along `dim` 1: thread t holds
    the TM (or TN) elements in the rows (columns) of its part of `of`.
  }];
  let parameters = (ins "::tgc::SIMTAttr":$of, "unsigned":$dim);
  let assemblyFormat = "`<` `dim` $dim `of` $of `>`";
}

def TGC_SharedAttr : TGC_Attr<"Shared", "shared", [DeclareAttrInterfaceMethods<TGC_TileLayout>]> {
  let summary = "a tile in shared memory: order, padding, XOR swizzle";
  let description = [{
    `row_major` stores logical rows one after another, `col_major` logical columns.
    `pad` elements follow each stored row. With `swizzle` s, element f of stored row
    r lies at ((f / 4) ^ (r % s)) * 4 + f % 4: chunks of 4 elements are permuted.
  }];
  let parameters = (ins
    "::tgc::Order":$order,
    DefaultValuedParameter<"int64_t", "0">:$pad,
    DefaultValuedParameter<"int64_t", "0">:$swizzle);
  let assemblyFormat = "`<` $order (`,` struct($pad, $swizzle)^)? `>`";
}

def TGC_GlobalAttr : TGC_Attr<"Global", "global"> {
  let summary = "a window of global memory";
  let parameters = (ins);
  let assemblyFormat = "";
}

def TGC_CopyRegsAttr : TGC_Attr<"CopyRegs", "copy_regs"> {
  let summary = "a tile on its way from global to shared memory, held by the threads that copy it";
  let description = [{
    The tile's elements in the copy's own order: `width` elements a piece, piece p of
    thread t is piece p * threads + t of the tile (see `tgc.copy`).
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$width, "unsigned":$dim);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TGC_FactAttr : TGC_Attr<"Fact", "fact"> {
  let summary = "what is known of a run-time size, leading dimension or pointer";
  let description = "`#tgc.fact<aligned \"B\" 16>`: pointer B is a multiple of 16 bytes; `#tgc.fact<multiple \"ldB\" 4>`.";
  let parameters = (ins "::tgc::FactKind":$kind, "::mlir::StringAttr":$subject, "int64_t":$value);
  let assemblyFormat = "`<` $kind $subject $value `>`";
  let genVerifyDecl = 1;
}

def TGC_LaunchAttr : TGC_Attr<"Launch", "launch"> {
  let summary = "launch geometry: threads a block, output tile, blocks per SM, order of tiles";
  let description = [{
    The grid is one-dimensional: ceil(M / tile[0]) * ceil(N / tile[1]) blocks. They take the tiles row by row, or with
    `walk_group` G down G rows of tiles and then the next column.
    `min_blocks` is the second argument of `__launch_bounds__`.
  }];
  let parameters = (ins "int64_t":$threads, "::tgc::ShapeAttr":$tile, DefaultValuedParameter<"int64_t", "1">:$min_blocks,
    DefaultValuedParameter<"int64_t", "0">:$walk_group);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
