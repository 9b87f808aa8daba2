// access.cu: one warp and one access for every line of a file of patterns: "KIND WIDTH OFFSET0 ... OFFSET31". KIND is
// shared_load, shared_store, global_load, global_store or async_copy (from offsets in global memory to the lane's own place
// in shared memory), WIDTH 4, 8 or 16 bytes, an offset in bytes, -1 for a lane that does not take part. A kernel a line, for
// ncu to count: access.py does.

#include <cstdio>
#include <cuda_runtime.h>
#include <fstream>
#include <sstream>
#include <string>

constexpr int kBytes = 1 << 15;

// Read through the constant cache, so that the access is the kernel's only one of its kind.
__constant__ int offsets[32];
__device__ __align__(128) unsigned char input[kBytes], output[kBytes];
__device__ float sink[32];

template <int WIDTH> struct Vector;
template <> struct Vector<4> { using Type = float; };
template <> struct Vector<8> { using Type = float2; };
template <> struct Vector<16> { using Type = float4; };

__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }
template <typename T> __device__ T fill(float v);
template <> __device__ float fill(float v) { return v; }
template <> __device__ float2 fill(float v) { return {v, v}; }
template <> __device__ float4 fill(float v) { return {v, v, v, v}; }

template <int WIDTH> __global__ void shared_load() {
  extern __shared__ __align__(128) unsigned char memory[];
  const int offset = offsets[threadIdx.x];
  float value = 0;
  if (offset >= 0)
    value = sum(*reinterpret_cast<typename Vector<WIDTH>::Type *>(memory + offset));
  if (value == 1.25f) // what is in memory is not known
    sink[threadIdx.x] = value;
}

template <int WIDTH> __global__ void shared_store() {
  extern __shared__ __align__(128) unsigned char memory[];
  const int offset = offsets[threadIdx.x];
  if (offset < 0)
    return;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(memory + offset));
  // asm: nobody reads it.
  if constexpr (WIDTH == 4)
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(1.0f) : "memory");
  else if constexpr (WIDTH == 8)
    asm volatile("st.shared.v2.f32 [%0], {%1, %1};" ::"r"(to), "f"(1.0f) : "memory");
  else
    asm volatile("st.shared.v4.f32 [%0], {%1, %1, %1, %1};" ::"r"(to), "f"(1.0f) : "memory");
}

template <int WIDTH> __global__ void global_load() {
  const int offset = offsets[threadIdx.x];
  float value = 0;
  if (offset >= 0)
    value = sum(*reinterpret_cast<typename Vector<WIDTH>::Type *>(input + offset));
  if (value == 1.25f)
    sink[threadIdx.x] = value;
}

template <int WIDTH> __global__ void global_store() {
  using Type = typename Vector<WIDTH>::Type;
  const int offset = offsets[threadIdx.x];
  if (offset >= 0)
    *reinterpret_cast<Type *>(output + offset) = fill<Type>(1.0f);
}

// The second half of an offset, from bit 16 on, is the place in shared memory.
template <int WIDTH> __global__ void async_copy() {
  extern __shared__ __align__(128) unsigned char memory[];
  const int offset = offsets[threadIdx.x];
  if (offset < 0)
    return;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(memory + (offset >> 16)));
  const unsigned char *from = input + (offset & 0xffff);
  if constexpr (WIDTH == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(WIDTH) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
}

template <int WIDTH> static bool launch(const std::string &kind) {
  if (kind == "shared_load")
    shared_load<WIDTH><<<1, 32, kBytes>>>();
  else if (kind == "shared_store")
    shared_store<WIDTH><<<1, 32, kBytes>>>();
  else if (kind == "global_load")
    global_load<WIDTH><<<1, 32>>>();
  else if (kind == "global_store")
    global_store<WIDTH><<<1, 32>>>();
  else if (kind == "async_copy")
    async_copy<WIDTH><<<1, 32, kBytes>>>();
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: access PATTERNS\n"), 2;
  std::ifstream file(argv[1]);
  std::string line, kind;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    int width = 0, values[32];
    words >> kind >> width;
    for (int &value : values)
      words >> value;
    cudaMemcpyToSymbol(offsets, values, sizeof(values));
    const bool known = words && (width == 4    ? launch<4>(kind)
                                 : width == 8  ? launch<8>(kind)
                                 : width == 16 ? launch<16>(kind)
                                               : false);
    const cudaError_t error = cudaDeviceSynchronize();
    if (!known || error != cudaSuccess)
      return std::fprintf(stderr, "%s:%d: %s\n", argv[1], number, known ? cudaGetErrorString(error) : "no pattern"), 1;
  }
  return 0;
}
