// Stores: scalar, vector, accumulating, through an epilogue, by columns.

// RUN: tgc-opt %s --tgc-pipeline | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>

// Rows outside, columns inside; an element outside C is not written.
// CHECK-LABEL: gpu.func @scalar(
// CHECK: math.fma
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: tgc.advance
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: scf.if
// CHECK-NEXT: %[[V:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]] : memref<4x4xf32, #gpu.address_space<private>>
// CHECK-NEXT: memref.store %[[V]], %{{.*}} : memref<?xf32>
gpu.module @scalar {
  gpu.func @scalar(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @vector(
// CHECK: math.fma
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: scf.if
// CHECK-NEXT: %[[V:.*]] = vector.load %{{.*}}[%[[I]], %{{.*}}] : memref<4x4xf32, #gpu.address_space<private>>, vector<4xf32>
// CHECK-NEXT: vector.store %[[V]], %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
gpu.module @vector attributes {tgc.facts = [#tgc.fact<aligned "C" 16>, #tgc.fact<multiple "ldC" 4>, #tgc.fact<multiple "N" 4>]} {
  gpu.func @vector(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>, store = vector>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// C += A @ B: the old element plus the product, in this order.
// CHECK-LABEL: gpu.func @accumulated(
// CHECK: math.fma
// CHECK: %[[V:.*]] = memref.load %{{.*}} : memref<4x4xf32, #gpu.address_space<private>>
// CHECK-NEXT: %[[OLD:.*]] = memref.load %{{.*}} : memref<?xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OLD]], %[[V]] : f32
// CHECK-NEXT: memref.store %[[SUM]],
gpu.module @accumulated {
  gpu.func @accumulated(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) accumulate : !mat, !mat, !mat
    gpu.return
  }
}

// Scalars come last among the arguments, vectors after the matrices; what only the epilogue reads is read only.
// CHECK-LABEL: gpu.func @epilogue(
// CHECK-SAME: %[[V:[a-z0-9]+]]: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["N"], tgc.name = "v"}, %[[X:[a-z0-9]+]]: f32 {tgc.name = "x"})
// CHECK: math.fma
// CHECK: %[[P:.*]] = memref.load %{{.*}} : memref<4x4xf32, #gpu.address_space<private>>
// CHECK: %[[E:.*]] = memref.load %[[V]][%{{.*}}]
// CHECK: %[[S:.*]] = arith.mulf %[[P]], %[[X]] : f32
// CHECK: %[[R:.*]] = arith.addf %[[S]], %[[E]] : f32
// CHECK: memref.store %[[R]], %{{.*}} : memref<?xf32>
gpu.module @epilogue {
  gpu.func @epilogue(%x: f32 {tgc.name = "x"}, %A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}, %v: memref<?xf32> {tgc.name = "v", tgc.dims = ["N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) extras(%v : memref<?xf32>) axes [1] : !mat, !mat, !mat {
    ^bb0(%p: f32, %e: f32):
      %0 = arith.mulf %p, %x : f32
      %1 = arith.addf %0, %e : f32
      tgc.yield %1 : f32
    }
    gpu.return
  }
}

// C by columns: the outer loop runs over its columns, so that an address serves a column.
// CHECK-LABEL: gpu.func @by_columns(
// CHECK: math.fma
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: tgc.advance
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: memref.load %{{.*}}[%[[I]], %[[J]]] : memref<4x4xf32, #gpu.address_space<private>>
gpu.module @by_columns {
  gpu.func @by_columns(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !col {tgc.name = "C", tgc.dims = ["N", "M"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, thread = <4x4>>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !col
    gpu.return
  }
}

// Down a group of rows of tiles; the last group may have fewer.
// CHECK-LABEL: gpu.func @grouped(
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: arith.divui %[[B]],
// CHECK: arith.remui %[[B]],
// CHECK: arith.subi
// CHECK: arith.minsi
gpu.module @grouped {
  gpu.func @grouped(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <64x64x8>, walk = grouped, walk_group = 8>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
