// RUN: tgc-opt --verify-roundtrip %inputs/threads.mlir -o /dev/null
