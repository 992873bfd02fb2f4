#ifndef CDE265_H
#define CDE265_H

#include <stddef.h>
#include <stdint.h>

// Gets luma and chroma directly from the libde265 that libheif has loaded; libheif itself provides them only from 1.19
// on.

// What a damaged stream left out of the pictures' luma.
typedef struct {
  // The number of blocks of 8 × 8 samples, and of those into which nothing was decoded.
  uint64_t blocks, missing;
  // Whether libde265 found a fault in the stream.
  int is_faulty;
} hb_de265_gaps;

// Makes all decoders of the library at a path, including libheif's, decode into planes without earlier contents, and
// watches what they leave out. Returns 0 if that is impossible.
int hb_de265_watch(const char *path);

// Begins to count for the calling thread, whose pictures may have at most this many coded columns and rows; 0 for any
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
  // As stated in the stream: the number from H.273, and whether black is 0 and white 255.
  int matrix, is_full_range;
  hb_de265_gaps gaps;
} hb_de265_picture;

// Creates a decoder without loop filters from the library at a path, which must be loaded already; NULL if it cannot be
// used.
hb_de265 *hb_de265_open(const char *path);
void hb_de265_close(hb_de265 *decoder);

// Adds a NAL unit. Returns 0 for success.
int hb_de265_push(hb_de265 *decoder, const uint8_t *unit, size_t size);

// Decodes the first picture of the units pushed since the last call and describes it. 0 for success; −1 for a picture
// that is not 8 bits of 4:2:0; otherwise libde265's error, or 1 if there is no picture.
int hb_de265_decode(hb_de265 *decoder, hb_de265_picture *picture);

// Means of `side` × `side` pixels, an even number, over the first `width` columns and `height` rows of the last
// picture, with fewer pixels at the right and lower edge, in RGB. `kr` and `kb` are the shares of red and blue in luma;
// rows of means are `stride` bytes apart.
void hb_de265_means(const hb_de265 *decoder, size_t side, size_t width, size_t height, float kr, float kb,
                    int is_full_range, uint8_t *rgb, size_t stride);

#endif
