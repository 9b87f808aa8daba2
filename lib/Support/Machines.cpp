//===- Machines.cpp - what one GPU can do in a second -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Support/Machines.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tgc;

// The first of a target stands for it. SMs, clock and bandwidth: NVIDIA's data sheets and architecture white papers
// (A100 2020, GA102 2020, AD102 2022, H100 2022, H200 2024, B200 2024, RTX Blackwell 2025); FMA a clock: CUDA C++
// Programming Guide 13.0, table "Throughput of Native Arithmetic Instructions". Bandwidth of L2 and latency: measured
// by bench/calibrate/memory.cu (bench/results/calibrate/memory-h200.csv).
static constexpr Machine kMachines[] = {
    //                                        SMs  MHz   FMA  GB/s  L2                 L2 GB/s  latency
    {"a100", "NVIDIA A100-SXM4-80GB", "sm_80", 108, 1410, 64, 2039, int64_t(40) << 20, 0, 0},
    {"rtx3090", "NVIDIA GeForce RTX 3090", "sm_86", 82, 1695, 128, 936, int64_t(6) << 20, 0, 0},
    {"rtx4090", "NVIDIA GeForce RTX 4090", "sm_89", 128, 2520, 128, 1008, int64_t(72) << 20, 0, 0},
    {"h200", "NVIDIA H200", "sm_90", 132, 1980, 128, 4800, int64_t(60) << 20, 8000, 707},
    {"h100", "NVIDIA H100 80GB HBM3", "sm_90", 132, 1980, 128, 3350, int64_t(50) << 20, 0, 0},
    {"b200", "NVIDIA B200", "sm_100", 148, 1965, 128, 8000, int64_t(126) << 20, 0, 0},
    {"rtx5090", "NVIDIA GeForce RTX 5090", "sm_120", 170, 2407, 128, 1792, int64_t(96) << 20, 0, 0},
};

ArrayRef<Machine> tgc::getMachines() { return kMachines; }

const Machine *tgc::findMachine(StringRef name) {
  const Machine *found =
      find_if(kMachines, [&](const Machine &machine) { return machine.key == name || machine.name == name; });
  return found == std::end(kMachines) ? nullptr : found;
}

const Machine &tgc::getMachineOf(StringRef chip) {
  chip = chip.rtrim("af");
  const Machine *found = find_if(kMachines, [&](const Machine &machine) { return machine.chip == chip; });
  assert(found != std::end(kMachines) && "expected a known target");
  return *found;
}
