// RUN: tgc-opt %s --tgc-convert-to-nvvm --split-input-file | FileCheck %s

// The kernel: bare pointers, ranges, the launch, one array of shared memory.

gpu.module @kernel {
  // CHECK-LABEL: gpu.module @kernel
  // CHECK: llvm.mlir.global external @tgc_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK: llvm.func @k(%[[M:[^:]+]]: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147{{[0-9]+}}>},
  // CHECK-SAME: %[[A:[^:]+]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[LD:[^:]+]]: i64, %[[ALPHA:[^:]+]]: f32)
  // CHECK-SAME: attributes {nvvm.kernel, nvvm.minctasm = 3 : i32, nvvm.reqntid = array<i32: 64, 1, 1>}
  gpu.func @k(%M: index, %A: memref<?xf32> {llvm.noalias, llvm.readonly, tgc.dims = ["M", "M"]}, %ldA: i64, %alpha: f32)
      workgroup(%S: memref<3x5xf32, #gpu.address_space<workgroup>>, %T: memref<4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                         tgc.launch = #tgc.launch<threads = 64, tile = <8x8>, min_blocks = 3>} {
    // CHECK: %[[SHARED:.+]] = llvm.mlir.addressof @tgc_shared : !llvm.ptr<3>
    // 3 x 5 x 4 bytes, rounded to 16.
    // CHECK: %[[T:.+]] = llvm.getelementptr inbounds %[[SHARED]][64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
    // CHECK: nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 2147483647> : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    // CHECK: nvvm.barrier0
    gpu.barrier
    // CHECK: llvm.getelementptr inbounds %[[SHARED]][0, %{{.*}}, %{{.*}}] : {{.*}} !llvm.array<3 x array<5 x f32>>
    // CHECK: llvm.store %[[ALPHA]], %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
    memref.store %alpha, %S[%t, %b] : memref<3x5xf32, #gpu.address_space<workgroup>>
    // CHECK: llvm.getelementptr inbounds %[[T]][0, %{{.*}}] : {{.*}} !llvm.array<4 x f32>
    memref.store %alpha, %T[%t] : memref<4xf32, #gpu.address_space<workgroup>>
    // CHECK: llvm.return
    gpu.return
  }
}

// -----

// A module that has a symbol of the shared array's name, and a kernel without shared memory beside one with it.

gpu.module @names {
  // CHECK-LABEL: gpu.module @names
  // CHECK: llvm.mlir.global external @[[SHARED:tgc_shared_[0-9]+]]()
  // CHECK: llvm.func @tgc_shared
  // CHECK-NOT: addressof
  // CHECK: llvm.func @other
  // CHECK: llvm.mlir.addressof @[[SHARED]]
  gpu.func @tgc_shared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  gpu.func @other() workgroup(%S: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

// Memory: 32-bit indices, 64-bit steps of pointers, alignments as the program states them.

gpu.module @memory {
  // CHECK-LABEL: llvm.func @memory
  // CHECK-SAME: %[[N:[^:]+]]: i32 {{[^,]*, [^,]*, [^,]*}}, %[[A:[^:]+]]: !llvm.ptr<1>, %[[STEP:[^:]+]]: i64
  gpu.func @memory(%n: index, %A: memref<?xf32>, %step: i64)
      workgroup(%S: memref<2x8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[P:.+]] = llvm.alloca %{{.*}} x !llvm.array<2 x array<4 x f32>> {alignment = 16 : i64}
    %p = memref.alloca() : memref<2x4xf32, #gpu.address_space<private>>
    // The pointer may pass the operand's end, so no inbounds.
    // CHECK: %[[MOVED:.+]] = llvm.getelementptr nusw %[[A]][%[[STEP]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %moved = tgc.advance %A, %step : memref<?xf32>
    // CHECK: %[[ADDR:.+]] = llvm.getelementptr nusw %[[MOVED]][%[[N]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    // CHECK: llvm.load %[[ADDR]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %x = memref.load %moved[%n] : memref<?xf32>
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %v = vector.load %moved[%n] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: llvm.getelementptr inbounds %[[P]][0, %{{.*}}, %{{.*}}] : {{.*}} !llvm.array<2 x array<4 x f32>>
    // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
    vector.store %v, %p[%c0, %c0] : memref<2x4xf32, #gpu.address_space<private>>, vector<4xf32>
    // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
    %w = vector.load %S[%c0, %n] {alignment = 8 : i64} : memref<2x8xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
    vector.store %w, %A[%n] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}

// -----

// Asynchronous copies: past L1 only with 16 bytes, and the number of bytes read from the number of elements.

gpu.module @copies {
  // CHECK-LABEL: llvm.func @copies
  // CHECK-SAME: %[[N:[^:]+]]: i32
  gpu.func @copies(%n: index, %A: memref<?xf32>) workgroup(%S: memref<8x4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: %[[FOUR:.+]] = llvm.mlir.constant(4 : i32) : i32
    // CHECK: %[[BYTES:.+]] = llvm.mul %[[N]], %[[FOUR]] overflow<nsw> : i32
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
    tgc.cp_async %A[%n], %S[%n, %n], 16 valid %n : memref<?xf32>, memref<8x4xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    tgc.cp_async %A[%n], %S[%n, %n], 8 : memref<?xf32>, memref<8x4xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    tgc.cp_async %A[%n], %S[%n, %n], 4 : memref<?xf32>, memref<8x4xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.cp.async.commit.group
    tgc.cp_async_commit
    // CHECK: nvvm.cp.async.wait.group 2
    tgc.cp_async_wait 2
    gpu.return
  }
}

// -----

// Integers: index is i32 and does not wrap, i64 stays as it is.

gpu.module @integers {
  // CHECK-LABEL: llvm.func @integers
  gpu.func @integers(%a: index, %b: index, %l: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: llvm.add %{{.*}} overflow<nsw> : i32
    %0 = arith.addi %a, %b : index
    // CHECK: llvm.sub %{{.*}} overflow<nsw> : i32
    %1 = arith.subi %b, %0 : index
    // CHECK: llvm.mul %{{.*}} overflow<nsw> : i32
    %2 = arith.muli %1, %b : index
    // CHECK: llvm.udiv %{{.*}} : i32
    %3 = arith.divui %2, %b : index
    // CHECK: llvm.urem %{{.*}} : i32
    %4 = arith.remui %3, %b : index
    // CHECK: llvm.intr.smin(%{{.*}}) : (i32, i32) -> i32
    %5 = arith.minsi %4, %b : index
    // CHECK: llvm.intr.smax(%{{.*}}) : (i32, i32) -> i32
    %6 = arith.maxsi %5, %b : index
    // CHECK: llvm.xor %{{.*}} : i32
    %7 = arith.xori %6, %b : index
    // CHECK: llvm.and %{{.*}} : i32
    %8 = arith.andi %7, %b : index
    // CHECK: llvm.or %{{.*}} : i32
    %9 = arith.ori %8, %b : index
    // CHECK: llvm.icmp "slt" %{{.*}} : i32
    %10 = arith.cmpi slt, %9, %b : index
    // CHECK: llvm.select %{{.*}} : i1, i32
    %11 = arith.select %10, %9, %b : index
    // CHECK: llvm.sext %{{.*}} : i32 to i64
    %12 = arith.index_cast %11 : index to i64
    // CHECK: llvm.mul %{{[^ ]*}}, %{{[^ ]*}} : i64
    %13 = arith.muli %12, %l : i64
    // CHECK: llvm.trunc %{{.*}} : i64 to i32
    %14 = arith.index_cast %13 : i64 to index
    gpu.return
  }
}

// -----

// Pointers as loop-carried values and as the result of a select.

gpu.module @pointers {
  // CHECK-LABEL: llvm.func @pointers
  gpu.func @pointers(%K: index, %A: memref<?xf32>, %B: memref<?xf32>, %ld: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %first = arith.cmpi eq, %K, %c0 : index
    // CHECK: %[[FROM:.+]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, !llvm.ptr<1>
    %from = arith.select %first, %A, %B : memref<?xf32>
    // CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%{{.*}}, %[[FROM]] : i32, !llvm.ptr<1>)
    // CHECK: ^[[HEADER]](%[[IV:.+]]: i32, %[[P:.+]]: !llvm.ptr<1>):
    %end = scf.for %k = %c0 to %K step %c8 iter_args(%p = %from) -> (memref<?xf32>) {
      // CHECK: %[[NEXT:.+]] = llvm.getelementptr nusw %[[P]]
      %next = tgc.advance %p, %ld : memref<?xf32>
      // CHECK: %[[IV1:.+]] = llvm.add %[[IV]], %{{.*}} overflow<nsw> : i32
      // CHECK: llvm.br ^[[HEADER]](%[[IV1]], %[[NEXT]] : i32, !llvm.ptr<1>)
      scf.yield %next : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Data: one operation each, nothing contracted.

gpu.module @data {
  // CHECK-LABEL: llvm.func @data
  gpu.func @data(%A: memref<?xf32>, %x: f32, %y: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: llvm.fmul %{{[^ ]*}}, %{{[^ ]*}} : f32
    %0 = arith.mulf %x, %y : f32
    // CHECK: llvm.fadd %{{[^ ]*}}, %{{[^ ]*}} : f32
    %1 = arith.addf %0, %y : f32
    // CHECK: llvm.fsub
    %2 = arith.subf %1, %y : f32
    // CHECK: llvm.fdiv
    %3 = arith.divf %2, %y : f32
    // CHECK: llvm.fneg
    %4 = arith.negf %3 : f32
    // CHECK: llvm.intr.maximum
    %5 = arith.maximumf %4, %y : f32
    // CHECK: llvm.intr.minimum
    %6 = arith.minimumf %5, %y : f32
    // CHECK: llvm.intr.fma
    %7 = math.fma %6, %x, %y : f32
    // CHECK: llvm.fcmp "ogt"
    %8 = arith.cmpf ogt, %7, %x : f32
    %9 = arith.select %8, %7, %x : f32
    memref.store %9, %A[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

// A private value, as the naive kernel's sum: a memref without dimensions.

gpu.module @rank0 {
  // CHECK-LABEL: llvm.func @sum
  gpu.func @sum(%A: memref<?xf32>, %i: index, %x: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: %[[SUM:.+]] = llvm.alloca %{{.*}} x f32
    %sum = memref.alloca() : memref<f32, #gpu.address_space<private>>
    // CHECK: %[[AT:.+]] = llvm.getelementptr inbounds %[[SUM]][0]
    // CHECK: llvm.store %{{.*}}, %[[AT]]
    memref.store %x, %sum[] : memref<f32, #gpu.address_space<private>>
    // CHECK: llvm.load
    %y = memref.load %sum[] : memref<f32, #gpu.address_space<private>>
    memref.store %y, %A[%i] : memref<?xf32>
    gpu.return
  }
}
