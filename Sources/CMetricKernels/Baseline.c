// The kernels for any processor: four lanes are one register of SSE2 and of NEON alike.
#define LANES 4
#define TABLE metricKernelsBaseline
#include "kernels.inc"
