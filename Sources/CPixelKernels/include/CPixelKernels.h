// Loops over pixels that are as fast in a debug build as in a release build.
#ifndef HEICBENCH_PIXEL_KERNELS_H
#define HEICBENCH_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// The values that make up a weighted sum.
typedef struct {
  uint32_t first, count;
} hb_taps;

/// Weighted sums of a row's values, eight products at a time. The weights of all sums follow one another.
void hb_weighted_sums(const float *weights, const hb_taps *taps, size_t count, const float *values, float *sums);

/// The contribution of each channel of a pixel to red, green and blue light.
typedef struct {
  /// Three floats and an unused one for each value of red, then of green, then of blue.
  const float *shares;
  /// The number of values that a sample can have.
  size_t entries;
} hb_channel_light;

/// Three planes of light from `count` pixels, `step` samples apart, with their second and third samples at offsets
/// `green` and `blue`.
void hb_channel_planes8(hb_channel_light light, const uint8_t *pixels, size_t count, size_t step, size_t green,
                        size_t blue, float *first, float *second, float *third);

/// The same for 16-bit samples.
void hb_channel_planes16(hb_channel_light light, const uint16_t *pixels, size_t count, size_t step, size_t green,
                         size_t blue, float *first, float *second, float *third);

/// Tables from 8-bit samples to light and back.
typedef struct {
  /// The light of each of 256 values.
  const float *light;
  /// The value for the lowest light of each of 65,536 steps, and for full light.
  const uint8_t *nearest;
  /// The lowest light of each value, then infinity. No two of them lie in the same step.
  const float *limits;
} hb_light_tables;

/// The means in light of 2 × 2 pixels from two rows, with one or three samples each; the last column of an odd width
/// counts twice. Writes (width + 1) / 2 pixels.
void hb_halve_rows(hb_light_tables tables, const uint8_t *upper, const uint8_t *lower, size_t width, size_t channels,
                   uint8_t *out);

#endif
