// Legal or nearly legal IR that no program leads to: each chunk goes through every pass and every translation.

module {}

// -----

gpu.module @no_kernel {}

// -----

gpu.module @only_a_declaration {
  func.func private @f(memref<?x?xf32>)
}

// -----

gpu.module @empty_kernel {
  gpu.func @empty_kernel() kernel {
    gpu.return
  }
}

// -----

gpu.module @no_launch {
  gpu.func @no_launch(%A: memref<?xf32> {tgc.name = "A", tgc.dims = ["M"]}) kernel {
    gpu.return
  }
}

// -----

gpu.module @not_a_kernel {
  gpu.func @f(%x: f32) {
    gpu.return
  }
}

// -----

gpu.module @outer {
  gpu.module @inner {
    gpu.func @inner() kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
      gpu.return
    }
  }
}

// -----

module {
  module @nested {
    gpu.module @k {
      gpu.func @k(%A: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "K"], tgc.name = "A"},
                  %B: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["K", "N"], tgc.name = "B"},
                  %C: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "N"], tgc.name = "C"}) kernel
          attributes {tgc.schedule = #tgc.schedule<>} {
        tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>,
                                          memref<?x?xf32, strided<[?, 1]>>
        gpu.return
      }
    }
  }
}

// -----

// Two kernels of one name, and two modules that need one namespace.
module {
  gpu.module @a {
    gpu.func @same() kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
      gpu.return
    }
  }
  gpu.module @tgc_a {
    gpu.func @same() kernel attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>} {
      gpu.return
    }
  }
}

// -----

// A product that was never scheduled, and one that stands in a host function.
module {
  gpu.module @k {
    gpu.func @k(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) kernel {
      tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
      gpu.return
    }
  }
  func.func @host(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
    tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
    return
  }
}

// -----

// Operands that are no arguments.
gpu.module @k {
  gpu.func @k() kernel attributes {tgc.schedule = #tgc.schedule<>} {
    %A = memref.alloc() : memref<4x4xf32>
    tgc.matmul ins(%A, %A) outs(%A) : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
    gpu.return
  }
}

// -----

// One argument is all operands; two names are equal; sizes are 0.
gpu.module @k {
  gpu.func @k(%A: memref<0x0xf32> {tgc.dims = ["M", "M"], tgc.name = "A"}) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x32x8>, stages = [#tgc.stage<operand = "A">]>} {
    tgc.matmul ins(%A, %A) outs(%A) : memref<0x0xf32>, memref<0x0xf32>, memref<0x0xf32>
    gpu.return
  }
}

// -----

// The product stands in a loop, under a condition, and in a region of an unknown operation.
gpu.module @k {
  gpu.func @k(%A: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "K"], tgc.name = "A"},
              %B: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["K", "N"], tgc.name = "B"},
              %C: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "N"], tgc.name = "C"}, %n: index, %c: i1) kernel
      attributes {tgc.schedule = #tgc.schedule<block = <32x32x8>>} {
    scf.for %i = %n to %n step %n {
      scf.if %c {
        "test.region"() ({
          tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>,
                                            memref<?x?xf32, strided<[?, 1]>>
        }) : () -> ()
      }
    }
    gpu.return
  }
}

// -----

// Extras of rank 0, with strides that are not 1, and of a layout that has none.
gpu.module @k {
  gpu.func @k(%A: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "K"], tgc.name = "A"},
              %B: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["K", "N"], tgc.name = "B"},
              %C: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "N"], tgc.name = "C"},
              %v: memref<?xf32, strided<[2]>> {tgc.dims = ["N"], tgc.name = "v"},
              %R: memref<?x?xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> {tgc.dims = ["M", "N"], tgc.name = "R"})
      kernel attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) extras(%v, %R : memref<?xf32, strided<[2]>>,
        memref<?x?xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) axes [1, 2]
        : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>> {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      %t = arith.addf %s, %z : f32
      tgc.yield %t : f32
    }
    gpu.return
  }
}

// -----

// Memory that has an offset.
gpu.module @k {
  gpu.func @k(%A: memref<?x?xf32, strided<[?, 1], offset: 5>> {tgc.dims = ["M", "K"], tgc.name = "A"},
              %B: memref<?x?xf32, strided<[?, 1], offset: ?>> {tgc.dims = ["K", "N"], tgc.name = "B"},
              %C: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "N"], tgc.name = "C"}) kernel
      attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32, strided<[?, 1], offset: 5>>,
        memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

// -----

// Arguments of types that a kernel does not take.
gpu.module @k {
  gpu.func @k(%A: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "K"], tgc.name = "A"},
              %B: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["K", "N"], tgc.name = "B"},
              %C: memref<?x?xf32, strided<[?, 1]>> {tgc.dims = ["M", "N"], tgc.name = "C"},
              %s: memref<f32> {tgc.dims = [], tgc.name = "s"}, %h: f16 {tgc.name = "h"}, %d: f64 {tgc.name = "d"},
              %u: memref<*xf32> {tgc.name = "u"}, %w: vector<4xf32> {tgc.name = "w"},
              %q: tensor<?xf32> {tgc.name = "q"}, %t: !tgc.tile<8x8xf32, #tgc.global> {tgc.name = "t"},
              %unnamed: index) kernel attributes {tgc.schedule = #tgc.schedule<>} {
    tgc.matmul ins(%A, %B) outs(%C) : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>,
                                      memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

// -----

gpu.module @many_dimensions {
  gpu.func @k(%A: memref<2x3x4x5xf32> {tgc.dims = ["a", "b", "c", "d"], tgc.name = "A"}, %s: memref<f32>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = memref.load %A[%c0, %c0, %c0, %c0] : memref<2x3x4x5xf32>
    memref.store %x, %s[] : memref<f32>
    gpu.return
  }
}

// -----

// L2 without a block's work, and tiles from nowhere.
gpu.module @k {
  gpu.func @k(%a: !tgc.tile<8x1xf32, #tgc.global>, %b: !tgc.tile<1x128xf32, #tgc.global>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <8x128>>,
                  tgc.schedule = #tgc.schedule<block = <8x128x1>, thread = <4x8>>} {
    %acc = tgc.alloc : !tgc.tile<8x128xf32, #tgc.simt<warps = <1x1>, lanes = <2x16>, each = <4x8>, group = <4x8>>>
    tgc.product %acc, %a, %b : !tgc.tile<8x128xf32, #tgc.simt<warps = <1x1>, lanes = <2x16>, each = <4x8>, group = <4x8>>>, !tgc.tile<8x1xf32, #tgc.global>, !tgc.tile<1x128xf32, #tgc.global>
    gpu.return
  }
}

// -----

// Products of vectors, and of a window and a fragment.
!acc = !tgc.tile<8x128xf32, #tgc.simt<warps = <1x1>, lanes = <2x16>, each = <4x8>, group = <4x8>>>
!frag = !tgc.tile<1x128xf32, #tgc.fragment<dim 1 of <warps = <1x1>, lanes = <2x16>, each = <4x8>, group = <4x8>>>>
gpu.module @k {
  gpu.func @k(%A: memref<?xf32> {tgc.dims = ["M"], tgc.name = "A"}, %B: memref<?xf32> {tgc.dims = ["N"], tgc.name = "B"},
              %C: memref<?xf32> {tgc.dims = ["M"], tgc.name = "C"}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <8x128>>,
                  tgc.schedule = #tgc.schedule<block = <8x128x1>, thread = <4x8>>} {
    %c0 = arith.constant 0 : index
    %M = memref.dim %A, %c0 : memref<?xf32>
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %M, %M) tile <8x128> walk rows {
      %acc = tgc.alloc : !acc
      %f = tgc.alloc : !frag
      %a = tgc.window %A[%m] limit [%M] : memref<?xf32> -> !tgc.tile<8x1xf32, #tgc.global>
      %b = tgc.window %B[%m] limit [%M] : memref<?xf32> -> !tgc.tile<1x128xf32, #tgc.global>
      %c = tgc.window %C[%m] limit [%M] : memref<?xf32> -> !tgc.tile<8x128xf32, #tgc.global>
      tgc.product %acc, %a, %b : !acc, !tgc.tile<8x1xf32, #tgc.global>, !tgc.tile<1x128xf32, #tgc.global>
      tgc.product %acc, %a, %f : !acc, !tgc.tile<8x1xf32, #tgc.global>, !frag
      tgc.copy %b, %f : !tgc.tile<1x128xf32, #tgc.global> -> !frag
      tgc.store %acc, %c : !acc -> !tgc.tile<8x128xf32, #tgc.global>
    }
    gpu.return
  }
}

// -----

// A ring that no loop fills, rings in several loops, and tiles of one used through another.
!ring = !tgc.ring<2, !tgc.tile<8x32xf32, #tgc.shared<row_major>>>
gpu.module @k {
  gpu.func @k(%A: memref<?x?xf32> {tgc.dims = ["M", "K"], tgc.name = "A"}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <8x32>>,
                  tgc.schedule = #tgc.schedule<pipeline = 2, prefetch = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = memref.dim %A, %c0 : memref<?x?xf32>
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %M, %M) tile <8x32> walk grouped 65536 {
      %r = tgc.ring : !ring
      scf.for %i = %c0 to %M step %c1 {
        %s = tgc.ring : !ring
        scf.for %j = %c0 to %M step %c1 {
          %a = tgc.acquire %s : !ring
          %w = tgc.wait %r : !ring
          tgc.commit %s : !ring
          tgc.release %r : !ring
        }
      }
      %f = tgc.front %r : !ring
    }
    gpu.return
  }
}

// -----

// A linalg product of no rows, one of a type and one of a rank that are not supported, and a function without a body.
module {
  func.func @zero(%A: memref<0x0xf32>, %B: memref<0x0xf32>, %C: memref<0x0xf32>) {
    linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<0x0xf32>, memref<0x0xf32>)
                                                   outs(%C : memref<0x0xf32>)
    return
  }
  func.func private @declared(memref<?x?xf32>) attributes {tgc.schedule = #tgc.schedule<>}
}

// -----

func.func @half(%A: memref<4x4xf16>, %B: memref<4x4xf16>, %C: memref<4x4xf16>) {
  linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : memref<4x4xf16>, memref<4x4xf16>)
                                                 outs(%C : memref<4x4xf16>)
  return
}

// -----

func.func @tensors(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %C: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %D = linalg.matmul {tgc.schedule = #tgc.schedule<>} ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>)
                                                      outs(%C : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %D : tensor<4x4xf32>
}

// -----

// Dynamic and huge shared memory, private attributions, a block size along y, and shared memory of another type.
gpu.module @k {
  gpu.func @dynamic() workgroup(%s: memref<?xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @huge() workgroup(%s: memref<4294967296x4294967296xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @large(%M: index {tgc.name = "M"}, %N: index {tgc.name = "N"}, %K: index {tgc.name = "K"})
      workgroup(%s: memref<1073741824x2xf32, #gpu.address_space<workgroup>>,
                %t: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @other() workgroup(%s: memref<4xi1, #gpu.address_space<workgroup>>, %t: memref<0xf64, 3>,
                              %e: memref<2xcomplex<f32>, 3>, %v: memref<2xvector<4xf32>, 3>,
                              %i: memref<2xindex, 3>) private(%p: memref<4xf32, 5>) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 1, 32, 1>} {
    gpu.return
  }
}

// -----

// Types and operations that L3 does not have.
gpu.module @k {
  gpu.func @k(%h: memref<?xf16> {tgc.dims = ["M"], tgc.name = "h"}, %x: f64 {tgc.name = "x"}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 32, tile = <1x1>>, known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %y = gpu.thread_id y
    %a = memref.load %h[%y] : memref<?xf16>
    %p = memref.alloca() : memref<0x4xf32, #gpu.address_space<private>>
    %v = arith.constant dense<0.0> : vector<3xf32>
    %big = arith.constant 170141183460469231731687303715884105727 : i128
    %t = "test.op"(%a, %v, %big) {tgc.comment = "*/ \00 \\"} : (f16, vector<3xf32>, i128) -> tensor<*xf32>
    "cf.br"()[^next] : () -> ()
  ^next:
    gpu.return
  }
}

// -----

// Loops that never end, or whose bounds are the largest numbers.
gpu.module @k {
  gpu.func @k(%M: index {tgc.name = "M"}, %N: index {tgc.name = "N"}, %K: index {tgc.name = "K"}) kernel
      attributes {tgc.launch = #tgc.launch<threads = 1024, tile = <1x1>>, known_block_size = array<i32: 1024, 1, 1>} {
    %lo = arith.constant -9223372036854775808 : index
    %hi = arith.constant 9223372036854775807 : index
    %min = arith.constant -9223372036854775808 : i64
    %minus = arith.constant -1 : i64
    scf.for %i = %lo to %hi step %hi {
      %q = arith.divui %i, %i : index
    } {tgc.unroll}
    scf.for %i = %M to %N step %K {
    } {tgc.unroll = 2147483647}
    %zero = arith.constant 0 : index
    %r = arith.remui %hi, %zero : index
    %d = arith.muli %min, %minus : i64
    tgc.cp_async_wait 9223372036854775807
    gpu.return
  }
}
