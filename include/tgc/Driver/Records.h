//===- Records.h - records of runs as CSV and as tables ----------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_RECORDS_H
#define TGC_DRIVER_RECORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tgc {

/// One run of one schedule: what a line of a results file says. Fields that were not measured are empty.
struct RunRecord {
  std::string gpu;    ///< device name, or "simulator"
  std::string driver; ///< version of the kernel driver
  std::string cuda;   ///< newest CUDA that the driver supports
  std::string date;   ///< UTC, ISO 8601
  std::string commit; ///< --commit
  std::string program, schedule, backend, variant;
  int64_t m = 0, n = 0, k = 0;
  std::optional<double> ms, cublasMs; ///< per launch
  double relativeError = 0;
  std::optional<int64_t> registers;   ///< per thread
  std::optional<int64_t> spills;      ///< bytes per thread
  int64_t sharedBytes = 0;            ///< per block
  std::optional<uint64_t> kernelHash; ///< of the cubin, or of the CUDA text on the simulator
  uint64_t outputHash = 0;            ///< of C

  /// TFLOP/s at `milliseconds`, counting 2 M N K operations.
  double getTeraflops(double milliseconds) const;
};

/// The header line of a results file.
llvm::StringRef getCSVHeader();
/// One line, without its end. Values with a comma or a quote are quoted.
std::string formatCSV(const RunRecord &record);
/// Fails if appendCSV would, as far as can be told before there is anything to write.
llvm::Error checkCSV(llvm::StringRef path);
/// Appends `records` to `path`, after a header if the file is new or empty. Fails if the file starts with another
/// header or cannot be written.
llvm::Error appendCSV(llvm::StringRef path, llvm::ArrayRef<RunRecord> records);

/// 16 hexadecimal digits.
std::string formatHash(uint64_t hash);

} // namespace tgc

#endif
