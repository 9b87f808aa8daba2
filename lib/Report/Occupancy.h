//===- Occupancy.h - blocks that fit on an SM -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_REPORT_OCCUPANCY_H
#define TGC_LIB_REPORT_OCCUPANCY_H

#include "tgc/Report/KernelReport.h"

namespace tgc {

/// None, and why, if tgc was built without cuda_occupancy.h, or if that refuses the launch.
std::optional<Occupancy> computeOccupancy(llvm::StringRef target, const KernelVariant &launch, int64_t registers,
                                          std::string &missing);

} // namespace tgc

#endif
