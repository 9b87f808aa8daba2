// What is said of an assembler that is missing, that fails, or that reports spills and notes. A shell script stands in
// for ptxas, so that no CUDA Toolkit is needed.

// RUN: rm -rf %t && mkdir -p %t/none %t/refuses/bin %t/spills/bin
// RUN: not env CUDA_PATH=%t/none tgc-translate --tgc-to-cubin %s -o %t/kernel.cubin 2>&1 | FileCheck %s --check-prefix=MISSING -DTOOLKIT=%t/none
// RUN: not ls %t/kernel.cubin
// MISSING: ptx-assembler.mlir:[[#]]:1: error: found neither the library libnvJitLink nor the program ptxas under CUDA_PATH = [[TOOLKIT]]; set CUDA_PATH to a CUDA Toolkit, or unset it

// RUN: printf '#!/bin/sh\necho "ptxas info    : something"\necho "ptxas fatal   : Unexpected thing" >&2\nexit 255\n' > %t/refuses/bin/ptxas
// RUN: chmod +x %t/refuses/bin/ptxas
// RUN: not env CUDA_PATH=%t/refuses tgc-translate --tgc-to-cubin %s 2>&1 | FileCheck %s --check-prefix=REFUSES -DTOOLKIT=%t/refuses
// REFUSES: ptx-assembler.mlir:[[#]]:1: error: [[TOOLKIT]]/bin/ptxas refuses the PTX for sm_80 (exit code 255): ptxas fatal   : Unexpected thing

// RUN: not env CUDA_PATH=%t/refuses TMPDIR=%t/missing tgc-translate --tgc-to-cubin %s 2>&1 | FileCheck %s --check-prefix=TEMPORARY
// TEMPORARY: ptx-assembler.mlir:[[#]]:1: error: cannot make a temporary file: No such file or directory

// RUN: mkdir -p %t/silent/bin && printf '#!/bin/sh\nrm "$6"\n' > %t/silent/bin/ptxas && chmod +x %t/silent/bin/ptxas
// RUN: not env CUDA_PATH=%t/silent tgc-translate --tgc-to-cubin %s 2>&1 | FileCheck %s --check-prefix=SILENT -DTOOLKIT=%t/silent
// SILENT: ptx-assembler.mlir:[[#]]:1: error: [[TOOLKIT]]/bin/ptxas left no cubin: No such file or directory

// RUN: cp %S/Inputs/ptxas-spills.sh %t/spills/bin/ptxas && chmod +x %t/spills/bin/ptxas
// RUN: env CUDA_PATH=%t/spills tgc-translate --tgc-to-resources %s | FileCheck %s --check-prefix=SPILLS --match-full-lines
// SPILLS: first: registers 255, static shared 2048, stack 192, spill stores 76, spill loads 104
// SPILLS-NEXT: second: registers 40, static shared 0, stack 0, spill stores 0, spill loads 0
// SPILLS-NEXT: note: ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored
// SPILLS-NEXT: note: ptxas /tmp/x.ptx, line 7; warning : an instruction of an older kind
// SPILLS-NOT: {{.+}}

gpu.module @one {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
