// RUN: tgc-translate --tgc-to-ptx --tgc-module=sgemm_naive %inputs/threads.mlir | FileCheck %s --check-prefix=NAIVE
// RUN: tgc-translate --tgc-to-ptx --tgc-module=sgemm_staged %inputs/threads.mlir -o %t.80.ptx
// RUN: tgc-translate --tgc-to-ptx --tgc-module=sgemm_staged --tgc-chip=sm_90 %inputs/threads.mlir -o %t.90.ptx
// RUN: FileCheck %s --check-prefixes=STAGED,SM80 --input-file=%t.80.ptx
// RUN: FileCheck %s --check-prefixes=STAGED,SM90 --input-file=%t.90.ptx

// Nothing is in local memory, and every loop marked tgc.unroll is unrolled: 8 k steps of 4 x 4 products and 2 loads.
// RUN: not grep -F .local %t.80.ptx
// RUN: grep -c fma.rn.f32 %t.80.ptx | FileCheck %s --check-prefix=FMA
// RUN: grep -c fma.rn.f32 %t.90.ptx | FileCheck %s --check-prefix=FMA
// RUN: grep -c ld.shared.v4 %t.80.ptx | FileCheck %s --check-prefix=LOADS
// FMA: {{^128$}}
// LOADS: {{^16$}}

// Every load is of a read-only operand, and each product has one of each: LLVM unrolls this loop, which has no barrier,
// but never turns a product into a multiplication and an addition.
// NAIVE: .visible .entry sgemm_naive(
// NAIVE: .reqntid 256, 1, 1
// NAIVE: .minnctapersm 1
// NAIVE-NOT: ld.global.b32
// NAIVE-NOT: mul.rn.f32
// NAIVE: ld.global.nc.b32
// NAIVE: fma.rn.f32
// NAIVE-NOT: ld.global.b32
// NAIVE-NOT: mul.rn.f32
// NAIVE: st.global.b32
// NAIVE-NOT: st.global

// SM80: .target sm_80
// SM90: .target sm_90
// STAGED: .extern .shared .align 16 .b8 tgc_shared[];
// STAGED: .reqntid 64, 1, 1
// STAGED: .minnctapersm 2

// Addresses of shared memory are 32 bits wide; constant parts are in the instruction. Loads follow the barrier's tile.
// STAGED: .pragma "nounroll";
// STAGED: cp.async.ca.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 4, %r
// STAGED: cp.async.ca.shared.global [%r{{[0-9]+}}+32], [%rd{{[0-9]+}}], 4, %r
// STAGED: cp.async.ca.shared.global [%r{{[0-9]+}}+64], [%rd{{[0-9]+}}], 4, %r
// STAGED: cp.async.ca.shared.global [%r{{[0-9]+}}+96], [%rd{{[0-9]+}}], 4, %r
// STAGED: cp.async.cg.shared.global [%r{{[0-9]+}}+2304], [%rd{{[0-9]+}}], 16, %r
// STAGED: cp.async.commit_group;
// STAGED-NOT: cp.async
// STAGED-COUNT-2: ld.shared.v4
// STAGED-COUNT-16: fma.rn.f32
// STAGED-COUNT-2: ld.shared.v4
