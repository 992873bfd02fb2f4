#ifndef CTIFFSHIM_H
#define CTIFFSHIM_H

#include <stddef.h>
#include <stdint.h>

// libtiff, opened at run time and not linked, like libwebp. Swift parses the directory first and chooses the picture of
// the file; libtiff must agree with it, and decodes strips and tiles.

typedef enum {
  HB_TIFF_OK = 0,
  // The program was built without libtiff's headers.
  HB_TIFF_NOT_BUILT,
  // The library is not installed, or lacks a function.
  HB_TIFF_NOT_FOUND,
  // libtiff was built without the compression.
  HB_TIFF_NO_CODEC,
  // libtiff reads the directory differently from the requested picture.
  HB_TIFF_DISAGREES,
  // Part of the picture cannot be decoded; the message is libtiff's.
  HB_TIFF_DAMAGED,
  HB_TIFF_OUT_OF_MEMORY,
} hb_tiff_status;

// Opens the library. Called once, before everything else here.
hb_tiff_status hb_tiff_load(void);

// The loaded library's name and version, in several lines.
const char *hb_tiff_version(void);

typedef enum {
  // Samples as coded, after decompression.
  HB_TIFF_PLAIN = 0,
  // libjpeg converts the YCbCr of JPEG streams to RGB.
  HB_TIFF_JPEG_TO_RGB,
  // libtiff converts what it decodes to 8-bit RGB.
  HB_TIFF_TO_RGB,
} hb_tiff_kind;

enum { HB_TIFF_MOST_KEPT = 5 };

// A picture of a file, as its directory describes it.
typedef struct {
  // Offset of the directory in the file.
  uint64_t directory;
  uint32_t width, height;
  // 0 for strips.
  uint32_t tile_width, tile_height;
  // 1 to 16.
  uint32_t bits;
  // Samples of a pixel in the file.
  uint32_t samples;
  // Whether each sample has its own strips or tiles.
  int is_separate;
  int compression;
  hb_tiff_kind kind;
  // The samples of a pixel to return, in order.
  uint32_t kept[HB_TIFF_MOST_KEPT];
  uint32_t kept_count;
  // The largest single allocation that libtiff may make, in bytes.
  int64_t largest_allocation;
} hb_tiff_picture;

typedef struct hb_tiff_decoder hb_tiff_decoder;

// Makes a decoder for bytes that must outlive it; NULL if out of memory.
hb_tiff_decoder *hb_tiff_open(const uint8_t *bytes, size_t size, const hb_tiff_picture *picture);
void hb_tiff_close(hb_tiff_decoder *decoder);

// Reads the directory and compares it with the picture. Called once, before rows.
hb_tiff_status hb_tiff_start(hb_tiff_decoder *decoder);

// Decodes the next rows, from 1 to the number left: kept_count samples per pixel, without padding. Samples of up to 8
// bits take one byte, with the value as stored; deeper ones take two, in native order. After a failure there are no
// more rows.
hb_tiff_status hb_tiff_read_rows(hb_tiff_decoder *decoder, void *samples, uint32_t rows);

// The number of rows decoded.
uint32_t hb_tiff_next_row(const hb_tiff_decoder *decoder);

// Decodes every strip or tile separately, and counts failures.
hb_tiff_status hb_tiff_count_damaged(hb_tiff_decoder *decoder, uint32_t *damaged, uint32_t *all);

// The last error, or the first warning if there was no error.
const char *hb_tiff_message(const hb_tiff_decoder *decoder);
// The number of warnings about the picture's data.
long hb_tiff_warnings(const hb_tiff_decoder *decoder);

#endif
