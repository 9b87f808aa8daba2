//===- HTMLTables.cpp - tables of the HTML report -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTMLTables.h"

#include "Drawing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using namespace tgc;

/// Opens a table in a box that scrolls by itself if it is wider than the page.
static void beginTable(StringRef name, ArrayRef<StringRef> columns, raw_ostream &os, StringRef cls = "") {
  os << "<div class=\"scroll " << cls << "\" tabindex=\"0\" role=\"region\" aria-label=\"" << name
     << "\">\n<table>\n<thead><tr>";
  for (StringRef column : columns) {
    bool isNumber = column.consume_front("#");
    os << "<th scope=\"col\"" << (isNumber ? " class=\"n\"" : "") << ">" << column << "</th>";
  }
  os << "</tr></thead>\n<tbody>\n";
}

static void endTable(raw_ostream &os) { os << "</tbody>\n</table>\n</div>\n"; }

static void writeCell(const Twine &number, raw_ostream &os) { os << "<td class=\"n\">" << number << "</td>"; }

/// All digits, in groups of three.
static std::string groupDigits(int64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;)
    digits.insert(at -= 3, " ");
  return digits;
}

/// Empty for 0.
static void writeCount(int64_t count, raw_ostream &os) {
  writeCell(count ? formatNumber(double(count)) : std::string(), os);
}

static void writeSpeed(std::optional<double> tflops, raw_ostream &os) {
  writeCell(tflops ? formatv("{0:f1}", *tflops).str() : "–", os);
}

void tgc::writeLadder(ArrayRef<KernelReport> reports, raw_ostream &os) {
  bool anyMeasured =
      any_of(reports, [](const KernelReport &report) { return report.getMetric("measured_tflops").has_value(); });
  bool oneKernel = all_of(reports, [&](const KernelReport &report) { return report.kernel == reports.front().kernel; });
  os << "<p>TFLOP/s that each schedule may reach by its longest bound"
     << (anyMeasured ? ", and that were measured" : "") << "; the bars are parts of the FP32 peak.</p>\n";
  if (anyMeasured)
    os << "<ul class=\"legend\"><li><span class=\"key attainable\"></span>attainable</li><li><span class=\"key "
          "measured\"></span>measured</li></ul>\n";
  SmallVector<StringRef> columns{"schedule", "of the peak", "#attainable"};
  if (anyMeasured)
    columns.push_back("#measured");
  columns.push_back("bound by");
  beginTable("Ladder", columns, os);
  for (auto [i, report] : enumerate(reports)) {
    double peak = report.machine->getTeraflops();
    std::optional<double> attainable = report.getMetric("attainable_tflops"),
                          measured = report.getMetric("measured_tflops");
    os << formatv("<tr><th scope=\"row\"><a href=\"#kernel-{0}\">", i)
       << escapeHTML(oneKernel ? report.schedule : report.kernel + " · " + report.schedule)
       << "</a></th><td class=\"bar\">";
    if (attainable)
      writeBar(*attainable / peak, "attainable", os);
    if (measured)
      writeBar(*measured / peak, "measured", os);
    os << "</td>";
    writeSpeed(attainable, os);
    if (anyMeasured)
      writeSpeed(measured, os);
    os << "<td>" << (attainable ? report.bounds.front().resource : "–") << "</td></tr>\n";
  }
  endTable(os);
}

void tgc::writeBounds(const KernelReport &report, raw_ostream &os) {
  double longest = report.bounds.front().microseconds;
  if (longest == 0 || report.counts.blocks == 0) {
    os << "<p>There is nothing to do at this size.</p>\n";
    return;
  }
  os << "<p>The time that each resource of the GPU needs for this kernel if nothing else held it up. The longest is "
        "what bounds the kernel.</p>\n";
  beginTable("Bounds", {"resource", "of the longest", "#us", "#share"}, os);
  for (const Bound &bound : report.bounds) {
    StringRef meaning = StringSwitch<StringRef>(bound.resource)
                            .Case("fma", "multiply-adds at the peak of all SMs")
                            .Case("issue", "instructions of warps but address arithmetic, four a clock and SM")
                            .Case("lsu", "wavefronts of shared memory and lines of global memory, one a clock and SM")
                            .Case("l2", "bytes that L2 delivers, at its bandwidth")
                            .Case("memory", "least reads and writes, at the bandwidth of device memory")
                            .Default("");
    os << "<tr><th scope=\"row\">" << bound.resource << "<small>" << meaning << "</small></th><td class=\"bar\">";
    writeBar(bound.microseconds / longest, "attainable", os);
    os << "</td>";
    writeCell(formatv("{0:f1}", bound.microseconds).str(), os);
    writeCell(formatv("{0:f0}%", 100 * bound.microseconds / longest).str(), os);
    os << "</tr>\n";
  }
  endTable(os);
}

/// With its unit; a dash for none.
static std::string formatMetric(const Metric *metric) {
  if (!metric)
    return "–";
  return metric->unit.empty() ? formatNumber(metric->value) : formatNumber(metric->value) + " " + metric->unit.str();
}

void tgc::writeMoves(const KernelReport &before, const KernelReport &after, raw_ostream &os) {
  os << "<p>Bound by " << after.bounds.front().resource << ", before by " << before.bounds.front().resource
     << ". Metrics that moved by more than a tenth:</p>\n";
  beginTable("The step", {"metric", "#before", "#after", "#factor"}, os);
  for (const MetricMove &move : compareReports(before, after)) {
    const Metric &metric = move.after ? *move.after : *move.before;
    bool isRatio = move.before && move.after && move.before->value > 0;
    os << "<tr><th scope=\"row\">" << escapeHTML(metric.title) << "</th>";
    writeCell(escapeHTML(formatMetric(move.before)), os);
    writeCell(escapeHTML(formatMetric(move.after)), os);
    writeCell(isRatio ? formatv("× {0:f2}", move.after->value / move.before->value).str() : "–", os);
    os << "</tr>\n";
  }
  endTable(os);
}

void tgc::writeMeasured(const KernelReport &report, raw_ostream &os) {
  const Measurement &measured = *report.measured;
  os << "<p>"
     << escapeHTML(measured.gpu + ", driver " + measured.driver + ", CUDA " + measured.cuda + ", backend " +
                   measured.backend)
     << "</p>\n";
  if (!measured.countersMissing.empty()) {
    os << "<p>No hardware counters: " << escapeHTML(measured.countersMissing) << "</p>\n";
    return;
  }
  std::vector<std::pair<StringRef, double>> predictions = report.getPredictions();
  beginTable("Counters", {"counter", "#predicted", "#ncu", "#difference"}, os);
  for (const auto &[name, value] : measured.counters) {
    auto found = find_if(predictions, [&, &name = name](const auto &entry) { return entry.first == name; });
    bool isPredicted = found != predictions.end();
    os << "<tr><th scope=\"row\">" << escapeHTML(name) << "</th>";
    writeCell(isPredicted ? groupDigits(int64_t(found->second)) : "–", os);
    writeCell(groupDigits(int64_t(value)), os);
    writeCell(isPredicted && value != 0 ? formatv("{0:f1}%", 100 * (found->second - value) / value).str() : "–", os);
    os << "</tr>\n";
  }
  endTable(os);
}

void tgc::writeMetrics(const KernelReport &report, raw_ostream &os) {
  if (!report.resources)
    os << "<p>No registers: " << escapeHTML(report.resourcesMissing) << "</p>\n";
  else if (!report.occupancyMissing.empty())
    os << "<p>No occupancy: " << escapeHTML(report.occupancyMissing) << "</p>\n";
  for (const std::string &note : report.assemblerNotes)
    os << "<p>ptxas: " << escapeHTML(note) << "</p>\n";
  os << "<div class=\"groups\">\n";
  StringRef group;
  for (const Metric &metric : report.metrics) {
    if (metric.group != group) {
      os << (group.empty() ? "" : "</tbody></table></section>\n") << "<section><h4>" << metric.group
         << "</h4><table><tbody>\n";
      group = metric.group;
    }
    std::string limits = metric.id == "blocks_per_sm" && report.occupancy && !report.occupancy->limits.empty()
                             ? "; limited by " + join(report.occupancy->limits, ", ")
                             : std::string();
    os << "<tr><th scope=\"row\">" << escapeHTML(metric.title) << "<small>" << escapeHTML(metric.formula + limits)
       << "</small></th><td class=\"n\">" << escapeHTML(formatMetric(&metric)) << "</td></tr>\n";
  }
  os << (group.empty() ? "" : "</tbody></table></section>\n") << "</div>\n";
}

void tgc::writeAccesses(const KernelReport &report, raw_ostream &os) {
  const SimulationResult &c = report.counts;
  beginTable("Accesses", {"access", "#requests", "#wavefronts", "#sectors", "#least", "#conflicts", "#bytes"}, os);
  auto add = [&](StringRef name, const AccessCount &count, bool shared) {
    if (!count.requests)
      return;
    os << "<tr><th scope=\"row\">" << name << "</th>";
    writeCell(groupDigits(count.requests), os);
    writeCell(shared ? groupDigits(count.units) : "", os);
    writeCell(shared ? "" : groupDigits(count.units), os);
    writeCell(groupDigits(count.least), os);
    writeCell(shared ? groupDigits(count.conflicts) : "", os);
    writeCell(groupDigits(count.bytes), os);
    os << "</tr>\n";
  };
  add("shared loads", c.sharedLoads, true);
  add("shared stores", c.sharedStores, true);
  add("global loads", c.globalLoads, false);
  add("async copies", c.asyncCopies, false);
  add("async copies into shared memory", c.asyncCopyStores, true);
  add("global stores", c.globalStores, false);
  endTable(os);
}

/// Which lines to show: the paragraphs, between empty lines, that have a line of `counts`.
static std::vector<bool> chooseLines(ArrayRef<StringRef> texts, const std::map<unsigned, const LineCount *> &counts) {
  std::vector<bool> shown(texts.size(), false);
  for (size_t begin = 0; begin < texts.size();) {
    size_t end = begin;
    bool wanted = false;
    for (; end < texts.size() && !texts[end].trim().empty(); ++end)
      wanted |= counts.count(unsigned(end) + 1) > 0;
    std::fill(shown.begin() + begin, shown.begin() + end, wanted);
    begin = end + 1;
  }
  return shown;
}

static void writeCounts(const LineCount &line, raw_ostream &os) {
  AccessCount shared = line.sharedLoads, global = line.globalLoads;
  shared += line.sharedStores;
  shared += line.asyncCopyStores;
  global += line.globalStores;
  for (int64_t count :
       {line.fma, shared.requests, shared.units, shared.conflicts, global.requests, line.asyncCopies.requests,
        global.units + line.asyncCopies.units, line.barriers, line.otherInstructions})
    writeCount(count, os);
}

void tgc::writeSource(const KernelReport &report, raw_ostream &os) {
  SmallVector<StringRef> texts;
  StringRef(report.text).split(texts, '\n');
  std::map<unsigned, const LineCount *> counts;
  for (const LineCount &line : report.lines)
    counts[line.line] = &line;
  std::vector<bool> shown = chooseLines(texts, counts);

  os << "<p>What the operations of each clause did: FMA by threads, all else by warps. Shared and global are requests "
        "of "
        "loads and stores; an asynchronous copy is one of each copies and shared.</p>\n";
  beginTable("Counts by line",
             {"#line", "program", "#FMA", "#shared", "#wavefronts", "#conflicts", "#global", "#copies", "#sectors",
              "#barriers", "#other"},
             os, "source");
  auto row = [&](const Twine &number, StringRef text, const LineCount *line) {
    os << (line ? "<tr>" : "<tr class=\"idle\">");
    writeCell(number, os);
    os << "<td>" << escapeHTML(text) << "</td>";
    writeCounts(line ? *line : LineCount(), os);
    os << "</tr>\n";
  };
  bool gap = false;
  for (auto [i, text] : enumerate(texts)) {
    unsigned number = unsigned(i) + 1;
    if (!shown[i]) {
      gap |= !text.trim().empty();
      continue;
    }
    if (gap)
      os << "<tr class=\"gap\"><td colspan=\"11\">⋯</td></tr>\n";
    gap = false;
    auto found = counts.find(number);
    row(Twine(number), text.rtrim(), found == counts.end() ? nullptr : found->second);
  }
  for (auto [number, line] : counts) // of another file, whose text is not here
    if (number > texts.size() || (number > 0 && report.text.empty()))
      row(Twine(number), line->text, line);
  if (auto unknown = counts.find(0); unknown != counts.end())
    row("", "(of no line)", unknown->second);
  endTable(os);
}

void tgc::writeDecisions(const KernelReport &report, raw_ostream &os) {
  if (report.decisions.empty()) {
    os << "<p>No pass had to decide anything.</p>\n";
    return;
  }
  beginTable("Decisions", {"#place", "clause", "kind", "decision"}, os);
  for (const DecisionRecord &decision : report.decisions) {
    StringRef kind = decision.kind == DecisionRecord::Declined  ? "declined"
                     : decision.kind == DecisionRecord::Default ? "default"
                                                                : "done";
    os << formatv("<tr><td class=\"n\">{0}:{1}</td><th scope=\"row\">", decision.line, decision.column)
       << escapeHTML(decision.clause) << "</th><td><span class=\"tag " << kind << "\">" << kind << "</span></td><td>"
       << escapeHTML(decision.message) << "</td></tr>\n";
  }
  endTable(os);
}
