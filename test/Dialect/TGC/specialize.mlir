// A kernel for aligned operands and one for any, where accesses are wider than an element.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-specialize))' | FileCheck %s
// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-complete-schedule,tgc-specialize,tgc-specialize))' | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>

// CHECK-LABEL: gpu.func @wide_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>], {{.*}}tgc.variant = "aligned"}
// CHECK: tgc.matmul
// CHECK: gpu.func @wide_any
// CHECK-NOT: tgc.facts
// CHECK-SAME: tgc.variant = "any"}
// CHECK: tgc.matmul
gpu.module @wide {
  gpu.func @wide(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Copies that are not asynchronous also need rows of whole pieces.
// CHECK-LABEL: gpu.func @plain_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<aligned "A" 16>, #tgc.fact<multiple "ldA" 4>, #tgc.fact<multiple "K" 4>]
gpu.module @plain {
  gpu.func @plain(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// The widest access that divides the tile: 8 bytes of 6 elements.
// CHECK-LABEL: gpu.func @narrow_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<aligned "A" 8>, #tgc.fact<multiple "ldA" 2>, #tgc.fact<multiple "K" 2>]
gpu.module @narrow {
  gpu.func @narrow(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x6>, stages = [#tgc.stage<operand = "A">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @store_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<aligned "C" 16>, #tgc.fact<multiple "ldC" 4>, #tgc.fact<multiple "N" 4>]
gpu.module @store {
  gpu.func @store(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// No access is wider than an element: one kernel, under its own name.
// CHECK-LABEL: gpu.func @naive(
// CHECK-NOT: tgc.variant
gpu.module @naive {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @transposed(
// CHECK-NOT: tgc.variant
gpu.module @transposed {
  gpu.func @transposed(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "A", order = k_major, by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @asked(
// CHECK-NOT: tgc.variant
gpu.module @asked {
  gpu.func @asked(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// A row of 65 elements has no aligned pieces: cp.async falls back to elements.
// CHECK-LABEL: gpu.func @padded(
// CHECK-NOT: tgc.variant
gpu.module @padded {
  gpu.func @padded(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", pad = 1, by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// What the program states needs no variant.
// CHECK-LABEL: gpu.func @known(
// CHECK-NOT: tgc.variant
gpu.module @known attributes {tgc.facts = [#tgc.fact<aligned "B" 32>, #tgc.fact<multiple "ldB" 16>]} {
  gpu.func @known(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Only what is missing is asked for. N = 128 is a multiple of 4.
// CHECK-LABEL: gpu.func @half_known_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<multiple "ldB" 4>]
gpu.module @half_known attributes {tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<equal "N" 128>]} {
  gpu.func @half_known(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @too_little_aligned
// CHECK-SAME: tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>]
gpu.module @too_little attributes {tgc.facts = [#tgc.fact<aligned "B" 8>, #tgc.fact<multiple "ldB" 6>]} {
  gpu.func @too_little(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, stages = [#tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
