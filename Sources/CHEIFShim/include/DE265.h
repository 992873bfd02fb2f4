#ifndef CDE265_H
#define CDE265_H

#include <stddef.h>
#include <stdint.h>

// The libde265 that libheif has loaded, asked for luma and chroma, which libheif gives from 1.19 on alone.

// What a damaged stream left out of the luma of pictures.
typedef struct {
  // Blocks of 8 × 8 samples, and those of them that nothing was decoded into.
  uint64_t blocks, missing;
  // Whether libde265 found a fault in the stream.
  int is_faulty;
} hb_de265_gaps;

// Has all decoders of the library at a path, those of libheif too, decode into planes without earlier contents, and
// watches what they leave out. Returns 0 where that cannot be done.
int hb_de265_watch(const char *path);

// Begins to count for the calling thread, whose pictures may have at most so many columns and rows as coded; 0 for any
// number.
void hb_de265_begin(int longest_side);

// What was left out of the pictures that the calling thread has released since the last call.
hb_de265_gaps hb_de265_take_gaps(void);

// What was left out of a picture that is not released yet.
hb_de265_gaps hb_de265_gaps_of(void *context, const void *image);

// A decoder with its last picture.
typedef struct hb_de265 hb_de265;

typedef struct {
  int width, height;
  // As the stream states them: the number in H.273, and whether black is 0 and white 255.
  int matrix, is_full_range;
  hb_de265_gaps gaps;
} hb_de265_picture;

// Makes a decoder without loop filters, by the library at a path, which has to be loaded already; NULL where it cannot
// be used.
hb_de265 *hb_de265_open(const char *path);
void hb_de265_close(hb_de265 *decoder);

// Takes a NAL unit. 0 for success.
int hb_de265_push(hb_de265 *decoder, const uint8_t *unit, size_t size);

// Decodes the first picture of the units pushed since the last call and describes it. 0 for success; −1 for a picture
// that is not 8 bits of 4:2:0; else libde265's error, or 1 if there is no picture.
int hb_de265_decode(hb_de265 *decoder, hb_de265_picture *picture);

// Means of `side` × `side` pixels, an even number, of the first `width` columns and `height` rows of the last picture,
// fewer at the right and lower edge, in RGB. `kr` and `kb` are the shares of red and blue in luma; a row of means is
// `stride` bytes behind the one before.
void hb_de265_means(const hb_de265 *decoder, size_t side, size_t width, size_t height, float kr, float kb,
                    int is_full_range, uint8_t *rgb, size_t stride);

#endif
