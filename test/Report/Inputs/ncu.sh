#!/bin/sh
# Stands in for ncu: keeps the call, prints what a program may print, then its table.
echo "$@" >"$(dirname "$0")/call.txt"
echo "==PROF== Connected to process 1"
echo '"ID","Kernel Name","smsp__inst_executed.sum","smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"'
echo '"","","inst","","inst"'
echo '"0","kernel","5,000","1,234","1,048,576"'
