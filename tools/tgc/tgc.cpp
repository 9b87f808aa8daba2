//===- tgc.cpp - compiles, runs and compares tile programs -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tgc/Driver/Driver.h"

int main(int argc, char **argv) { return tgc::runDriver(argc, argv); }
