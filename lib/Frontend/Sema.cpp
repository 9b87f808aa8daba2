//===- Sema.cpp - names, dimensions and clauses -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "tgc/Support/KernelInterface.h"
#include "tgc/Support/NearMiss.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

using namespace llvm;
using namespace tgc;
using namespace tgc::ast;

namespace {

/// Checks one kernel and fills what the AST leaves to the semantic checks.
class KernelAnalyzer {
public:
  KernelAnalyzer(Kernel &kernel, Diagnostics &diagnostics) : kernel(kernel), diagnostics(diagnostics) {}

  /// Failure after a diagnostic.
  LogicalResult run();

private:
  enum class NameKind { Parameter, Dimension, LeadingDimension };
  struct Definition {
    NameKind kind;
    SMLoc loc;
    unsigned param = 0;
  };

  LogicalResult error(SMLoc loc, const Twine &message) {
    diagnostics.error(loc, message);
    return failure();
  }
  LogicalResult declareNames();
  LogicalResult define(StringRef name, Definition definition, const Twine &what);
  LogicalResult checkParam(const Param &param);
  LogicalResult resolve(Expr &expr);
  LogicalResult resolveProduct(Expr &product);
  LogicalResult resolveElement(Expr &expr, bool transposed);
  LogicalResult nameRoles();
  LogicalResult checkFacts();
  /// The parameter that reference `expr` names.
  LogicalResult lookUp(Expr &expr);
  std::string hintFor(StringRef name, function_ref<bool(const Definition &)> filter) const;

  /// The logical (rows, columns) of a matrix operand.
  static std::pair<Dim, Dim> getShape(const Param &param, bool transposed) {
    return transposed ? std::pair(param.dims[1], param.dims[0]) : std::pair(param.dims[0], param.dims[1]);
  }
  static std::string toString(const Dim &dim) { return dim.name.text.str(); }

  Kernel &kernel;
  Diagnostics &diagnostics;
  StringMap<Definition> names;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

LogicalResult KernelAnalyzer::define(StringRef name, Definition definition, const Twine &what) {
  auto [it, isNew] = names.try_emplace(name, definition);
  if (isNew)
    return success();
  diagnostics.error(definition.loc, "redefinition of '" + name + "', here " + what + "; rename one", it->second.loc,
                    "'" + name + "' is first defined here");
  return failure();
}

LogicalResult KernelAnalyzer::checkParam(const Param &param) {
  bool isOutput = &param == &kernel.output;
  LogicalResult result = success();
  if (param.type.text != "f32")
    result = error(param.type.loc,
                   "type '" + param.type.text + "' of '" + param.name.text + "' is not supported; the types are: f32");
  if (param.dims.size() > 2)
    return error(param.dims[2].name.loc, "'" + param.name.text + "' has " + Twine(param.dims.size()) +
                                             " dimensions, expected at most 2: a scalar, a vector or a matrix");
  if (isOutput && param.dims.size() != 2)
    return error(param.name.loc, "output '" + param.name.text + "' has " + Twine(param.dims.size()) +
                                     " dimensions, expected 2: rows and columns");
  for (const std::optional<Name> &option : {param.ld, param.colMajor})
    if (option && param.dims.size() != 2)
      return error(option->loc, "'" + param.name.text + "' is not a matrix: 'ld' and 'col_major' do not apply");
  for (const Dim &dim : param.dims)
    if (dim.value && *dim.value > kMaxSize)
      return error(dim.name.loc, "dimension " + Twine(*dim.value) + " of '" + param.name.text + "', expected at most " +
                                     Twine(kMaxSize));
  return result;
}

LogicalResult KernelAnalyzer::declareNames() {
  // Each kind of name only if those before it are sound: one mistake, one error.
  bool failedAny = false;
  unsigned numParams = kernel.params.size() + 1;
  for (unsigned i = 0; i < numParams; ++i) {
    Param &param = kernel.getParam(i);
    failedAny |= failed(checkParam(param));
    failedAny |= failed(define(param.name.text, {NameKind::Parameter, param.name.loc, i},
                               i + 1 == numParams ? "the output" : "a parameter"));
  }
  if (failedAny)
    return failure();
  for (unsigned i = 0; i < numParams; ++i) {
    for (const Dim &dim : kernel.getParam(i).dims) {
      if (dim.value)
        continue;
      auto it = names.find(dim.name.text);
      if (it == names.end() || it->second.kind != NameKind::Dimension)
        if (failed(define(dim.name.text, {NameKind::Dimension, dim.name.loc}, "a dimension")))
          return failure();
    }
  }
  for (unsigned i = 0; i < numParams; ++i) {
    Param &param = kernel.getParam(i);
    if (param.dims.size() != 2)
      continue;
    param.ldName = param.ld ? param.ld->text.str() : ("ld" + param.name.text).str();
    SMLoc loc = param.ld ? param.ld->loc : param.name.loc;
    failedAny |= failed(define(param.ldName, {NameKind::LeadingDimension, loc, i},
                               "the leading dimension of '" + param.name.text + "'"));
  }
  return success(!failedAny);
}

std::string KernelAnalyzer::hintFor(StringRef name, function_ref<bool(const Definition &)> filter) const {
  SmallVector<StringRef> candidates;
  for (const auto &entry : names)
    if (filter(entry.second))
      candidates.push_back(entry.first());
  llvm::sort(candidates);
  return didYouMean(name, candidates);
}

LogicalResult KernelAnalyzer::lookUp(Expr &expr) {
  auto it = names.find(expr.text);
  if (it == names.end())
    return error(expr.loc, "unknown name '" + expr.text + "'" +
                               hintFor(expr.text, [](const Definition &d) { return d.kind == NameKind::Parameter; }));
  if (it->second.kind != NameKind::Parameter)
    return error(expr.loc, "'" + expr.text + "' is a size, expected a parameter or the output");
  expr.param = it->second.param;
  kernel.getParam(expr.param).used = true;
  return success();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

LogicalResult KernelAnalyzer::resolveProduct(Expr &product) {
  if (kernel.product) {
    diagnostics.error(product.loc, "a second product; a kernel has exactly one", kernel.product->loc,
                      "the first product is here");
    return failure();
  }
  std::pair<Dim, Dim> shapes[2];
  unsigned params[2];
  for (unsigned i : {0u, 1u}) {
    Expr *operand = product.operands[i].get();
    bool transposed = operand->kind == Expr::Transpose;
    if (operand->kind == Expr::Product) // A @ B @ C: the left one is the first
      return failed(resolveProduct(*operand)) ? failure() : resolveProduct(product);
    Expr &reference = transposed ? *operand->operands[0] : *operand;
    if (reference.kind != Expr::Reference)
      return error(operand->loc, "the operands of '@' are names of matrices, possibly transposed: X @ Y'");
    if (failed(lookUp(reference)))
      return failure();
    const Param &param = kernel.getParam(reference.param);
    if (&param == &kernel.output)
      return error(reference.loc, "output '" + reference.text + "' cannot be an operand of the product");
    if (param.dims.size() != 2)
      return error(reference.loc, "'" + reference.text + "' has " + Twine(param.dims.size()) +
                                      " dimensions, an operand of the product has 2");
    shapes[i] = getShape(param, transposed);
    params[i] = reference.param;
  }
  if (params[0] == params[1])
    return error(product.loc, "'" + kernel.getParam(params[0]).name.text +
                                  "' is both operands of the product; declare it under two names");
  kernel.product = &product;
  auto [m, kLeft] = shapes[0];
  auto [kRight, n] = shapes[1];
  StringRef left = kernel.getParam(params[0]).name.text, right = kernel.getParam(params[1]).name.text,
            output = kernel.output.name.text;
  auto agree = [&](const Dim &a, const Dim &b, const Twine &first, const Twine &second) -> LogicalResult {
    if (a == b)
      return success();
    return error(product.loc, first + " are " + toString(a) + " but " + second + " are " + toString(b) +
                                  ", expected the same dimension");
  };
  if (failed(agree(kLeft, kRight, "the columns of the left operand '" + left + "'",
                   "the rows of the right operand '" + right + "'")) ||
      failed(agree(m, kernel.output.dims[0], "the rows of the left operand '" + left + "'",
                   "the rows of the output '" + output + "'")) ||
      failed(agree(n, kernel.output.dims[1], "the columns of the right operand '" + right + "'",
                   "the columns of the output '" + output + "'")))
    return failure();
  kernel.roles[0] = m;
  kernel.roles[1] = n;
  kernel.roles[2] = kLeft;
  return success();
}

LogicalResult KernelAnalyzer::resolveElement(Expr &expr, bool transposed) {
  if (failed(lookUp(expr)))
    return failure();
  const Param &param = kernel.getParam(expr.param);
  if (transposed && param.dims.size() != 2)
    return error(expr.loc, "'" + expr.text + "' is not a matrix and cannot be transposed");
  const Dim &rows = kernel.output.dims[0], &columns = kernel.output.dims[1];
  StringRef output = kernel.output.name.text;
  if (param.dims.size() == 1) {
    bool isRow = param.dims[0] == rows, isColumn = param.dims[0] == columns;
    if (isRow && isColumn)
      return error(expr.loc, "vector '" + expr.text + "' of " + toString(rows) +
                                 " could vary with the row or the column of '" + output +
                                 "'; use names for the dimensions");
    if (!isRow && !isColumn)
      return error(expr.loc, "dimension " + toString(param.dims[0]) + " of vector '" + expr.text +
                                 "' is neither the rows (" + toString(rows) + ") nor the columns (" +
                                 toString(columns) + ") of '" + output + "'");
  }
  if (param.dims.size() == 2) {
    auto [first, second] = getShape(param, transposed);
    if (!(first == rows) || !(second == columns))
      return error(expr.loc, "matrix '" + expr.text + "' is [" + toString(first) + ", " + toString(second) +
                                 "] here, expected the shape of '" + output + "', [" + toString(rows) + ", " +
                                 toString(columns) + "]");
  }
  return success();
}

LogicalResult KernelAnalyzer::resolve(Expr &expr) {
  switch (expr.kind) {
  case Expr::Number: {
    APFloat value(APFloat::IEEEsingle());
    Expected<APFloat::opStatus> status = value.convertFromString(expr.text, APFloat::rmNearestTiesToEven);
    StringRef digits = expr.text.take_until([](char c) { return c == 'e' || c == 'E'; });
    bool isZero = digits.find_first_of("123456789") == StringRef::npos;
    if (errorToBool(status.takeError()) || value.isInfinity() || value.isZero() != isZero)
      return error(expr.loc,
                   "number " + quote(expr.text) + " does not fit f32, whose magnitudes are 1.4e-45 to 3.4e38");
    expr.value = value.convertToFloat();
    return success();
  }
  case Expr::Reference:
    return resolveElement(expr, /*transposed=*/false);
  case Expr::Transpose:
    return resolveElement(*expr.operands[0], /*transposed=*/true);
  case Expr::Product:
    return resolveProduct(expr);
  default: {
    bool failedAny = false;
    for (auto &operand : expr.operands)
      failedAny |= failed(resolve(*operand));
    return success(!failedAny);
  }
  }
}

//===----------------------------------------------------------------------===//
// Dimensions and facts
//===----------------------------------------------------------------------===//

LogicalResult KernelAnalyzer::nameRoles() {
  static constexpr StringRef kWhat[] = {"the rows", "the columns", "the contracted dimension"};
  for (auto [i, j] : {std::pair(0, 1), {0, 2}, {1, 2}})
    if (!kernel.roles[i].value && kernel.roles[i] == kernel.roles[j])
      return error(kernel.product->loc, "'" + toString(kernel.roles[i]) + "' is both " + kWhat[i] + " and " + kWhat[j] +
                                            " of the product; give them two names, which may have equal values");
  static constexpr StringRef kLetters[] = {"M", "N", "K"};
  for (unsigned i = 0; i < 3; ++i) {
    std::string &name = kernel.roleNames[i];
    name = (kernel.roles[i].value ? kLetters[i] : kernel.roles[i].name.text).str();
    while (kernel.roles[i].value && names.contains(name))
      name += '_';
  }
  return success();
}

LogicalResult KernelAnalyzer::checkFacts() {
  bool failedAny = false;
  StringMap<SMLoc> given;
  for (const Fact &fact : kernel.facts) {
    StringRef subject = fact.subject.text;
    bool isPointer = fact.kind == "aligned", isMultiple = fact.kind == "multiple";
    auto fits = [&](const Definition &definition) {
      if (definition.kind == NameKind::Parameter)
        return isPointer && !kernel.getParam(definition.param).dims.empty();
      return !isPointer && (isMultiple || definition.kind == NameKind::Dimension);
    };
    auto it = names.find(subject);
    if (it == names.end() || !fits(it->second)) {
      StringRef expected = isPointer    ? "a matrix or a vector"
                           : isMultiple ? "a dimension or a leading dimension"
                                        : "a dimension";
      std::string problem = it == names.end() ? ("unknown name '" + subject + "' in a fact").str()
                                              : ("'" + subject + "' cannot have this fact").str();
      failedAny |= failed(error(fact.subject.loc, problem + ", expected " + expected + hintFor(subject, fits)));
      continue;
    }
    auto [first, isNew] = given.try_emplace((fact.kind + " " + subject).str(), fact.subject.loc);
    if (!isNew) {
      diagnostics.error(fact.subject.loc, "a second fact of this kind about '" + subject + "'; state the stronger one",
                        first->second, "the first is here");
      failedAny = true;
    }
    if (!isPointer && !isMultiple && fact.value > kMaxSize)
      failedAny |= failed(error(fact.subject.loc, "size " + Twine(fact.value) + " of '" + subject +
                                                      "', expected at most " + Twine(kMaxSize)));
  }
  for (const Fact &equal : kernel.facts)
    for (const Fact &other : kernel.facts) {
      if (equal.kind != "equal" || other.subject.text != equal.subject.text)
        continue;
      if ((other.kind == "multiple" && equal.value % other.value != 0) ||
          (other.kind == "at_most" && equal.value > other.value)) {
        diagnostics.error(other.subject.loc,
                          "no problem has this fact and '" + equal.subject.text + " == " + Twine(equal.value) +
                              "'; remove one",
                          equal.subject.loc, "the other is here");
        failedAny = true;
      }
    }
  return success(!failedAny);
}

LogicalResult KernelAnalyzer::run() {
  if (!kernel.value || failed(declareNames()))
    return failure();
  if (kernel.assigned.text != kernel.output.name.text)
    return error(kernel.assigned.loc, "the statement assigns '" + kernel.assigned.text + "', expected the output '" +
                                          kernel.output.name.text + "'");
  bool failedAny = failed(resolve(*kernel.value));
  failedAny |= failed(checkFacts());
  if (failedAny)
    return failure();
  if (!kernel.product)
    return error(kernel.value->loc, "the expression has no product X @ Y, expected exactly one");
  for (const Param &param : kernel.params)
    if (!param.used)
      failedAny |= failed(error(param.name.loc, "parameter '" + param.name.text + "' is not used; remove it"));
  if (failedAny || failed(nameRoles()))
    return failure();
  kernel.valid = true;
  return success();
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// The items of `items` by name; reports a name defined twice.
template <typename T>
static StringMap<T *> indexByName(std::vector<T> &items, StringRef what, Diagnostics &diagnostics) {
  StringMap<T *> index;
  for (T &item : items) {
    if (item.name.text.empty()) // a syntax error came before the name
      continue;
    auto [it, isNew] = index.try_emplace(item.name.text, &item);
    if (!isNew)
      diagnostics.error(item.name.loc, "redefinition of " + what + " '" + item.name.text + "'; rename one",
                        it->second->name.loc, what + " '" + item.name.text + "' is first defined here");
  }
  return index;
}

static const Schedule *findSchedule(const Program &program, StringRef name) {
  auto it = find_if(program.schedules, [&](const Schedule &schedule) { return schedule.name.text == name; });
  return it == program.schedules.end() ? nullptr : &*it;
}

/// Adds the clauses of `schedule` to `clauses`, which `like` brought; they replace or drop those of the same key.
static void applyClauses(const Schedule &schedule, std::vector<const Clause *> &clauses) {
  for (const Clause &clause : schedule.clauses) {
    auto it = find_if(clauses, [&](const Clause *other) { return other->getKey() == clause.getKey(); });
    if (clause.drop) {
      if (it != clauses.end())
        clauses.erase(it);
    } else if (it != clauses.end()) {
      *it = &clause;
    } else {
      clauses.push_back(&clause);
    }
  }
}

SmallVector<const Schedule *> tgc::getLikeChain(const Program &program, const Schedule &schedule) {
  SmallVector<const Schedule *> chain = {&schedule};
  while (chain.back()->like)
    chain.push_back(findSchedule(program, chain.back()->like->text));
  return chain;
}

std::vector<const Clause *> tgc::resolveClauses(const Program &program, const Schedule &schedule) {
  std::vector<const Clause *> clauses, sorted;
  auto chain = getLikeChain(program, schedule);
  for (const Schedule *link : reverse(chain))
    applyClauses(*link, clauses);
  for (int kind = 0; kind <= static_cast<int>(ClauseKind::BlocksPerSM); ++kind)
    llvm::copy_if(clauses, std::back_inserter(sorted),
                  [&](const Clause *clause) { return static_cast<int>(clause->kind) == kind; });
  return sorted;
}

/// Names of the operands of the kernel's product.
static SmallVector<StringRef, 2> getOperands(const Kernel &kernel) {
  SmallVector<StringRef, 2> result;
  for (const auto &operand : kernel.product->operands)
    result.push_back((operand->kind == Expr::Transpose ? operand->operands[0] : operand)->text);
  return result;
}

void tgc::analyze(Program &program, Diagnostics &diagnostics) {
  StringMap<Kernel *> kernels = indexByName(program.kernels, "kernel", diagnostics);
  StringMap<Schedule *> schedules = indexByName(program.schedules, "schedule", diagnostics);
  for (Kernel &kernel : program.kernels)
    (void)KernelAnalyzer(kernel, diagnostics).run();

  StringSet<> reported;
  auto unknown = [&](const Name &name, StringRef what, auto &index) {
    if (program.incomplete || !reported.insert((what + " " + name.text).str()).second)
      return;
    SmallVector<StringRef> candidates(index.keys());
    llvm::sort(candidates);
    std::string hint = didYouMean(name.text, candidates);
    diagnostics.error(name.loc, "unknown " + what + " '" + name.text + "'" + hint);
  };
  StringMap<const Schedule *> symbols;
  StringSet<> scheduled;
  SmallPtrSet<const Schedule *, 4> cyclic; // and reported
  for (Schedule &schedule : program.schedules) {
    if (schedule.kernel.text.empty()) // a syntax error came before it
      continue;
    scheduled.insert(schedule.kernel.text);
    auto kernel = kernels.find(schedule.kernel.text);
    if (kernel == kernels.end())
      unknown(schedule.kernel, "kernel", kernels);

    StringMap<SMLoc> given;
    for (const Clause &clause : schedule.clauses) {
      std::string key = clause.getKey();
      auto [it, isNew] = given.try_emplace(key, clause.range.begin);
      if (!isNew)
        diagnostics.error(clause.range.begin, "clause '" + key + "' is given twice; keep one", it->second,
                          "the first is here");
    }

    // `like`: a chain without a cycle; `no` drops something.
    std::vector<const Clause *> inherited;
    bool complete = true;
    SmallVector<const Schedule *> chain = {&schedule};
    while (complete && chain.back()->like) {
      auto it = schedules.find(chain.back()->like->text);
      complete = it != schedules.end() && !is_contained(chain, it->second);
      if (complete)
        chain.push_back(it->second);
      else if (it == schedules.end() && chain.size() == 1)
        unknown(*schedule.like, "schedule", schedules);
      else if (it != schedules.end() && it->second == &schedule && !cyclic.contains(&schedule)) {
        cyclic.insert_range(chain);
        diagnostics.error(schedule.like->loc, "schedule '" + schedule.name.text + "' is like itself" +
                                                  (chain.size() == 1 ? "" : " through '" + schedule.like->text + "'") +
                                                  "; leave out one 'like'");
      }
    }
    if (!complete)
      continue;
    for (const Schedule *link : reverse(drop_begin(chain)))
      applyClauses(*link, inherited);
    for (const Clause &clause : schedule.clauses) {
      auto isSame = [&](const Clause *other) { return other->getKey() == clause.getKey(); };
      if (clause.drop && none_of(inherited, isSame) && none_of(chain, [](auto *link) { return link->broken; }))
        diagnostics.error(clause.range.begin,
                          "'no " + clause.getKey() + "' drops nothing; " +
                              (schedule.like ? "schedule '" + schedule.like->text + "' has no such clause"
                                             : "the schedule is not 'like' another"));
    }

    if (kernel == kernels.end() || !kernel->second->valid)
      continue;
    SmallVector<StringRef, 2> operands = getOperands(*kernel->second);
    applyClauses(schedule, inherited);
    for (const Clause *clause : inherited) {
      if (clause->kind != ClauseKind::Stage || is_contained(operands, clause->operand.text))
        continue;
      // An inherited clause is another schedule's: its own place would not say whose rule it breaks.
      auto owns = [&](const Schedule *link) { return is_contained(make_pointer_range(link->clauses), clause); };
      const Schedule *owner = *find_if(chain, owns);
      bool own = owner == &schedule;
      if (!own && owner->kernel.text == schedule.kernel.text)
        continue; // reported there
      diagnostics.error(own ? clause->operand.loc : schedule.like->loc,
                        (own ? "'" : "inherited '") + clause->getKey() + "': kernel '" + schedule.kernel.text +
                            "' multiplies " + quoteList(operands) + didYouMean(clause->operand.text, operands));
    }

    std::string symbol = (schedule.kernel.text + "_" + schedule.name.text).str();
    auto [it, isNew] = symbols.try_emplace(symbol, &schedule);
    if (!isNew && it->second->name.text != schedule.name.text)
      diagnostics.error(schedule.name.loc, "the kernel function would be named '" + symbol + "' twice; rename one",
                        it->second->name.loc, "the first is here");
  }
  for (auto &[symbol, schedule] : symbols)
    for (StringRef variant : {"aligned", "any"})
      if (auto it = symbols.find((symbol + "_" + variant).str()); it != symbols.end())
        diagnostics.error(it->second->name.loc,
                          "'" + it->first() + "' is also the name of a variant of schedule '" + schedule->name.text +
                              "'; rename one",
                          schedule->name.loc, "that schedule is here");
  if (diagnostics.hasErrors())
    return;
  for (const Kernel &kernel : program.kernels)
    if (!scheduled.contains(kernel.name.text))
      diagnostics.warning(kernel.name.loc, "kernel '" + kernel.name.text +
                                               "' has no schedule and is not compiled; add 'schedule naive for " +
                                               kernel.name.text + " {}'");
}
