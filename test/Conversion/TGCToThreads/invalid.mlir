// What cannot be lowered to threads, with the full message.

// RUN: tgc-opt %s --pass-pipeline='builtin.module(gpu.module(tgc-lower-to-threads))' -split-input-file -verify-diagnostics

// A kernel without tgc.work is at L3 already, or not ours.
gpu.module @other {
  gpu.func @other() kernel {
    gpu.barrier
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op has no tgc.launch: it is not at L2}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 1 has no tgc.name}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'B' needs tgc.dims with 2 names, from slow to fast}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B"}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'x' has type 'f64', expects f32 or a memref of it}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}, %x: f64 {tgc.name = "x"}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op holds 2 tgc.work operations, expects one}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["P", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{'memref.dim' op names the size 'P', which is none of the kernel's (tgc.sizes)}}
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      // expected-error @below {{'scf.for' op carries values: at L2 loops are connected only through tiles and rings}}
      %r = scf.for %k = %k0 to %k1 step %c4 iter_args(%x = %zero) -> (f32) {
        scf.yield %x : f32
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %y = arith.cmpi slt, %m, %M : index
      // expected-error @below {{'scf.if' op yields values: at L2 branches are connected only through tiles}}
      %r = scf.if %y -> (f32) {
        scf.yield %zero : f32
      } else {
        scf.yield %zero : f32
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %ring = tgc.ring : !tgc.ring<2, !tgc.tile<32x4xf32, #tgc.shared<row_major>>>
      %y = arith.cmpi slt, %m, %M : index
      // expected-error @below {{'scf.if' op moves a ring: its slots must not depend on a condition}}
      scf.if %y {
        tgc.release %ring : !tgc.ring<2, !tgc.tile<32x4xf32, #tgc.shared<row_major>>>
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      // expected-error @below {{'gpu.barrier' op has no place in a tile program (L2)}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!fa = !tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>
!a1 = !tgc.tile<32x1xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %fa = tgc.alloc : !fa
      %a = tgc.window %A[%m, %k0] limit [%M, %k1] : !mat -> !a1
      // expected-error @below {{'tgc.copy' of 2 elements at a time runs across the storage order of '!tgc.tile<32x1xf32, #tgc.global>'}}
      tgc.copy %a, %fa width 2 : !a1 -> !fa
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!fa = !tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %ring = tgc.ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<col_major>>>
      %fa = tgc.alloc : !fa
      %s = tgc.wait %ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<col_major>>>
      %x = tgc.slice %s[%c0, %c1] : !tgc.tile<32x4xf32, #tgc.shared<col_major>> -> !tgc.tile<32x1xf32, #tgc.shared<col_major>>
      // expected-error @below {{'tgc.copy' of 4 elements at a time, but groups have 2 elements and contiguous runs 4}}
      tgc.copy %x, %fa width 4 : !tgc.tile<32x1xf32, #tgc.shared<col_major>> -> !fa
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!a = !tgc.tile<32x4xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %ring = tgc.ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<row_major, pad = 1>>>
      %s = tgc.acquire %ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<row_major, pad = 1>>>
      %a = tgc.window %A[%m, %k0] limit [%M, %k1] : !mat -> !a
      // expected-error @below {{'tgc.copy' op by cp_async of 16 bytes needs 4 contiguous elements in shared memory, but '!tgc.tile<32x4xf32, #tgc.shared<row_major, pad = 1>>' has runs of 1}}
      tgc.copy %a, %s by cp_async width 4 : !a -> !tgc.tile<32x4xf32, #tgc.shared<row_major, pad = 1>>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!a = !tgc.tile<32x4xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %ring = tgc.ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<col_major>>>
      %s = tgc.acquire %ring : !tgc.ring<1, !tgc.tile<32x4xf32, #tgc.shared<col_major>>>
      %a = tgc.window %A[%m, %k0] limit [%M, %k1] : !mat -> !a
      // expected-error @below {{'tgc.copy' op by cp_async of 8 bytes needs 2 contiguous elements in shared memory, but '!tgc.tile<32x4xf32, #tgc.shared<col_major>>' has runs of 1}}
      tgc.copy %a, %s by cp_async width 2 : !a -> !tgc.tile<32x4xf32, #tgc.shared<col_major>>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!a = !tgc.tile<32x4xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %p = tgc.alloc : !tgc.tile<32x4xf32, #tgc.copy_regs<threads = 128, width = 1, dim = 1>>
      %a = tgc.window %A[%m, %k0] limit [%M, %k1] : !mat -> !a
      // expected-error @below {{'tgc.copy' op does not move the pieces that #tgc.copy_regs<threads = 128, width = 1, dim = 1> describes}}
      tgc.copy %a, %p : !a -> !tgc.tile<32x4xf32, #tgc.copy_regs<threads = 128, width = 1, dim = 1>>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %ring = tgc.ring : !tgc.ring<1, !tgc.tile<32x6xf32, #tgc.shared<row_major>>>
      %s = tgc.acquire %ring : !tgc.ring<1, !tgc.tile<32x6xf32, #tgc.shared<row_major>>>
      %a = tgc.window %A[%m, %k0] limit [%M, %k1] : !mat -> !tgc.tile<32x6xf32, #tgc.global>
      // expected-error @below {{'tgc.copy' op in pieces of 4 elements does not divide rows of 6}}
      tgc.copy %a, %s width 4 : !tgc.tile<32x6xf32, #tgc.global> -> !tgc.tile<32x6xf32, #tgc.shared<row_major>>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!acc = !tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>
!c = !tgc.tile<32x64xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %acc = tgc.alloc : !acc
      %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
      // expected-error @below {{'tgc.copy' op from '!tgc.tile<32x64xf32, #tgc.global>' to '!tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>' is not supported: tiles go from global to shared memory, directly or through #tgc.copy_regs, and from either to fragments}}
      tgc.copy %c, %acc : !c -> !acc
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!acc = !tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>
!c = !tgc.tile<32x64xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %acc = tgc.alloc : !acc
      tgc.fill %acc, %zero : !acc
      %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
      // expected-error @below {{'tgc.store' op of 4 elements at a time needs rows of C that are contiguous and groups of a multiple of 4 columns, but groups have 2}}
      tgc.store %acc, %c width 4 : !acc -> !c
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!acc = !tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>
!c = !tgc.tile<32x64xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %acc = tgc.alloc : !acc
      tgc.fill %acc, %zero : !acc
      %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
      tgc.store %acc, %c : !acc -> !c {
      ^bb0(%p: f32):
        // expected-error @below {{'memref.load' op has no place in an epilogue: expects elementwise arith or math.fma}}
        %x = memref.load %C[%m, %n] : !mat
        tgc.yield %x : f32
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      // expected-error @below {{'tgc.alloc' op is distributed over 128 threads, but tgc.launch says 64}}
      %acc = tgc.alloc : !tgc.tile<32x64xf32, #tgc.simt<warps = <4x1>, lanes = <4x8>, each = <2x8>, group = <2x2>>>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <64x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    // expected-error @below {{'tgc.work' op computes tiles of #tgc.shape<32x64>, but tgc.launch says #tgc.shape<64x64>}}
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      // expected-error @below {{'tgc.work' op stands inside 'tgc.work', expects the kernel's body}}
      tgc.work (%m1, %n1, %k2, %k3, %batch1) of (%M, %N, %K) tile <32x64> walk rows {
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!fa = !tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %fa = tgc.alloc : !fa
      // expected-error @below {{'tgc.copy' op from '!tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>' to '!tgc.tile<32x1xf32, #tgc.fragment<dim 0 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>' is not supported: tiles go from global to shared memory, directly or through #tgc.copy_regs, and from either to fragments}}
      tgc.copy %fa, %fa : !fa -> !fa
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!acc = !tgc.tile<32x64xf32, #tgc.simt<warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>
!c = !tgc.tile<32x64xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %acc = tgc.alloc : !acc
      %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
      // expected-error @below {{'tgc.store' op extra of 2 dimensions is indexed along axis 0, expects 1 dimension for axis 0 or 1, and 2 for axis 2}}
      tgc.store %acc, %c extras(%c : !c) axes [0] : !acc -> !c {
      ^bb0(%p: f32, %q: f32):
        tgc.yield %q : f32
      }
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!c = !tgc.tile<32x64xf32, #tgc.global>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      %c = tgc.window %C[%m, %n] limit [%M, %N] : !mat -> !c
      %y = arith.cmpi slt, %m, %M : index
      // expected-error @below {{'arith.select' op has no place in a tile program (L2)}}
      %d = arith.select %y, %c, %c : !c
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!shared = memref<4x4xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op has more than one block: L2 is structured}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  ^bb1:
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!shared = memref<4x4xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) workgroup(%s: !shared) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    // expected-error @below {{'memref.transpose' op is not of a kernel argument}}
    %t = memref.transpose %s (i, j) -> (j, i) : !shared to memref<4x4xf32, strided<[1, 4]>, #gpu.address_space<workgroup>>
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!shared = memref<4x4xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) workgroup(%s: !shared) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    // expected-error @below {{'memref.dim' op is not a constant dimension of a kernel argument}}
    %d = memref.dim %s, %c0 : !shared
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
!shared = memref<4x4xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}, %B: !mat {tgc.name = "B", tgc.dims = ["K", "N"]}, %C: !mat {tgc.name = "C", tgc.dims = ["M", "N"]}) workgroup(%s: !shared) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %M = memref.dim %A, %c0 : !mat
    %K = memref.dim %A, %c1 : !mat
    %N = memref.dim %B, %c1 : !mat
    tgc.work (%m, %n, %k0, %k1, %batch) of (%M, %N, %K) tile <32x64> walk rows {
      // expected-error @below {{'tgc.window' op source is not a kernel argument}}
      %w = tgc.window %s[%m, %n] limit [%M, %N] : !shared -> !tgc.tile<4x4xf32, #tgc.global>
    }
    gpu.return
  }
}

// -----

!mat = memref<?x?xf32, strided<[?, 1]>>
gpu.module @m {
  // expected-error @below {{'gpu.func' op has tgc.sizes ["M", "M", "K"], expects the three names of M, N and K}}
  gpu.func @f(%A: !mat {tgc.name = "A", tgc.dims = ["M", "K"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>, tgc.sizes = ["M", "M", "K"]} {
    %c0 = arith.constant 0 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%c0, %c0, %c0) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'v' has type 'memref<?xf32, strided<[2]>>', expects a vector or matrix of f32 with one stride of 1 and no offset}}
  gpu.func @f(%v: memref<?xf32, strided<[2]>> {tgc.name = "v", tgc.dims = ["M"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%c0, %c0, %c0) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'A' has type 'memref<?x?xf32, strided<[?, 1], offset: 4>>', expects a vector or matrix of f32 with one stride of 1 and no offset}}
  gpu.func @f(%A: memref<?x?xf32, strided<[?, 1], offset: 4>> {tgc.name = "A", tgc.dims = ["M", "K"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%c0, %c0, %c0) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'gpu.func' op argument 'x' has type 'memref<f32>', expects a vector or matrix of f32 with one stride of 1 and no offset}}
  gpu.func @f(%x: memref<f32> {tgc.name = "x", tgc.dims = []}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%c0, %c0, %c0) tile <32x64> walk rows {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f() kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tgc.work (%m, %n, %k0, %k1, %batch) of (%c0, %c0, %c0) tile <32x64> walk rows {
      scf.for %k = %k0 to %k1 step %c1 {
        // expected-error @below {{'tgc.ring' op stands inside 'scf.for', expects the body of tgc.work}}
        %r = tgc.ring : !tgc.ring<2, !tgc.tile<8x8xf32, #tgc.shared<row_major>>>
      }
    }
    gpu.return
  }
}

// -----

!vec = memref<?xf32>
!frag = !tgc.tile<1x64xf32, #tgc.fragment<dim 1 of <warps = <2x1>, lanes = <4x8>, each = <4x8>, group = <2x2>>>>
gpu.module @m {
  gpu.func @f(%v: !vec {tgc.name = "v", tgc.dims = ["N"]}) kernel attributes {tgc.launch = #tgc.launch<threads = 64, tile = <32x64>>} {
    %c0 = arith.constant 0 : index
    %N = memref.dim %v, %c0 : !vec
    tgc.work (%m, %n, %k0, %k1, %batch) of (%N, %N, %N) tile <32x64> walk rows {
      %b = tgc.window %v[%n] limit [%N] : !vec -> !tgc.tile<1x64xf32, #tgc.global>
      %f = tgc.alloc : !frag
      // expected-error @below {{'tgc.copy' op reads or writes tiles of matrices, but 'v' is a vector; it can be an extra of tgc.store}}
      tgc.copy %b, %f : !tgc.tile<1x64xf32, #tgc.global> -> !frag
    }
    gpu.return
  }
}
