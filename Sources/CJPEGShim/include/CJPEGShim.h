#ifndef CJPEGSHIM_H
#define CJPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors with longjmp, which must not cross Swift frames. Every call that may fail is therefore made
// here and returns a status.

#define HB_JPEG_MESSAGE_SIZE 200

typedef enum {
  HB_JPEG_OK = 0,
  // libjpeg's own error; the message says which.
  HB_JPEG_ERROR,
  // The file has more scans than allowed.
  HB_JPEG_TOO_MANY_SCANS,
  HB_JPEG_OUT_OF_MEMORY,
} hb_jpeg_status;

typedef struct {
  int width, height;
  // 1 for gray, 3 for RGB.
  int components;
  int quality;
  // Horizontal and vertical sampling factors of luma; chroma has 1 × 1.
  int horizontal_sampling, vertical_sampling;
  int progressive, optimise;
  // Only for mozjpeg (see hb_jpeg_has_mozjpeg); ignored by others.
  int trellis, scan_search;
  // Number of a base quantisation table, 0 to 8.
  int table;
} hb_jpeg_settings;

// Whether the library that the process has loaded offers mozjpeg's parameters.
int hb_jpeg_has_mozjpeg(void);


// A finished file. It is in the caller's buffer if that is large enough, else in separate memory, which
// hb_jpeg_free_output frees.
typedef struct {
  uint8_t *data;
  size_t size;
  uint8_t *owned;
} hb_jpeg_output;

// Encodes rows of width × components bytes, without padding between them. `output` is valid, and to be freed,
// only after HB_JPEG_OK.
hb_jpeg_status hb_jpeg_encode(const uint8_t *pixels, const hb_jpeg_settings *settings, const uint8_t *icc,
                              size_t icc_size, uint8_t *buffer, size_t capacity, hb_jpeg_output *output,
                              char message[HB_JPEG_MESSAGE_SIZE]);
void hb_jpeg_free_output(hb_jpeg_output *output);

typedef struct hb_jpeg_decoder hb_jpeg_decoder;

// Makes a decoder for bytes that must outlive it; NULL if out of memory.
hb_jpeg_decoder *hb_jpeg_open(const uint8_t *bytes, size_t size, int maximum_scans);
void hb_jpeg_close(hb_jpeg_decoder *decoder);

// Reads up to the first scan. `components` is the number that hb_jpeg_read will give: 1 gray, 3 RGB, 4 CMYK.
hb_jpeg_status hb_jpeg_read_header(hb_jpeg_decoder *decoder, int *width, int *height, int *components,
                                   int *is_adobe);
// Decodes into width × height × components bytes, once, after the header.
hb_jpeg_status hb_jpeg_read(hb_jpeg_decoder *decoder, uint8_t *pixels, size_t size);

// Decodes the next rows into rows × width × components bytes, after the header and instead of hb_jpeg_read. After the
// last row, the file is checked to its end.
hb_jpeg_status hb_jpeg_read_rows(hb_jpeg_decoder *decoder, uint8_t *pixels, int rows);

// Partial decoding: call each once, after the header and instead of hb_jpeg_read.

// Reduces the picture to 1/denominator (1, 2, 4 or 8) in the inverse DCT; returns the resulting size.
hb_jpeg_status hb_jpeg_scale(hb_jpeg_decoder *decoder, int denominator, int *width, int *height);

typedef struct {
  int x, y, width, height;
} hb_jpeg_region;

// Decodes a rectangle into width × height × components bytes, with the same pixels as hb_jpeg_read.
hb_jpeg_status hb_jpeg_read_region(hb_jpeg_decoder *decoder, const hb_jpeg_region *region, uint8_t *pixels,
                                   size_t size);

// Makes the other calls return luma and chroma, upsampled to the luma's size, instead of RGB. Call it after the header.
void hb_jpeg_keep_luma_and_chroma(hb_jpeg_decoder *decoder);

// Whether the components are luma and chroma, or only luma.
int hb_jpeg_is_luma_and_chroma(const hb_jpeg_decoder *decoder);
int hb_jpeg_plane_count(const hb_jpeg_decoder *decoder);
void hb_jpeg_plane_size(const hb_jpeg_decoder *decoder, int plane, int *width, int *height);
// Decodes each component at its own size into width × height bytes, without upsampling and conversion.
hb_jpeg_status hb_jpeg_read_planes(hb_jpeg_decoder *decoder, uint8_t *const *planes);

// How many bytes of the file have not been read.
size_t hb_jpeg_bytes_left(const hb_jpeg_decoder *decoder);

// The error; without an error, the warning about missing data, else the first warning.
const char *hb_jpeg_message(const hb_jpeg_decoder *decoder);
long hb_jpeg_warnings(const hb_jpeg_decoder *decoder);
// Whether a warning said that image data are missing.
int hb_jpeg_is_truncated(const hb_jpeg_decoder *decoder);

// The version of the headers used to compile this; the library has no call that returns its own version.
const char *hb_jpeg_version(void);

#endif
