// Copies: which thread moves which piece, guards, swizzle, width.

// RUN: tgc-opt %s --tgc-pipeline | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
!col = memref<?x?xf32, strided<[1, ?]>>

// 256 threads, rows of 8 pieces: the column stays, rows advance by 32. Both ends are guarded.
// CHECK-LABEL: gpu.func @rows(
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[T]], %[[C8]]
// CHECK-DAG: %[[COL:.*]] = arith.remui %[[T]], %[[C8]]
// CHECK: gpu.barrier
// CHECK: scf.for %[[PASS:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[DOWN:.*]] = arith.muli %[[PASS]], %[[C32]]
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[DOWN]]
// CHECK: arith.cmpi slt
// CHECK: %[[IN:.*]] = arith.andi
// CHECK: %[[VALID:.*]] = arith.select %[[IN]],
// CHECK: tgc.cp_async %{{.*}}[%{{.*}}], %{{.*}}[%[[AT]], %[[COL]]], 4 valid %[[VALID]]
// CHECK-NEXT: } {tgc.unroll}
gpu.module @rows {
  gpu.func @rows(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <128x64x8>, stages = [#tgc.stage<operand = "A", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// 32 threads, rows of 128 pieces: four passes to a row.
// CHECK-LABEL: gpu.func @columns(
// CHECK: gpu.barrier
// CHECK: scf.for %[[PASS:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[PASS]], %[[C4:[a-z0-9]+]] : index
// CHECK-DAG: %[[TURN:.*]] = arith.remui %[[PASS]], %[[C4]] : index
// CHECK: tgc.cp_async {{.*}}[%[[ROW]], %{{.*}}], 4 valid
gpu.module @columns {
  gpu.func @columns(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <2x128x4>, stages = [#tgc.stage<operand = "B", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// 64 threads, 32 rows of 9 pieces: 288 pieces are four passes and 32 pieces more, for the first 32 threads. Neither divides
// the other, so the piece is counted.
// CHECK-LABEL: gpu.func @left_over(
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[T]], %[[C32]]
// CHECK: gpu.barrier
// CHECK: scf.for %[[PASS:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[BEFORE:.*]] = arith.muli %[[PASS]], %{{.*}}
// CHECK: %[[PIECE:.*]] = arith.addi %[[BEFORE]], %[[T]]
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[PIECE]], %[[C9]]
// CHECK-DAG: %[[COL:.*]] = arith.remui %[[PIECE]], %[[C9]]
// CHECK: tgc.cp_async {{.*}}[%[[ROW]], %[[COL]]], 4 valid
// CHECK: } {tgc.unroll}
// CHECK: scf.if %[[SOME]] {
// CHECK: tgc.cp_async
// CHECK: }
gpu.module @left_over {
  gpu.func @left_over(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x16x9>, warp = <16x16>, stages = [#tgc.stage<operand = "A", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Chunks of 4 elements change places: ((col / 4) ^ (row % 8)) * 4 + col % 4.
// CHECK-LABEL: gpu.func @swizzled(
// CHECK: %[[CHUNK:.*]] = arith.divui %{{.*}}, %{{.*}}
// CHECK: arith.xori
// CHECK: tgc.cp_async
gpu.module @swizzled {
  gpu.func @swizzled(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "B", swizzle = 8, by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Pieces of 16 bytes: what lies past the end of the row is left out of the last one.
// CHECK-LABEL: gpu.func @wide(
// CHECK: arith.minsi
// CHECK: tgc.cp_async {{.*}}, 16 valid %{{.*}} :
gpu.module @wide attributes {tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>]} {
  gpu.func @wide(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "B", by = cp_async>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Plain copies of whole pieces: through a private piece, zero where the piece is outside.
// CHECK-LABEL: gpu.func @plain(
// CHECK: %[[P:.*]] = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
// CHECK: scf.if
// CHECK: %[[V:.*]] = vector.load %{{.*}}[%{{.*}}] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: vector.store %[[V]], %[[P]]
// CHECK: } else {
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK: %[[W:.*]] = vector.load %[[P]]
// CHECK: vector.store %[[W]], %{{.*}} {alignment = 16 : i64} : memref<8x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
gpu.module @plain attributes {tgc.facts = [#tgc.fact<aligned "B" 16>, #tgc.fact<multiple "ldB" 4>, #tgc.fact<multiple "N" 4>]} {
  gpu.func @plain(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x64x8>, stages = [#tgc.stage<operand = "B">]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// A promise of in_bounds drops the guard: k is compared with nothing, m and n are.
// CHECK-LABEL: gpu.func @naive(
// CHECK-SAME: %[[M:[a-z0-9]+]]: index {tgc.name = "M"}, %[[N:[a-z0-9]+]]: index {tgc.name = "N"}, %[[K:[a-z0-9]+]]: index {tgc.name = "K"}
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK-NOT: arith.cmpi slt, %{{.*}}, %[[K]]
// CHECK: gpu.return
gpu.module @naive {
  gpu.func @naive(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// 32 threads: 16 passes over 4 rows of 128 pieces.
// CHECK-LABEL: gpu.func @sixteen_passes(
// CHECK: tgc.cp_async
// CHECK-NEXT: } {tgc.unroll}
gpu.module @sixteen_passes {
  gpu.func @sixteen_passes(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <2x128x4>, warp = <2x128>, stages = [#tgc.stage<operand = "B", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// 32 passes, 16 at once: the addresses of all do not fit registers.
// CHECK-LABEL: gpu.func @many_passes(
// CHECK: tgc.cp_async
// CHECK-NEXT: } {tgc.unroll = 16 : i64}
gpu.module @many_passes {
  gpu.func @many_passes(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <2x128x8>, warp = <2x128>, stages = [#tgc.stage<operand = "B", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// 36 passes over 96 rows of 12 pieces, 8 at once: row and column change.
// CHECK-LABEL: gpu.func @many_irregular_passes(
// CHECK: tgc.cp_async
// CHECK-NEXT: } {tgc.unroll = 8 : i64}
gpu.module @many_irregular_passes {
  gpu.func @many_irregular_passes(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <96x8x12>, warp = <96x8>, stages = [#tgc.stage<operand = "A", by = cp_async, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}

// Pieces in registers are indexed by constants alone.
// CHECK-LABEL: gpu.func @through_registers(
// CHECK-NOT: tgc.unroll =
// CHECK: gpu.return
gpu.module @through_registers {
  gpu.func @through_registers(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <2x128x8>, warp = <2x128>, stages = [#tgc.stage<operand = "B", by = registers, bytes = 4>]>} {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    gpu.return
  }
}
