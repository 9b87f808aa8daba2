// The printed text through both CUDA compilers, without a warning or a spill.

// RUN: tgc-translate --tgc-to-cuda %inputs/threads.mlir -o %t.cu
// REQUIRES: nvcc
// RUN: %nvcc -arch=sm_80 -std=c++17 -Werror all-warnings --ptxas-options=-v -c %t.cu -o %t.o 2>&1 | FileCheck %s
// RUN: %nvcc -arch=sm_90 -std=c++17 -Werror all-warnings --ptxas-options=-v -c %t.cu -o %t.o 2>&1 | FileCheck %s

// CHECK-NOT: warning
// CHECK-COUNT-2: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: stack frame
