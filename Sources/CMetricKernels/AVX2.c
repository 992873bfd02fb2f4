// The kernels for x86-64 processors with AVX2 and fused multiply-add.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define TABLE metricKernelsAVX2
#include "kernels.inc"
#pragma clang attribute pop
#endif
