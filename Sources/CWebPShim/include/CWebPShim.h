#ifndef CWEBPSHIM_H
#define CWEBPSHIM_H

#include <stddef.h>
#include <stdint.h>

// libwebp, opened at run time and not linked, so that heicbench starts without it, builds without its headers, and
// loads it only in processes that need WebP.

typedef enum {
  HB_WEBP_OK = 0,
  // The program was built without libwebp's headers.
  HB_WEBP_NOT_BUILT,
  // The library is not installed, or lacks a function.
  HB_WEBP_NOT_FOUND,
  // libwebp refuses the pixels or the file; the detail is its own code.
  HB_WEBP_REFUSED,
  HB_WEBP_OUT_OF_MEMORY,
} hb_webp_status;

// Opens the library. Called once, before everything else here.
hb_webp_status hb_webp_load(void);

// The loaded encoder's version, as 0xMMmmpp.
int hb_webp_version(void);

typedef struct {
  int width, height;
  // 3 for RGB, 4 for RGBA.
  int channels;
  // 0 to 100.
  float quality;
  // 0 to 6.
  int method;
  int lossless, sharp;
} hb_webp_settings;

// A finished file, to be freed with hb_webp_free_output.
typedef struct {
  uint8_t *data;
  size_t size, capacity;
} hb_webp_output;

// Encodes rows of width × channels bytes, without padding between them, on the calling thread. `output` is
// valid, and to be freed, only after HB_WEBP_OK; `detail` is libwebp's error code after HB_WEBP_REFUSED.
hb_webp_status hb_webp_encode(const uint8_t *pixels, const hb_webp_settings *settings, hb_webp_output *output,
                              int *detail);
void hb_webp_free_output(hb_webp_output *output);

// Reads a file's header. `detail` is as above.
hb_webp_status hb_webp_read_header(const uint8_t *bytes, size_t size, int *width, int *height, int *has_alpha,
                                   int *is_animated, int *detail);
// Decodes into width × height × channels bytes, with 3 or 4 channels.
hb_webp_status hb_webp_decode(const uint8_t *bytes, size_t size, int width, int channels, uint8_t *pixels,
                              size_t capacity);

#endif
