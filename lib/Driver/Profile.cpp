//===- Profile.cpp - a kernel under ncu -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cmath>

using namespace llvm;
using namespace tgc;

namespace {
struct Counter {
  StringLiteral name;   ///< as in KernelReport::getPredictions
  StringLiteral metric; ///< ncu's
};
} // namespace

// Those that ncu attributes to instructions (smsp__sass_) are free of what else goes through a unit; there are none for
// conflicts, and those of stores include waits for other warps.
static constexpr Counter kCounters[] = {
    {"fma", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {"instructions", "smsp__inst_executed.sum"},
    {"shared_load_requests", "smsp__sass_inst_executed_op_shared_ld.sum"},
    {"shared_load_wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_load_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"shared_store_requests", "smsp__sass_inst_executed_op_shared_st.sum"},
    {"shared_store_wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"shared_store_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"global_load_requests", "smsp__sass_inst_executed_op_global_ld.sum"},
    {"global_load_sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store_requests", "smsp__sass_inst_executed_op_global_st.sum"},
    {"global_store_sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"async_copy_requests", "smsp__sass_inst_executed_op_ldgsts.sum"},
    {"async_copy_sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"},
    {"async_copy_wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"},
    {"global_lines", "smsp__sass_l1tex_tags_mem_global.sum"},
    {"l2_read_bytes", "l1tex__m_xbar2l1tex_read_bytes.sum"},
    {"l2_write_bytes", "l1tex__m_l1tex2xbar_write_bytes.sum"},
    {"memory_read_bytes", "dram__bytes_read.sum"},
    {"memory_write_bytes", "dram__bytes_write.sum"},
};

/// The fields of a line of CSV in which every field is in quotes.
static SmallVector<std::string> splitCSV(StringRef line) {
  SmallVector<std::string> fields;
  while (line.consume_front("\"")) {
    auto [field, rest] = line.split('"');
    fields.push_back(field.str());
    line = rest;
    line.consume_front(",");
  }
  return fields;
}

/// A number as ncu writes it: "1,234.5".
static std::optional<double> parseNumber(StringRef text) {
  std::string digits = text.str();
  llvm::erase(digits, ',');
  double value;
  if (StringRef(digits).getAsDouble(value) || !std::isfinite(value)) // ncu writes "nan" for what it could not count
    return std::nullopt;
  return value;
}

/// Reads ncu's "raw" page: a header, units, and one line for the kernel, after what the program itself printed.
static std::string readCounters(StringRef text, Measurement &measurement) {
  auto start = text.find("\"ID\"");
  if (start == StringRef::npos)
    return ("ncu: " + text.trim().substr(text.trim().rfind('\n') + 1)).str();
  SmallVector<StringRef> lines;
  text.substr(start).split(lines, '\n');
  if (lines.size() < 3)
    return "ncu counted no kernel";
  SmallVector<std::string> header = splitCSV(lines[0].trim()), values = splitCSV(lines[2].trim());
  if (header.size() != values.size())
    return "ncu's table has another form than expected";
  for (const Counter &counter : kCounters) {
    auto column = llvm::find(header, counter.metric) - header.begin();
    if (column == static_cast<ptrdiff_t>(header.size()))
      continue;
    if (std::optional<double> value = parseNumber(values[column]))
      measurement.counters.emplace_back(counter.name.str(), *value);
  }
  return measurement.counters.empty() ? "ncu has none of the metrics" : "";
}

void tgc::profile(ArrayRef<std::string> command, StringRef symbol, Measurement &measurement) {
  ErrorOr<std::string> ncu = sys::findProgramByName("ncu");
  if (!ncu) {
    measurement.countersMissing = "ncu is not on the PATH";
    return;
  }
  std::string metrics = join(map_range(kCounters, [](const Counter &counter) { return counter.metric; }), ",");
  std::string filter = ("regex:^" + symbol + "$").str();
  SmallVector<StringRef> arguments = {
      *ncu,   "--csv",     "--page", "raw", "--print-units", "base",           "--clock-control",
      "none", "--metrics", metrics,  "-k",  filter,          "--launch-count", "1"};
  append_range(arguments, command);
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("tgc-ncu", "csv", path)) {
    measurement.countersMissing = "no temporary file: " + code.message();
    return;
  }
  FileRemover remover(path);
  std::string error;
  sys::ExecuteAndWait(*ncu, arguments, std::nullopt, {StringRef(""), path.str(), path.str()}, /*SecondsToWait=*/300,
                      /*MemoryLimit=*/0, &error);
  auto text = MemoryBuffer::getFile(path);
  if (!error.empty() || !text)
    measurement.countersMissing = "ncu: " + (error.empty() ? text.getError().message() : error);
  else
    measurement.countersMissing = readCounters((*text)->getBuffer(), measurement);
}
