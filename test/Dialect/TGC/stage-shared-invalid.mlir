// What the pass refuses; the schedules it refuses are in passes-alone.test.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-stage-shared))' -split-input-file -verify-diagnostics

!acc = !tgc.tile<8x128xf32, #tgc.simt<warps = <1x1>, lanes = <2x16>, each = <4x8>, group = <4x8>>>
gpu.module @m {
  // expected-error @below {{operand of the product has type 'memref<?xf32>', expects a matrix with strides}}
  gpu.func @f(%v: memref<?xf32> {tgc.dims = ["M"], tgc.name = "v"}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <8x128>>, tgc.schedule = #tgc.schedule<stages = []>} {
    %c0 = arith.constant 0 : index
    %M = memref.dim %v, %c0 : memref<?xf32>
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %M, %M) tile <8x128> walk rows {
      %acc = tgc.alloc : !acc
      %a = tgc.window %v[%m] limit [%M] : memref<?xf32> -> !tgc.tile<8x1xf32, #tgc.global>
      %b = tgc.window %v[%m] limit [%M] : memref<?xf32> -> !tgc.tile<1x128xf32, #tgc.global>
      tgc.product %acc, %a, %b : !acc, !tgc.tile<8x1xf32, #tgc.global>, !tgc.tile<1x128xf32, #tgc.global>
    }
    gpu.return
  }
}
