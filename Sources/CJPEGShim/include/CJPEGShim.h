#ifndef CJPEGSHIM_H
#define CJPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by leaving through longjmp, which Swift frames cannot survive. Every call that may
// fail is therefore made here, and comes back as a status.

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
  // What only mozjpeg has, see hb_jpeg_has_mozjpeg; nothing to others.
  int trellis, scan_search;
  // Number of a base quantisation table, 0 to 8.
  int table;
} hb_jpeg_settings;

// Whether the library that the process has loaded offers mozjpeg's parameters.
int hb_jpeg_has_mozjpeg(void);


// A finished file. It lies in the caller's buffer as long as that is large enough, else in memory of its
// own, which hb_jpeg_free_output gives back.
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

// Makes a decoder over bytes that outlive it; NULL when there is no memory.
hb_jpeg_decoder *hb_jpeg_open(const uint8_t *bytes, size_t size, int maximum_scans);
void hb_jpeg_close(hb_jpeg_decoder *decoder);

// Reads up to the first scan. `components` is what hb_jpeg_read will give: 1 gray, 3 RGB, 4 CMYK.
hb_jpeg_status hb_jpeg_read_header(hb_jpeg_decoder *decoder, int *width, int *height, int *components,
                                   int *is_adobe);
// Decodes into width × height × components bytes, once, after the header.
hb_jpeg_status hb_jpeg_read(hb_jpeg_decoder *decoder, uint8_t *pixels, size_t size);

// Decodes the next rows into rows × width × components bytes, after the header and instead of hb_jpeg_read. Behind the last
// row the file is looked at to its end.
hb_jpeg_status hb_jpeg_read_rows(hb_jpeg_decoder *decoder, uint8_t *pixels, int rows);

// Decoding in part, each once after the header and instead of hb_jpeg_read.

// Reduces what is read to 1/denominator (1, 2, 4 or 8) in the inverse DCT; gives the size that comes out.
hb_jpeg_status hb_jpeg_scale(hb_jpeg_decoder *decoder, int denominator, int *width, int *height);

typedef struct {
  int x, y, width, height;
} hb_jpeg_region;

// Decodes a rectangle, the same pixels that hb_jpeg_read has there, into width × height × components bytes.
hb_jpeg_status hb_jpeg_read_region(hb_jpeg_decoder *decoder, const hb_jpeg_region *region, uint8_t *pixels,
                                   size_t size);

// Has the other calls give luma and chroma, enlarged to the luma's size, in place of RGB; after the header.
void hb_jpeg_keep_luma_and_chroma(hb_jpeg_decoder *decoder);

// Whether the components are luma and chroma, or luma alone.
int hb_jpeg_is_luma_and_chroma(const hb_jpeg_decoder *decoder);
int hb_jpeg_plane_count(const hb_jpeg_decoder *decoder);
void hb_jpeg_plane_size(const hb_jpeg_decoder *decoder, int plane, int *width, int *height);
// Decodes each component at its own size into width × height bytes, without upsampling and conversion.
hb_jpeg_status hb_jpeg_read_planes(hb_jpeg_decoder *decoder, uint8_t *const *planes);

// How many bytes of the file have not been read.
size_t hb_jpeg_bytes_left(const hb_jpeg_decoder *decoder);

// The error; without one the warning that data are missing, else the first warning.
const char *hb_jpeg_message(const hb_jpeg_decoder *decoder);
long hb_jpeg_warnings(const hb_jpeg_decoder *decoder);
// Whether a warning said that image data are missing.
int hb_jpeg_is_truncated(const hb_jpeg_decoder *decoder);

// The version of the headers this was compiled with; the library has no call that tells its own.
const char *hb_jpeg_version(void);

#endif
