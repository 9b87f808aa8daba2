//===- Drawing.h - SVG drawings of the HTML report -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_REPORT_DRAWING_H
#define TGC_LIB_REPORT_DRAWING_H

#include "tgc/Report/KernelReport.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace tgc {

/// `text` with &, <, > and quotes as character references.
std::string escapeHTML(const llvm::Twine &text);

/// An SVG picture, built up in the order of painting. Lengths are CSS pixels; looks come from the classes of
/// HTMLStyle.cpp.
class Drawing {
public:
  Drawing(double width, double height) : width(width), height(height), out(body) {}

  /// With a `tooltip`, if it is not empty.
  void rect(double x, double y, double w, double h, llvm::StringRef cls, const llvm::Twine &tooltip = "");
  void line(double x1, double y1, double x2, double y2, llvm::StringRef cls);
  void circle(double x, double y, double radius, llvm::StringRef cls);
  /// A square on its corner.
  void diamond(double x, double y, double radius, llvm::StringRef cls);
  /// `cls` also anchors it: "start", "middle" or "end".
  void text(double x, double y, llvm::StringRef cls, const llvm::Twine &what);
  /// The same, read from bottom to top.
  void verticalText(double x, double y, llvm::StringRef cls, const llvm::Twine &what);
  /// Lines between rows x columns of equal cells.
  void grid(double x, double y, double w, double h, int64_t rows, int64_t cols, llvm::StringRef cls);

  /// Writes the picture; `title` names it and `description` says in words what it shows.
  void write(llvm::raw_ostream &os, const llvm::Twine &title, const llvm::Twine &description) const;

private:
  double width, height;
  std::string body;
  llvm::raw_string_ostream out;
};

/// Writes a bar of 0 to 1 of the width there is; `cls` is "attainable" or "measured".
void writeBar(double part, llvm::StringRef cls, llvm::raw_ostream &os);

/// Figures of one kernel, each with its caption. They write a sentence instead if there is nothing to draw.
void writeTiles(const KernelReport &report, llvm::raw_ostream &os);
void writeBanks(const KernelReport &report, llvm::raw_ostream &os);
void writeTimeline(const KernelReport &report, llvm::raw_ostream &os);
void writeRoofline(const KernelReport &report, llvm::raw_ostream &os);

/// The style sheet of the page.
extern const llvm::StringLiteral kStyle;

} // namespace tgc

#endif
