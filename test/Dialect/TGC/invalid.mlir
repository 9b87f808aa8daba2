// One chunk per rule of the verifiers of types, attributes and operations.

// RUN: tgc-opt %s -split-input-file -verify-diagnostics

// Types.

// expected-error @below {{tile has 1 dimensions, expects rows x columns, or buffers x rows x columns}}
func.func private @f(!tgc.tile<8xf32, #tgc.global>)

// -----

// expected-error @below {{tile has 4 dimensions, expects rows x columns, or buffers x rows x columns}}
func.func private @f(!tgc.tile<2x2x2x2xf32, #tgc.global>)

// -----

// expected-error @below {{tile extent 0 is out of range: [1, 65536]}}
func.func private @f(!tgc.tile<0x8xf32, #tgc.global>)

// -----

// expected-error @below {{tile of 'f16', expects f32}}
func.func private @f(!tgc.tile<8x8xf16, #tgc.global>)

// -----

// expected-error @below {{distribution covers 8x32 elements, but the tile has 8x64}}
func.func private @f(!tgc.tile<8x64xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>)

// -----

// expected-error @below {{fragment dim 2, expects 0 (rows) or 1 (columns)}}
func.func private @f(!tgc.tile<8x1xf32, #tgc.fragment<dim 2 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>)

// -----

// expected-error @below {{fragment along dim 0 has 8 elements of one k, but the tile is 8x2}}
func.func private @f(!tgc.tile<8x2xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>)

// -----

// expected-error @below {{fragment along dim 1 has 32 elements of one k, but the tile is 1x8}}
func.func private @f(!tgc.tile<1x8xf32, #tgc.fragment<dim 1 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>)

// -----

// expected-error @below {{only register tiles have buffers: #tgc.shared<row_major> has a leading dimension}}
func.func private @f(!tgc.tile<2x8x8xf32, #tgc.shared<row_major>>)

// -----

// expected-error @below {{pad -4 is out of range: [0, 65536]}}
func.func private @f(!tgc.tile<8x8xf32, #tgc.shared<row_major, pad = -4>>)

// -----

// expected-error @below {{swizzle 3, expects 2, 4 or 8}}
func.func private @f(!tgc.tile<8x12xf32, #tgc.shared<row_major, swizzle = 3>>)

// -----

// expected-error @below {{swizzle 8 permutes 32 elements of a row, but a row has 8}}
func.func private @f(!tgc.ring<1, !tgc.tile<32x8xf32, #tgc.shared<row_major, swizzle = 8>>>)

// -----

// A stored row of a col_major tile is a column. A slice may be smaller than the pattern of its source.
func.func private @legal(!tgc.ring<1, !tgc.tile<32x8xf32, #tgc.shared<col_major, swizzle = 8>>>,
                         !tgc.tile<1x8xf32, #tgc.shared<col_major, swizzle = 8>>)

// -----

// expected-error @below {{place 1 : i64 is none of global, shared, simt, fragment, copy_regs}}
func.func private @f(!tgc.tile<8x8xf32, 1 : i64>)

// -----

// expected-error @below {{ring of 0 slots, expects 1 to 65536}}
func.func private @f(!tgc.ring<0, !tgc.tile<8x8xf32, #tgc.shared<row_major>>>)

// -----

// expected-error @below {{ring holds shared tiles only, got '!tgc.tile<8x8xf32, #tgc.global>'}}
func.func private @f(!tgc.ring<2, !tgc.tile<8x8xf32, #tgc.global>>)

// -----

// expected-error @below {{#tgc.copy_regs<threads = 64, width = 3, dim = 1> needs at least 1 thread, a width of 1, 2 or 4, and dim 0 or 1}}
func.func private @f(!tgc.tile<8x6xf32, #tgc.copy_regs<threads = 64, width = 3, dim = 1>>)

// -----

// expected-error @below {{pieces of 4 elements do not divide rows of 6}}
func.func private @f(!tgc.tile<8x6xf32, #tgc.copy_regs<threads = 64, width = 4, dim = 1>>)

// -----

// Attributes.

// expected-error @below {{fact aligned "A" 0: expects a value of at least 1}}
func.func private @f() attributes {test = #tgc.fact<aligned "A" 0>}

// -----

// expected-error @below {{fact at_most "M" -1: expects a value of at least 0}}
func.func private @f() attributes {test = #tgc.fact<at_most "M" -1>}

// -----

// expected-error @below {{pointer "A" cannot be aligned to 12 bytes; use a power of 2}}
func.func private @f() attributes {test = #tgc.fact<aligned "A" 12>}

// -----

// expected-error @below {{launch of 2048 threads, 1 blocks per SM: expects 1 to 1024 of each}}
func.func private @f() attributes {test = #tgc.launch<threads = 2048, tile = <1x1>>}

// -----

// expected-error @below {{launch of 32 threads, 0 blocks per SM: expects 1 to 1024 of each}}
func.func private @f() attributes {test = #tgc.launch<threads = 32, tile = <1x1>, min_blocks = 0>}

// -----

// expected-error @below {{walk_group of a launch is -1, expects 0 to 65536 rows of tiles}}
func.func private @f() attributes {test = #tgc.launch<threads = 32, tile = <1x1>, walk_group = -1>}

// -----

// expected-error @below {{tile of a launch is #tgc.shape<128>, expects two extents of 1 to 65536}}
func.func private @f() attributes {test = #tgc.launch<threads = 32, tile = <128>>}

// -----

// expected-error @below {{expects warps, lanes, each and group of two extents of 1 to 65536}}
func.func private @f() attributes {test = #tgc.simt<warps = <0x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>}

// -----

// expected-error @below {{expects warps, lanes, each and group of two extents of 1 to 65536}}
func.func private @f() attributes {test = #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4x1>, group = <2x2>>}

// -----

// expected-error @below {{lanes 4x4 are 16, but a warp has 32}}
func.func private @f() attributes {test = #tgc.simt<warps = <1x1>, lanes = <4x4>, each = <2x4>, group = <2x2>>}

// -----

// expected-error @below {{each 3x4 is not divisible by group 2x2}}
func.func private @f() attributes {test = #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <3x4>, group = <2x2>>}

// -----

// expected-error @below {{stages holds 1 : i64, expects #tgc.stage}}
func.func private @f() attributes {test = #tgc.schedule<stages = [1]>}

// -----

// tgc.matmul.

!mat = memref<?x?xf32, strided<[?, 1]>>
func.func @f(%A: memref<?xf32>, %B: !mat, %C: !mat) {
  // expected-error @below {{'tgc.matmul' op operand A has 1 dimensions, expects 2}}
  tgc.matmul ins(%A, %B) outs(%C) : memref<?xf32>, !mat, !mat
  return
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
func.func @f(%A: !mat, %B: memref<?x?xf32, strided<[?, 2]>>, %C: !mat) {
  // expected-error @below {{'tgc.matmul' op operand B of type 'memref<?x?xf32, strided<[?, 2]>>' needs one stride of 1}}
  tgc.matmul ins(%A, %B) outs(%C) : !mat, memref<?x?xf32, strided<[?, 2]>>, !mat
  return
}

// -----

func.func @f(%A: memref<4x5xf32>, %B: memref<6x7xf32>, %C: memref<4x7xf32>) {
  // expected-error @below {{'tgc.matmul' op columns of A and rows of B: 5 and 6 differ}}
  tgc.matmul ins(%A, %B) outs(%C) : memref<4x5xf32>, memref<6x7xf32>, memref<4x7xf32>
  return
}

// -----

func.func @f(%A: memref<4x5xf32>, %B: memref<5x7xf32>, %C: memref<8x7xf32>) {
  // expected-error @below {{'tgc.matmul' op rows of A and rows of C: 4 and 8 differ}}
  tgc.matmul ins(%A, %B) outs(%C) : memref<4x5xf32>, memref<5x7xf32>, memref<8x7xf32>
  return
}

// -----

func.func @f(%A: memref<4x5xf32>, %B: memref<5x7xf32>, %C: memref<4x9xf32>) {
  // expected-error @below {{'tgc.matmul' op columns of B and columns of C: 7 and 9 differ}}
  tgc.matmul ins(%A, %B) outs(%C) : memref<4x5xf32>, memref<5x7xf32>, memref<4x9xf32>
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat, %v: memref<?xf32>) {
  // expected-error @below {{'tgc.matmul' op has 1 extras but 2 axes}}
  tgc.matmul ins(%A, %B) outs(%C) extras(%v : memref<?xf32>) axes [0, 1] : !mat, !mat, !mat
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat, %v: memref<?xf32>) {
  // expected-error @below {{'tgc.matmul' op axis 3, expects 0 (row), 1 (column) or 2 (both)}}
  tgc.matmul ins(%A, %B) outs(%C) extras(%v : memref<?xf32>) axes [3] : !mat, !mat, !mat
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat, %v: memref<?xf32>) {
  // expected-error @below {{'tgc.matmul' op has extras but no region that uses them}}
  tgc.matmul ins(%A, %B) outs(%C) extras(%v : memref<?xf32>) axes [0] : !mat, !mat, !mat
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat) {
  // expected-error @below {{'tgc.matmul' op region has 2 arguments, expects 1: the product and one element per extra}}
  tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat {
  ^bb0(%p: f32, %q: f32):
    tgc.yield %p : f32
  }
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat, %x: f32) {
  // expected-error @below {{'tgc.matmul' op region arguments must be f32}}
  tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat {
  ^bb0(%p: f64):
    tgc.yield %x : f32
  }
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat) {
  // expected-error @below {{'tgc.matmul' op region must yield one f32}}
  tgc.matmul ins(%A, %B) outs(%C) : !mat, !mat, !mat {
  ^bb0(%p: f32):
    tgc.yield
  }
  return
}

// -----

!mat = memref<?x?xf32>
func.func @f(%A: !mat, %B: !mat, %C: !mat) {
  // expected-error @below {{'tgc.matmul' op extra of 2 dimensions is indexed along axis 0, expects 1 dimension for axis 0 or 1, and 2 for axis 2}}
  tgc.matmul ins(%A, %B) outs(%C) extras(%C : !mat) axes [0] : !mat, !mat, !mat {
  ^bb0(%p: f32, %q: f32):
    tgc.yield %q : f32
  }
  return
}

// -----

// tgc.work.

func.func @f(%n: index) {
  // expected-error @below {{expects five arguments: m, n, k0, k1, batch}}
  tgc.work (%m, %n0) of (%n, %n, %n) tile <8x8> walk rows {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expects 'rows' or 'grouped', got 'columns'}}
  tgc.work (%m, %n0, %k0, %k1, %b) of (%n, %n, %n) tile <8x8> walk columns {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{'tgc.work' op region has 1 arguments, expects m, n, k0, k1, batch}}
  "tgc.work"(%n, %n, %n) <{tile = #tgc.shape<8x8>, walk = #tgc<walk_kind rows>}> ({
  ^bb0(%m: index):
    "tgc.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{'tgc.work' op tile is #tgc.shape<8x8x8>, expects BM x BN, 1 to 65536 each}}
  tgc.work (%m, %n0, %k0, %k1, %b) of (%n, %n, %n) tile <8x8x8> walk rows {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{'tgc.work' op walk group 65537 is out of range: [1, 65536]}}
  tgc.work (%m, %n0, %k0, %k1, %b) of (%n, %n, %n) tile <8x8> walk grouped 65537 {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{'tgc.work' op walk grouped needs a group of at least 1 row of tiles, walk rows none}}
  tgc.work (%m, %n0, %k0, %k1, %b) of (%n, %n, %n) tile <8x8> walk grouped 0 {
  }
  return
}

// -----

// tgc.window.

func.func @f(%A: memref<f32>) {
  // expected-error @below {{'tgc.window' op source has 0 dimensions, expects a vector or a matrix}}
  %0 = tgc.window %A[] limit [] : memref<f32> -> !tgc.tile<8x8xf32, #tgc.global>
  return
}

// -----

func.func @f(%A: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'tgc.window' op source has 2 dimensions, but there are 1 offsets and 2 limits}}
  %0 = tgc.window %A[%i] limit [%i, %i] : memref<?x?xf32> -> !tgc.tile<8x8xf32, #tgc.global>
  return
}

// -----

func.func @f(%A: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'tgc.window' op in_bounds has 1 entries, expects 2}}
  %0 = tgc.window %A[%i, %i] limit [%i, %i] in_bounds [true] : memref<?x?xf32> -> !tgc.tile<8x8xf32, #tgc.global>
  return
}

// -----

func.func @f(%A: memref<?x?xf32>, %i: index) {
  // expected-error @below {{'tgc.window' op yields a global tile, got '!tgc.tile<8x8xf32, #tgc.shared<row_major>>'}}
  %0 = tgc.window %A[%i, %i] limit [%i, %i] : memref<?x?xf32> -> !tgc.tile<8x8xf32, #tgc.shared<row_major>>
  return
}

// -----

// tgc.alloc.

func.func @f() {
  // expected-error @below {{'tgc.alloc' op allocates register tiles, got '!tgc.tile<8x8xf32, #tgc.shared<row_major>>'; shared tiles live in a ring}}
  %0 = tgc.alloc : !tgc.tile<8x8xf32, #tgc.shared<row_major>>
  return
}

// -----

// tgc.fill.

!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%t: !s, %x: f32) {
  // expected-error @below {{'tgc.fill' op sets a register tile, got '!tgc.tile<8x8xf32, #tgc.shared<row_major>>'}}
  tgc.fill %t, %x : !s
  return
}

// -----

!fs = !tgc.tile<2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
func.func @f(%t: !fs, %x: f32) {
  // expected-error @below {{'tgc.fill' op works on one buffer of a tile, got '!tgc.tile<2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>'; use tgc.slice}}
  tgc.fill %t, %x : !fs
  return
}

// -----

// tgc.slice.

!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%t: !g, %i: index) {
  // expected-error @below {{'tgc.slice' op of a window is a tgc.window of its own}}
  %0 = tgc.slice %t[%i, %i] : !g -> !g
  return
}

// -----

!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%t: !s, %i: index) {
  // expected-error @below {{'tgc.slice' op source has 2 dimensions, but there are 1 offsets}}
  %0 = tgc.slice %t[%i] : !s -> !s
  return
}

// -----

!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%t: !s, %i: index) {
  // expected-error @below {{'tgc.slice' op changes the place from #tgc.shared<row_major> to #tgc.shared<col_major>}}
  %0 = tgc.slice %t[%i, %i] : !s -> !tgc.tile<8x8xf32, #tgc.shared<col_major>>
  return
}

// -----

!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%t: !s, %i: index) {
  // expected-error @below {{'tgc.slice' op result '!tgc.tile<8x16xf32, #tgc.shared<row_major>>' is larger than the source}}
  %0 = tgc.slice %t[%i, %i] : !s -> !tgc.tile<8x16xf32, #tgc.shared<row_major>>
  return
}

// -----

!fs = !tgc.tile<2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
func.func @f(%t: !fs, %i: index) {
  // expected-error @below {{'tgc.slice' op of a register tile selects one whole buffer}}
  %0 = tgc.slice %t[%i, %i, %i] : !fs -> !fs
  return
}

// -----

// tgc.copy.

!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%a: !g, %b: !tgc.tile<8x16xf32, #tgc.shared<row_major>>) {
  // expected-error @below {{'tgc.copy' op source '!tgc.tile<8x8xf32, #tgc.global>' and destination '!tgc.tile<8x16xf32, #tgc.shared<row_major>>' differ in shape}}
  tgc.copy %a, %b : !g -> !tgc.tile<8x16xf32, #tgc.shared<row_major>>
  return
}

// -----

!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%a: !g, %b: !g) {
  // expected-error @below {{'tgc.copy' op to global memory is tgc.store}}
  tgc.copy %a, %b : !g -> !g
  return
}

// -----

!g = !tgc.tile<8x8xf32, #tgc.global>
!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%a: !g, %b: !s) {
  // expected-error @below {{'tgc.copy' op width 3, expects 1, 2 or 4 elements}}
  tgc.copy %a, %b width 3 : !g -> !s
  return
}

// -----

!g = !tgc.tile<8x8xf32, #tgc.global>
!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%a: !g, %b: !s) {
  // expected-error @below {{'tgc.copy' op through registers is two copies, with a #tgc.copy_regs tile between}}
  tgc.copy %a, %b by registers : !g -> !s
  return
}

// -----

!r = !tgc.tile<8x8xf32, #tgc.copy_regs<threads = 64, width = 1, dim = 1>>
!s = !tgc.tile<8x8xf32, #tgc.shared<row_major>>
func.func @f(%a: !r, %b: !s) {
  // expected-error @below {{'tgc.copy' op by cp_async goes from global to shared memory, not from '!tgc.tile<8x8xf32, #tgc.copy_regs<threads = 64, width = 1, dim = 1>>' to '!tgc.tile<8x8xf32, #tgc.shared<row_major>>'}}
  tgc.copy %a, %b by cp_async : !r -> !s
  return
}

// -----

!fs = !tgc.tile<2x8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>>
func.func @f(%t: !fs) {
  // expected-error @below {{'tgc.copy' op works on one buffer of a tile, got}}
  tgc.copy %t, %t : !fs -> !fs
  return
}

// -----

// tgc.product.

!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%c: !g, %a: !g, %b: !g) {
  // expected-error @below {{'tgc.product' op accumulates in a distributed register tile, got '!tgc.tile<8x8xf32, #tgc.global>'}}
  tgc.product %c, %a, %b : !g, !g, !g
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
func.func @f(%c: !acc, %a: !tgc.tile<8x4xf32, #tgc.global>, %b: !tgc.tile<5x32xf32, #tgc.global>) {
  // expected-error @below {{'tgc.product' op of 8x4 and 5x32 is not 8x32}}
  tgc.product %c, %a, %b : !acc, !tgc.tile<8x4xf32, #tgc.global>, !tgc.tile<5x32xf32, #tgc.global>
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!a = !tgc.tile<8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <1x1>>>>
!b = !tgc.tile<1x32xf32, #tgc.global>
func.func @f(%c: !acc, %a: !a, %b: !b) {
  // expected-error @below {{'tgc.product' op operand '!tgc.tile<8x1xf32, #tgc.fragment<dim 0 of <warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <1x1>>>>' is no fragment of the accumulator along dim 0 and neither global nor shared}}
  tgc.product %c, %a, %b : !acc, !a, !b
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!a = !tgc.tile<8x1xf32, #tgc.global>
!b = !tgc.tile<1x32xf32, #tgc.copy_regs<threads = 32, width = 1, dim = 1>>
func.func @f(%c: !acc, %a: !a, %b: !b) {
  // expected-error @below {{'tgc.product' op operand '!tgc.tile<1x32xf32, #tgc.copy_regs<threads = 32, width = 1, dim = 1>>' is no fragment of the accumulator along dim 1 and neither global nor shared}}
  tgc.product %c, %a, %b : !acc, !a, !b
  return
}

// -----

// tgc.store.

!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%c: !g) {
  // expected-error @below {{'tgc.store' op stores a distributed register tile, got '!tgc.tile<8x8xf32, #tgc.global>'}}
  tgc.store %c, %c : !g -> !g
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!g = !tgc.tile<8x8xf32, #tgc.global>
func.func @f(%c: !acc, %d: !g) {
  // expected-error @below {{'tgc.store' op writes a global window of the accumulator's shape, got '!tgc.tile<8x8xf32, #tgc.global>'}}
  tgc.store %c, %d : !acc -> !g
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!g = !tgc.tile<8x32xf32, #tgc.global>
func.func @f(%c: !acc, %d: !g) {
  // expected-error @below {{'tgc.store' op region has 0 arguments, expects 1: the product and one element per extra}}
  tgc.store %c, %d : !acc -> !g {
    tgc.yield
  }
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!g = !tgc.tile<8x32xf32, #tgc.global>
func.func @f(%c: !acc, %d: !g) {
  // expected-error @below {{'tgc.store' op extra of type '!tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>' is no window}}
  tgc.store %c, %d extras(%c : !acc) axes [2] : !acc -> !g {
  ^bb0(%x: f32, %y: f32):
    tgc.yield %x : f32
  }
  return
}

// -----

!acc = !tgc.tile<8x32xf32, #tgc.simt<warps = <1x1>, lanes = <4x8>, each = <2x4>, group = <2x2>>>
!g = !tgc.tile<8x32xf32, #tgc.global>
func.func @f(%c: !acc, %d: !g) {
  // expected-error @below {{'tgc.store' op width 8, expects 1, 2 or 4 elements}}
  tgc.store %c, %d width 8 : !acc -> !g
  return
}

// -----

// Rings.

!ring = !tgc.ring<1, !tgc.tile<8x8xf32, #tgc.shared<row_major>>>
func.func @f(%r: !ring) {
  // expected-error @below {{'tgc.wait' op attribute 'in_flight' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = tgc.wait %r in_flight -1 : !ring
  return
}

// -----

// tgc.cp_async.

func.func @f(%A: memref<?xf32>, %s: memref<8x8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{'tgc.cp_async' op of 12 bytes; the hardware copies 4, 8 or 16}}
  tgc.cp_async %A[%i], %s[%i, %i], 12 : memref<?xf32>, memref<8x8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @f(%A: memref<?xf32>, %s: memref<8x8xf32, #gpu.address_space<workgroup>>, %i: index) {
  // expected-error @below {{'tgc.cp_async' op destination has 2 dimensions, but there are 1 indices}}
  tgc.cp_async %A[%i], %s[%i], 16 : memref<?xf32>, memref<8x8xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// A region ends only where it may.

func.func @f() {
  // expected-error @below {{'tgc.yield' op expects parent op to be one of 'tgc.work, tgc.matmul, tgc.store'}}
  tgc.yield
}

// -----

// Attributes of the dialect on other operations.

// expected-error @below {{there is no attribute tgc.shedule; known are tgc.clause_locs, tgc.comment, tgc.dims, tgc.facts, tgc.launch, tgc.ld_name, tgc.name, tgc.reads_output, tgc.schedule, tgc.sizes, tgc.source, tgc.target, tgc.unroll, tgc.variant}}
func.func private @f() attributes {tgc.shedule = #tgc.schedule<>}

// -----

// expected-error @below {{tgc.clause_locs is {block = 1 : i64}, expects a dictionary of locations}}
func.func private @f() attributes {tgc.clause_locs = {block = 1}}

// -----

// expected-error @below {{tgc.comment is 1 : i64, expects a string}}
func.func private @f() attributes {tgc.comment = 1}

// -----

// expected-error @below {{tgc.dims is ["M", 1], expects a list of names}}
func.func private @f(memref<?x?xf32> {tgc.dims = ["M", 1]})

// -----

// expected-error @below {{tgc.facts is [#tgc.shape<1>], expects a list of #tgc.fact}}
func.func private @f() attributes {tgc.facts = [#tgc.shape<1>]}

// -----

// expected-error @below {{tgc.launch is 32 : i64, expects a #tgc.launch}}
func.func private @f() attributes {tgc.launch = 32}

// -----

// expected-error @below {{tgc.reads_output is true, expects no value}}
func.func private @f() attributes {tgc.reads_output = true}

// -----

// expected-error @below {{tgc.unroll is 0 : i64, expects no value (all turns) or an i64 of 1 to 2147483647}}
func.func private @f() attributes {tgc.unroll = 0}

// -----

// expected-error @below {{tgc.unroll is 2 : i32, expects no value (all turns) or an i64 of 1 to 2147483647}}
func.func private @f() attributes {tgc.unroll = 2 : i32}
