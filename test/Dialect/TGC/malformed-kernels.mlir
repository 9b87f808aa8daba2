// What every pass on L1 asks of a kernel.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule))' -split-input-file -verify-diagnostics

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op holds a product but has no tgc.schedule}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 1 has no tgc.name}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'A' needs tgc.dims with 2 names, from slow to fast}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    // expected-error @below {{'tgc.matmul' op is the second product of kernel 'f', expects one}}
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    // expected-error @below {{operand of the product is not an argument of the kernel, or one transposed}}
    %B = memref.alloca() : memref<8x8xf32>
    tgc.matmul ins(%A, %B) outs(%C) : !mat, memref<8x8xf32>, !mat
    gpu.return
  }
}
