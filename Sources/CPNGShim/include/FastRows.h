#ifndef FASTROWS_H
#define FASTROWS_H

#include <stddef.h>
#include <stdint.h>

// Rows of a PNG file as libpng would give and take them, in less of its time, where ISA-L is installed.

typedef struct {
  uint32_t height;
  // Bytes of a row of samples, without the byte that names its filter.
  size_t stride;
  // Bytes from a sample to the same one of the pixel before it.
  int distance;
  // 1 to swap the bytes of 16-bit samples.
  int swaps;
} hb_png_rows;

// Whether ISA-L is there.
int hb_png_is_fast(void);

// Decodes the image data that begins with the header of its first chunk. Returns 1 when all rows are there and
// every checksum holds up to the end of the file. Returns 0 for anything else, also where ISA-L is not installed: what
// is in `pixels` means nothing then, and libpng has to look.
int hb_png_read_fast(const uint8_t *bytes, size_t size, const hb_png_rows *rows, uint8_t *pixels);

// The same some rows at a time. NULL where there is no memory or no ISA-L.
typedef struct hb_png_fast hb_png_fast;
hb_png_fast *hb_png_fast_open(const hb_png_rows *rows);
// Decodes the next rows. `bytes` are those of hb_png_read_fast, the same in every call. Returns 0 where they are left to
// libpng, as hb_png_read_fast does; with the last rows the rest of the file is looked at.
int hb_png_fast_next(hb_png_fast *reader, const uint8_t *bytes, size_t size, uint32_t count, uint8_t *pixels);
// How many of the bytes have been inflated.
size_t hb_png_fast_taken(const hb_png_fast *reader);
void hb_png_fast_close(hb_png_fast *reader);

// Makes the data of image data chunks from rows of samples of 8 bits, in a quarter of zlib's least time and as small.
// Returns 0 where that cannot be done; `data` is to be freed after 1.
int hb_png_pack_fast(const hb_png_rows *rows, const uint8_t *pixels, uint8_t **data, size_t *size);

#endif
