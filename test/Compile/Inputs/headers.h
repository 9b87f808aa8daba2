#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <string>
