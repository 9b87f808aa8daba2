//===- Fault.h - what the simulator found wrong -----------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_LIB_SIMULATOR_FAULT_H
#define TGC_LIB_SIMULATOR_FAULT_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace tgc::sim {

struct Fault {
  mlir::Operation *op;
  std::string message;
};

/// Emits an error per fault at its operation, which for a tile program is a place in that, with a note that has the
/// line of the printed IR, as `tgc build --emit=mlir` writes it. All are of the same module.
void reportFaults(mlir::ArrayRef<Fault> faults);

} // namespace tgc::sim

#endif
