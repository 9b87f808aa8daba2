//===- TGCTypes.td - tiles and rings -----------------------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TYPES_TD
#define TGC_TYPES_TD

include "tgc/Dialect/TGC/IR/TGCAttrs.td"

class TGC_Type<string name, string typeMnemonic> : TypeDef<TGC_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TGC_TileType : TGC_Type<"Tile", "tile"> {
  let summary = "a rectangular piece of a matrix that a block works on";
  let description = [{
    `!tgc.tile<128x8xf32, PLACE>`: logical shape (rows x columns), element type, and
    where the elements are:

    | place | meaning |
    |---|---|
    | `#tgc.global` | a window of a global operand: reads past the edge give 0, writes are dropped |
    | `#tgc.shared<...>` | shared memory, with its layout |
    | `#tgc.simt<...>` | registers, distributed over the threads |
    | `#tgc.fragment<...>` | registers: the operand of one k step |
    | `#tgc.copy_regs<...>` | registers: a copy under way |

    A register tile may have a leading dimension: buffers selected by `tgc.slice`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$place);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isGlobal() const { return ::llvm::isa<GlobalAttr>(getPlace()); }
    bool isShared() const { return ::llvm::isa<TileLayout>(getPlace()); }
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumElements() const {
      int64_t n = 1;
      for (int64_t d : getShape()) n *= d;
      return n;
    }
  }];
}

def TGC_RingType : TGC_Type<"Ring", "ring"> {
  let summary = "a FIFO of shared-memory slots, each holding every staged operand of one k tile";
  let description = [{
    `!tgc.ring<3, !tgc.tile<...>, !tgc.tile<...>>`: three slots. Producers
    `acquire` a free slot, copy into it and `commit`; consumers `wait` for the oldest
    committed slot, read it (`front`) and `release` it. Order is the semantics; there
    are no indices.
  }];
  let parameters = (ins "int64_t":$slots, ArrayRefParameter<"::tgc::TileType">:$tiles);
  let assemblyFormat = "`<` $slots `,` $tiles `>`";
  let genVerifyDecl = 1;
}

#endif
