//===- BankDrawing.cpp - requests to shared memory, bank by bank -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row for each pass over the 32 banks that a request takes, with the lanes that get their words in it.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using namespace tgc;

static constexpr int64_t kBanks = 32;
/// As many maps are drawn, those with the most conflicts first.
static constexpr size_t kMaxMaps = 12;

/// "load of 16 bytes from As".
static std::string describe(const BankPattern &pattern) {
  StringRef what = pattern.kind == OperationKind::SharedLoad    ? "load"
                   : pattern.kind == OperationKind::SharedStore ? "store"
                                                                : "asynchronous copy";
  return formatv("{0} of {1} bytes {2} {3}", what, 4 * pattern.width,
                 pattern.kind == OperationKind::SharedLoad ? "from" : "to", pattern.request.buffer);
}

static void drawWavefront(const BankPattern &pattern, const SharedRequest::Wavefront &wavefront, double left,
                          double top, double width, double height, Drawing &drawing) {
  std::map<int64_t, SmallVector<std::string>> lanesOf; // by first word
  for (unsigned lane = 0; lane < pattern.request.words.size(); ++lane)
    if (wavefront.lanes >> lane & 1)
      lanesOf[pattern.request.words[lane]].push_back(std::to_string(lane));
  for (const auto &[word, lanes] : lanesOf) {
    double x = left + width * double(word % kBanks), w = width * pattern.width;
    int64_t inBuffer = word - pattern.request.bufferStart;
    std::string words = pattern.width == 1 ? formatv("word {0}", inBuffer).str()
                                           : formatv("words {0} to {1}", inBuffer, inBuffer + pattern.width - 1).str();
    drawing.rect(x, top, w, height, wavefront.conflict ? "bad" : "cell",
                 (lanes.size() == 1 ? "lane " : "lanes ") + join(lanes, ", ") + ": " + words + " of " +
                     pattern.request.buffer);
    drawing.text(x + w / 2, top + 14, wavefront.conflict ? "middle strong" : "middle",
                 lanes.front() + (lanes.size() > 1 ? "+" : ""));
  }
}

static void writeMap(const BankPattern &pattern, raw_ostream &os) {
  constexpr double kLeft = 118, kTop = 18, kWidth = 24, kHeight = 20;
  size_t count = pattern.request.wavefronts.size();
  Drawing drawing(kLeft + kWidth * kBanks + 2, kTop + kHeight * double(count) + 2);
  for (int64_t bank = 0; bank < kBanks; ++bank)
    drawing.text(kLeft + kWidth * (double(bank) + 0.5), kTop - 6, "middle muted", Twine(bank));
  drawing.text(kLeft - 8, kTop - 6, "end muted", "bank");
  drawing.rect(kLeft, kTop, kWidth * kBanks, kHeight * double(count), "free");
  drawing.grid(kLeft, kTop, kWidth * kBanks, kHeight * double(count), int64_t(count), kBanks, "thin");
  unsigned conflict = 0;
  for (auto [i, wavefront] : enumerate(pattern.request.wavefronts)) {
    double top = kTop + kHeight * double(i);
    conflict = wavefront.conflict ? conflict + 1 : 0;
    drawing.text(kLeft - 8, top + 14, wavefront.conflict ? "end strong" : "end",
                 "pass " + Twine(i + 1) + (conflict ? ", conflict " + Twine(conflict) : Twine()));
    drawWavefront(pattern, wavefront, kLeft, top, kWidth, kHeight, drawing);
  }

  std::string what = describe(pattern), alike;
  if (pattern.operations > 1)
    alike = formatv("; {0} operations do it alike, at other words", pattern.operations);
  int64_t conflicts = pattern.getConflicts();
  std::string cost = formatv("{0} {1}, {2} because of conflicts", count, count == 1 ? "pass" : "passes", conflicts);
  if (pattern.kind == OperationKind::AsyncCopy)
    cost += ", as a store goes; a copy has the same conflicts, but its other passes are by the lines that it reads";
  os << "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Banks: " << escapeHTML(what)
     << "\">\n";
  drawing.write(os, "Banks: " + what, cost);
  os << "</div>\n<figcaption>";
  if (pattern.line)
    os << "Line " << pattern.line << ": ";
  os << escapeHTML(what + ", " + cost + alike) << "</figcaption>\n</figure>\n";
}

void tgc::writeBanks(const KernelReport &report, raw_ostream &os) {
  if (report.banks.empty()) {
    os << "<p>The first warp accesses no shared memory.</p>\n";
    return;
  }
  auto order = map_to_vector(report.banks, [](const BankPattern &pattern) { return &pattern; });
  llvm::sort(order, [](const BankPattern *a, const BankPattern *b) { // then as in the program
    return std::pair(b->getConflicts(), a) < std::pair(a->getConflicts(), b);
  });
  os << "<p>What the first warp of the first block asks of the 32 banks, the first time. In one pass a bank gives one "
        "word. The numbers are lanes; <b>+</b> stands for more lanes that want the same word.</p>\n<ul "
        "class=\"legend\"><li><span class=\"key first\"></span>first pass of a part of the request</li><li><span "
        "class=\"key bad\"></span>a pass more, because of a conflict: the bank had another word before</li></ul>\n";
  for (const BankPattern *pattern : ArrayRef(order).take_front(kMaxMaps))
    writeMap(*pattern, os);
  if (order.size() > kMaxMaps)
    os << formatv("<p>{0} more patterns, with no more conflicts than the last one here, are in the JSON report.</p>\n",
                  order.size() - kMaxMaps);
}
