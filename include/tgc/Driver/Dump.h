//===- Dump.h - operands of a run as files ----------------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_DRIVER_DUMP_H
#define TGC_DRIVER_DUMP_H

#include "tgc/Runtime/Problem.h"

#include "llvm/Support/Error.h"

namespace tgc {

/// Before a run: writes to `folder`, which is made if it is missing, call.json (the values of all arguments) and
/// NAME.in.f32 for every operand that the kernel reads, and removes what dumpOutput() wrote before. Format:
/// docs/tgc.md.
llvm::Error dumpCall(llvm::StringRef folder, const KernelInterface &interface, const KernelVariant &variant,
                     Problem &problem);

/// After a run: writes C to NAME.out.f32 in `folder`.
llvm::Error dumpOutput(llvm::StringRef folder, Problem &problem);

} // namespace tgc

#endif
