//===- Records.cpp - records of runs as CSV -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Records.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace tgc;

double RunRecord::getTeraflops(double milliseconds) const {
  return milliseconds > 0 ? 2.0 * m * n * k / milliseconds * 1e-9 : 0;
}

std::string tgc::formatHash(uint64_t hash) { return formatv("{0:x-16}", hash).str(); }

StringRef tgc::getCSVHeader() {
  return "gpu,driver,cuda,date,commit,program,schedule,backend,variant,m,n,k,ms,tflops,cublas_tflops,ratio,rel_err,"
         "registers,spills,shared_bytes,kernel_hash,c_hash";
}

static std::string quote(StringRef value) {
  if (value.find_first_of(",\"\n") == StringRef::npos)
    return value.str();
  std::string quoted = "\"";
  for (char c : value)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string tgc::formatCSV(const RunRecord &r) {
  auto number = [](std::optional<double> value, const char *format) {
    return value ? formatv(format, *value).str() : std::string();
  };
  auto count = [](std::optional<int64_t> value) { return value ? std::to_string(*value) : std::string(); };
  std::optional<double> tflops, cublasTflops, ratio;
  if (r.ms)
    tflops = r.getTeraflops(*r.ms);
  if (r.cublasMs)
    cublasTflops = r.getTeraflops(*r.cublasMs);
  if (r.ms && r.cublasMs && *r.ms > 0)
    ratio = *r.cublasMs / *r.ms;
  std::string fields[] = {quote(r.gpu),
                          quote(r.driver),
                          quote(r.cuda),
                          quote(r.date),
                          quote(r.commit),
                          quote(r.program),
                          quote(r.schedule),
                          quote(r.backend),
                          quote(r.variant),
                          std::to_string(r.m),
                          std::to_string(r.n),
                          std::to_string(r.k),
                          number(r.ms, "{0:f6}"),
                          number(tflops, "{0:f3}"),
                          number(cublasTflops, "{0:f3}"),
                          number(ratio, "{0:f4}"),
                          number(r.relativeError, "{0:e3}"),
                          count(r.registers),
                          count(r.spills),
                          std::to_string(r.sharedBytes),
                          r.kernelHash ? formatHash(*r.kernelHash) : std::string(),
                          formatHash(r.outputHash)};
  return join(ArrayRef(fields), ",");
}

/// Whether the file is new or empty. Fails if it has other columns.
static Expected<bool> isNewCSV(StringRef path) {
  auto old = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!old || (*old)->getBufferSize() == 0)
    return true;
  if ((*old)->getBuffer().split('\n').first.rtrim() == getCSVHeader())
    return false;
  return createStringError("--csv " + path + ": the file's columns differ; its first line has to be " + getCSVHeader());
}

Error tgc::checkCSV(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  std::error_code code = sys::fs::access(path, sys::fs::AccessMode::Write);
  if (code == std::errc::no_such_file_or_directory)
    code = sys::fs::access(folder.empty() ? "." : folder, sys::fs::AccessMode::Write);
  else if (sys::fs::is_directory(path))
    code = std::make_error_code(std::errc::is_a_directory);
  if (code)
    return createStringError("--csv " + path + ": cannot write: " + code.message());
  return isNewCSV(path).takeError();
}

Error tgc::appendCSV(StringRef path, ArrayRef<RunRecord> records) {
  Expected<bool> isNew = isNewCSV(path);
  if (!isNew)
    return isNew.takeError();
  std::error_code code;
  raw_fd_ostream os(path, code, sys::fs::CD_OpenAlways, sys::fs::FA_Write, sys::fs::OF_Append | sys::fs::OF_Text);
  if (code)
    return createStringError("--csv " + path + ": cannot write: " + code.message());
  std::string lines;
  if (*isNew)
    lines += (getCSVHeader() + "\n").str();
  for (const RunRecord &record : records)
    lines += formatCSV(record) + "\n";
  os << lines; // in one write, so that two processes do not mix
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return createStringError("--csv " + path + ": cannot write: " + code.message());
  }
  return Error::success();
}
