// The inner loops of the metrics, each over one segment of a row.
//
// Every function exists once per instruction set, in a table that `metric_kernels` hands out. All of them
// read and write plain arrays that the caller owns, keep no state and allocate nothing. Vectors are written
// whole: every float array must be readable and writable METRIC_SLACK floats beyond `count`.
#ifndef CMETRICKERNELS_H
#define CMETRICKERNELS_H

#include <stddef.h>
#include <stdint.h>

#define METRIC_SLACK 16

// Most colour channels, hence planes, of an opaque pixel.
#define METRIC_PLANES 3

#pragma clang assume_nonnull begin

// Arrays of equal length, one per channel.
typedef struct MetricPlanes {
  float *_Nonnull plane[METRIC_PLANES];
} MetricPlanes;

typedef enum MetricInstructionSet {
  MetricBaseline = 0,
  MetricAVX2 = 1,
  MetricAVX512 = 2,
} MetricInstructionSet;

typedef struct MetricKernels {
  // Interleaved samples (1 or 3 channels) through a table with one entry per sample value. One channel is
  // written to all three planes.
  void (*lookUp8)(const uint8_t *samples, ptrdiff_t count, int channels, const float *table, MetricPlanes);
  void (*lookUp16)(const uint16_t *samples, ptrdiff_t count, int channels, const float *table, MetricPlanes);

  // Interleaved samples (1 or 3 channels) to planes, times `scale`.
  void (*widen8)(const uint8_t *samples, ptrdiff_t count, int channels, float scale, MetricPlanes);
  void (*widen16)(const uint16_t *samples, ptrdiff_t count, int channels, float scale, MetricPlanes);

  // BT.601 luma of R, G and B, minus `bias`.
  void (*luma)(MetricPlanes rgb, ptrdiff_t count, float bias, float *out);

  // Adds the squared differences: sums[0] of BT.601 luma, sums[1] of R, G and B together.
  void (*squaredErrors)(MetricPlanes a, MetricPlanes b, ptrdiff_t count, double *sums);

  // Linear RGB to the positive XYB of SSIMULACRA 2. In place is allowed.
  void (*xyb)(MetricPlanes rgb, ptrdiff_t count, MetricPlanes out);

  // Means of 2 × 2 samples of two rows with 2 × count samples each.
  void (*halve)(const float *top, const float *bottom, ptrdiff_t count, float *out);

  // Horizontal half of the blurs of one channel. Reads `radius` samples to the left of `a` and `b` and
  // `radius` + METRIC_SLACK to the right of the last one. Writes planes of `stride` floats to `out`: blurred
  // a, blurred a − b, a − b itself, and with `structure` also blurred a·b and blurred (a − b)².
  // `scratch` holds 3 × (count + 48) floats.
  void (*blurRow4)(const float *a, const float *b, ptrdiff_t count, ptrdiff_t stride, int structure,
                   float *scratch, float *out);
  void (*blurRow5)(const float *a, const float *b, ptrdiff_t count, ptrdiff_t stride, int structure,
                   float *scratch, float *out);

  // Vertical half for SSIMULACRA 2 over nine rows of `blurRow4`, and the error maps of the middle one, `a`
  // being its reference samples. Adds to sums: SSIM error, its 4th power, ringing, 4th, blurring, 4th.
  void (*errorRow)(const float *_Nonnull const *_Nonnull rows, const float *a, ptrdiff_t count,
                   ptrdiff_t stride, int structure, double *sums);

  // The same maps as pixels: adds weights[0] × SSIM error + weights[1] × ringing + weights[2] × blurring.
  void (*errorPixels)(const float *_Nonnull const *_Nonnull rows, const float *a, ptrdiff_t count,
                      ptrdiff_t stride, const float *weights, float *out);

  // Vertical half for SSIM over eleven rows of `blurRow5`. Adds to sums: luminance × contrast-structure, and
  // contrast-structure alone. `bias` is what was taken from every sample; c1 and c2 are Wang's constants.
  void (*ssimRow)(const float *_Nonnull const *_Nonnull rows, ptrdiff_t count, ptrdiff_t stride, float bias,
                  float c1, float c2, double *sums);
} MetricKernels;

// Whether this processor has an instruction set.
int metric_has(MetricInstructionSet set);

// The kernels for one instruction set, or the baseline's when this processor does not have it.
MetricKernels metric_kernels(MetricInstructionSet set);

// Interleaved samples with straight alpha composited on a gray level (0 or 1) in the encoded values: opaque
// samples of 16 bits. `colours` is 1 or 3, `maximum` the value of a full sample.
void metric_flatten8(const uint8_t *samples, ptrdiff_t count, int colours, int background, uint16_t *out);
void metric_flatten16(const uint16_t *samples, ptrdiff_t count, int colours, uint32_t maximum,
                      int background, uint16_t *out);

#pragma clang assume_nonnull end

#endif
