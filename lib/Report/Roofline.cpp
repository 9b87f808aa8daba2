//===- Roofline.cpp - speed over intensity, both logarithmic -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

namespace {
/// Axes in powers of two: x is FLOP/byte, y TFLOP/s.
class Plot {
public:
  Plot(double minX, double maxX, double minY, double maxY)
      : x0(std::floor(std::log2(minX)) - 1), x1(std::ceil(std::log2(maxX)) + 1), y0(std::floor(std::log2(minY)) - 1),
        y1(std::ceil(std::log2(maxY))), drawing(kWidth, kHeight) {}

  double getX(double value) const { return kLeft + (kRight - kLeft) * (std::log2(value) - x0) / (x1 - x0); }
  double getY(double value) const { return kBottom - (kBottom - kTop) * (std::log2(value) - y0) / (y1 - y0); }
  double getMinX() const { return std::exp2(x0); }
  double getMaxX() const { return std::exp2(x1); }
  double getMinY() const { return std::exp2(y0); }

  void axes() {
    int stepX = int(std::ceil((x1 - x0) / 9)), stepY = int(std::ceil((y1 - y0) / 8));
    for (int x = int(x0); x <= int(x1); x += stepX) {
      drawing.line(getX(std::exp2(x)), kTop, getX(std::exp2(x)), kBottom, "thin");
      drawing.text(getX(std::exp2(x)), kBottom + 17, "middle muted", tick(x));
    }
    for (int y = int(y0); y <= int(y1); y += stepY) {
      drawing.line(kLeft, getY(std::exp2(y)), kRight, getY(std::exp2(y)), "thin");
      drawing.text(kLeft - 6, getY(std::exp2(y)) + 4, "end muted", tick(y));
    }
    drawing.text((kLeft + kRight) / 2, kHeight - 4, "middle muted", "FLOP/byte");
    drawing.verticalText(12, (kTop + kBottom) / 2, "middle muted", "TFLOP/s");
  }

  static constexpr double kTop = 14, kBottom = 250;
  Drawing &get() { return drawing; }

private:
  static std::string tick(int power) {
    if (std::abs(power) > 12)
      return formatv("2^{0}", power);
    return power >= 0 ? std::to_string(1 << power) : formatv("1/{0}", 1 << -power).str();
  }

  static constexpr double kWidth = 600, kHeight = 290, kLeft = 52, kRight = 580;
  double x0, x1, y0, y1;
  Drawing drawing;
};
} // namespace

static void writeKey(StringRef shape, const Twine &what, raw_ostream &os) {
  os << "<li><svg class=\"symbol\" viewBox=\"0 0 16 12\" width=\"16\" height=\"12\" aria-hidden=\"true\">" << shape
     << "</svg>" << escapeHTML(what) << "</li>";
}

void tgc::writeRoofline(const KernelReport &report, raw_ostream &os) {
  std::optional<double> intensity = report.getMetric("intensity"), attainable = report.getMetric("attainable_tflops");
  if (!intensity || !attainable || *intensity <= 0) {
    os << "<p>There is no arithmetic at this size: no roofline.</p>\n";
    return;
  }
  double peak = report.machine->getTeraflops(), slope = double(report.machine->memoryGBps) * 1e-3;
  double ridge = peak / slope;
  double l2Slope = double(report.machine->l2GBps) * 1e-3; // 0 if unknown
  std::optional<double> asked = report.getMetric("flop_per_global_byte"),
                        measured = report.getMetric("measured_tflops");
  if (asked && *asked <= 0)
    asked.reset();

  double least = std::min(*attainable, measured.value_or(*attainable));
  double left = std::min({*intensity, asked.value_or(ridge), ridge});
  Plot plot(left, std::max({*intensity, asked.value_or(ridge), ridge}), std::min(least, left * slope), peak);
  plot.axes();
  Drawing &drawing = plot.get();
  auto drawRoof = [&](double slope, StringRef cls) { // from the left edge or the bottom to the peak
    double from = std::max(plot.getMinX(), plot.getMinY() / slope);
    drawing.line(plot.getX(from), plot.getY(from * slope), plot.getX(peak / slope), plot.getY(peak), cls);
  };
  if (l2Slope > 0)
    drawRoof(l2Slope, "roof l2");
  drawRoof(slope, "roof");
  drawing.line(plot.getX(ridge), plot.getY(peak), plot.getX(plot.getMaxX()), plot.getY(peak), "roof");
  if (asked) {
    drawing.line(plot.getX(*asked), Plot::kTop, plot.getX(*asked), Plot::kBottom, "asked");
    drawing.circle(plot.getX(*asked), plot.getY(*attainable), 5, "point hollow");
  }
  drawing.line(plot.getX(*intensity), Plot::kTop, plot.getX(*intensity), Plot::kBottom, "intensity");
  drawing.circle(plot.getX(*intensity), plot.getY(*attainable), 5, "point attainable");
  if (measured)
    drawing.diamond(plot.getX(*intensity), plot.getY(*measured), 6, "point measured");

  os << "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Roofline\">\n";
  drawing.write(
      os, "Roofline",
      formatv("Device memory gives {0:f2} TB/s up to {1:f1} FLOP/byte, from there the peak is {2:f1} TFLOP/s; "
              "the kernel has {3:f1} FLOP/byte and may reach {4:f1} TFLOP/s",
              slope, ridge, peak, *intensity, *attainable)
          .str());
  os << "</div>\n<ul class=\"legend\">";
  writeKey("<line class=\"roof\" x1=\"0\" y1=\"6\" x2=\"16\" y2=\"6\"/>",
           formatv("device memory: {0:f2} TB/s, from {1:f1} FLOP/byte on the peak, {2:f1} TFLOP/s", slope, ridge, peak)
               .str(),
           os);
  if (l2Slope > 0)
    writeKey("<line class=\"roof l2\" x1=\"0\" y1=\"6\" x2=\"16\" y2=\"6\"/>",
             formatv("L2: {0:f2} TB/s, from {1:f1} FLOP/byte", l2Slope, peak / l2Slope).str(), os);
  writeKey(
      "<circle class=\"point attainable\" cx=\"8\" cy=\"6\" r=\"5\"/>",
      formatv("attainable, {0:f1} TFLOP/s, at {1:f1} FLOP per byte of device memory", *attainable, *intensity).str(),
      os);
  if (asked)
    writeKey("<circle class=\"point hollow\" cx=\"8\" cy=\"6\" r=\"4.5\"/>",
             formatv("the same at {0:f1} FLOP per byte that SMs ask of L1 and L2", *asked).str(), os);
  if (measured)
    writeKey("<path class=\"point measured\" d=\"M8 0l6 6l-6 6l-6 -6z\"/>",
             formatv("measured, {0:f1} TFLOP/s", *measured).str(), os);
  os << "</ul>\n</figure>\n";
}
