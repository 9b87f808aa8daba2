// RUN: tgc-translate --tgc-to-cuda %S/../Target/CUDA/operations.mlir -o %t.cu
// REQUIRES: nvcc, clang-cuda
// RUN: %nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t.cu -o %t.o
// RUN: %clang_cuda -x cuda --cuda-path=%cuda_path -Wall -Wextra -Werror -Wno-unknown-cuda-version \
// RUN:   -Wno-unused-parameter -std=c++17 --cuda-gpu-arch=sm_80 -fsyntax-only %t.cu
