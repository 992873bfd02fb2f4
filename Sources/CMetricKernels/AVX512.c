// The kernels for x86-64 processors with the AVX-512 subsets that every AVX-512 server core has.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), \
                             apply_to = function)
#define LANES 16
#define TABLE metricKernelsAVX512
#include "kernels.inc"
#pragma clang attribute pop
#endif
