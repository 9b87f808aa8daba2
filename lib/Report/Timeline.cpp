//===- Timeline.cpp - copies and products of k tiles over time -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model, not a measurement: every copy takes the latency of memory, and an SM multiplies the k tiles of its blocks
// one after the other at its peak. It shows what the ring and the blocks of an SM can hide.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

namespace {
/// What happens to one k tile of one block, in clocks.
struct TileTimes {
  int64_t block, tile;
  double copyStart, copyEnd, start, end;
};

struct Pipeline {
  int64_t slots;
  int64_t ahead; ///< k tiles that a copy overlaps with
  int64_t blocks;
  int64_t tiles; ///< of a block, that are drawn
  double tileClocks;
  double latency; ///< of a copy
};
} // namespace

/// Tiles that a copy of the schedule's slowest kind overlaps with.
static int64_t getTilesAhead(ScheduleAttr schedule) {
  int64_t ahead = schedule.getPipeline() - 1;
  for (auto stage : schedule.getStages().getAsRange<StageAttr>()) {
    if (stage.getBy() == CopyKind::Plain)
      ahead = 0;
    if (stage.getBy() == CopyKind::Registers)
      ahead = std::min<int64_t>(ahead, 1);
  }
  return ahead;
}

/// In the order in which the SM multiplies: whichever block's tile is there first.
static std::vector<TileTimes> play(const Pipeline &pipeline) {
  std::vector<std::vector<TileTimes>> done(pipeline.blocks);
  std::vector<TileTimes> all;
  double now = 0;
  auto getCopyStart = [&](int64_t block) {
    const std::vector<TileTimes> &before = done[block];
    int64_t tile = int64_t(before.size());
    if (pipeline.ahead == 0)
      return before.empty() ? 0.0 : before.back().end;
    return tile < pipeline.ahead ? 0.0 : before[tile - pipeline.ahead].start;
  };
  while (int64_t(all.size()) < pipeline.blocks * pipeline.tiles) {
    int64_t next = -1;
    for (int64_t block = 0; block < pipeline.blocks; ++block)
      if (int64_t(done[block].size()) < pipeline.tiles && (next < 0 || getCopyStart(block) < getCopyStart(next)))
        next = block;
    TileTimes times{next, int64_t(done[next].size()), getCopyStart(next), 0, 0, 0};
    times.copyEnd = times.copyStart + pipeline.latency;
    times.start = std::max(now, times.copyEnd);
    times.end = now = times.start + pipeline.tileClocks;
    done[next].push_back(times);
    all.push_back(times);
  }
  return all;
}

namespace {
class TimelineDrawing {
public:
  TimelineDrawing(const Pipeline &pipeline, ArrayRef<TileTimes> times)
      : pipeline(pipeline), times(times), last(times.back().end),
        drawing(kWidth, kTop + kRow * double(pipeline.slots + 1) + kGap + 30) {}

  Drawing &draw() {
    drawAxis();
    for (int64_t slot = 0; slot < pipeline.slots; ++slot)
      drawing.text(kLeft - 8, getTop(slot) + 15, "end muted", "slot " + Twine(slot));
    drawing.text(kLeft - 8, getTop(pipeline.slots) + 15, "end muted", "multiply");
    double busy = 0;
    for (const TileTimes &tile : times) {
      if (tile.start > busy)
        bar(pipeline.slots, busy, tile.start, "wait", "waits", "the SM waits " + clocks(tile.start - busy));
      busy = tile.end;
      drawTile(tile);
    }
    return drawing;
  }

private:
  static constexpr double kWidth = 720, kLeft = 64, kTop = 8, kRow = 24, kGap = 8;

  static std::string clocks(double count) { return formatv("{0:f0} clocks", count); }
  double getX(double clock) const { return kLeft + (kWidth - kLeft - 10) * clock / last; }
  /// Of a slot's row; the row after all slots is that of the SM.
  double getTop(int64_t row) const { return kTop + kRow * double(row) + (row == pipeline.slots ? kGap : 0); }

  void bar(int64_t row, double from, double to, StringRef cls, const Twine &label, const Twine &tooltip) {
    double x = getX(from), width = getX(to) - x;
    drawing.rect(x, getTop(row) + 2, width, kRow - 4, cls, tooltip);
    if (width > 6.5 * double(label.str().size()) + 4)
      drawing.text(x + width / 2, getTop(row) + 16, "middle", label);
  }

  void drawTile(const TileTimes &tile) {
    std::string name = formatv("k{0}", tile.tile);
    if (tile.block == 0) {
      int64_t slot = tile.tile % pipeline.slots;
      bar(slot, tile.copyStart, tile.copyEnd, "copy", name,
          "copy of k tile " + Twine(tile.tile) + ": " + clocks(pipeline.latency));
      if (tile.start > tile.copyEnd)
        bar(slot, tile.copyEnd, tile.start, "ready", "",
            "k tile " + Twine(tile.tile) + " is there for " + clocks(tile.start - tile.copyEnd));
      bar(slot, tile.start, tile.end, "product", name, "product of k tile " + Twine(tile.tile));
    }
    std::string where = pipeline.blocks > 1 ? formatv("b{0} {1}", tile.block, name).str() : name;
    bar(pipeline.slots, tile.start, tile.end, tile.block == 0 ? "product" : "product other", where,
        formatv("block {0}, k tile {1}: {2}", tile.block, tile.tile, clocks(tile.end - tile.start)));
  }

  void drawAxis() {
    double bottom = getTop(pipeline.slots) + kRow + 2;
    double step = std::pow(10, std::floor(std::log10(last)));
    step = last / step < 2 ? step / 5 : last / step < 5 ? step / 2 : step;
    for (int tick = 0; tick * step <= last; ++tick) {
      double clock = tick * step;
      drawing.line(getX(clock), kTop, getX(clock), bottom, "thin");
      if (getX(clock) < kWidth - 64)
        drawing.text(getX(clock), bottom + 15, "middle muted", formatv("{0:f0}", clock).str());
    }
    drawing.text(kWidth - 2, bottom + 15, "end muted", "clocks");
  }

  const Pipeline &pipeline;
  ArrayRef<TileTimes> times;
  double last;
  Drawing drawing;
};
} // namespace

void tgc::writeTimeline(const KernelReport &report, raw_ostream &os) {
  ScheduleAttr schedule = report.tiling;
  std::optional<double> tileClocks = report.getMetric("tile_clocks");
  if (!schedule || !tileClocks) {
    os << "<p>No operand goes through shared memory: there is no ring of k tiles to draw.</p>\n";
    return;
  }
  int64_t tiles = divideCeil(report.k, schedule.getBlock()[2]);
  int64_t blocks = report.occupancy ? report.occupancy->blocksPerSm : schedule.getBlocksPerSm();
  if (tiles == 0 || blocks == 0 || report.counts.blocks == 0) {
    os << "<p>There is no k tile to multiply.</p>\n";
    return;
  }
  blocks = std::min(blocks, report.counts.blocks);
  const Machine *clock = report.machine->memoryLatency ? report.machine : findMachine("h200");
  Pipeline pipeline{schedule.getPipeline(),
                    getTilesAhead(schedule),
                    blocks,
                    std::min(tiles, schedule.getPipeline() + 3),
                    *tileClocks,
                    double(clock->memoryLatency)};
  std::vector<TileTimes> times = play(pipeline);
  double busy = pipeline.tileClocks * double(times.size()), waits = times.back().end - pipeline.latency - busy;
  std::string summary = formatv("after the first copy the SM multiplies for {0:f0} clocks and waits for {1:f0}", busy,
                                std::max(waits, 0.0));
  std::string copies = pipeline.ahead == 0 ? "no copy overlaps with a product of its block"
                       : pipeline.ahead == 1
                           ? "a copy starts one k tile before its product"
                           : formatv("a copy starts {0} k tiles before its product", pipeline.ahead).str();
  os << "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pipeline timeline\">\n";
  TimelineDrawing(pipeline, times)
      .draw()
      .write(os, "Pipeline timeline",
             formatv("{0} slots, {1} blocks on an SM: {2}; {3}", pipeline.slots, blocks, copies, summary).str());
  os << "</div>\n<ul class=\"legend\"><li><span class=\"key copy\"></span>copy in flight</li><li><span class=\"key "
        "ready\"></span>in shared memory</li><li><span class=\"key product\"></span>product</li><li><span class=\"key "
        "wait\"></span>the SM waits</li></ul>\n";
  os << formatv(
      "<figcaption>A model of the first {0} k tiles of {1}: every copy takes {2:f0} clocks, the latency of {3}'s "
      "memory, and a product at the SM's peak {4:f0}. Here {5}, and {6}.</figcaption>\n</figure>\n",
      pipeline.tiles, blocks == 1 ? "one block on an SM" : formatv("{0} blocks on an SM", blocks).str(),
      pipeline.latency, clock->name, pipeline.tileClocks, copies, summary);
}
