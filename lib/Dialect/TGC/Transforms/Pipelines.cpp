//===- Pipelines.cpp - the whole lowering, one comment a step -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

//===----------------------------------------------------------------------===//

#include "mlir/Pass/PassOptions.h"
#include "mlir/Transforms/Passes.h"
#include "tgc/Conversion/TGCToThreads/Passes.h"
#include "tgc/Dialect/TGC/Transforms/Passes.h"

using namespace mlir;
using namespace tgc;

namespace {
struct Step {
  StringRef name;
  bool onModule; ///< runs on builtin.module, otherwise on gpu.module
  std::unique_ptr<Pass> (*create)(const LoweringOptions &);
};
} // namespace

static const Step kSteps[] = {
    // linalg.matmul with a schedule becomes a kernel.
    {"tgc-raise-linalg", true, [](const LoweringOptions &) { return createRaiseLinalgPass(); }},
    // Decide: what a missing clause means.
    {"tgc-complete-schedule", false, [](const LoweringOptions &) { return createCompleteSchedulePass(); }},
    // Check: every rule, before anything is rewritten.
    {"tgc-check-schedule", false,
     [](const LoweringOptions &options) { return createCheckSchedulePass(CheckSchedulePassOptions{options.target}); }},
    // A kernel per set of facts.
    {"tgc-specialize", false, [](const LoweringOptions &) { return createSpecializePass(); }},
    // One output tile a block, a loop over k tiles.
    {"tgc-tile-blocks", false, [](const LoweringOptions &) { return createTileBlocksPass(); }},
    // Operands through shared memory.
    {"tgc-stage-shared", false, [](const LoweringOptions &) { return createStageSharedPass(); }},
    // k steps on register fragments.
    {"tgc-tile-threads", false, [](const LoweringOptions &) { return createTileThreadsPass(); }},
    // Copies ahead of their use.
    {"tgc-pipeline-copies", false, [](const LoweringOptions &) { return createPipelineCopiesPass(); }},
    // Fragments ahead of their use.
    {"tgc-prefetch-fragments", false, [](const LoweringOptions &) { return createPrefetchFragmentsPass(); }},
};

/// The first step after which a kernel is at L2 and can go down to threads.
static constexpr StringRef kFirstLowerable = "tgc-tile-blocks";

ArrayRef<StringRef> tgc::getLoweringPassNames() {
  static const SmallVector<StringRef> names = llvm::map_to_vector(kSteps, [](const Step &step) { return step.name; });
  return names;
}

LogicalResult tgc::buildLoweringPipeline(OpPassManager &pm, const LoweringOptions &options) {
  std::string last = options.after;
  if (!last.empty() && !StringRef(last).starts_with("tgc-"))
    last = "tgc-" + last;
  if (!last.empty() && !llvm::is_contained(getLoweringPassNames(), last))
    return failure();
  // Stopping before tile-blocks and going on to threads still needs the steps that make a kernel lowerable.
  auto position = [](StringRef name) {
    return llvm::find(getLoweringPassNames(), name) - getLoweringPassNames().begin();
  };
  if (!last.empty() && !options.stop && position(last) < position(kFirstLowerable))
    last = kFirstLowerable.str();

  for (const Step &step : kSteps) {
    if (step.onModule)
      pm.addPass(step.create(options));
    else
      pm.addNestedPass<gpu::GPUModuleOp>(step.create(options));
    if (step.name == last)
      break;
  }
  if (options.stop && !last.empty())
    return success();

  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  // What each thread does.
  module.addPass(createLowerToThreadsPass());
  // Constants folded, addresses computed once and outside the loops they do not depend on.
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  module.addPass(createLoopInvariantCodeMotionPass());
  module.addPass(createCSEPass());
  // The contract that the three readers rely on.
  module.addPass(createVerifyThreadsPass());
  return success();
}

namespace {
/// A position in kSteps, or kAll. An enumeration so that the option parser checks names.
enum StepIndex : int { kAll = -1 };

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("target whose limits schedules are checked against")};
  // A list of values, so that a wrong name is a command-line error like any other. The test of the pipeline compares it
  // with kSteps.
  Option<StepIndex> after{*this, "after", llvm::cl::desc("last tiling pass to run"), llvm::cl::init(kAll),
                          llvm::cl::values(clEnumValN(0, "raise-linalg", ""), clEnumValN(1, "complete-schedule", ""),
                                           clEnumValN(2, "check-schedule", ""), clEnumValN(3, "specialize", ""),
                                           clEnumValN(4, "tile-blocks", ""), clEnumValN(5, "stage-shared", ""),
                                           clEnumValN(6, "tile-threads", ""), clEnumValN(7, "pipeline-copies", ""),
                                           clEnumValN(8, "prefetch-fragments", ""))};
  Option<bool> stop{*this, "stop", llvm::cl::desc("with after: stop there instead of lowering to threads"),
                    llvm::cl::init(false)};
};
} // namespace

void tgc::registerTGCPipelines() {
  PassPipelineRegistration<PipelineOptions>("tgc-pipeline", "L1 or scheduled linalg.matmul to L3: every pass, in order",
                                            [](OpPassManager &pm, const PipelineOptions &options) {
                                              LoweringOptions lowering;
                                              lowering.target = options.target;
                                              if (options.after != kAll)
                                                lowering.after = kSteps[options.after].name.str();
                                              lowering.stop = options.stop;
                                              (void)buildLoweringPipeline(pm, lowering); // fails on a wrong name only
                                            });
}
