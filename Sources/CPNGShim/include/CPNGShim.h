#ifndef CPNGSHIM_H
#define CPNGSHIM_H

#include <stddef.h>
#include <stdint.h>

#include "FastRows.h"

// libpng reports errors with longjmp, which must not cross Swift frames. Every call that may fail is therefore made
// here and returns a status.

#define HB_PNG_MESSAGE_SIZE 200

typedef enum {
  HB_PNG_OK = 0,
  // libpng's own error; the message says which.
  HB_PNG_ERROR,
  HB_PNG_OUT_OF_MEMORY,
} hb_png_status;

typedef struct hb_png_decoder hb_png_decoder;

// The version of the libpng that is loaded.
const char *hb_png_version(void);

// Makes a decoder for bytes that must outlive it; NULL if out of memory.
hb_png_decoder *hb_png_open(const uint8_t *bytes, size_t size);
void hb_png_close(hb_png_decoder *decoder);

// Reads up to the image data and returns the form that hb_png_read will give: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB
// and alpha, in samples of 8 or 16 bits. `icc` is valid as long as the decoder.
hb_png_status hb_png_read_header(hb_png_decoder *decoder, uint32_t *width, uint32_t *height, int *channels,
                                 int *bit_depth, const uint8_t **icc, uint32_t *icc_size);
// Decodes rows without padding, with 16-bit samples in native byte order. Call it once, after the header.
hb_png_status hb_png_read(hb_png_decoder *decoder, void *pixels, size_t size);

// Whether rows can be decoded one by one from the top to the bottom.
int hb_png_has_rows(const hb_png_decoder *decoder);
// Decodes the next rows instead, from 1 to the number left, if hb_png_has_rows. With the last row, the file is read to
// its end.
hb_png_status hb_png_read_rows(hb_png_decoder *decoder, void *pixels, uint32_t rows);
// The number of bytes of the file that hb_png_read_rows has not read.
size_t hb_png_bytes_left(const hb_png_decoder *decoder);

// The last error, or the first warning if there was no error.
const char *hb_png_message(const hb_png_decoder *decoder);
long hb_png_warnings(const hb_png_decoder *decoder);

typedef struct {
  uint32_t width, height;
  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
  int channels;
  // 8 or 16.
  int bit_depth;
  // The number of significant bits, for the sBIT chunk; bit_depth for all.
  int significant_bits;
  // 1 for faster encoding and a somewhat larger file; only for encoding.
  int is_fast;
  // The palette that samples of one channel index, three bytes per colour, and the number of colours; none for gray.
  // Only for encoding.
  const uint8_t *palette;
  int colours;
  // Code points of ITU-T H.273 for a cICP chunk; 0 for none.
  int primaries, transfer;
} hb_png_format;

typedef struct {
  uint8_t *data;
  size_t size;
} hb_png_output;

// Encodes rows without padding, with 16-bit samples in native byte order. Without a profile the file is marked as sRGB.
// `output` is valid, and to be freed, only after HB_PNG_OK.
hb_png_status hb_png_encode(const void *pixels, const hb_png_format *format, const uint8_t *icc,
                            uint32_t icc_size, hb_png_output *output, char message[HB_PNG_MESSAGE_SIZE]);
void hb_png_free_output(hb_png_output *output);

#endif
