#include "CMetricKernels.h"

#include <math.h>
#include <stdlib.h>

extern const MetricKernels metricKernelsBaseline;
#if defined(__x86_64__)
extern const MetricKernels metricKernelsAVX2;
extern const MetricKernels metricKernelsAVX512;
#endif

int metric_has(MetricInstructionSet set) {
  if (set == MetricBaseline) return 1;
#if defined(__x86_64__)
  __builtin_cpu_init();
  int fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (set == MetricAVX2) return fused;
  if (set == MetricAVX512) {
    return fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return 0;
}

MetricKernels metric_kernels(MetricInstructionSet set) {
#if defined(__x86_64__)
  if (set == MetricAVX512 && metric_has(set)) return metricKernelsAVX512;
  if (set == MetricAVX2 && metric_has(set)) return metricKernelsAVX2;
#endif
  return metricKernelsBaseline;
}

float *metric_allocate(ptrdiff_t count) {
  float *floats = calloc((size_t)count, sizeof *floats);
  // Ends the process, as Swift's own allocations do.
  if (!floats) abort();
  return floats;
}

void metric_free(float *floats) { free(floats); }

MetricBlur metric_blur(float sigma) {
  const double scaler = -1.0 / (2.0 * sigma * sigma);
  int radius = (int)(2.25f * sigma);
  if (radius < 1) radius = 1;
  if (radius > METRIC_BLUR_RADIUS) radius = METRIC_BLUR_RADIUS;
  MetricBlur blur = {.radius = radius};
  float sum = 0;
  for (int tap = 0; tap <= 2 * radius; tap++) {
    const int distance = tap - radius;
    blur.taps[tap] = (float)exp(scaler * distance * distance);
    sum += blur.taps[tap];
  }
  const float scale = 1.0f / sum;
  for (int tap = 0; tap <= 2 * radius; tap++) blur.scaled[tap] = blur.taps[tap] * scale;
  return blur;
}

void metric_blur_scales(const MetricBlur *blur, ptrdiff_t count, float *scales) {
  for (ptrdiff_t i = 0; i < count; i++) {
    // Columns in the interior do not need it.
    if (i == blur->radius && count - blur->radius > i) i = count - blur->radius;
    float sum = 0;
    for (int tap = 0; tap <= 2 * blur->radius; tap++) {
      const ptrdiff_t at = i + tap - blur->radius;
      if (at >= 0 && at < count) sum += blur->taps[tap];
    }
    scales[i] = 1.0f / sum;
  }
}

void metric_flatten8(const uint8_t *samples, ptrdiff_t count, int colours, int background, uint16_t *out) {
  for (ptrdiff_t i = 0; i < count; i++, samples += colours + 1) {
    uint32_t alpha = samples[colours], rest = background ? 255 * (255 - alpha) : 0;
    for (int c = 0; c < colours; c++) *out++ = (uint16_t)(((alpha * samples[c] + rest) * 257 + 127) / 255);
  }
}

void metric_flatten16(const uint16_t *samples, ptrdiff_t count, int colours, uint32_t maximum,
                      int background, uint16_t *out) {
  const uint64_t full = maximum, square = full * full;
  for (ptrdiff_t i = 0; i < count; i++, samples += colours + 1) {
    // A sample above the maximum is invalid; clamping keeps it from overflowing the computation below.
    uint64_t alpha = samples[colours] < full ? samples[colours] : full;
    uint64_t rest = background ? full * (full - alpha) : 0;
    for (int c = 0; c < colours; c++) {
      uint64_t sample = samples[c] < full ? samples[c] : full;
      *out++ = (uint16_t)(((alpha * sample + rest) * 65535 + square / 2) / square);
    }
  }
}
