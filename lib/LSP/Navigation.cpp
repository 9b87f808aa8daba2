//===- Navigation.cpp - definitions and symbols -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::lsp;

namespace protocol = llvm::lsp;

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

namespace {
/// A name in the program and where what it names is introduced.
struct Reference {
  ast::Name name, definition;
};
} // namespace

static const ast::Param *findParam(const ast::Kernel &kernel, StringRef name) {
  for (unsigned i = 0; i <= kernel.params.size(); ++i)
    if (kernel.getParam(i).name.text == name)
      return &kernel.getParam(i);
  return nullptr;
}

/// What `name` is in `kernel`: a parameter, a dimension where it first stands, or a leading dimension.
static std::optional<ast::Name> findInKernel(const ast::Kernel &kernel, StringRef name) {
  if (const ast::Param *param = findParam(kernel, name))
    return param->name;
  for (unsigned i = 0; i <= kernel.params.size(); ++i) {
    const ast::Param &param = kernel.getParam(i);
    for (const ast::Dim &dim : param.dims)
      if (!dim.value && dim.name.text == name)
        return dim.name;
    if (param.ld ? param.ld->text == name : name.starts_with("ld") && param.name.text == name.drop_front(2))
      return param.ld ? *param.ld : param.name;
  }
  return std::nullopt;
}

static void addExpr(const ast::Kernel &kernel, const ast::Expr &expr,
                    function_ref<void(const ast::Kernel &, const ast::Name &)> add) {
  if (expr.kind == ast::Expr::Reference)
    add(kernel, {expr.text, expr.loc});
  for (const auto &operand : expr.operands)
    addExpr(kernel, *operand, add);
}

/// Kernels and schedules that schedules name, operands of `stage`, and the names in a kernel.
static std::vector<Reference> getReferences(const Document &document) {
  std::vector<Reference> result;
  auto addIn = [&](const ast::Kernel &kernel, const ast::Name &name) {
    if (name.text.empty())
      return;
    if (std::optional<ast::Name> definition = findInKernel(kernel, name.text))
      result.push_back({name, *definition});
  };
  for (const ast::Kernel &kernel : document.getProgram().kernels) {
    for (unsigned i = 0; i <= kernel.params.size(); ++i)
      for (const ast::Dim &dim : kernel.getParam(i).dims)
        if (!dim.value)
          addIn(kernel, dim.name);
    for (const ast::Fact &fact : kernel.facts)
      addIn(kernel, fact.subject);
    addIn(kernel, kernel.assigned);
    if (kernel.value)
      addExpr(kernel, *kernel.value, addIn);
  }
  for (const ast::Schedule &schedule : document.getProgram().schedules) {
    if (const ast::Schedule *base = schedule.like ? document.findSchedule(schedule.like->text) : nullptr)
      result.push_back({*schedule.like, base->name});
    const ast::Kernel *kernel = document.findKernel(schedule.kernel.text);
    if (!kernel)
      continue;
    result.push_back({schedule.kernel, kernel->name});
    for (const ast::Clause &clause : schedule.clauses)
      addIn(*kernel, clause.operand);
  }
  return result;
}

std::vector<protocol::Location> tgc::lsp::getDefinition(const Document &document, protocol::Position position) {
  size_t offset = document.getPositions().toOffset(position);
  for (const Reference &reference : getReferences(document))
    if (document.contains(reference.name, offset))
      return {{document.getURI(), document.toRange(reference.definition)}};
  return {};
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The last of the places that a syntax error has left valid.
static SMLoc getLast(ArrayRef<SMLoc> places) {
  SMLoc last;
  for (SMLoc place : places)
    if (place.isValid() && (!last.isValid() || place.getPointer() > last.getPointer()))
      last = place;
  return last;
}

static SMLoc getEnd(const ast::Name &name) { return SMLoc::getFromPointer(name.text.end()); }

static protocol::DocumentSymbol getSymbol(const Document &document, const ast::Kernel &kernel) {
  SMLoc end = getLast({getEnd(kernel.name), kernel.head.end, kernel.statement.end, kernel.close.end});
  protocol::DocumentSymbol symbol(kernel.name.text, protocol::SymbolKind::Function,
                                  document.toRange(kernel.head.begin, end), document.toRange(kernel.name));
  symbol.detail = "kernel";
  for (unsigned i = 0; i <= kernel.params.size(); ++i) {
    const ast::Param &param = kernel.getParam(i);
    if (!param.range.end.isValid())
      continue;
    symbol.children.emplace_back(param.name.text, protocol::SymbolKind::Variable,
                                 document.toRange(param.range.begin, param.range.end), document.toRange(param.name));
  }
  return symbol;
}

static protocol::DocumentSymbol getSymbol(const Document &document, const ast::Schedule &schedule) {
  SMLoc end = getLast({getEnd(schedule.name), schedule.head.end, schedule.close.end});
  if (!schedule.clauses.empty())
    end = getLast({end, schedule.clauses.back().range.end});
  protocol::DocumentSymbol symbol(schedule.name.text, protocol::SymbolKind::Class,
                                  document.toRange(schedule.head.begin, end), document.toRange(schedule.name));
  symbol.detail = schedule.kernel.text.empty() ? "schedule" : ("schedule for " + schedule.kernel.text).str();
  for (const ast::Clause &clause : schedule.clauses) {
    protocol::Range range = document.toRange(clause.range.begin, clause.range.end);
    symbol.children.emplace_back(format(clause), protocol::SymbolKind::Property, range, range);
  }
  return symbol;
}

std::vector<protocol::DocumentSymbol> tgc::lsp::getSymbols(const Document &document) {
  std::vector<protocol::DocumentSymbol> symbols;
  const ast::Program &program = document.getProgram();
  for (const ast::Item &item : program.items) {
    StringRef name = item.isKernel ? program.kernels[item.index].name.text : program.schedules[item.index].name.text;
    if (name.empty()) // a syntax error came before it
      continue;
    symbols.push_back(item.isKernel ? getSymbol(document, program.kernels[item.index])
                                    : getSymbol(document, program.schedules[item.index]));
  }
  return symbols;
}
