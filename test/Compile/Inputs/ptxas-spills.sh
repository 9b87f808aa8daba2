#!/bin/sh
# Stands in for ptxas -v: the report of two kernels, in its words.
cat >&2 <<'REPORT'
ptxas info    : 0 bytes gmem
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored
ptxas /tmp/x.ptx, line 7; warning : an instruction of an older kind
ptxas info    : Compiling entry function 'first' for 'sm_80'
ptxas info    : Function properties for first
    192 bytes stack frame, 76 bytes spill stores, 104 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 192 bytes cumulative stack size, 2048 bytes smem, 412 bytes cmem[0]
ptxas info    : Compile time = 12.345 ms
ptxas info    : Compiling entry function 'second' for 'sm_80'
ptxas info    : Function properties for second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 412 bytes cmem[0]
REPORT
