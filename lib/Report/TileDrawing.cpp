//===- TileDrawing.cpp - who computes which elements of C -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four pictures from the block tile down to the elements of one thread, all of the schedule's distribution.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace tgc;

namespace {
/// A rectangle of rows x cols equal parts, with its extents beside it.
class Panel {
public:
  /// `rows` and `cols` elements, drawn in their proportion as far as that leaves both sides visible.
  Panel(int64_t rows, int64_t cols) {
    double ratio = std::clamp(double(rows) / double(cols), 0.25, 4.0);
    width = ratio > 1 ? kSide / ratio : kSide;
    height = ratio > 1 ? kSide : kSide * ratio;
  }

  Drawing start() const { return Drawing(kLeft + width + 2, kTop + height + 2); }
  /// Cell (row, col) of a division into rows x cols.
  void cell(Drawing &to, int64_t row, int64_t col, int64_t rows, int64_t cols, StringRef cls,
            const Twine &tooltip) const {
    double w = width / double(cols), h = height / double(rows);
    to.rect(kLeft + w * double(col), kTop + h * double(row), w, h, cls, tooltip);
  }
  /// Text in the middle of that cell, if there is room for `chars` characters.
  void label(Drawing &to, int64_t row, int64_t col, int64_t rows, int64_t cols, const Twine &what) const {
    double w = width / double(cols), h = height / double(rows);
    if (h >= 12 && w >= 7 * double(what.str().size()) + 2)
      to.text(kLeft + w * (double(col) + 0.5), kTop + h * (double(row) + 0.5) + 4, "middle", what);
  }
  void grid(Drawing &to, int64_t rows, int64_t cols, StringRef cls) const {
    to.grid(kLeft, kTop, width, height, rows, cols, cls);
  }
  void frame(Drawing &to, const Twine &rows, const Twine &cols) const {
    to.rect(kLeft, kTop, width, height, "frame");
    to.text(kLeft + width / 2, kTop - 7, "middle muted", cols);
    to.verticalText(kLeft - 7, kTop + height / 2, "middle muted", rows);
  }
  double cellWidth(int64_t cols) const { return width / double(cols); }
  double cellHeight(int64_t rows) const { return height / double(rows); }

private:
  static constexpr double kSide = 234, kLeft = 22, kTop = 20;
  double width, height;
};

/// The distribution in short names.
struct Tiling {
  explicit Tiling(SIMTAttr simt)
      : simt(simt), warps{simt.getWarps()[0], simt.getWarps()[1]}, lanes{simt.getLanes()[0], simt.getLanes()[1]},
        each{simt.getEach()[0], simt.getEach()[1]}, group{simt.getGroup()[0], simt.getGroup()[1]},
        groups{each[0] / group[0], each[1] / group[1]}, warpTile{lanes[0] * each[0], lanes[1] * each[1]},
        block{warps[0] * warpTile[0], warps[1] * warpTile[1]}, shown(lanes[0] > 1 ? lanes[1] + (lanes[1] > 1) : 1) {}

  SIMTAttr simt;
  int64_t warps[2], lanes[2], each[2], group[2], groups[2], warpTile[2], block[2];
  int64_t shown; ///< the lane that is highlighted, of warp 0

  int64_t getRow(int64_t i) const { return simt.getOrigin(shown)[0] + cast<TileDistribution>(simt).getOffset(0, i); }
  int64_t getCol(int64_t j) const { return simt.getOrigin(shown)[1] + cast<TileDistribution>(simt).getOffset(1, j); }
};
} // namespace

static std::string str(const int64_t (&extents)[2]) { return formatv("{0} x {1}", extents[0], extents[1]); }

static void beginPanel(raw_ostream &os) { os << "<figure>\n"; }
static void endPanel(raw_ostream &os, const Twine &caption) {
  os << "<figcaption>" << escapeHTML(caption) << "</figcaption>\n</figure>\n";
}

static void writeBlock(const Tiling &t, raw_ostream &os) {
  Panel panel(t.block[0], t.block[1]);
  Drawing drawing = panel.start();
  for (int64_t row = 0; row < t.warps[0]; ++row)
    for (int64_t col = 0; col < t.warps[1]; ++col) {
      int64_t warp = row * t.warps[1] + col;
      panel.cell(drawing, row, col, t.warps[0], t.warps[1], warp == 0 ? "cell chosen" : "cell", "warp " + Twine(warp));
      panel.label(drawing, row, col, t.warps[0], t.warps[1], Twine(warp));
    }
  panel.frame(drawing, "BM = " + Twine(t.block[0]), "BN = " + Twine(t.block[1]));
  beginPanel(os);
  drawing.write(os, "Block tile", "A block tile of " + str(t.block) + " elements in " + str(t.warps) + " warps");
  endPanel(os, "Block tile: " + str(t.warps) + " warps of " + str(t.warpTile) + " elements; warp 0 is marked");
}

static void writeWarp(const Tiling &t, raw_ostream &os) {
  Panel panel(t.warpTile[0], t.warpTile[1]);
  Drawing drawing = panel.start();
  int64_t cells[2] = {t.groups[0] * t.lanes[0], t.groups[1] * t.lanes[1]};
  panel.cell(drawing, 0, 0, 1, 1, "cell", "");
  if (std::min(panel.cellHeight(cells[0]), panel.cellWidth(cells[1])) >= 4)
    panel.grid(drawing, cells[0], cells[1], "thin");
  for (int64_t row = 0; row < t.groups[0]; ++row)
    for (int64_t col = 0; col < t.groups[1]; ++col)
      panel.cell(drawing, row * t.lanes[0] + t.shown / t.lanes[1], col * t.lanes[1] + t.shown % t.lanes[1], cells[0],
                 cells[1], "chosen",
                 formatv("rows {0} to {1}, columns {2} to {3}", t.getRow(row * t.group[0]),
                         t.getRow(row * t.group[0]) + t.group[0] - 1, t.getCol(col * t.group[1]),
                         t.getCol(col * t.group[1]) + t.group[1] - 1));
  panel.grid(drawing, t.groups[0], t.groups[1], "thick");
  panel.frame(drawing, "WM = " + Twine(t.warpTile[0]), "WN = " + Twine(t.warpTile[1]));
  beginPanel(os);
  drawing.write(os, "Warp tile",
                "A warp tile of " + str(t.warpTile) + " elements: the lanes take it in " + str(t.groups) +
                    " turns; what lane " + Twine(t.shown) + " holds is marked");
  endPanel(os, "Warp tile: the 32 lanes side by side, " + str(t.groups) + " times; the elements of lane " +
                   Twine(t.shown) + " are marked");
}

static void writeLanes(const Tiling &t, raw_ostream &os) {
  Panel panel(t.lanes[0] * t.group[0], t.lanes[1] * t.group[1]);
  Drawing drawing = panel.start();
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t row = lane / t.lanes[1], col = lane % t.lanes[1];
    panel.cell(drawing, row, col, t.lanes[0], t.lanes[1], lane == t.shown ? "cell chosen" : "cell",
               "lane " + Twine(lane));
    panel.label(drawing, row, col, t.lanes[0], t.lanes[1], Twine(lane));
  }
  panel.frame(drawing, Twine(t.lanes[0]) + " x " + Twine(t.group[0]), Twine(t.lanes[1]) + " x " + Twine(t.group[1]));
  beginPanel(os);
  drawing.write(os, "Lanes of a warp", "The lanes are arranged " + str(t.lanes) + ", row by row");
  endPanel(os, "Lanes: " + str(t.lanes) + ", each with a group of " + str(t.group) + " neighbouring elements");
}

static void writeThread(const Tiling &t, raw_ostream &os) {
  Panel panel(t.each[0], t.each[1]);
  Drawing drawing = panel.start();
  panel.cell(drawing, 0, 0, 1, 1, "cell chosen", "");
  panel.grid(drawing, t.each[0], t.each[1], "thin");
  panel.grid(drawing, t.groups[0], t.groups[1], "thick");
  for (int64_t row = 0; row < t.groups[0]; ++row)
    for (int64_t col = 0; col < t.groups[1]; ++col)
      panel.label(drawing, row, col, t.groups[0], t.groups[1],
                  Twine(t.getRow(row * t.group[0])) + ", " + Twine(t.getCol(col * t.group[1])));
  panel.frame(drawing, "TM = " + Twine(t.each[0]), "TN = " + Twine(t.each[1]));
  beginPanel(os);
  drawing.write(os, "Thread tile",
                "A thread holds " + str(t.each) + " elements in " + str(t.groups) + " groups of " + str(t.group));
  endPanel(os, "Thread tile of lane " + Twine(t.shown) + ": " + str(t.groups) +
                   " groups; the numbers are row and column of a group's first element");
}

void tgc::writeTiles(const KernelReport &report, raw_ostream &os) {
  if (!report.tiling) {
    os << "<p>This kernel was written as a thread program, without a schedule: there is no tiling to draw.</p>\n";
    return;
  }
  Tiling tiling(report.tiling.getDistribution());
  os << "<div class=\"panels\">\n";
  writeBlock(tiling, os);
  writeWarp(tiling, os);
  writeLanes(tiling, os);
  writeThread(tiling, os);
  os << "</div>\n";
}
