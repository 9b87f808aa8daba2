//===- Memory.cpp - accesses of warps, and their faults -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;
using namespace tgc;
using namespace tgc::sim;

bool Machine::checkGlobal(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, const char *verb) {
  const GlobalOperand &operand = *at.operand;
  if (operand.contains(at.element, width))
    return true;
  // The first element outside.
  int64_t element = at.element;
  for (unsigned part = 0; part < width && operand.contains(element, 1); ++part)
    ++element;
  auto [row, col] = operand.getPosition(element);
  bool gap = row >= 0 && row < operand.rows - 1 && col >= operand.cols;
  fault(FaultKind::Bounds, i, thread,
        "{0} row {1}, column {2} of {3}, {4} its {5} x {6} elements (leading dimension {7}); guard the access", verb,
        row, col, operand.name, gap ? "in a gap between the rows of" : "outside", operand.rows, operand.cols,
        operand.ld);
  return false;
}

bool Machine::checkGlobalAlignment(const Instruction &i, unsigned thread, GlobalAddress at, const char *verb) {
  // Unsigned arithmetic: an address past the edge is no object of C++.
  uintptr_t address = reinterpret_cast<uintptr_t>(at.operand->data) + static_cast<uintptr_t>(at.element) * 4;
  if (i.alignment <= 4 || address % i.alignment == 0)
    return true;
  fault(FaultKind::Alignment, i, thread, "{0} element {1} of {2}, {3} bytes wide, {4} bytes past a multiple of {3}",
        verb, at.element, at.operand->name, i.alignment, address % i.alignment);
  return false;
}

/// Notes an access of an operand that the kernel writes: that of another thread must not be unordered with it.
void Machine::checkGlobalOrder(const Instruction &i, unsigned thread, GlobalAddress at, unsigned width, bool writes) {
  const GlobalOperand &operand = *at.operand;
  for (unsigned part = 0; part < width && operand.accesses; ++part) {
    auto [row, col] = operand.getPosition(at.element + part);
    std::optional<AccessTable::Race> race =
        operand.accesses->add(row * operand.cols + col, {block, thread, epoch, writes});
    if (!race)
      continue;
    raced = true;
    bool sameBlock = race->block == block;
    std::string other = "which other threads have accessed";
    if (!race->several)
      other = llvm::formatv("which thread {0}{1} {2}", race->thread,
                            sameBlock ? "" : llvm::formatv(" of block {0}", race->block).str(),
                            race->wrote ? "wrote" : "read");
    fault(FaultKind::Race, i, thread, "{0} row {1}, column {2} of {3}, {4} {5}; give each element to one thread",
          writes ? "writes" : "reads", row, col, operand.name, other,
          sameBlock ? "with no gpu.barrier in between" : "with nothing that orders the blocks");
  }
}

/// The element of the block's shared or the thread's private memory that `i` accesses, or -1 after a fault.
int64_t Machine::bufferAddress(const WarpState &warp, const Instruction &i, unsigned lane, unsigned thread,
                               const char *verb) {
  const Buffer &buffer = program.buffers[i.aux];
  int64_t linear = 0;
  for (unsigned d = 0; d < i.rank; ++d) {
    int64_t index = readInt(warp, program.indices[i.firstIndex + d], lane);
    // Only the last dimension is contiguous: there a vector needs room.
    int64_t room = d + 1 == i.rank ? i.width : 1;
    if (index < 0 || index + room > buffer.shape[d]) {
      llvm::SmallVector<std::string> indices, shape;
      for (unsigned e = 0; e < i.rank; ++e) {
        indices.push_back(std::to_string(readInt(warp, program.indices[i.firstIndex + e], lane)));
        shape.push_back(std::to_string(buffer.shape[e]));
      }
      fault(FaultKind::Bounds, i, thread, "{0} {1}[{2}], {3} elements wide, outside its {4} elements", verb,
            buffer.name, llvm::join(indices, ", "), int(i.width), llvm::join(shape, " x "));
      return -1;
    }
    linear = linear * buffer.shape[d] + index;
  }
  return buffer.first + linear;
}

/// "As[0, 3, 4]".
std::string Machine::describeWord(const Instruction &i, int64_t word) const {
  const Buffer &buffer = program.buffers[i.aux];
  int64_t rest = word - buffer.first;
  llvm::SmallVector<std::string> indices(buffer.shape.size());
  for (int d = buffer.shape.size() - 1; d >= 0; --d) {
    indices[d] = std::to_string(rest % buffer.shape[d]);
    rest /= buffer.shape[d];
  }
  return buffer.name + "[" + llvm::join(indices, ", ") + "]";
}

bool Machine::checkSharedAlignment(const Instruction &i, unsigned thread, int64_t word, const char *verb) {
  // Buffers start at multiples of 16 bytes, the widest access.
  if (i.alignment <= 4 || word * 4 % i.alignment == 0)
    return true;
  fault(FaultKind::Alignment, i, thread, "{0} {1}, {2} bytes wide, {3} bytes past a multiple of {2}", verb,
        describeWord(i, word), i.alignment, word * 4 % i.alignment);
  return false;
}

/// Whether `thread` may write `word` now: no copy is in flight to it, no other thread uses it in this interval.
bool Machine::checkSharedWrite(const Instruction &i, unsigned thread, int64_t word, const char *verb) {
  const WordState &state = words[word];
  if (state.copier != kNobody) {
    fault(
        FaultKind::InFlight, i, thread,
        "{0} {1} while a cp.async of thread {2} to it is in flight; a tgc.cp_async_wait that covers it must come first",
        verb, describeWord(i, word), state.copier);
    return false;
  }
  uint16_t user = kNobody;
  const char *use = "read";
  if (state.readEpoch == epoch)
    user = state.reader != thread ? state.reader : state.otherReader;
  if (user == kNobody && state.writeEpoch == epoch && state.writer != thread) {
    user = state.writer;
    use = "wrote";
  }
  if (user == kNobody)
    return true;
  fault(FaultKind::Race, i, thread, "{0} {1}, which thread {2} {3} with no gpu.barrier in between", verb,
        describeWord(i, word), user, use);
  return false;
}

void Machine::loadGlobal(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    GlobalAddress at = globalAddress(warp, i, lane);
    access.add(lane, getAddress(at));
    unsigned thread = warp.firstThread + lane;
    bool good = checkGlobal(i, thread, at, i.width, "reads") && checkGlobalAlignment(i, thread, at, "reads");
    if (good)
      checkGlobalOrder(i, thread, at, i.width, /*writes=*/false);
    for (unsigned part = 0; part < i.width; ++part)
      dst[part * kLanes + lane] = good ? at.operand->data[at.element + part] : std::numeric_limits<float>::quiet_NaN();
  });
  tally(i, access, CostCache::Global, llvm::popcount(access.mask) * i.width);
}

void Machine::storeGlobal(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    GlobalAddress at = globalAddress(warp, i, lane);
    access.add(lane, getAddress(at));
    unsigned thread = warp.firstThread + lane;
    if (!at.operand->written) {
      fault(FaultKind::ReadOnly, i, thread, "writes {0}, which the kernel declares read only", at.operand->name);
      return;
    }
    if (!checkGlobal(i, thread, at, i.width, "writes") || !checkGlobalAlignment(i, thread, at, "writes"))
      return;
    checkGlobalOrder(i, thread, at, i.width, /*writes=*/true);
    for (unsigned part = 0; part < i.width; ++part)
      at.operand->data[at.element + part] = value[part * kLanes + lane];
  });
  tally(i, access, CostCache::Global, llvm::popcount(access.mask) * i.width);
}

void Machine::loadShared(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t first = bufferAddress(warp, i, lane, thread, "reads");
    access.add(lane, std::max<int64_t>(first, 0));
    bool good = first >= 0 && checkSharedAlignment(i, thread, first, "reads");
    for (unsigned part = 0; part < i.width; ++part) {
      float &value = dst[part * kLanes + lane];
      if (!good) {
        value = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      int64_t word = first + part;
      WordState &state = words[word];
      value = shared[word];
      if (state.copier != kNobody)
        fault(FaultKind::InFlight, i, thread,
              "reads {0} while a cp.async of thread {1} to it is in flight; a tgc.cp_async_wait that covers it, then a "
              "gpu.barrier, must come first",
              describeWord(i, word), state.copier);
      else if (!state.written)
        fault(FaultKind::Uninitialised, i, thread, "reads {0}, which no thread has written", describeWord(i, word));
      else if (state.writeEpoch == epoch && state.writer != thread)
        fault(FaultKind::Race, i, thread,
              state.byCopy
                  ? "reads {0}, which a cp.async that thread {1} waited for has written with no gpu.barrier in "
                    "between"
                  : "reads {0}, which thread {1} wrote with no gpu.barrier in between",
              describeWord(i, word), state.writer);
      if (state.readEpoch != epoch) {
        state.readEpoch = epoch;
        state.reader = thread;
        state.otherReader = kNobody;
      } else if (state.reader != thread) {
        state.otherReader = thread;
      }
    }
  });
  tally(i, access, CostCache::SharedLoad, llvm::popcount(access.mask) * i.width);
}

void Machine::storeShared(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t first = bufferAddress(warp, i, lane, thread, "writes");
    if (first < 0 || !checkSharedAlignment(i, thread, first, "writes"))
      return;
    access.add(lane, first);
    for (unsigned part = 0; part < i.width; ++part) {
      int64_t word = first + part;
      checkSharedWrite(i, thread, word, "writes");
      WordState &state = words[word];
      state.written = true;
      state.byCopy = false;
      state.writeEpoch = epoch;
      state.writer = thread;
      shared[word] = value[part * kLanes + lane];
    }
  });
  tally(i, access, CostCache::SharedStore, llvm::popcount(access.mask) * i.width);
}

void Machine::checkPrivateRead(const WarpState &warp, const Instruction &i, unsigned lane, int64_t at) {
  for (unsigned part = 0; part < i.width; ++part)
    if (llvm::bit_cast<uint32_t>(warp.memory[(at + part) * kLanes + lane]) == kUnwritten)
      fault(FaultKind::Uninitialised, i, warp.firstThread + lane, "reads {0}, which it has not written",
            describeWord(i, at + part));
}

void Machine::loadPrivate(WarpState &warp, const Instruction &i) {
  float *dst = warp.floats.data() + i.dst.at;
  bool uniform = true;
  for (unsigned d = 0; d < i.rank; ++d)
    uniform &= program.indices[i.firstIndex + d].uniform;
  if (uniform) {
    int64_t at = bufferAddress(warp, i, 0, warp.firstThread + llvm::countr_zero(warp.mask), "reads");
    if (at < 0)
      return;
    const float *values = warp.memory.data() + at * kLanes;
    std::copy_n(values, i.width * kLanes, dst);
    bool unwritten = false;
    for (unsigned e = 0; e < i.width * kLanes; ++e)
      unwritten |= llvm::bit_cast<uint32_t>(values[e]) == kUnwritten;
    if (unwritten)
      forEachLane(warp.mask, [&](unsigned lane) { checkPrivateRead(warp, i, lane, at); });
    return;
  }
  forEachLane(warp.mask, [&](unsigned lane) {
    int64_t at = bufferAddress(warp, i, lane, warp.firstThread + lane, "reads");
    if (at < 0)
      return;
    for (unsigned part = 0; part < i.width; ++part)
      dst[part * kLanes + lane] = warp.memory[(at + part) * kLanes + lane];
    checkPrivateRead(warp, i, lane, at);
  });
}

void Machine::storePrivate(WarpState &warp, const Instruction &i) {
  const float *value = warp.floats.data() + i.c.at;
  bool uniform = warp.mask == warp.all;
  for (unsigned d = 0; d < i.rank; ++d)
    uniform &= program.indices[i.firstIndex + d].uniform;
  if (uniform) {
    int64_t at = bufferAddress(warp, i, 0, warp.firstThread, "writes");
    if (at >= 0)
      std::copy_n(value, i.width * kLanes, warp.memory.data() + at * kLanes);
    return;
  }
  forEachLane(warp.mask, [&](unsigned lane) {
    int64_t at = bufferAddress(warp, i, lane, warp.firstThread + lane, "writes");
    for (unsigned part = 0; part < i.width && at >= 0; ++part)
      warp.memory[(at + part) * kLanes + lane] = value[part * kLanes + lane];
  });
}

void Machine::copyAsync(WarpState &warp, const Instruction &i) {
  WarpAccess access(i.width);
  int64_t floats = 0;
  forEachLane(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    int64_t valid = i.hasValid ? readInt(warp, i.c, lane) : i.width;
    if (valid < 0 || valid > i.width) {
      fault(FaultKind::Valid, i, thread, "copies {0} valid elements of {1}; the number is in the range 0 to {1}", valid,
            int(i.width));
      valid = std::clamp<int64_t>(valid, 0, i.width);
    }
    GlobalAddress from = globalAddress(warp, i, lane);
    if (valid > 0) { // without, nothing is read
      access.add(lane, getAddress(from));
      floats += valid;
    }
    int64_t first = bufferAddress(warp, i, lane, thread, "copies to");
    if (first < 0)
      return;
    checkSharedAlignment(i, thread, first, "copies to");
    bool good = checkGlobalAlignment(i, thread, from, "copies") &&
                (valid == 0 || checkGlobal(i, thread, from, valid, "copies"));
    if (good)
      checkGlobalOrder(i, thread, from, valid, /*writes=*/false);
    PendingCopy copy;
    copy.word = first;
    copy.count = i.width;
    copy.group = threads[thread].committed;
    for (unsigned part = 0; part < i.width; ++part) {
      copy.values[part] = part >= valid ? 0.0f
                          : good        ? from.operand->data[from.element + part]
                                        : std::numeric_limits<float>::quiet_NaN();
      checkSharedWrite(i, thread, first + part, "copies to");
      WordState &state = words[first + part];
      state.copier = thread;
      // The copy may land at any time from now on.
      state.writeEpoch = epoch;
      state.writer = thread;
    }
    threads[thread].pending.push_back(copy);
  });
  tallyCopy(warp, i, access, floats);
}

void Machine::waitForCopies(WarpState &warp, const Instruction &i) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint16_t number = warp.firstThread + lane;
    ThreadState &thread = threads[number];
    int64_t limit = thread.committed - static_cast<int64_t>(i.aux);
    size_t landed = 0;
    for (; landed < thread.pending.size() && thread.pending[landed].group < limit; ++landed) {
      const PendingCopy &copy = thread.pending[landed];
      for (unsigned part = 0; part < copy.count; ++part) {
        WordState &state = words[copy.word + part];
        state.copier = kNobody;
        state.written = true;
        state.byCopy = true;
        state.writeEpoch = epoch;
        state.writer = number;
        shared[copy.word + part] = copy.values[part];
      }
    }
    thread.pending.erase(thread.pending.begin(), thread.pending.begin() + landed);
  });
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void Machine::tally(const Instruction &i, const WarpAccess &access, CostCache::Memory memory, int64_t floats) {
  size_t at = &i - program.code.data();
  const AccessCost &cost = costs[at].get(access, memory);
  tallies[at].access += {1, cost.units, cost.least, cost.conflicts, floats * int64_t(sizeof(float)), cost.lines};
}

void Machine::countGlobal(const WarpState &warp, const Instruction &i) {
  WarpAccess access(i.width);
  forEachLane(warp.mask, [&](unsigned lane) { access.add(lane, getAddress(globalAddress(warp, i, lane))); });
  tally(i, access, CostCache::Global, llvm::popcount(access.mask) * i.width);
}

WarpAccess Machine::getSharedAccess(const WarpState &warp, const Instruction &i) const {
  const Buffer &buffer = program.buffers[i.aux];
  WarpAccess access(i.width);
  access.mask = warp.mask;
  access.floats.fill(buffer.first);
  int64_t stride = 1;
  for (unsigned d = i.rank; d-- > 0; stride *= buffer.shape[d]) {
    Slot slot = program.indices[i.firstIndex + d];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      access.floats[lane] += stride * readInt(warp, slot, lane);
  }
  return access;
}

void Machine::keepRequest(const WarpState &warp, const Instruction &i, const WarpAccess &access, bool isLoad) {
  if (requests.empty() || warp.firstThread != 0 || access.mask == 0)
    return;
  std::optional<SharedRequest> &request = requests[&i - program.code.data()];
  if (request)
    return;
  const Buffer &buffer = program.buffers[i.aux];
  request = SharedRequest{buffer.name, buffer.first, access.mask, access.floats, getSharedWavefronts(access, isLoad)};
}

void Machine::countShared(const WarpState &warp, const Instruction &i, CostCache::Memory memory) {
  WarpAccess access = getSharedAccess(warp, i);
  tally(i, access, memory, int64_t(llvm::popcount(warp.mask)) * i.width);
  keepRequest(warp, i, access, memory == CostCache::SharedLoad);
}

void Machine::tallyCopy(const WarpState &warp, const Instruction &i, const WarpAccess &from, int64_t floats) {
  tally(i, from, CostCache::Global, floats);
  size_t at = &i - program.code.data();
  WarpAccess to = getSharedAccess(warp, i);
  const AccessCost &cost = copyCosts[at].get(from, to);
  tallies[at].stored += {1, cost.units, cost.least, cost.conflicts,
                         int64_t(llvm::popcount(warp.mask)) * i.width * int64_t(sizeof(float))};
  keepRequest(warp, i, to, /*isLoad=*/false);
}

void Machine::countCopy(const WarpState &warp, const Instruction &i) {
  WarpAccess access(i.width);
  int64_t floats = 0;
  forEachLane(warp.mask, [&](unsigned lane) {
    int64_t valid = i.hasValid ? readInt(warp, i.c, lane) : i.width;
    if (valid <= 0)
      return;
    access.add(lane, getAddress(globalAddress(warp, i, lane)));
    floats += valid;
  });
  tallyCopy(warp, i, access, floats);
}

OperationKind tgc::sim::getKind(const Instruction &i) {
  switch (i.op) {
  case Opcode::Fma:
    return OperationKind::Fma;
  case Opcode::AddF:
  case Opcode::SubF:
  case Opcode::MulF:
  case Opcode::DivF:
  case Opcode::NegF:
  case Opcode::MaxF:
  case Opcode::MinF:
  case Opcode::CompareF:
  case Opcode::SelectFloat:
    return OperationKind::Float;
  case Opcode::LoadGlobal:
    return OperationKind::GlobalLoad;
  case Opcode::StoreGlobal:
    return OperationKind::GlobalStore;
  case Opcode::LoadShared:
    return OperationKind::SharedLoad;
  case Opcode::StoreShared:
    return OperationKind::SharedStore;
  case Opcode::CpAsync:
    return OperationKind::AsyncCopy;
  case Opcode::Commit:
  case Opcode::Wait:
    return OperationKind::CopyControl;
  case Opcode::Barrier:
    return OperationKind::Barrier;
  case Opcode::LoopNext:
  case Opcode::IfBegin:
    return i.source->hasAttr("tgc.unroll") ? OperationKind::Register : OperationKind::Branch;
  case Opcode::CopyInt:
  case Opcode::CopyFloat:
  case Opcode::LoadPrivate:
  case Opcode::StorePrivate:
  case Opcode::LoopBegin:
  case Opcode::LoopTest:
  case Opcode::IfElse:
  case Opcode::IfEnd:
  case Opcode::Return:
  case Opcode::ToIndex:
    return OperationKind::Register;
  default:
    return OperationKind::Integer;
  }
}

bool Machine::count(const WarpState &warp, const Instruction &i) {
  switch (getKind(i)) {
  case OperationKind::Fma:
  case OperationKind::Float:
  case OperationKind::CopyControl:
    return true;
  case OperationKind::GlobalLoad:
  case OperationKind::GlobalStore:
    countGlobal(warp, i);
    return true;
  case OperationKind::SharedLoad:
    countShared(warp, i, CostCache::SharedLoad);
    return true;
  case OperationKind::SharedStore:
    countShared(warp, i, CostCache::SharedStore);
    return true;
  case OperationKind::AsyncCopy:
    countCopy(warp, i);
    return true;
  case OperationKind::Register: // of floats; what moves integers is run
    return i.op == Opcode::CopyFloat || i.op == Opcode::LoadPrivate || i.op == Opcode::StorePrivate;
  case OperationKind::Integer:
  case OperationKind::Barrier:
  case OperationKind::Branch:
    return false;
  }
  llvm_unreachable("all kinds handled");
}
