//===- Grid.h - how the grid runs, and how it fails -------------*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_TEST_HOST_SHIM_GRID_H
#define TGC_TEST_HOST_SHIM_GRID_H

namespace tgc::host {

/// In which order the blocks of a grid, and between two barriers the threads of a block, run. A race may give another
/// result in the other order.
enum class Order { Forward, Reverse };
void setOrder(Order order);

/// Ends the process with exit code 1 after one line on standard error and, in a kernel, the calls that led there.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char *format, ...);

} // namespace tgc::host

#endif
