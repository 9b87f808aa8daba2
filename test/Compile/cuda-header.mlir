// The header from plain C++, by two compilers; a program of nvcc's object and g++'s object links.

// REQUIRES: nvcc
// RUN: tgc-translate --tgc-to-cuda %inputs/threads.mlir -o %t.cu
// RUN: tgc-translate --tgc-to-cuda-header %inputs/threads.mlir -o %t.h
// RUN: cp %S/Inputs/header.cpp %t.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -isystem %cuda_path/include -include %t.h -c %t.cpp -o %t.host.o
// RUN: clang++-22 -std=c++17 -Wall -Wextra -Werror -isystem %cuda_path/include -include %t.h -fsyntax-only %t.cpp
// RUN: %nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t.cu -o %t.device.o
// RUN: %nvcc -arch=sm_80 %t.host.o %t.device.o -o %t.exe
// RUN: %t.exe | FileCheck %s

// The header and the kernels in one file, as a CUDA programmer would have them:
// RUN: cat %t.cu %t.cpp > %t.all.cu
// RUN: %nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -include %t.h -c %t.all.cu -o %t.all.o

// CHECK:      size: M is not between 0 and {{2147[0-9]+}}
// CHECK-NEXT: row: ldA is smaller than K, the row length of A
// CHECK-NEXT: span: K rows of ldB elements do not fit the address space
// CHECK-NEXT: null: B is null
// CHECK-NEXT: bytes: C is not aligned to 4 bytes
// CHECK-NEXT: grid: the grid has more than 2147483647 blocks
// CHECK-NEXT: facts: no kernel of this schedule takes operands aligned like these
// CHECK-NEXT: empty: ok
// CHECK-NEXT: kernel: sgemm_staged, 64 threads, 4352 bytes
// CHECK-NEXT: workspace: 0
