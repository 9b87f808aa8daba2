//===- Driver.h - the command line tool tgc ---------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_DRIVER_H
#define TGC_DRIVER_DRIVER_H

namespace tgc {

/// Runs `tgc build`, `run`, `compare` or `fmt` (docs/tgc.md). Returns the process's exit code: 0, or 1 after one
/// diagnostic on standard error or a wrong result.
int runDriver(int argc, char **argv);

} // namespace tgc

#endif
