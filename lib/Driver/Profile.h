//===- Profile.h - a kernel under ncu -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_DRIVER_PROFILE_H
#define TGC_LIB_DRIVER_PROFILE_H

#include "tgc/Report/KernelReport.h"

namespace tgc {

/// Runs `command`, which launches `symbol`, under ncu, the profiler of the CUDA Toolkit, and fills in the counters of
/// `measurement` or says why there are none.
void profile(llvm::ArrayRef<std::string> command, llvm::StringRef symbol, Measurement &measurement);

} // namespace tgc

#endif
