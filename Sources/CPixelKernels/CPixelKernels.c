#include "CPixelKernels.h"

#include <string.h>

typedef float floats4 __attribute__((vector_size(16)));
typedef float floats8 __attribute__((vector_size(32)));

static inline float weighted_sum(const float *weights, const float *values, size_t count) {
  floats8 sums = {0};
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    floats8 weight, value;
    memcpy(&weight, weights + index, sizeof weight);
    memcpy(&value, values + index, sizeof value);
    sums += weight * value;
  }
  float sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; index < count; index++) sum += weights[index] * values[index];
  return sum;
}

void hb_weighted_sums(const float *weights, const hb_taps *taps, size_t count, const float *values, float *sums) {
  for (const hb_taps *end = taps + count; taps < end; weights += taps++->count) {
    *sums++ = weighted_sum(weights, values + taps->first, taps->count);
  }
}

static inline floats4 share(const float *shares, size_t index) {
  floats4 read;
  memcpy(&read, shares + 4 * index, sizeof read);
  return read;
}

#define CHANNEL_PLANES(NAME, SAMPLE)                                                               \
  void NAME(hb_channel_light light, const SAMPLE *pixels, size_t count, size_t step, size_t green, \
            size_t blue, float *first, float *second, float *third) {                              \
    const float *reds = light.shares, *greens = reds + 4 * light.entries;                          \
    const float *blues = greens + 4 * light.entries;                                               \
    for (size_t x = 0; x < count; x++, pixels += step) {                                           \
      const floats4 sum = share(reds, pixels[0]) +                                                 \
                          (share(greens, pixels[green]) + share(blues, pixels[blue]));             \
      first[x] = sum[0];                                                                           \
      second[x] = sum[1];                                                                          \
      third[x] = sum[2];                                                                           \
    }                                                                                              \
  }

CHANNEL_PLANES(hb_channel_planes8, uint8_t)
CHANNEL_PLANES(hb_channel_planes16, uint16_t)

static inline __attribute__((always_inline)) uint8_t mean_value(const hb_light_tables *tables, const uint8_t *upper,
                                                                const uint8_t *lower, size_t right) {
  const float *light = tables->light;
  const float mean = (light[upper[0]] + light[upper[right]] + light[lower[0]] + light[lower[right]]) / 4;
  const uint8_t guess = tables->nearest[(int32_t)(mean * 65536)];
  return (uint8_t)(guess + (mean >= tables->limits[guess + 1]));
}

static inline __attribute__((always_inline)) void halve_rows(const hb_light_tables *tables, const uint8_t *upper,
                                                             const uint8_t *lower, size_t width, size_t channels,
                                                             uint8_t *out) {
  for (size_t x = 0; x + 1 < width; x += 2, upper += 2 * channels, lower += 2 * channels) {
    for (size_t channel = 0; channel < channels; channel++) {
      *out++ = mean_value(tables, upper + channel, lower + channel, channels);
    }
  }
  for (size_t channel = 0; width % 2 == 1 && channel < channels; channel++) {
    *out++ = mean_value(tables, upper + channel, lower + channel, 0);
  }
}

void hb_halve_rows(hb_light_tables tables, const uint8_t *upper, const uint8_t *lower, size_t width, size_t channels,
                   uint8_t *out) {
  // The compiler makes a separate loop for each case.
  if (channels == 3) {
    halve_rows(&tables, upper, lower, width, 3, out);
  } else {
    halve_rows(&tables, upper, lower, width, channels, out);
  }
}
