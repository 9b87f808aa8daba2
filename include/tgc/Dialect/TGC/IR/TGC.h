//===- TGC.h - the tgc dialect ----------------------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DIALECT_TGC_IR_TGC_H
#define TGC_DIALECT_TGC_IR_TGC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tgc/Dialect/TGC/IR/TGCEnums.h.inc"

#include "tgc/Dialect/TGC/IR/TGCAttrInterfaces.h.inc"

namespace tgc {
class SIMTAttr;
class WorkOp;
class MatmulOp;
class StoreOp;

/// Lanes of a warp, on every NVIDIA GPU.
constexpr int64_t kWarpSize = 32;
/// Elements of a swizzle chunk: 16 bytes of f32, the widest access of a lane.
constexpr int64_t kChunkElements = 4;

/// Largest extent of a tile, and number of slots: keeps products of all of them within 64 bits.
constexpr int64_t kMaxTileExtent = 65536;
} // namespace tgc

#define GET_ATTRDEF_CLASSES
#include "tgc/Dialect/TGC/IR/TGCAttrs.h.inc"

#include "tgc/Dialect/TGC/IR/TGCDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tgc/Dialect/TGC/IR/TGCTypes.h.inc"

#define GET_OP_CLASSES
#include "tgc/Dialect/TGC/IR/TGCOps.h.inc"

#endif
