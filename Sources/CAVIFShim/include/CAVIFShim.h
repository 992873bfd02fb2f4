#ifndef CAVIFSHIM_H
#define CAVIFSHIM_H

#include <stddef.h>
#include <stdint.h>

// libavif, opened at run time, and only from the folder of a build: otherwise `avif` uses libheif. Its headers are not
// needed: Debian 12 has only those of 0.11, with other structures.

// Opens libavif.so.16, the interface of releases 1.0 to 1.4, in the folder LIBAVIF_FOLDER, which the environment of a
// build's worker has. Returns 0 if there is none. Called once, before everything else here.
int hb_avif_load(void);

// The library's version.
const char *hb_avif_version(void);
// The library's codecs, such as "dav1d [dec]:1.5.3, aom [enc]:3.14.1", in a buffer of 256 bytes.
void hb_avif_codecs(char *buffer);

typedef struct {
  uint32_t width, height;
  // Bits of a coded sample, and of a sample in memory.
  uint32_t depth, sample_depth;
  // 3 for RGB, 4 for RGBA. Only luma is coded if `is_gray`.
  int channels, is_gray;
  // 420, 422 or 444.
  int chroma;
  // Quality is 0 to 100, where 100 is lossless with matrix 0; speed is 0 (slowest) to 10.
  int quality, speed;
  // 1 for SVT-AV1 instead of aom.
  int is_svt;
  // aom's iq, ssim or psnr, for all planes but alpha, or one of SVT-AV1's numbers; NULL leaves it to the library.
  const char *tune;
  // Code points of H.273.
  uint16_t primaries, transfer, matrix;
} hb_avif_settings;

// A file, to be freed with hb_avif_free.
typedef struct {
  uint8_t *data;
  size_t size;
} hb_avif_output;

// Encodes rows of samples on one thread; rows have no padding, and samples of more than 8 bits take two bytes. Returns
// NULL, or the reason for the failure.
const char *hb_avif_encode(const void *samples, const hb_avif_settings *settings, const uint8_t *icc, size_t icc_size,
                           hb_avif_output *output);
void hb_avif_free(hb_avif_output *output);

// A decoded file, not yet RGB, to be freed with hb_avif_close.
typedef struct {
  void *image;
  hb_avif_settings settings;
  const uint8_t *icc;
  size_t icc_size;
} hb_avif_picture;

// Decodes a file's planes. Returns NULL, or the reason for the failure.
const char *hb_avif_open(const uint8_t *bytes, size_t size, hb_avif_picture *picture);
// Converts the planes to rows of RGB or RGBA, by `channels`, with samples of `sample_depth` bits and without padding.
const char *hb_avif_pixels(const hb_avif_picture *picture, void *samples);
void hb_avif_close(hb_avif_picture *picture);

#endif
