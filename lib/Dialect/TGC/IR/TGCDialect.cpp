//===- TGCDialect.cpp - registration and discardable attributes -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Dialect/TGC/IR/TGC.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tgc;

#include "tgc/Dialect/TGC/IR/TGCDialect.cpp.inc"

void TGCDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tgc/Dialect/TGC/IR/TGCOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

template <typename Kind> static bool is(Attribute attr) { return isa<Kind>(attr); }

template <typename Element> static bool isListOf(Attribute attr) {
  auto list = dyn_cast<ArrayAttr>(attr);
  return list && llvm::all_of(list, llvm::IsaPred<Element>);
}

static bool isDictionaryOfLocations(Attribute attr) {
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  return dictionary &&
         llvm::all_of(dictionary, [](NamedAttribute entry) { return isa<LocationAttr>(entry.getValue()); });
}

static bool isUnroll(Attribute attr) {
  auto steps = dyn_cast<IntegerAttr>(attr);
  return isa<UnitAttr>(attr) ||
         (steps && steps.getType().isSignlessInteger(64) && steps.getInt() >= 1 && llvm::isInt<32>(steps.getInt()));
}

namespace {
struct AttributeRule {
  StringRef name; ///< without "tgc."
  StringRef expects;
  bool (*holds)(Attribute);
};
} // namespace

static const AttributeRule kAttributeRules[] = {
    {"clause_locs", "a dictionary of locations", isDictionaryOfLocations},
    {"comment", "a string", is<StringAttr>},
    {"dims", "a list of names", isListOf<StringAttr>},
    {"facts", "a list of #tgc.fact", isListOf<FactAttr>},
    {"launch", "a #tgc.launch", is<LaunchAttr>},
    {"ld_name", "a string", is<StringAttr>},
    {"name", "a string", is<StringAttr>},
    {"reads_output", "no value", is<UnitAttr>},
    {"schedule", "a #tgc.schedule", is<ScheduleAttr>},
    {"sizes", "a list of names", isListOf<StringAttr>},
    {"source", "a string", is<StringAttr>},
    {"target", "a string", is<StringAttr>},
    {"unroll", "no value (all turns) or an i64 of 1 to 2147483647", isUnroll},
    {"variant", "a string", is<StringAttr>},
};

static LogicalResult verifyAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().strref();
  const auto *rule = llvm::find_if(
      kAttributeRules, [&](const AttributeRule &rule) { return name.substr(StringRef("tgc.").size()) == rule.name; });
  if (rule == std::end(kAttributeRules)) {
    auto names = llvm::map_range(kAttributeRules, [](const AttributeRule &rule) { return "tgc." + rule.name.str(); });
    return op->emitError() << "there is no attribute " << name << "; known are " << llvm::join(names, ", ");
  }
  if (!rule->holds(attr.getValue()))
    return op->emitError() << name << " is " << attr.getValue() << ", expects " << rule->expects;
  return success();
}

LogicalResult TGCDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return verifyAttribute(op, attr);
}

LogicalResult TGCDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attr) {
  return verifyAttribute(op, attr);
}
