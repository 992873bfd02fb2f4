#ifndef FASTROWS_H
#define FASTROWS_H

#include <stddef.h>
#include <stdint.h>

// Reads and writes rows of a PNG file with the same results as libpng but faster, if ISA-L is installed.

typedef struct {
  uint32_t height;
  // Bytes of a row of samples, without the filter byte.
  size_t stride;
  // Bytes from a sample to the same sample of the previous pixel.
  int distance;
  // 1 to swap the bytes of 16-bit samples.
  int swaps;
} hb_png_rows;

// Whether ISA-L is available.
int hb_png_is_fast(void);

// Decodes the image data that begins with the header of its first chunk. Returns 1 if all rows are present and every
// checksum is right up to the end of the file. Returns 0 for anything else, and if ISA-L is not installed: the contents
// of `pixels` are then undefined, and libpng must decode.
int hb_png_read_fast(const uint8_t *bytes, size_t size, const hb_png_rows *rows, uint8_t *pixels);

// The same, a few rows at a time. NULL if out of memory or without ISA-L.
typedef struct hb_png_fast hb_png_fast;
hb_png_fast *hb_png_fast_open(const hb_png_rows *rows);
// Decodes the next rows. `bytes` are as for hb_png_read_fast, and the same in every call. Returns 0 if libpng must
// decode, as hb_png_read_fast does; with the last rows, the rest of the file is checked.
int hb_png_fast_next(hb_png_fast *reader, const uint8_t *bytes, size_t size, uint32_t count, uint8_t *pixels);
// The number of bytes inflated so far.
size_t hb_png_fast_taken(const hb_png_fast *reader);
void hb_png_fast_close(hb_png_fast *reader);

// Compresses rows of 8-bit samples to the data of image data chunks, in a quarter of the time of zlib's fastest level
// and as small. Returns 0 if that is impossible; after 1, `data` must be freed.
int hb_png_pack_fast(const hb_png_rows *rows, const uint8_t *pixels, uint8_t **data, size_t *size);

#endif
