#include "DE265.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

// libde265's functions, unchanged since version 1.0; enumerations among their parameters are declared as numbers.
#define HB_DE265_FUNCTIONS(USE)                                           \
  USE(void *, new_decoder, (void))                                        \
  USE(int, free_decoder, (void *))                                        \
  USE(void, set_parameter_bool, (void *, int, int))                       \
  USE(int, push_NAL, (void *, const void *, int, int64_t, void *))        \
  USE(int, flush_data, (void *))                                          \
  USE(int, decode, (void *, int *))                                       \
  USE(const void *, get_next_picture, (void *))                           \
  USE(void, reset, (void *))                                              \
  USE(int, get_image_width, (const void *, int))                          \
  USE(int, get_image_height, (const void *, int))                         \
  USE(int, get_chroma_format, (const void *))                             \
  USE(int, get_bits_per_pixel, (const void *, int))                       \
  USE(const uint8_t *, get_image_plane, (const void *, int, int *))       \
  USE(int, get_image_full_range_flag, (const void *))                     \
  USE(int, get_image_matrix_coefficients, (const void *))

enum { DISABLE_DEBLOCKING = 7, DISABLE_SAO = 8, CHROMA_420 = 1 };

struct hb_de265 {
#define HB_DECLARE(result, name, parameters) result(*name) parameters;
  HB_DE265_FUNCTIONS(HB_DECLARE)
#undef HB_DECLARE
  void *library, *context;
  const void *image;
};

hb_de265 *hb_de265_open(const char *path) {
  if (!hb_de265_watch(path)) return NULL;
  hb_de265 *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  int missing = decoder->library == NULL;
#define HB_FIND(result, name, parameters) \
  missing = missing || !(decoder->name = (result(*) parameters)dlsym(decoder->library, "de265_" #name));
  HB_DE265_FUNCTIONS(HB_FIND)
#undef HB_FIND
  if (!missing) decoder->context = decoder->new_decoder();
  if (!decoder->context) {
    hb_de265_close(decoder);
    return NULL;
  }
  decoder->set_parameter_bool(decoder->context, DISABLE_DEBLOCKING, 1);
  decoder->set_parameter_bool(decoder->context, DISABLE_SAO, 1);
  return decoder;
}

void hb_de265_close(hb_de265 *decoder) {
  if (decoder->context) decoder->free_decoder(decoder->context);
  if (decoder->library) dlclose(decoder->library);
  free(decoder);
}

int hb_de265_push(hb_de265 *decoder, const uint8_t *unit, size_t size) {
  // Releases the earlier pictures and begins a new stream.
  if (decoder->image) decoder->reset(decoder->context);
  decoder->image = NULL;
  // A unit has a header of two bytes.
  return size < 2 || size > INT_MAX ? -1 : decoder->push_NAL(decoder->context, unit, (int)size, 0, NULL);
}

int hb_de265_decode(hb_de265 *decoder, hb_de265_picture *picture) {
  int error = decoder->flush_data(decoder->context);
  for (int more = 1; !error && more && !decoder->image;) {
    more = 0;
    error = decoder->decode(decoder->context, &more);
    decoder->image = decoder->get_next_picture(decoder->context);
  }
  if (error || !decoder->image) return error ? error : 1;
  const void *image = decoder->image;
  *picture = (hb_de265_picture){decoder->get_image_width(image, 0), decoder->get_image_height(image, 0),
                                decoder->get_image_matrix_coefficients(image),
                                decoder->get_image_full_range_flag(image),
                                hb_de265_gaps_of(decoder->context, image)};
  if (decoder->get_chroma_format(image) != CHROMA_420) return -1;
  for (int channel = 0; channel < 3; channel++) {
    const int step = channel > 0 ? 2 : 1;
    if (decoder->get_bits_per_pixel(image, channel) != 8 ||
        decoder->get_image_width(image, channel) < (picture->width + step - 1) / step ||
        decoder->get_image_height(image, channel) < (picture->height + step - 1) / step) {
      return -1;
    }
  }
  return 0;
}

// Columns to sum at once, a multiple of every side.
enum { BLOCK = 64 };

// Means over `side` columns and all rows, fewer columns at the right edge.
static inline __attribute__((always_inline)) void block_means(const uint8_t *plane, size_t stride, size_t side,
                                                              size_t columns, size_t rows, float *out) {
  uint16_t sums[BLOCK] = {0};
  for (size_t y = 0; y < rows; y++, plane += stride) {
    for (size_t x = 0; x < columns; x++) sums[x] += plane[x];
  }
  const float share = 1 / (float)(side * rows);
  size_t x = 0;
  for (; x + side <= columns; x += side) {
    uint32_t sum = 0;
    for (size_t i = 0; i < side; i++) sum += sums[x + i];
    *out++ = (float)sum * share;
  }
  if (x == columns) return;
  uint32_t sum = 0;
  for (size_t i = x; i < columns; i++) sum += sums[i];
  *out = (float)sum / (float)((columns - x) * rows);
}

static void means(const uint8_t *plane, size_t stride, size_t side, size_t columns, size_t rows, float *out) {
  // The compiler specialises the loops for each size.
  switch (side) {
    case 1: return block_means(plane, stride, 1, columns, rows, out);
    case 2: return block_means(plane, stride, 2, columns, rows, out);
    case 4: return block_means(plane, stride, 4, columns, rows, out);
    default: return block_means(plane, stride, 8, columns, rows, out);
  }
}

static uint8_t sample(float value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f); }

void hb_de265_means(const hb_de265 *decoder, size_t side, size_t width, size_t height, float kr, float kb,
                    int is_full_range, uint8_t *rgb, size_t stride) {
  const float black = is_full_range ? 0 : 16, luma = is_full_range ? 1 : 255.0f / 219;
  const float chroma = is_full_range ? 1 : 255.0f / 224, kg = 1 - kr - kb;
  for (size_t y = 0; y < height; y += side, rgb += stride) {
    const size_t rows = height - y < side ? height - y : side;
    for (size_t x = 0; x < width; x += BLOCK) {
      const size_t columns = width - x < BLOCK ? width - x : BLOCK;
      float found[3][BLOCK];
      for (int channel = 0; channel < 3; channel++) {
        const size_t step = channel > 0 ? 2 : 1;
        int row;
        const uint8_t *plane = decoder->get_image_plane(decoder->image, channel, &row);
        means(plane + y / step * (size_t)row + x / step, (size_t)row, side / step, (columns + step - 1) / step,
              (rows + step - 1) / step, found[channel]);
      }
      uint8_t *out = rgb + x / side * 3;
      for (size_t i = 0; i * side < columns; i++, out += 3) {
        const float light = (found[0][i] - black) * luma;
        const float blue = 2 * (1 - kb) * (found[1][i] - 128) * chroma;
        const float red = 2 * (1 - kr) * (found[2][i] - 128) * chroma;
        out[0] = sample(light + red);
        out[1] = sample(light - (kb * blue + kr * red) / kg);
        out[2] = sample(light + blue);
      }
    }
  }
}
