//===- HTMLWriter.cpp - reports as a page for the browser -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file without scripts or anything from outside, well-formed as HTML and as XML. Everything that comes from a tile
// program goes through escapeHTML.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "HTMLTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace tgc;

static std::string getTitle(const KernelReport &report) { return report.kernel + " · " + report.schedule; }

static std::string getSize(const KernelReport &report) {
  return formatv("{0} × {1} × {2}", report.m, report.n, report.k);
}

static std::string formatSpeed(std::optional<double> tflops) {
  return tflops ? formatv("{0:f1} TFLOP/s", *tflops).str() : "–";
}

static void writeFigure(StringRef name, const Twine &value, raw_ostream &os) {
  os << "<div><dt>" << name << "</dt><dd>" << escapeHTML(value) << "</dd></div>\n";
}

//===----------------------------------------------------------------------===//
// All kernels
//===----------------------------------------------------------------------===//

static void writeHeader(ArrayRef<KernelReport> reports, raw_ostream &os) {
  const KernelReport &first = reports.front();
  os << "<header>\n<h1>" << escapeHTML(first.program) << "</h1>\n<p class=\"sub\">M × N × K = " << getSize(first)
     << " on " << escapeHTML(first.machine->name)
     << formatv(" ({0} SMs, {1} MHz, {2} GB/s, FP32 peak {3:f1} TFLOP/s)", first.machine->multiprocessors,
                first.machine->clockMHz, first.machine->memoryGBps, first.machine->getTeraflops())
     << "</p>\n";
  if (reports.size() > 1) {
    os << "<nav aria-label=\"Kernels\"><ul>\n";
    for (auto [i, report] : enumerate(reports))
      os << formatv("<li><a href=\"#kernel-{0}\">", i) << escapeHTML(getTitle(report)) << "</a></li>\n";
    os << "</ul></nav>\n";
  }
  os << "</header>\n";
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

static void writeHeadLine(const KernelReport &report, raw_ostream &os) {
  os << "<p class=\"sub\">" << getSize(report);
  if (!report.variant.empty())
    os << ", variant <code>" << escapeHTML(report.variant) << "</code>";
  os << formatv(", {0}: {1} blocks of {2} threads, tiles of {3} × {4}</p>\n", escapeHTML(report.target),
                report.counts.blocks, report.launch.threads, report.launch.tileM, report.launch.tileN);

  std::optional<double> attainable = report.getMetric("attainable_tflops");
  os << "<dl class=\"figures\">\n";
  writeFigure("bound by", attainable ? report.bounds.front().resource : "–", os);
  writeFigure("attainable", formatSpeed(attainable), os);
  if (attainable)
    writeFigure("of the peak", formatv("{0:f0}%", 100 * *attainable / report.machine->getTeraflops()).str(), os);
  if (std::optional<double> measured = report.getMetric("measured_tflops"))
    writeFigure("measured", formatSpeed(measured), os);
  if (std::optional<double> cublas = report.getMetric("of_cublas"))
    writeFigure("of cuBLAS FP32", formatv("{0:f1}%", *cublas).str(), os);
  writeFigure("registers", report.resources ? Twine(report.resources->registers).str() : "–", os);
  writeFigure("blocks on an SM", report.occupancy ? Twine(report.occupancy->blocksPerSm).str() : "–", os);
  writeFigure("bank conflicts",
              formatNumber(double(report.counts.sharedLoads.conflicts + report.counts.sharedStores.conflicts +
                                  report.counts.asyncCopyStores.conflicts)),
              os);
  os << "</dl>\n";
}

static void writeKernel(ArrayRef<KernelReport> reports, size_t number, raw_ostream &os) {
  const KernelReport &report = reports[number];
  auto part = [&](const Twine &title, auto write) {
    os << "<details open=\"\">\n<summary><h3>" << title << "</h3></summary>\n";
    write(report, os);
    os << "</details>\n";
  };
  os << formatv("<section class=\"kernel\" id=\"kernel-{0}\">\n<h2>", number) << escapeHTML(getTitle(report))
     << "</h2>\n";
  writeHeadLine(report, os);
  part("What bounds it", writeBounds);
  if (const KernelReport *before = findStepBefore(reports, number))
    part("The step from " + escapeHTML(before->schedule),
         [&](const KernelReport &after, raw_ostream &out) { writeMoves(*before, after, out); });
  part("Roofline", writeRoofline);
  if (report.measured)
    part("Measured", writeMeasured);
  part("Metrics", writeMetrics);
  part("Tiles, warps, lanes", writeTiles);
  part("Banks of shared memory", writeBanks);
  part("Pipeline", writeTimeline);
  part("Accesses of warps", writeAccesses);
  part("By line of the program", writeSource);
  part("Decisions", writeDecisions);
  os << "</section>\n";
}

void tgc::writeHTML(ArrayRef<KernelReport> reports, raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>"
     << escapeHTML("tgc explain " + reports.front().program) << "</title>\n<style>" << kStyle
     << "</style>\n</head>\n<body>\n";
  writeHeader(reports, os);
  os << "<main>\n";
  if (reports.size() > 1) {
    os << "<section>\n<h2>Ladder</h2>\n";
    writeLadder(reports, os);
    os << "</section>\n";
  }
  for (size_t i = 0; i < reports.size(); ++i)
    writeKernel(reports, i, os);
  os << "</main>\n</body>\n</html>\n";
}
