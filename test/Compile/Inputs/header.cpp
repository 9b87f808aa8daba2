// Calls of cuda-header.mlir that must end before a GPU is needed.
#include <cstdio>

int main() {
  alignas(16) static float data[64];
  tgc_sgemm_naive::Arguments good;
  good.M = good.N = good.K = 4;
  good.A = good.B = good.C = data;
  good.ldA = good.ldB = good.ldC = 4;

  auto report = [](const char *what, const char *reason) { std::printf("%s: %s\n", what, *reason ? reason : "ok"); };

  auto args = good;
  args.M = 2147483647;
  report("size", tgc_sgemm_naive::launch(args).reason);
  args = good, args.ldA = 3;
  report("row", tgc_sgemm_naive::launch(args).reason);
  args = good, args.ldB = 1LL << 60;
  report("span", tgc_sgemm_naive::launch(args).reason);
  args = good, args.B = nullptr;
  report("null", tgc_sgemm_naive::launch(args).reason);
  args = good, args.C = reinterpret_cast<float *>(reinterpret_cast<char *>(data) + 2);
  report("bytes", tgc_sgemm_naive::launch(args).reason);
  args = good, args.M = args.N = args.ldB = args.ldC = 1 << 29;
  report("grid", tgc_sgemm_naive::launch(args).reason);

  tgc_sgemm_staged::Arguments staged;
  staged.M = staged.N = staged.K = 4;
  staged.A = staged.B = staged.C = data;
  staged.ldA = staged.ldC = 4;
  staged.ldB = 5;
  report("facts", tgc_sgemm_staged::launch(staged).reason);
  staged.ldB = 4;
  staged.N = 0;
  report("empty", tgc_sgemm_staged::launch(staged).reason);
  const auto kernel = tgc_sgemm_staged::choose(staged);
  std::printf("kernel: %s, %u threads, %zu bytes\n", kernel.name, kernel.threads, kernel.sharedBytes);
  std::printf("workspace: %zu\n", tgc_sgemm_staged::workspaceBytes(staged));
}
