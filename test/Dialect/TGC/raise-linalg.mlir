// RUN: tgc-opt %s --tgc-raise-linalg -split-input-file -verify-diagnostics | FileCheck %s

// The product alone is accumulated: that is what linalg.matmul means.
// CHECK: gpu.module @accumulated {
// CHECK-NEXT: gpu.func @accumulated(%[[A:.*]]: memref<?x?xf32> {tgc.dims = ["M", "K"], tgc.name = "A"}, %[[B:.*]]: memref<?x?xf32> {tgc.dims = ["K", "N"], tgc.name = "B"}, %[[C:.*]]: memref<?x?xf32> {tgc.dims = ["M", "N"], tgc.name = "C"}) kernel attributes {tgc.schedule = #tgc.schedule<>} {
// CHECK-NEXT: tgc.matmul ins(%[[A]], %[[B]]) outs(%[[C]]) accumulate :
// CHECK-NEXT: gpu.return
func.func @accumulated(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// Behind a fill with 0 it is not. Arguments in any order, stored by columns, static sizes as facts.
// CHECK: gpu.module @filled attributes {tgc.facts = [#tgc.fact<equal "M" 64>, #tgc.fact<equal "K" 8>, #tgc.fact<equal "N" 32>]} {
// CHECK-NEXT: gpu.func @filled(%[[C:.*]]: memref<64x32xf32> {tgc.dims = ["M", "N"], tgc.name = "C"}, %[[A:.*]]: memref<64x8xf32, strided<[1, 64]>> {tgc.dims = ["K", "M"], tgc.name = "A"}, %[[B:.*]]: memref<8x32xf32> {tgc.dims = ["K", "N"], tgc.name = "B"}) kernel attributes {tgc.schedule = #tgc.schedule<block = <64x32x8>>} {
// CHECK-NEXT: tgc.matmul ins(%[[A]], %[[B]]) outs(%[[C]]) : memref<64x8xf32, strided<[1, 64]>>
func.func @filled(%C: memref<64x32xf32>, %A: memref<64x8xf32, strided<[1, 64]>>, %B: memref<8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<64x32xf32>)
  linalg.matmul {tgc.schedule = #tgc.schedule<block = <64x32x8>>} ins(%A, %B : memref<64x8xf32, strided<[1, 64]>>, memref<8x32xf32>) outs(%C : memref<64x32xf32>)
  return
}

// Without a schedule it is not ours.
// CHECK: func.func @unscheduled
// CHECK: linalg.matmul
func.func @unscheduled(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @other(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  // expected-error @below {{function 'other' carries a tgc.schedule, but holds 'memref.copy'; it may hold a linalg.fill of the output and the product only}}
  memref.copy %A, %C : memref<?x?xf32> to memref<?x?xf32>
  return
}

// -----

func.func @late(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  // expected-error @below {{function 'late' carries a tgc.schedule, but holds 'linalg.fill'; it may hold a linalg.fill of the output and the product only}}
  linalg.fill ins(%zero : f32) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @one(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{function 'one' carries a tgc.schedule, but fills the output with something else than 0}}
  linalg.fill ins(%one : f32) outs(%C : memref<?x?xf32>)
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @elsewhere(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{function 'elsewhere' carries a tgc.schedule, but fills something else than the product's output}}
  linalg.fill ins(%zero : f32) outs(%A : memref<?x?xf32>)
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @maps(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  // expected-error @below {{function 'maps' carries a tgc.schedule, but its linalg.matmul has indexing maps of its own; only A @ B is supported}}
  linalg.matmul indexing_maps = [#a, #b, #c] {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @tensors(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{function 'tensors' carries a tgc.schedule, but its linalg.matmul works on tensors; bufferize first}}
  %0 = linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// expected-error @below {{function 'four' carries a tgc.schedule, but has 4 arguments; expects the product's three operands}}
func.func @four(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>, %x: f32) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @half(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) {
  // expected-error @below {{function 'half' carries a tgc.schedule, but operand A is a 'memref<?x?xf16>'; only f32 memrefs are supported}}
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf16>, memref<?x?xf16>) outs(%C : memref<?x?xf16>)
  return
}

// -----

func.func @strided(%A: memref<?x?xf32>, %B: memref<?x?xf32, strided<[?, 2]>>, %C: memref<?x?xf32>) {
  // expected-error @below {{function 'strided' carries a tgc.schedule, but operand B of type 'memref<?x?xf32, strided<[?, 2]>>' needs one stride of 1}}
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32, strided<[?, 2]>>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @twice(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  // expected-error @below {{function 'twice' carries a tgc.schedule, but its product uses one argument twice; expects three distinct operands}}
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %A : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @two(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  // expected-error @below {{tgc.schedule is supported on one linalg.matmul of a function, not on this 'linalg.matmul'}}
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

func.func @fill(%C: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{tgc.schedule is supported on one linalg.matmul of a function, not on this 'linalg.fill'}}
  linalg.fill {tgc.schedule = #tgc.schedule<>} ins(%zero : f32) outs(%C : memref<?x?xf32>)
  return
}

// -----

// expected-error @below {{function 'results' carries a tgc.schedule, but returns values; a kernel has no results}}
func.func @results(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) -> memref<?x?xf32> {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return %C : memref<?x?xf32>
}

// -----

func.func @kind(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  // expected-error @below {{tgc.schedule is 3 : i64, expects a #tgc.schedule}}
  linalg.matmul {tgc.schedule = 3 : i64} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}

// -----

// expected-error @below {{function 'blocks' carries a tgc.schedule, but has more than one block; a scheduled product stands alone in its function}}
func.func @blocks(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
^other:
  return
}
