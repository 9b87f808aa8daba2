//===- SharedRequest.h - one access of a warp to shared memory -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TGC_SIMULATOR_SHAREDREQUEST_H
#define TGC_SIMULATOR_SHAREDREQUEST_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tgc {

/// One request of a warp to shared memory, lane by lane.
struct SharedRequest {
  /// A pass over the banks: the lanes that are served in it.
  struct Wavefront {
    uint32_t lanes;
    bool conflict; ///< it is there because a lane wants another word of a bank than a lane of the pass before
  };

  std::string buffer;              ///< that is accessed,
  int64_t bufferStart = 0;         ///< and its first word in the block's shared memory
  uint32_t mask = 0;               ///< lanes that take part
  std::array<int64_t, 32> words{}; ///< by lane: the first of `width` words, in the block's shared memory
  std::vector<Wavefront> wavefronts;
};

} // namespace tgc

#endif
