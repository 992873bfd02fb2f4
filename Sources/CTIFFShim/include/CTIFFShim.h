#ifndef CTIFFSHIM_H
#define CTIFFSHIM_H

#include <stddef.h>
#include <stdint.h>

// libtiff, opened while the program runs and not linked, as libwebp is. Swift parses the directory first and says which
// picture of the file is wanted; libtiff has to agree with it, and decodes strips and tiles.

typedef enum {
  HB_TIFF_OK = 0,
  // The program was built where libtiff's headers were not.
  HB_TIFF_NOT_BUILT,
  // The library is not there, or lacks a function.
  HB_TIFF_NOT_FOUND,
  // libtiff was built without the compression.
  HB_TIFF_NO_CODEC,
  // libtiff takes the directory for something else than the picture asked for.
  HB_TIFF_DISAGREES,
  // Part of the picture cannot be decoded; the message is libtiff's.
  HB_TIFF_DAMAGED,
  HB_TIFF_OUT_OF_MEMORY,
} hb_tiff_status;

// Opens the library. Called once, before everything else here.
hb_tiff_status hb_tiff_load(void);

// The loaded library's name and version, of several lines.
const char *hb_tiff_version(void);

typedef enum {
  // Samples as coded, after decompression.
  HB_TIFF_PLAIN = 0,
  // libjpeg makes RGB of the YCbCr of JPEG streams.
  HB_TIFF_JPEG_TO_RGB,
  // libtiff makes 8-bit RGB of what it decodes.
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
  // Whether each sample has strips or tiles of its own.
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

// Makes a decoder over bytes that outlive it; NULL when there is no memory.
hb_tiff_decoder *hb_tiff_open(const uint8_t *bytes, size_t size, const hb_tiff_picture *picture);
void hb_tiff_close(hb_tiff_decoder *decoder);

// Reads the directory and compares it with the picture. Called once, before rows.
hb_tiff_status hb_tiff_start(hb_tiff_decoder *decoder);

// Decodes the next rows, 1 to as many as are left: kept_count samples a pixel, without padding; a byte a sample of up to 8
// bits, with its value as stored, and two in native order of more. After a failure no more rows come.
hb_tiff_status hb_tiff_read_rows(hb_tiff_decoder *decoder, void *samples, uint32_t rows);

// How many rows have been decoded.
uint32_t hb_tiff_next_row(const hb_tiff_decoder *decoder);

// Decodes every strip or tile on its own, and counts those that fail.
hb_tiff_status hb_tiff_count_damaged(hb_tiff_decoder *decoder, uint32_t *damaged, uint32_t *all);

// The last error, or the first warning where there was none.
const char *hb_tiff_message(const hb_tiff_decoder *decoder);
// Warnings about the picture's data.
long hb_tiff_warnings(const hb_tiff_decoder *decoder);

#endif
