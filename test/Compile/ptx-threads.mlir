// REQUIRES: ptxas
// RUN: tgc-translate --tgc-to-resources --tgc-module=sgemm_naive %inputs/threads.mlir | FileCheck %s --check-prefix=NAIVE
// RUN: tgc-translate --tgc-to-resources --tgc-module=sgemm_staged %inputs/threads.mlir | FileCheck %s --check-prefix=STAGED
// RUN: tgc-translate --tgc-to-resources --tgc-module=sgemm_staged --tgc-chip=sm_90 %inputs/threads.mlir | FileCheck %s --check-prefix=STAGED

// The assembler takes the PTX without a warning; nothing spills.
// NAIVE: sgemm_naive: registers {{[1-9][0-9]*}}, static shared 0, stack 0, spill stores 0, spill loads 0
// NAIVE-NOT: {{.}}
// STAGED: sgemm_staged: registers {{[1-9][0-9]*}}, static shared 0, stack 0, spill stores 0, spill loads 0
// STAGED-NOT: {{.}}

// The program ptxas, where the library is not there, reports and assembles the same.
// RUN: rm -rf %t && mkdir -p %t/bin && ln -s %ptxas %t/bin/ptxas
// RUN: tgc-translate --tgc-to-resources --tgc-module=sgemm_staged %inputs/threads.mlir -o %t/library.txt
// RUN: env CUDA_PATH=%t tgc-translate --tgc-to-resources --tgc-module=sgemm_staged %inputs/threads.mlir -o %t/program.txt
// RUN: diff %t/library.txt %t/program.txt

// RUN: env CUDA_PATH=%t tgc-translate --tgc-to-cubin --tgc-module=sgemm_staged %inputs/threads.mlir -o %t/kernel.cubin
// RUN: llvm-readelf -h %t/kernel.cubin | FileCheck %s --check-prefix=ELF
// RUN: tgc-translate --tgc-to-cubin --tgc-module=sgemm_staged %inputs/threads.mlir -o %t/kernel.cubin
// RUN: llvm-readelf -h %t/kernel.cubin | FileCheck %s --check-prefix=ELF
// ELF: Machine: NVIDIA CUDA
