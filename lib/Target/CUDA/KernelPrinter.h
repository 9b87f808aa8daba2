//===- KernelPrinter.h - one L3 function as CUDA C++ -------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are visited once, in order. An operation with a value becomes an expression; `define` decides whether its
// text is inlined at its use or becomes a variable. Expressions.cpp holds the operations with values,
// KernelPrinter.cpp the statements.
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_TARGET_CUDA_KERNELPRINTER_H
#define TGC_LIB_TARGET_CUDA_KERNELPRINTER_H

#include "Names.h"
#include "Writer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tgc::cuda {

/// Precedence of C++ operators, loosest first.
enum class Precedence {
  Ternary,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Additive,
  Multiplicative,
  Unary,
  Primary
};

/// The C++ text of a value, with what its users need to know of it.
struct Expr {
  std::string text;
  Precedence precedence = Precedence::Primary;
  std::optional<int64_t> literal; ///< an integer constant
  /// An `i64` value whose C++ type is long long. One that is not has type int, with the same value: it widens where it
  /// meets a long long, and `KernelPrinter::widen` makes it do so elsewhere.
  bool isWide = false;
  bool isSum = false;    ///< a sum without subtractions, whose parentheses may be dropped in another sum
  bool isSimple = false; ///< a name or a literal
  bool isCheap = false;  ///< worth repeating: a name plus, minus or times a literal
  bool isCostly = false; ///< not to be moved into a loop
  /// An address `pointer + offset` still in two parts; `text` is then their sum.
  std::string pointer, offset;
  Precedence offsetPrecedence = Precedence::Primary;
  bool isOffsetWide = false, isOffsetSum = false;
  /// What the expression reads: a private or workgroup memref, or null for global memory.
  llvm::SmallVector<mlir::Value, 2> reads;

  static Expr name(std::string text) {
    Expr expr;
    expr.text = std::move(text);
    expr.isSimple = true;
    return expr;
  }
  static Expr call(std::string text) {
    Expr expr;
    expr.text = std::move(text);
    return expr;
  }
};

/// Device functions that the text calls.
struct Helpers {
  bool copyAsync = false;         ///< copyAsync<N>(to, from)
  bool copyAsyncZeroFill = false; ///< copyAsync<N>(to, from, valid)
  bool commitCopies = false;
  bool waitCopies = false;
  bool maximum = false, minimum = false;
};

/// The names of the workgroup attributions of `func` as members of one struct, in order.
std::vector<std::string> getSharedMembers(mlir::gpu::GPUFuncOp func);

/// Whether a vector of `width` floats at `memref[indices]` is aligned to its size. L3 promises it of global and shared
/// memory; in private memory a vector that may not be is accessed element by element.
bool isAlignedVector(mlir::Value memref, mlir::ValueRange indices, int64_t width);

class KernelPrinter {
public:
  /// `sharedType` is the C++ type that holds the workgroup attributions.
  KernelPrinter(mlir::gpu::GPUFuncOp func, llvm::StringRef sharedType, Helpers &helpers)
      : func(func), sharedType(sharedType), helpers(helpers), out(1) {}

  /// Writes the definition of the kernel. Emits an error at an operation, type or attribute that is not L3.
  mlir::LogicalResult print(llvm::raw_ostream &os);

private:
  // KernelPrinter.cpp: statements.
  std::string printSignature();
  mlir::LogicalResult printBody(mlir::Block &block);
  mlir::LogicalResult printOp(mlir::Operation *op);
  mlir::LogicalResult printFor(mlir::scf::ForOp loop);
  mlir::LogicalResult printIf(mlir::scf::IfOp branch);
  void printYield(mlir::scf::ForOp loop);
  void printBuffer(mlir::memref::AllocaOp buffer);
  mlir::LogicalResult printStore(mlir::Operation *op);

  // Uses and variables.
  void markLive();
  bool isLive(mlir::Operation *op) const;
  /// Uses of `value` by operations that are printed, one entry a use.
  llvm::SmallVector<mlir::Operation *> getLiveUsers(mlir::Value value) const;
  /// Gives `value` the text of `expr`, inlined or as a variable.
  void define(mlir::Value value, Expr expr);
  bool isInlined(mlir::Value value, const Expr &expr) const;
  /// Declares a variable for `value`; `initial` may be empty.
  void declareVariable(mlir::Value value, llvm::StringRef name, bool isMutable, llvm::StringRef initial);
  /// Gives `value` the expression of `of`.
  void setAlias(mlir::Value value, mlir::Value of);
  /// The NameLoc of `value`, or a name by its kind.
  std::string getNameFor(mlir::Value value) const;
  bool pointsToConst(mlir::Value pointer);
  std::string getTypeName(mlir::Value value);

  // Expressions.cpp: values.
  mlir::FailureOr<Expr> buildExpr(mlir::Operation *op);
  mlir::FailureOr<Expr> buildConstant(mlir::Operation *op);
  mlir::FailureOr<Expr> buildInteger(mlir::Operation *op);
  mlir::FailureOr<Expr> buildFloat(mlir::Operation *op);
  mlir::FailureOr<Expr> buildCompareFloat(mlir::Operation *op);
  Expr buildAdvance(mlir::Value pointer, mlir::Value offset);
  const Expr &get(mlir::Value value) const { return exprs.at(value); }
  /// `memref[indices]`, an lvalue; `shift` is added to the last index.
  Expr buildElement(mlir::Value memref, mlir::ValueRange indices, int64_t shift = 0) const;
  /// A vector of `width` floats at `memref[indices]`, an lvalue of type float2 or float4.
  Expr buildVectorElement(mlir::Value memref, mlir::ValueRange indices, int64_t width, bool isConst) const;

  mlir::gpu::GPUFuncOp func;
  llvm::StringRef sharedType;
  Helpers &helpers;
  Writer out;
  NameScopes names;
  llvm::DenseMap<mlir::Value, Expr> exprs;
  llvm::DenseSet<mlir::Value> live;
  llvm::DenseSet<mlir::Operation *> liveOps;
  llvm::DenseSet<mlir::Operation *> initializers; ///< loops and stores that a buffer's `= {}` stands for
  llvm::DenseSet<mlir::Value> variables;          ///< values that have a variable of their own
};

} // namespace tgc::cuda

#endif
