// RUN: tgc-translate --tgc-to-cuda %s | FileCheck %s

// tgc.comment is printed before its operation; it cannot reach beyond its own lines.

gpu.module @phases {
  gpu.func @phases(%N: index {tgc.name = "N"}, %C: memref<?xf32> {tgc.name = "C", tgc.dims = ["N"]}, %x: f32 {tgc.name = "x"}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, tgc.launch = #tgc.launch<threads = 32, tile = <32x1>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: // Store.
    // CHECK-NEXT: // Twice.
    // CHECK-NEXT: for (int i = 0; i < N; ++i)
    scf.for %i = %c0 to %N step %c1 {
      memref.store %x, %C[%i] : memref<?xf32>
    } {tgc.comment = "Store.\0ATwice.\\"}
    gpu.return
  }
}
