// The printed text through clang's CUDA front end, a second reader of it, to PTX.

// REQUIRES: clang-cuda
// DEFINE: %{clang} = %clang_cuda -x cuda --cuda-path=%cuda_path -Wall -Wextra -Werror -Wno-unknown-cuda-version \
// DEFINE:   -Wno-unused-parameter -std=c++17 --cuda-device-only -S -O2
// RUN: tgc-translate --tgc-to-cuda %inputs/threads.mlir -o %t.cu
// RUN: %{clang} --cuda-gpu-arch=sm_80 %t.cu -o - | FileCheck %s
// RUN: %{clang} --cuda-gpu-arch=sm_90 %t.cu -o - | FileCheck %s

// CHECK: .entry sgemm_naive
// CHECK: .entry sgemm_staged
// CHECK: cp.async.cg.shared.global
