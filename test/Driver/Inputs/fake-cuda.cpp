// Stands in for NVIDIA's libraries: a GPU that computes C = A @ B of examples/ladder.tgc on the CPU, cuBLAS, NVRTC and
// nvJitLink. FAKE_FAIL names the function that fails, FAKE_FAIL=NAME:2 its second call. The GPU has FAKE_MEMORY bytes
// and compute capability FAKE_MAJOR.0; there are FAKE_COUNT of it.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

static int getStatus(const std::string &name) {
  static std::map<std::string, int> calls;
  std::string call = name + ":" + std::to_string(++calls[name]);
  const char *failing = std::getenv("FAKE_FAIL");
  return failing && (failing == name || failing == call) ? 2 : 0;
}

static long getNumber(const char *variable, long otherwise) {
  const char *value = std::getenv(variable);
  return value ? std::atol(value) : otherwise;
}

template <typename T> static int give(const std::string &name, T *result, T value) {
  *result = value;
  return getStatus(name);
}

extern "C" {
//===--- The driver ---------------------------------------------------------===//

int cuInit(unsigned) { return getStatus("cuInit"); }
int cuGetErrorName(int, const char **name) { return *name = "CUDA_ERROR_FAKE", 0; }
int cuDriverGetVersion(int *version) { return give("cuDriverGetVersion", version, 13000); }
int cuDeviceGetCount(int *count) { return give("cuDeviceGetCount", count, int(getNumber("FAKE_COUNT", 1))); }
int cuDeviceGet(int *device, int) { return give("cuDeviceGet", device, 0); }
int cuDeviceGetName(char *name, int, int) { return std::strcpy(name, "Fake GPU"), getStatus("cuDeviceGetName"); }
int cuDeviceGetAttribute(int *value, int attribute, int) {
  int known = attribute == 75 ? int(getNumber("FAKE_MAJOR", 9)) : attribute == 76 ? 0 : attribute == 97 ? 232448 : 132;
  return give("cuDeviceGetAttribute", value, known);
}
int cuDeviceTotalMem_v2(size_t *bytes, int) { return give<size_t>("cuDeviceTotalMem", bytes, 1 << 30); }
int cuDevicePrimaryCtxRetain(void **, int) { return getStatus("cuDevicePrimaryCtxRetain"); }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return getStatus("cuCtxSetCurrent"); }
int cuCtxSynchronize() { return getStatus("cuCtxSynchronize"); }
int cuModuleLoadData(void **, const void *) { return getStatus("cuModuleLoadData"); }
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **, void *, const char *) { return getStatus("cuModuleGetFunction"); }
int cuFuncGetAttribute(int *value, int, void *) { return give("cuFuncGetAttribute", value, 32); }
int cuFuncSetAttribute(void *, int, int) { return getStatus("cuFuncSetAttribute"); }
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                   void **arguments, void **) {
  auto size = [&](int i) { return int64_t(*static_cast<int *>(arguments[i])); };
  auto ld = [&](int i) { return *static_cast<int64_t *>(arguments[i]); };
  auto pointer = [&](int i) { return *static_cast<float **>(arguments[i]); };
  const float *a = pointer(3), *b = pointer(5);
  for (int64_t m = 0; m < size(0); ++m)
    for (int64_t n = 0; n < size(1); ++n) {
      float sum = 0;
      for (int64_t k = 0; k < size(2); ++k)
        sum = std::fma(a[m * ld(4) + k], b[k * ld(6) + n], sum);
      pointer(7)[m * ld(8) + n] = sum;
    }
  return getStatus("cuLaunchKernel");
}
int cuMemGetInfo_v2(size_t *free, size_t *) {
  return give("cuMemGetInfo", free, size_t(getNumber("FAKE_MEMORY", 1 << 30)));
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  size_t whole = (bytes + 255) / 256 * 256;
  return give("cuMemAlloc", address, uint64_t(reinterpret_cast<uintptr_t>(std::aligned_alloc(256, whole))));
}
int cuMemFree_v2(uint64_t address) { return std::free(reinterpret_cast<void *>(address)), 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), getStatus("cuMemcpyHtoD");
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  return std::memcpy(to, reinterpret_cast<void *>(from), bytes), getStatus("cuMemcpyDtoH");
}
int cuEventCreate(void **, unsigned) { return getStatus("cuEventCreate"); }
int cuEventDestroy_v2(void *) { return 0; }
int cuEventRecord(void *, void *) { return getStatus("cuEventRecord"); }
int cuEventSynchronize(void *) { return getStatus("cuEventSynchronize"); }
int cuEventElapsedTime(float *milliseconds, void *, void *) { return give("cuEventElapsedTime", milliseconds, 10.0f); }

//===--- cuBLAS -------------------------------------------------------------===//

int cublasCreate_v2(void **) { return getStatus("cublasCreate"); }
int cublasDestroy_v2(void *) { return 0; }
int cublasGetVersion_v2(void *, int *version) { return give("cublasGetVersion", version, 130100); }
int cublasSetMathMode(void *, int) { return getStatus("cublasSetMathMode"); }
int cublasSgemm_v2_64(void *, int, int, int64_t, int64_t, int64_t, const float *, const float *, int64_t, const float *,
                      int64_t, const float *, float *, int64_t) {
  return getStatus("cublasSgemm");
}
const char *cublasGetStatusName(int) { return "CUBLAS_STATUS_FAKE"; }

//===--- NVRTC --------------------------------------------------------------===//

int nvrtcVersion(int *, int *) { return 1; }
int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *) {
  return getStatus("nvrtcCreateProgram");
}
int nvrtcDestroyProgram(void **) { return 0; }
int nvrtcCompileProgram(void *, int, const char *const *) { return getStatus("nvrtcCompileProgram"); }
int nvrtcGetPTXSize(void *, size_t *size) { return give<size_t>("nvrtcGetPTXSize", size, 1); }
int nvrtcGetPTX(void *, char *ptx) { return *ptx = '\0', 0; }
int nvrtcGetProgramLogSize(void *, size_t *size) { return give<size_t>("nvrtcGetProgramLogSize", size, 13); }
int nvrtcGetProgramLog(void *, char *log) { return std::strcpy(log, "line 1: fake"), 0; }
const char *nvrtcGetErrorString(int) { return "NVRTC_ERROR_FAKE"; }

//===--- nvJitLink ----------------------------------------------------------===//

int nvJitLinkCreate(void **, uint32_t, const char **) { return getStatus("nvJitLinkCreate"); }
int nvJitLinkDestroy(void **) { return 0; }
int nvJitLinkAddData(void *, int, const void *, size_t, const char *) { return getStatus("nvJitLinkAddData"); }
int nvJitLinkComplete(void *) { return 0; }
int nvJitLinkGetLinkedCubinSize(void *, size_t *size) { return *size = 4, 0; }
int nvJitLinkGetLinkedCubin(void *, void *cubin) { return std::memcpy(cubin, "\177ELF", 4), 0; }
int nvJitLinkGetErrorLogSize(void *, size_t *size) { return *size = 14, 0; }
int nvJitLinkGetErrorLog(void *, char *log) { return std::strcpy(log, "error : fake\n"), 0; }
int nvJitLinkGetInfoLogSize(void *, size_t *size) { return *size = 0, 0; }
int nvJitLinkGetInfoLog(void *, char *) { return 0; }
}
