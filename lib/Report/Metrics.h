//===- Metrics.h - the metric chain of a GEMM -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_REPORT_METRICS_H
#define TGC_LIB_REPORT_METRICS_H

#include "tgc/Report/KernelReport.h"

namespace tgc {

/// Fills in metrics and bounds from counts, resources and occupancy.
void computeMetrics(KernelReport &report, Problem &problem);

} // namespace tgc

#endif
