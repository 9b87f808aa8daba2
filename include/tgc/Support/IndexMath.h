//===- IndexMath.h - index arithmetic that folds as it is built -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SUPPORT_INDEXMATH_H
#define TGC_SUPPORT_INDEXMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringRef.h"

namespace tgc {

/// Builds `arith` on index values. Operands are values or constants; operations on constants and identities
/// (x + 0, x * 1, x / 1, x % 1) fold. Division and remainder are unsigned: every index of a kernel is at least 0.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value) { return mlir::arith::ConstantIndexOp::create(builder, loc, value); }

  /// `value` as an SSA value.
  mlir::Value materialize(mlir::OpFoldResult value) {
    return mlir::getValueOrCreateConstantIndexOp(builder, loc, value);
  }
  mlir::OpFoldResult attr(int64_t value) { return builder.getIndexAttr(value); }

  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca + *cb);
    if (ca == 0)
      return b;
    if (cb == 0)
      return a;
    if (ca)
      std::swap(a, b); // constants to the right, as canonicalization puts them
    return create<mlir::arith::AddIOp>(a, b);
  }
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca - *cb);
    if (cb == 0)
      return a;
    return create<mlir::arith::SubIOp>(a, b);
  }
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca * *cb);
    if (ca == 0 || cb == 0)
      return attr(0);
    if (ca == 1)
      return b;
    if (cb == 1)
      return a;
    if (ca)
      std::swap(a, b);
    return create<mlir::arith::MulIOp>(a, b);
  }
  mlir::OpFoldResult div(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca / *cb);
    if (cb == 1 || ca == 0)
      return a;
    return create<mlir::arith::DivUIOp>(a, b);
  }
  mlir::OpFoldResult rem(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca % *cb);
    if (cb == 1 || ca == 0)
      return attr(0);
    return create<mlir::arith::RemUIOp>(a, b);
  }
  mlir::OpFoldResult bitXor(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    auto ca = mlir::getConstantIntValue(a), cb = mlir::getConstantIntValue(b);
    if (ca && cb)
      return attr(*ca ^ *cb);
    return create<mlir::arith::XOrIOp>(a, b);
  }
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b) { return create<mlir::arith::MinSIOp>(a, b); }
  mlir::OpFoldResult max(mlir::OpFoldResult a, mlir::OpFoldResult b) { return create<mlir::arith::MaxSIOp>(a, b); }
  /// ceil(a / b) for a constant b.
  mlir::OpFoldResult ceilDiv(mlir::OpFoldResult a, int64_t b) { return div(add(a, attr(b - 1)), attr(b)); }

  /// `value` under a name that the emitters print (a NameLoc around its location). Constants stay unnamed.
  static mlir::OpFoldResult named(mlir::OpFoldResult value, llvm::StringRef name) {
    if (auto v = llvm::dyn_cast<mlir::Value>(value))
      return setName(v, name);
    return value;
  }
  static mlir::Value setName(mlir::Value value, llvm::StringRef name) {
    auto loc = mlir::NameLoc::get(mlir::StringAttr::get(value.getContext(), name), stripName(value.getLoc()));
    value.setLoc(loc);
    return value;
  }
  static mlir::Location stripName(mlir::Location loc) {
    while (auto name = llvm::dyn_cast<mlir::NameLoc>(loc))
      loc = name.getChildLoc();
    return loc;
  }

private:
  template <typename Op> mlir::OpFoldResult create(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return Op::create(builder, loc, materialize(a), materialize(b)).getResult();
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tgc

#endif
