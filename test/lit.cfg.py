# The lit suite of tgc. Every outside tool is a feature; a test that needs it says `// REQUIRES: nvcc`.
import os
import platform
import shutil
import subprocess

import lit.formats
import lit.util

config.name = "tgc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".tgc", ".test", ".cu"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tgc_binary_dir, "test")

# -enable-var-scope: a capture does not leak past a CHECK-LABEL.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tgc_binary_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
)
for name in ("HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LLVM_PROFILE_FILE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%examples", os.path.join(config.tgc_source_dir, "examples")))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Target", "Inputs")))
config.substitutions.append(("%tgc_src", config.tgc_source_dir))
config.substitutions.append(("%tgc_bin", os.path.join(config.tgc_binary_dir, "bin")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%path", config.environment["PATH"]))


def find_cuda_tool(name):
    """The path of a CUDA Toolkit program, or None."""
    for folder in (config.cuda_path, os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"):
        path = os.path.join(folder, "bin", name) if folder else ""
        if path and os.access(path, os.X_OK):
            return path
    return shutil.which(name)


for tool in ("nvcc", "ptxas"):
    path = find_cuda_tool(tool)
    if path:
        config.available_features.add(tool)
        config.substitutions.append(("%" + tool, path))
        cuda_path = os.path.dirname(os.path.dirname(os.path.realpath(path)))
        config.environment["CUDA_PATH"] = cuda_path
        if tool == "nvcc":
            config.substitutions.append(("%cuda_path", cuda_path))

chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))

if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")

clang = shutil.which("clang++-22")
if clang and "nvcc" in config.available_features:
    config.available_features.add("clang-cuda")
    config.substitutions.append(("%clang_cuda", clang))


cxx = clang or shutil.which("c++")
if cxx:
    config.available_features.add("cxx")
    config.substitutions.append(("%cxx", cxx))


def can_sanitize(compiler):
    """Whether `compiler` makes sanitized programs for this machine, whose fibers test/Host/shim can switch."""
    if not compiler or platform.machine() != "x86_64":
        return False
    command = [compiler, "-fsanitize=address,undefined", "-x", "c++", "-", "-o", os.devnull]
    return subprocess.run(command, input="int main() {}", capture_output=True, text=True).returncode == 0


if can_sanitize(clang):
    config.available_features.add("host-check")
    host_check = os.path.join(config.tgc_source_dir, "scripts", "host-check")
    config.substitutions.append(("%host_check", f"{config.python} {host_check} --tgc tgc"))

try:
    gpu = subprocess.run(["nvidia-smi", "-L"], capture_output=True, timeout=20, text=True)
    if gpu.returncode == 0 and "GPU" in gpu.stdout:
        config.available_features.add("cuda-gpu")
except (OSError, subprocess.TimeoutExpired):
    pass
