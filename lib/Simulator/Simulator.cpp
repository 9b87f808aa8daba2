//===- Simulator.cpp - runs an L3 kernel on the CPU -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;

/// `func` with the arguments of a call. Emits an error if it is not at L3, or has a fact that the problem breaks.
static FailureOr<Kernel> prepare(gpu::GPUFuncOp func, const KernelInterface &interface, const KernelVariant &variant,
                                 Problem &problem) {
  const ProblemSpec &spec = problem.getSpec();
  auto pointerOf = [&](StringRef name) -> uintptr_t {
    for (const HostOperand &operand : problem.getOperands())
      if (operand.name == name)
        return reinterpret_cast<uintptr_t>(operand.data);
    return 0;
  };
  for (FactAttr fact : variant.facts)
    if (!factHolds(fact, interface, spec, pointerOf))
      return func.emitOpError() << "cannot run this problem: " << describeBrokenFact(fact, interface, spec)
                                << ", which its tgc.facts demand";
  auto program = sim::compile(func);
  if (failed(program))
    return failure();

  Kernel kernel;
  kernel.program = std::move(*program);
  kernel.threads = variant.threads;
  const int64_t sizes[] = {spec.m, spec.n, spec.k};
  unsigned size = 0, scalar = 0;
  for (auto [argument, slot] : llvm::zip(interface.arguments, kernel.program.arguments)) {
    switch (argument.kind) {
    case KernelArgument::Size:
      kernel.intArguments.emplace_back(slot, sizes[size++]);
      break;
    case KernelArgument::Pointer: {
      kernel.intArguments.emplace_back(slot, kernel.operands.size() * kPointerStride);
      const HostOperand &operand = problem.getOperands()[kernel.operands.size()];
      int64_t address = reinterpret_cast<intptr_t>(operand.data) / int64_t(sizeof(float));
      kernel.operands.push_back({operand.name, operand.data, address, operand.written, operand.rows, operand.cols,
                                 operand.ld, operand.getExtent(), operand.ld <= operand.cols || operand.rows <= 1,
                                 /*accesses=*/nullptr});
      break;
    }
    case KernelArgument::LeadingDimension:
      kernel.intArguments.emplace_back(slot, kernel.operands.empty() ? 0 : kernel.operands.back().ld);
      break;
    case KernelArgument::Scalar:
      kernel.floatArguments.emplace_back(slot, problem.getScalars()[scalar++]);
      break;
    }
  }
  return std::move(kernel);
}

static const KernelVariant &getVariant(gpu::GPUFuncOp func, const KernelInterface &interface) {
  auto variant = llvm::find_if(interface.variants,
                               [&](const KernelVariant &candidate) { return candidate.symbol == func.getName(); });
  assert(variant != interface.variants.end() && "expected a variant of the kernel");
  return *variant;
}

/// The number of blocks. Emits an error if they are too many.
static FailureOr<int64_t> getGrid(gpu::GPUFuncOp func, const KernelVariant &variant, const ProblemSpec &spec) {
  int64_t grid = int64_t(llvm::divideCeil(spec.m, variant.tileM)) * int64_t(llvm::divideCeil(spec.n, variant.tileN));
  if (grid > kMaxGrid)
    return func.emitOpError() << "needs a grid of " << grid << " blocks; a grid has at most " << kMaxGrid;
  return grid;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// Adds `times` the counts of what `machine` has run.
static void addCounts(SimulationResult &result, const Kernel &kernel, ArrayRef<Tally> tallies, int64_t blocks,
                      int64_t times) {
  result.blocks += blocks * times;
  result.operations.resize(kernel.program.code.size());
  for (auto [instruction, tally, count] : llvm::zip_equal(kernel.program.code, tallies, result.operations)) {
    count.op = instruction.source;
    count.kind = getKind(instruction);
    count.width = instruction.width;
    count.warps += tally.warps * times;
    count.threads += tally.threads * times;
    count.access += tally.access * times;
    count.stored += tally.stored * times;
  }
}

/// Fills in the sums and leaves out what was not executed.
static void finishCounts(SimulationResult &result) {
  llvm::erase_if(result.operations, [](const OperationCount &count) { return count.warps == 0; });
  for (const OperationCount &count : result.operations) {
    switch (count.kind) {
    case OperationKind::Fma:
      result.fma += count.threads;
      break;
    case OperationKind::Barrier:
      result.barriers += count.threads;
      break;
    case OperationKind::SharedLoad:
      result.sharedLoads += count.access;
      break;
    case OperationKind::SharedStore:
      result.sharedStores += count.access;
      break;
    case OperationKind::GlobalLoad:
      result.globalLoads += count.access;
      break;
    case OperationKind::GlobalStore:
      result.globalStores += count.access;
      break;
    case OperationKind::AsyncCopy:
      result.asyncCopies += count.access;
      result.asyncCopyStores += count.stored;
      break;
    default:
      break;
    }
  }
}

StringRef tgc::getName(OperationKind kind) {
  switch (kind) {
  case OperationKind::Fma:
    return "fma";
  case OperationKind::Float:
    return "float";
  case OperationKind::Integer:
    return "integer";
  case OperationKind::SharedLoad:
    return "shared_load";
  case OperationKind::SharedStore:
    return "shared_store";
  case OperationKind::GlobalLoad:
    return "global_load";
  case OperationKind::GlobalStore:
    return "global_store";
  case OperationKind::AsyncCopy:
    return "async_copy";
  case OperationKind::CopyControl:
    return "copy_control";
  case OperationKind::Barrier:
    return "barrier";
  case OperationKind::Branch:
    return "branch";
  case OperationKind::Register:
    return "register";
  }
  llvm_unreachable("all kinds handled");
}

AccessCount &AccessCount::operator+=(const AccessCount &other) {
  requests += other.requests;
  units += other.units;
  least += other.least;
  conflicts += other.conflicts;
  bytes += other.bytes;
  lines += other.lines;
  return *this;
}

bool AccessCount::operator==(const AccessCount &other) const {
  return requests == other.requests && units == other.units && least == other.least && conflicts == other.conflicts &&
         bytes == other.bytes && lines == other.lines;
}

//===----------------------------------------------------------------------===//
// The whole grid
//===----------------------------------------------------------------------===//

FailureOr<SimulationResult> tgc::simulate(gpu::GPUFuncOp func, const KernelInterface &interface, Problem &problem,
                                          const SimulatorOptions &options) {
  const KernelVariant &variant = getVariant(func, interface);
  FailureOr<Kernel> kernel = prepare(func, interface, variant, problem);
  if (failed(kernel))
    return failure();
  kernel->maxFaults = std::max<int64_t>(1, options.maxFaults);
  for (GlobalOperand &operand : kernel->operands)
    if (operand.written)
      operand.accesses = std::make_unique<AccessTable>(operand.rows * operand.cols);
  FailureOr<int64_t> grid = getGrid(func, variant, problem.getSpec());
  if (failed(grid))
    return failure();

  // Blocks are taken in order. Those after the first faulty one are left out; those before it have all been started, so
  // that its faults are the same in every run.
  std::atomic<int64_t> next{0}, firstFaulty{*grid};
  std::mutex mutex;
  std::vector<Fault> faults;
  SimulationResult result;
  bool raced = false;
  auto runBlocks = [&](int64_t workers) {
    llvm::parallelFor(0, workers, [&](size_t) {
      Machine machine(*kernel);
      int64_t blocks = 0;
      for (int64_t at = next++; at < firstFaulty; at = next++, ++blocks) {
        std::vector<Fault> found = machine.run(at);
        if (found.empty())
          continue;
        std::lock_guard<std::mutex> lock(mutex);
        if (at < firstFaulty) {
          firstFaulty = at;
          faults = std::move(found);
        }
      }
      std::lock_guard<std::mutex> lock(mutex);
      addCounts(result, *kernel, machine.getTallies(), blocks, /*times=*/1);
      raced |= machine.hasRaced();
    });
  };
  int64_t workers = std::min<int64_t>(*grid, std::max(1u, std::thread::hardware_concurrency()));
  runBlocks(workers);
  if (raced && workers > 1) {
    // Which access of a race came first was chance: once more, one block after another.
    for (const GlobalOperand &operand : kernel->operands)
      if (operand.accesses)
        operand.accesses->clear();
    next = 0;
    firstFaulty = *grid;
    runBlocks(/*workers=*/1);
  }

  reportFaults(faults);
  if (!faults.empty())
    return failure();
  finishCounts(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Blocks that stand for others
//===----------------------------------------------------------------------===//

namespace {
/// Rows (or columns) of tiles that differ in nothing that counts depend on. Every address is a sum of products of
/// sizes, leading dimensions and the tile's first row and column with whole numbers, so sectors depend on these two
/// modulo a sector; guards depend on whether the tile ends at the edge.
struct TileClass {
  int64_t first = 0, last = 0; ///< the first and the last of them
  int64_t count = 0;
};

struct BlockClass {
  int64_t first = 0, last = 0, count = 0;
};

/// What the first block of a class did.
struct Outcome {
  std::vector<Fault> faults;
  std::vector<Tally> tallies;
  std::vector<std::optional<SharedRequest>> requests; ///< of the first class
  bool lastDiffers = false;                           ///< the last block of the class did something else
};

constexpr double kMostCount = 4.6e18; // 2^62
} // namespace

static std::vector<TileClass> classifyTiles(int64_t tiles, int64_t extent) {
  constexpr int64_t kFloatsPerLine = 32;
  std::array<TileClass, kFloatsPerLine + 1> classes; // by phase; the tile at the edge
  for (int64_t tile = 0; tile < tiles; ++tile) {
    TileClass &found = classes[tile == tiles - 1 ? kFloatsPerLine : tile * extent % kFloatsPerLine];
    if (found.count++ == 0)
      found.first = tile;
    found.last = tile;
  }
  std::vector<TileClass> list;
  llvm::copy_if(classes, std::back_inserter(list), [](const TileClass &entry) { return entry.count > 0; });
  return list;
}

static std::vector<BlockClass> classifyBlocks(const KernelVariant &variant, const ProblemSpec &spec) {
  int64_t tilesM = llvm::divideCeil(spec.m, variant.tileM), tilesN = llvm::divideCeil(spec.n, variant.tileN);
  // The inverse of the walk: down a group of rows of tiles, then the next column; rows alone are groups of one.
  auto getBlock = [&](int64_t row, int64_t col) {
    int64_t group = std::max<int64_t>(variant.walkGroup, 1), firstRow = row / group * group;
    return firstRow * tilesN + col * std::min(tilesM - firstRow, group) + row - firstRow;
  };
  std::vector<BlockClass> classes;
  for (const TileClass &row : classifyTiles(tilesM, variant.tileM))
    for (const TileClass &col : classifyTiles(tilesN, variant.tileN))
      classes.push_back({getBlock(row.first, col.first), getBlock(row.last, col.last), row.count * col.count});
  return classes;
}

/// Emits an error if a float decides where control or an access goes.
static LogicalResult checkCountable(gpu::GPUFuncOp func) {
  WalkResult result = func.walk([](arith::CmpFOp compare) {
    for (Operation *user : compare->getUsers())
      if (!isa<arith::SelectOp>(user) || !isa<FloatType>(user->getResult(0).getType())) {
        user->emitOpError("depends on a comparison of floats: what it does cannot be counted from sizes alone; "
                          "simulate the kernel");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Above the sum of any kind of count: threads and bytes are the largest of each instruction.
static double getLargestCount(ArrayRef<BlockClass> classes, ArrayRef<Outcome> outcomes) {
  double sum = 0;
  for (auto [entry, outcome] : llvm::zip_equal(classes, outcomes))
    for (const Tally &tally : outcome.tallies)
      sum += double(entry.count) * double(std::max({tally.threads, tally.access.bytes, tally.stored.bytes}));
  return sum;
}

FailureOr<SimulationResult> tgc::countOperations(gpu::GPUFuncOp func, const KernelInterface &interface,
                                                 Problem &problem) {
  const KernelVariant &variant = getVariant(func, interface);
  FailureOr<Kernel> kernel = prepare(func, interface, variant, problem);
  if (failed(kernel) || failed(checkCountable(func)))
    return failure();
  kernel->maxFaults = 1;
  kernel->countOnly = true;
  if (failed(getGrid(func, variant, problem.getSpec())))
    return failure();

  std::vector<BlockClass> classes = classifyBlocks(variant, problem.getSpec());
  std::vector<Outcome> outcomes(classes.size());
  llvm::parallelFor(0, classes.size(), [&](size_t i) {
    Machine machine(*kernel);
    if (i == 0)
      machine.keepRequests();
    outcomes[i].faults = machine.run(classes[i].first);
    outcomes[i].tallies = machine.getTallies().vec();
    outcomes[i].requests = machine.getRequests().vec();
    if (classes[i].count == 1 || !outcomes[i].faults.empty())
      return;
    machine.resetTallies();
    outcomes[i].faults = machine.run(classes[i].last);
    outcomes[i].lastDiffers = machine.getTallies() != ArrayRef(outcomes[i].tallies);
  });

  if (double most = getLargestCount(classes, outcomes); most > kMostCount)
    return func.emitOpError() << "counts up to " << llvm::formatv("{0:e1}", most).str()
                              << ", more than 64 bits hold; choose smaller sizes";
  SimulationResult result;
  for (auto [entry, outcome] : llvm::zip_equal(classes, outcomes)) {
    reportFaults(outcome.faults);
    if (!outcome.faults.empty())
      return failure();
    if (outcome.lastDiffers)
      return func.emitOpError() << "does other work in block " << entry.last << " than in block " << entry.first
                                << ", although both have the same place in the grid by its tgc.launch: the tiles are "
                                   "taken in another order";
    addCounts(result, *kernel, outcome.tallies, /*blocks=*/1, entry.count);
    BlockWork work{entry.count, 0};
    for (auto [instruction, tally] : llvm::zip_equal(kernel->program.code, outcome.tallies))
      if (isIssued(getKind(instruction)))
        work.instructions += tally.warps;
    result.work.push_back(work);
    for (auto [i, request] : llvm::enumerate(outcome.requests))
      result.operations[i].firstRequest = std::move(request);
  }
  finishCounts(result);
  return result;
}
