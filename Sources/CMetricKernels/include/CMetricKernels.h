// The inner loops of the metrics, each over one segment of a row.
//
// Every function exists once per instruction set, in a table that `metric_kernels` returns. The functions read and
// write plain arrays that the caller owns, keep no state and allocate nothing. They write whole vectors: every float
// array must be readable and writable METRIC_SLACK floats beyond `count`.
#ifndef CMETRICKERNELS_H
#define CMETRICKERNELS_H

#include <stddef.h>
#include <stdint.h>

#define METRIC_SLACK 16
#define METRIC_BLOCK_SLACK 128

// The maximum number of colour channels, and so of planes, of an opaque pixel.
#define METRIC_PLANES 3

#pragma clang assume_nonnull begin

// Arrays of equal length, one per channel.
typedef struct MetricPlanes {
  float *_Nonnull plane[METRIC_PLANES];
} MetricPlanes;

// The number of rows processed together.
#define METRIC_ROWS 4
// The reach of SSIM's window, and the number of rows that the windows of METRIC_ROWS rows cover.
#define METRIC_WINDOW_RADIUS 5
#define METRIC_WINDOW_ROWS 14
// Reach of DSSIM's window.
#define METRIC_DISSIMILARITY_RADIUS 2
// The number of state floats that METRIC_ROWS rows carry while they are blurred horizontally.
#define METRIC_ROW_STATE 96

// The columns of a horizontal blur, `from` ..< `to`: in steps of four if they start in `foursFrom` ..< `foursTo`,
// otherwise one by one. Columns before 0 enter without output; a row starts at −4.
typedef struct MetricColumns {
  ptrdiff_t from, to;
  ptrdiff_t foursFrom, foursTo;
} MetricColumns;

// METRIC_ROWS steps of a vertical blur: the rows that enter the sums (6 above each output and 4 below it) and six rows
// of state with `stride` floats each, initially zero.
typedef struct MetricColumn {
  const float *_Nonnull top[METRIC_ROWS];
  const float *_Nonnull bottom[METRIC_ROWS];
  float *state;
} MetricColumn;

// METRIC_ROWS rows of one channel, ready for SSIMULACRA2's error maps.
typedef struct MetricErrorRows {
  // Reference and candidate.
  const float *_Nonnull a[METRIC_ROWS];
  const float *_Nonnull b[METRIC_ROWS];
  // The reference's blur, and the blur of its square minus the square of its blur.
  const float *_Nonnull mean[METRIC_ROWS];
  const float *_Nonnull variance[METRIC_ROWS];
  // Blurs in progress: of the candidate, its square, and its product with the reference.
  MetricColumn blurs[3];
  ptrdiff_t count;
  ptrdiff_t stride;
  // The number of rows that count, from the first on: fewer at the lower edge. The others are not read.
  int rows;
  // Whether SSIM errors are wanted; if not, only the first blur and no variance is read.
  int structure;
} MetricErrorRows;

// The reach of Butteraugli's widest blur, and of the lines along which it sums differences.
#define METRIC_BLUR_RADIUS 16
#define METRIC_LINE_REACH 4

// A window of 2 × radius + 1 samples: its weights, and the weights divided by their sum.
typedef struct MetricBlur {
  int radius;
  float taps[2 * METRIC_BLUR_RADIUS + 1];
  float scaled[2 * METRIC_BLUR_RADIUS + 1];
} MetricBlur;

// The weight of a difference in a band: divided by the level plus the mean strength there, and added again if the
// candidate is outside the range that looks like the reference.
typedef struct MetricLineWeights {
  float both, outside, level;
} MetricLineWeights;

// A row of Butteraugli's bands of one image: low and middle bands of all planes, high bands of the first two, and the
// mask.
typedef struct MetricBands {
  MetricPlanes low, middle, high;
  float *mask;
} MetricBands;

typedef enum MetricInstructionSet {
  MetricBaseline = 0,
  MetricAVX2 = 1,
  MetricAVX512 = 2,
} MetricInstructionSet;

typedef struct MetricKernels {
  // Interleaved samples (1 or 3 channels) through a table with one entry per sample value. One channel is
  // written to all three planes.
  void (*lookUp8)(const uint8_t *samples, ptrdiff_t count, int channels, const float *table, MetricPlanes);
  // The same for two rows, halved as in `halve`; with an odd number of columns, the last one counts twice.
  void (*lookUpHalved8)(const uint8_t *top, const uint8_t *bottom, ptrdiff_t columns, int channels, const float *table,
                        MetricPlanes);
  void (*lookUp16)(const uint16_t *samples, ptrdiff_t count, int channels, const float *table, MetricPlanes);

  // Interleaved samples (1 or 3 channels) to planes, times `scale`.
  void (*widen8)(const uint8_t *samples, ptrdiff_t count, int channels, float scale, MetricPlanes);
  void (*widen16)(const uint16_t *samples, ptrdiff_t count, int channels, float scale, MetricPlanes);

  // BT.601 luma of R, G and B, minus `bias`.
  void (*luma)(MetricPlanes rgb, ptrdiff_t count, float bias, float *out);

  // Adds the squared differences of BT.601 luma to sums[0], and of R, G and B together to sums[1].
  void (*squaredErrors)(MetricPlanes a, MetricPlanes b, ptrdiff_t count, double *sums);

  // Linear RGB to the positive XYB of SSIMULACRA2. In place is allowed.
  void (*xyb)(MetricPlanes rgb, ptrdiff_t count, MetricPlanes out);

  // The means of 2 × 2 samples from two rows with 2 × count samples each.
  void (*halve)(const float *top, const float *bottom, ptrdiff_t count, float *out);

  // SSIM: windows around the samples of METRIC_ROWS rows, of which the first `outputs` count. `a` and `b` are
  // METRIC_WINDOW_ROWS rows each, from the topmost row that the windows reach; 5 samples to the left and 5 +
  // METRIC_SLACK to the right are read. Adds luminance × contrast-structure, and contrast-structure alone, to sums.
  // `bias` is the value subtracted from every sample; c1 and c2 are Wang's constants.
  void (*structureRows)(const float *_Nonnull const *_Nonnull a, const float *_Nonnull const *_Nonnull b,
                        ptrdiff_t count, int outputs, float bias, float c1, float c2, double *sums);

  // a·a, b·b and a·b, in this order.
  void (*products)(const float *a, const float *b, ptrdiff_t count, MetricPlanes);

  // square = b·b and product = a·b.
  void (*multiply)(const float *a, const float *b, ptrdiff_t count, float *square, float *product);

  // SSIMULACRA2: blurs METRIC_ROWS rows horizontally. Reads 6 samples to the left and 4 to the right of the columns.
  // `state`, METRIC_ROW_STATE floats, is zeroed at the start of a row; a later call continues.
  void (*recursiveRows)(const float *_Nonnull const *_Nonnull in, float *_Nonnull const *_Nonnull out,
                        MetricColumns columns, float *state);

  // METRIC_ROWS rows of a vertical blur; row r is written at out + r × stride.
  void (*recursiveColumns)(const MetricColumn *column, ptrdiff_t count, ptrdiff_t stride, float *out);

  // Subtracts the squared mean from the mean square, in place.
  void (*variance)(const float *mean, ptrdiff_t count, float *square);

  // Blurs rows vertically and adds their errors to sums: SSIM error, ringing and blurring, each followed by its 4th
  // power.
  void (*errorSums)(const MetricErrorRows *rows, double *sums);

  // The same, and also adds the errors as pixels to the rows that count: weights[0] × SSIM error + weights[1] × ringing
  // + weights[2] × blurring.
  void (*errorSumsAndPixels)(const MetricErrorRows *rows, double *sums, const float *weights,
                             float *_Nonnull const *_Nonnull out);

  // DSSIM: linear RGB to DSSIM's L*a*b*, mostly from 0 to 1. In place is allowed.
  void (*lab)(MetricPlanes rgb, ptrdiff_t count, MetricPlanes out);

  // DSSIM's window over a plane of five rows, around the samples of the middle row; two samples to the left and 2 +
  // METRIC_SLACK to the right are read.
  void (*smooth)(const MetricPlanes *rows, int plane, ptrdiff_t count, float *out);

  // Windows around the samples of the middle row of five rows each: writes 1 − SSIM and returns its sum.
  double (*dissimilarity)(const MetricPlanes *a, const MetricPlanes *b, ptrdiff_t count, float *out);

  // The sum of the distances from `centre`.
  double (*deviation)(const float *values, ptrdiff_t count, float centre);

  // R, G and B on an 8-bit scale to Y, Cb and Cr in whole numbers. In place is allowed.
  void (*roundedYCbCr)(MetricPlanes rgb, ptrdiff_t count, MetricPlanes out);

  // PSNR-HVS: adds the squared errors of the coefficients of 8 × 8 blocks, in steps of 7 along eight rows of Y, Cb and
  // Cr, to sums[channel]. METRIC_BLOCK_SLACK floats beyond the last block are read.
  void (*contrastErrors)(const MetricPlanes *a, const MetricPlanes *b, ptrdiff_t blocks, double *sums);

  // Butteraugli: a blur along a row with margins of 16 zeros. `scales` has 1 divided by the weights inside the image
  // for each column.
  void (*blurAlong)(const float *in, ptrdiff_t count, const MetricBlur *blur, const float *scales, float *out);

  // The same vertically, over 2 × radius + 1 rows.
  void (*blurDown)(const float *_Nonnull const *_Nonnull rows, ptrdiff_t count, const MetricBlur *blur, float *out);

  // The same if only the rows `from` ..< `to` are inside the image.
  void (*blurDownAtEdge)(const float *_Nonnull const *_Nonnull rows, int from, int to, ptrdiff_t count,
                         const MetricBlur *blur, float *out);

  // Linear RGB of five rows to the opponent colours of the middle row, for an eye adapted to its surroundings, with
  // white at `nits`. Two samples to the left and 2 + METRIC_SLACK to the right are read. `blur` has a radius of 2.
  void (*adapted)(const MetricPlanes *rows, const MetricBlur *blur, float nits, ptrdiff_t count, MetricPlanes out);

  // Subtracts a blurred band from `rest`, in place, and shapes both. The last function leaves the highest band and, in
  // the third plane, the mask.
  void (*splitLow)(MetricPlanes rest, MetricPlanes low, ptrdiff_t count);
  void (*splitMiddle)(MetricPlanes rest, MetricPlanes middle, ptrdiff_t count);
  void (*splitHigh)(MetricPlanes rest, MetricPlanes high, ptrdiff_t count);

  // The weighted differences between a band of the reference and of the candidate.
  void (*bandDifferences)(const float *reference, const float *candidate, ptrdiff_t count, MetricLineWeights weights,
                          float *out);

  // Adds the squared sums of differences along lines through the middle row of nine, over every second sample or all.
  // Four samples to the left and 4 + METRIC_SLACK to the right are read.
  void (*sparseLineSums)(const float *_Nonnull const *_Nonnull rows, ptrdiff_t count, float *out);
  void (*denseLineSums)(const float *_Nonnull const *_Nonnull rows, ptrdiff_t count, float *out);

  // The visible distance at each sample. `masks` are the reference's masks three rows above, here and three rows below;
  // `sums` are the results of the lines.
  void (*distances)(const MetricBands *reference, const MetricBands *candidate,
                    const float *_Nonnull const *_Nonnull masks, MetricPlanes sums, ptrdiff_t count, float *out);

  // Mixes distances at half size, each over two columns, into a row.
  void (*addRepeated)(const float *half, ptrdiff_t count, float *out);

  // Keeps the largest value so far in sums[0], and adds the 3rd, 6th and 12th powers to the others.
  void (*normSums)(const float *values, ptrdiff_t count, double *sums);
} MetricKernels;

// Whether this processor has the given instruction set.
int metric_has(MetricInstructionSet set);

// The kernels for one instruction set, or the baseline's if this processor does not have it.
MetricKernels metric_kernels(MetricInstructionSet set);

// Zeroed floats, in pages that are not touched until they are used. Ends the process if out of memory.
float *metric_allocate(ptrdiff_t count);
void metric_free(float *floats);

// A Gaussian window as truncated by Butteraugli: at 2.25 σ, rounded down, but at least one sample.
MetricBlur metric_blur(float sigma);

// 1 divided by the weights inside a row of `count` samples, for each column whose window reaches beyond an end.
void metric_blur_scales(const MetricBlur *blur, ptrdiff_t count, float *scales);

// Composites interleaved samples with straight alpha over a gray level (0 or 1) in encoded values, to opaque 16-bit
// samples. `colours` is 1 or 3, and `maximum` is the value of a full sample.
void metric_flatten8(const uint8_t *samples, ptrdiff_t count, int colours, int background, uint16_t *out);
void metric_flatten16(const uint16_t *samples, ptrdiff_t count, int colours, uint32_t maximum,
                      int background, uint16_t *out);

#pragma clang assume_nonnull end

#endif
