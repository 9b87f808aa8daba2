// What only the header needs. Each ends without output.

// RUN: tgc-translate --tgc-to-cuda-header --split-input-file --verify-diagnostics %s

// expected-error @below {{'gpu.module' op 'sizes' has kernels with 1 size arguments; a grid needs M and N (docs/threads.md)}}
gpu.module @sizes {
  gpu.func @k(%M: index loc("M")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op 'dims': tgc.dims of 'A' names 'P', which is no size argument}}
gpu.module @dims {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf32> {tgc.dims = ["P"]} loc("A")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op 'rank': pointer 'A' has 1 dimensions, expects 2 with a leading dimension}}
gpu.module @rank {
  gpu.func @k(%M: index loc("M"), %N: index loc("N"), %A: memref<?xf32> {tgc.dims = ["M"]} loc("A"), %ldA: i64 loc("ldA")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op 'unknown': the fact #tgc.fact<multiple "ldQ" 4> names no argument}}
gpu.module @unknown {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, tgc.facts = [#tgc.fact<multiple "ldQ" 4>]} {
    gpu.return
  }
}

// -----

// expected-error @below {{'gpu.module' op 'kind': the fact #tgc.fact<aligned "M" 16> does not fit 'M'; 'aligned' is of pointers, the others of sizes and leading dimensions}}
gpu.module @kind attributes {tgc.facts = [#tgc.fact<aligned "M" 16>]} {
  gpu.func @k(%M: index loc("M"), %N: index loc("N")) kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
    gpu.return
  }
}
