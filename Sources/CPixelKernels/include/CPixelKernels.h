// Loops over pixels that are as fast in a debug build as in a release.
#ifndef HEICBENCH_PIXEL_KERNELS_H
#define HEICBENCH_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Which values a weighted sum is made of.
typedef struct {
  uint32_t first, count;
} hb_taps;

/// Weighted sums of a row's values, each eight products at a time. The weights of all sums follow each other.
void hb_weighted_sums(const float *weights, const hb_taps *taps, size_t count, const float *values, float *sums);

/// The share of each channel of a pixel in red, green and blue light.
typedef struct {
  /// Three floats and one that means nothing for each value of red, then of green, then of blue.
  const float *shares;
  /// Values that a sample can take.
  size_t entries;
} hb_channel_light;

/// Three planes of light of `count` pixels, `step` samples apart, whose second and third samples are `green` and `blue`
/// places on.
void hb_channel_planes8(hb_channel_light light, const uint8_t *pixels, size_t count, size_t step, size_t green,
                        size_t blue, float *first, float *second, float *third);

/// The same of samples of 16 bits.
void hb_channel_planes16(hb_channel_light light, const uint16_t *pixels, size_t count, size_t step, size_t green,
                         size_t blue, float *first, float *second, float *third);

/// The way from samples of 8 bits to light and back.
typedef struct {
  /// The light of each of 256 values.
  const float *light;
  /// The value of the least light of each of 65,536 steps and of full light.
  const uint8_t *nearest;
  /// The least light of each value, and infinity. No two of them lie in one step.
  const float *limits;
} hb_light_tables;

/// The means of 2 × 2 pixels of two rows in light, of one or three samples each; the last column of an odd width counts
/// twice. Writes (width + 1) / 2 pixels.
void hb_halve_rows(hb_light_tables tables, const uint8_t *upper, const uint8_t *lower, size_t width, size_t channels,
                   uint8_t *out);

#endif
