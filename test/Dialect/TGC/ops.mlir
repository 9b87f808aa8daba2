// Every operation of the dialect above L3, in its custom form and in its generic form.

// RUN: tgc-opt %s | FileCheck %s
// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

!mat = memref<?x?xf32, strided<[?, 1]>>
#dist = #tgc.simt<warps = <1x2>, lanes = <4x8>, each = <2x4>, group = <2x2>>
!acc = !tgc.tile<8x64xf32, #dist>
!as = !tgc.tile<8x4xf32, #tgc.shared<col_major, pad = 4>>
!bs = !tgc.tile<4x64xf32, #tgc.shared<row_major, swizzle = 8>>
!ag = !tgc.tile<8x4xf32, #tgc.global>
!bg = !tgc.tile<4x64xf32, #tgc.global>
!cg = !tgc.tile<8x64xf32, #tgc.global>
!fa = !tgc.tile<8x1xf32, #tgc.fragment<dim 0 of <warps = <1x2>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
!fas = !tgc.tile<2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x2>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
!fb = !tgc.tile<1x64xf32, #tgc.fragment<dim 1 of <warps = <1x2>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
!piece = !tgc.tile<4x64xf32, #tgc.copy_regs<threads = 64, width = 4, dim = 1>>
!ring = !tgc.ring<3, !as, !bs>

// CHECK-LABEL: gpu.func @product
// CHECK: tgc.matmul ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>{{$}}
// CHECK: tgc.matmul ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) accumulate : memref
// CHECK: tgc.matmul ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) extras(%{{.*}}, %{{.*}} : memref<?xf32>, memref<?x?xf32, strided<[?, 1]>>) axes [1, 2] : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: tgc.yield %{{.*}} : f32
// GENERIC: "tgc.matmul"(%{{.*}}, %{{.*}}, %{{.*}}) <{extra_axes = array<i64>}> ({
gpu.module @l1 {
  gpu.func @product(%A: !mat, %B: !mat, %C: !mat, %bias: memref<?xf32>) kernel {
    tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat
    tgc.matmul ins(%A, %B) outs(%C) accumulate : !mat, !mat, !mat
    tgc.matmul ins(%A, %B) outs(%C) extras(%bias, %C : memref<?xf32>, !mat) axes [1, 2] : !mat, !mat, !mat {
    ^bb0(%p: f32, %b: f32, %c: f32):
      %0 = arith.addf %p, %b : f32
      %1 = arith.addf %0, %c : f32
      tgc.yield %1 : f32
    }
    gpu.return
  }
}

// CHECK-LABEL: gpu.func @block
// CHECK: tgc.work (%[[M:.*]], %[[N:.*]], %[[K0:.*]], %[[K1:.*]], %{{.*}}) of (%{{.*}}, %{{.*}}, %{{.*}}) tile <8x64> walk rows {
// CHECK: tgc.alloc : <8x64xf32, #tgc.simt<warps = <1x2>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
// CHECK: tgc.fill %{{.*}}, %{{.*}} : <8x64xf32, #tgc.simt
// CHECK: tgc.ring : <3, <8x4xf32, #tgc.shared<col_major, pad = 4>>, <4x64xf32, #tgc.shared<row_major, swizzle = 8>>>
// CHECK: tgc.alloc : <2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x2>
// CHECK: tgc.alloc : <4x64xf32, #tgc.copy_regs<threads = 64, width = 4, dim = 1>>
// CHECK: tgc.window %{{.*}}[%[[M]], %{{.*}}] limit[%{{.*}}, %[[K1]]] in_bounds [false, true] : memref<?x?xf32, strided<[?, 1]>> -> <8x4xf32, #tgc.global>
// CHECK: tgc.acquire %{{.*}} : <3,
// CHECK: tgc.copy %{{.*}}, %{{.*}} by {{ ?}}cp_async : <8x4xf32, #tgc.global> -> <8x4xf32, #tgc.shared<col_major, pad = 4>>
// CHECK: tgc.copy %{{.*}}, %{{.*}} width 4 : <4x64xf32, #tgc.global> -> <4x64xf32, #tgc.copy_regs
// CHECK: tgc.commit %{{.*}} : <3,
// CHECK: tgc.wait %{{.*}} in_flight 1 : <3,
// CHECK: tgc.wait %{{.*}} : <3,
// CHECK: tgc.front %{{.*}} : <3,
// CHECK: tgc.slice %{{.*}}[%{{.*}}, %{{.*}}] : <8x4xf32, #tgc.shared<col_major, pad = 4>> -> <8x1xf32, #tgc.shared<col_major, pad = 4>>
// CHECK: tgc.slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : <2x8x1xf32, #tgc.fragment{{.*}} -> <8x1xf32, #tgc.fragment
// CHECK: tgc.product %{{.*}}, %{{.*}}, %{{.*}} order i_inner zigzag unroll 2 : <8x64xf32
// CHECK: tgc.product %{{.*}}, %{{.*}}, %{{.*}} : <8x64xf32
// CHECK: tgc.release %{{.*}} : <3,
// CHECK: tgc.store %{{.*}}, %{{.*}} accumulate width 2 : <8x64xf32{{.*}} -> <8x64xf32, #tgc.global>
// CHECK: tgc.store %{{.*}}, %{{.*}} extras(%{{.*}} : !tgc.tile<1x64xf32, #tgc.global>) axes [1] : <8x64xf32
// CHECK: tgc.work {{.*}} walk grouped 8 {
// GENERIC: "tgc.work"(%{{.*}}, %{{.*}}, %{{.*}}) <{tile = #tgc.shape<8x64>, walk = #tgc<walk_kind rows>, walk_group = 0 : i64}> ({
// GENERIC: "tgc.copy"{{.*}}kind = #tgc<copy_kind cp_async>
// GENERIC: "tgc.wait"(%{{.*}}) <{in_flight = 1 : i64}>
gpu.module @l2 {
  gpu.func @block(%A: !mat, %B: !mat, %C: !mat, %bias: memref<?xf32>, %size: index, %zero: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%size, %size, %size) tile <8x64> walk rows {
      %acc = tgc.alloc : !acc
      tgc.fill %acc, %zero : !acc
      %ring = tgc.ring : !ring
      %fas = tgc.alloc : !fas
      %fb = tgc.alloc : !fb
      %piece = tgc.alloc : !piece
      %a = tgc.window %A[%m, %k0] limit [%size, %k1] in_bounds [false, true] : !mat -> !ag
      %b = tgc.window %B[%k0, %n] limit [%k1, %size] : !mat -> !bg
      %as, %bs = tgc.acquire %ring : !ring
      tgc.copy %a, %as by cp_async : !ag -> !as
      tgc.copy %b, %piece width 4 : !bg -> !piece
      tgc.copy %piece, %bs by plain width 4 : !piece -> !bs
      tgc.commit %ring : !ring
      %ar, %br = tgc.wait %ring in_flight 1 : !ring
      %aw, %bw = tgc.wait %ring : !ring
      %af, %bf = tgc.front %ring : !ring
      %column = tgc.slice %ar[%c0, %c1] : !as -> !tgc.tile<8x1xf32, #tgc.shared<col_major, pad = 4>>
      %fa = tgc.slice %fas[%c1, %c0, %c0] : !fas -> !fa
      tgc.copy %column, %fa width 2 : !tgc.tile<8x1xf32, #tgc.shared<col_major, pad = 4>> -> !fa
      tgc.product %acc, %ar, %br order i_inner zigzag unroll 2 : !acc, !as, !bs
      tgc.product %acc, %fa, %fb : !acc, !fa, !fb
      tgc.release %ring : !ring
      %c = tgc.window %C[%m, %n] limit [%size, %size] : !mat -> !cg
      tgc.store %acc, %c accumulate width 2 : !acc -> !cg
      %e = tgc.window %bias[%n] limit [%size] : memref<?xf32> -> !tgc.tile<1x64xf32, #tgc.global>
      tgc.store %acc, %c extras(%e : !tgc.tile<1x64xf32, #tgc.global>) axes [1] : !acc -> !cg {
      ^bb0(%p: f32, %x: f32):
        %s = arith.addf %p, %x : f32
        tgc.yield %s : f32
      }
    }
    tgc.work (%m, %n, %k0, %k1, %batch) of (%size, %size, %size) tile <8x64> walk grouped 8 {
    }
    gpu.return
  }
}
