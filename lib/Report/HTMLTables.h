//===- HTMLTables.h - tables of the HTML report -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_REPORT_HTMLTABLES_H
#define TGC_LIB_REPORT_HTMLTABLES_H

#include "tgc/Report/KernelReport.h"

namespace tgc {

/// The schedules beside each other; kernel I is at #kernel-I.
void writeLadder(llvm::ArrayRef<KernelReport> reports, llvm::raw_ostream &os);
void writeBounds(const KernelReport &report, llvm::raw_ostream &os);
/// Which metrics moved.
void writeMoves(const KernelReport &before, const KernelReport &after, llvm::raw_ostream &os);
/// Needs `measured`: its counters beside the predictions.
void writeMeasured(const KernelReport &report, llvm::raw_ostream &os);
/// By group; with what limits the occupancy, and what ptxas said.
void writeMetrics(const KernelReport &report, llvm::raw_ostream &os);
void writeAccesses(const KernelReport &report, llvm::raw_ostream &os);
/// The paragraphs of the program whose lines have counts.
void writeSource(const KernelReport &report, llvm::raw_ostream &os);
void writeDecisions(const KernelReport &report, llvm::raw_ostream &os);

} // namespace tgc

#endif
