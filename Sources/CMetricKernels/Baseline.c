// The kernels for any processor: four lanes fill one register of SSE2 or NEON.
#if defined(__x86_64__)
// SSE2 has no fused multiply-add. In double precision the product of two floats is exact, and rounding the sum twice
// gives the same result except in one of some 2^28 cases.
#define FUSE_IN_DOUBLE
#endif
#define LANES 4
#define TABLE metricKernelsBaseline
#include "kernels.inc"
