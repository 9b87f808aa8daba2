//===- TGCDialect.td - the tgc dialect ---------------------*- tablegen -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TD
#define TGC_DIALECT_TD

include "mlir/IR/OpBase.td"

def TGC_Dialect : Dialect {
  let name = "tgc";
  let summary = "Tile programs: GPU matrix products and how they are tiled";
  let description = [{
    Three levels of one program. **L1**: `tgc.matmul`, what is computed, beside a
    `#tgc.schedule`, how. **L2**: what a block does, collective and sequential,
    without barriers: tiles, copies, products and a FIFO ring of shared-memory
    slots. **L3**: what a thread does: upstream `scf`, `arith`, `math`, `memref`,
    `vector`, `gpu` plus the machine operations `tgc.advance`, `tgc.cp_async`,
    `tgc.cp_async_commit` and `tgc.cp_async_wait`.

    A kernel is a `gpu.func` inside a `gpu.module` at every level.
  }];
  let cppNamespace = "::tgc";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
  let discardableAttrs = (ins
    "::tgc::ScheduleAttr":$schedule,
    "::tgc::LaunchAttr":$launch,
    "::mlir::ArrayAttr":$facts,
    "::mlir::ArrayAttr":$dims,
    "::mlir::StringAttr":$name,
    "::mlir::StringAttr":$source,
    "::mlir::StringAttr":$target,
    "::mlir::StringAttr":$variant,
    "::mlir::StringAttr":$comment,
    "::mlir::DictionaryAttr":$clause_locs
  );
  // Every tgc.* attribute on any operation is one of a table in TGCDialect.cpp, and what it says there. So passes and
  // readers need not look again.
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

#endif
