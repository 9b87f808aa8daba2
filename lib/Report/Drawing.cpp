//===- Drawing.cpp - SVG drawings of the HTML report -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace tgc;

std::string tgc::escapeHTML(const Twine &text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(text.str(), os);
  return escaped;
}

/// In tenths of a pixel, without a needless ".0".
static std::string str(double length) {
  std::string text = formatv("{0:f1}", length);
  return StringRef(text).ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

void Drawing::rect(double x, double y, double w, double h, StringRef cls, const Twine &tooltip) {
  out << formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"", cls, str(x), str(y), str(w),
                 str(h));
  std::string title = escapeHTML(tooltip);
  if (title.empty())
    out << "/>\n";
  else
    out << "><title>" << title << "</title></rect>\n";
}

void Drawing::line(double x1, double y1, double x2, double y2, StringRef cls) {
  out << formatv("<line class=\"{0}\" x1=\"{1}\" y1=\"{2}\" x2=\"{3}\" y2=\"{4}\"/>\n", cls, str(x1), str(y1), str(x2),
                 str(y2));
}

void Drawing::circle(double x, double y, double radius, StringRef cls) {
  out << formatv("<circle class=\"{0}\" cx=\"{1}\" cy=\"{2}\" r=\"{3}\"/>\n", cls, str(x), str(y), str(radius));
}

void Drawing::diamond(double x, double y, double radius, StringRef cls) {
  out << formatv("<path class=\"{0}\" d=\"M{1} {2}l{3} {3}l-{3} {3}l-{3} -{3}z\"/>\n", cls, str(x), str(y - radius),
                 str(radius));
}

void Drawing::text(double x, double y, StringRef cls, const Twine &what) {
  out << formatv("<text class=\"{0}\" x=\"{1}\" y=\"{2}\">{3}</text>\n", cls, str(x), str(y), escapeHTML(what));
}

void Drawing::verticalText(double x, double y, StringRef cls, const Twine &what) {
  out << formatv("<text class=\"{0}\" transform=\"translate({1} {2}) rotate(-90)\">{3}</text>\n", cls, str(x), str(y),
                 escapeHTML(what));
}

void Drawing::grid(double x, double y, double w, double h, int64_t rows, int64_t cols, StringRef cls) {
  if (rows < 2 && cols < 2)
    return;
  out << "<path class=\"" << cls << "\" d=\"";
  for (int64_t row = 1; row < rows; ++row)
    out << formatv("M{0} {1}h{2}", str(x), str(y + h * double(row) / double(rows)), str(w));
  for (int64_t col = 1; col < cols; ++col)
    out << formatv("M{0} {1}v{2}", str(x + w * double(col) / double(cols)), str(y), str(h));
  out << "\"/>\n";
}

void Drawing::write(raw_ostream &os, const Twine &title, const Twine &description) const {
  os << formatv("<svg role=\"img\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n", str(width), str(height))
     << "<title>" << escapeHTML(title) << "</title>\n<desc>" << escapeHTML(description) << "</desc>\n"
     << body << "</svg>\n";
}

void tgc::writeBar(double part, StringRef cls, raw_ostream &os) {
  os << formatv("<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
                "aria-label=\"{0:f0}%\"><rect class=\"track\" width=\"100\" height=\"8\"/><rect class=\"{1}\" "
                "width=\"{2}\" height=\"8\"/></svg>",
                100 * part, cls, str(100 * std::min(part, 1.0)));
}
