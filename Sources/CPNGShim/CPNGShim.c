#include "CPNGShim.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// The state that libpng's callbacks reach through png_get_error_ptr: the jump buffer and what happened.
typedef struct {
  jmp_buf exit;
  long warnings;
  char message[HB_PNG_MESSAGE_SIZE];
} error_state;

static void keep(error_state *state, const char *message) {
  strncpy(state->message, message ? message : "", HB_PNG_MESSAGE_SIZE - 1);
  state->message[HB_PNG_MESSAGE_SIZE - 1] = 0;
}

PNG_NORETURN static void leave(png_structp png, const char *message) {
  error_state *state = png_get_error_ptr(png);
  keep(state, message);
  longjmp(state->exit, 1);
}

static void warn(png_structp png, const char *message) {
  error_state *state = png_get_error_ptr(png);
  if (state->warnings++ == 0) keep(state, message);
}

// libpng's errors mention memory, but have no numbers.
static hb_png_status status_of(const error_state *state) {
  return strstr(state->message, "emory") ? HB_PNG_OUT_OF_MEMORY : HB_PNG_ERROR;
}

static int is_little_endian(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one;
}

// MARK: Decoding

struct hb_png_decoder {
  png_structp png;
  png_infop info;
  error_state errors;
  const uint8_t *bytes;
  size_t left;
  int passes;
  // Whether rows are returned as stored, except for the byte order.
  int is_plain;
  // The numbers of rows returned and decoded by libpng; the reader that decodes without libpng is below.
  uint32_t given, decoded;
  hb_png_fast *fast;
};

static void take(png_structp png, png_bytep target, size_t count) {
  hb_png_decoder *decoder = png_get_io_ptr(png);
  if (count > decoder->left) png_error(png, "file ends too early");
  memcpy(target, decoder->bytes, count);
  decoder->bytes += count;
  decoder->left -= count;
}

const char *hb_png_version(void) { return png_get_libpng_ver(NULL); }

hb_png_decoder *hb_png_open(const uint8_t *bytes, size_t size) {
  hb_png_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->bytes = bytes;
  decoder->left = size;
  if (setjmp(decoder->errors.exit)) {
    hb_png_close(decoder);
    return NULL;
  }
  decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder->errors, leave, warn);
  decoder->info = decoder->png ? png_create_info_struct(decoder->png) : NULL;
  if (!decoder->info) {
    hb_png_close(decoder);
    return NULL;
  }
  return decoder;
}

void hb_png_close(hb_png_decoder *decoder) {
  hb_png_fast_close(decoder->fast);
  png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
  free(decoder);
}

// Everything but IHDR, PLTE, tRNS, IDAT, IEND and iCCP is skipped unparsed: no pixel depends on it, the reader
// interprets the other colour chunks, and compressed text could exhaust memory.
static void skip_irrelevant_chunks(png_structp png) {
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "iCCP", 1);
}

hb_png_status hb_png_read_header(hb_png_decoder *decoder, uint32_t *width, uint32_t *height, int *channels,
                                 int *bit_depth, const uint8_t **icc, uint32_t *icc_size) {
  if (setjmp(decoder->errors.exit)) return status_of(&decoder->errors);
  png_structp png = decoder->png;
  png_set_read_fn(png, decoder, take);
  // The caller has checked the number of pixels; libpng's own limit of a million per side is not needed.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, 16 << 20);
  png_set_chunk_cache_max(png, 128);
  // Without this, libpng would refuse files with sRGB profiles of old programs.
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  png_set_benign_errors(png, 1);
  skip_irrelevant_chunks(png);
  png_read_info(png, decoder->info);

  png_charp name;
  int compression;
  png_bytep profile;
  *icc = NULL;
  *icc_size = 0;
  if (png_get_iCCP(png, decoder->info, &name, &compression, &profile, icc_size)) *icc = profile;
  decoder->is_plain = png_get_bit_depth(png, decoder->info) >= 8 &&
                      png_get_color_type(png, decoder->info) != PNG_COLOR_TYPE_PALETTE &&
                      !png_get_valid(png, decoder->info, PNG_INFO_tRNS) &&
                      png_get_interlace_type(png, decoder->info) == PNG_INTERLACE_NONE;
  png_set_expand(png);
  if (is_little_endian() && png_get_bit_depth(png, decoder->info) == 16) png_set_swap(png);
  decoder->passes = png_set_interlace_handling(png);
  png_read_update_info(png, decoder->info);
  *width = png_get_image_width(png, decoder->info);
  *height = png_get_image_height(png, decoder->info);
  *channels = png_get_channels(png, decoder->info);
  *bit_depth = png_get_bit_depth(png, decoder->info);
  return HB_PNG_OK;
}

// Describes how to decode the file's rows without libpng, which has read the length and name of the first image data
// chunk; returns 0 if that is impossible.
static int describe_rows(const hb_png_decoder *decoder, hb_png_rows *rows) {
  if (!decoder->is_plain || memcmp(decoder->bytes - 4, "IDAT", 4) != 0) return 0;
  int depth = png_get_bit_depth(decoder->png, decoder->info);
  *rows = (hb_png_rows){
      .height = png_get_image_height(decoder->png, decoder->info),
      .stride = png_get_rowbytes(decoder->png, decoder->info),
      .distance = png_get_channels(decoder->png, decoder->info) * depth / 8,
      .swaps = depth == 16 && is_little_endian(),
  };
  return 1;
}

hb_png_status hb_png_read(hb_png_decoder *decoder, void *pixels, size_t size) {
  if (setjmp(decoder->errors.exit)) return status_of(&decoder->errors);
  png_structp png = decoder->png;
  uint32_t height = png_get_image_height(png, decoder->info);
  size_t stride = png_get_rowbytes(png, decoder->info);
  if (stride == 0 || size / stride < height) png_error(png, "buffer too small");
  hb_png_rows rows;
  if (describe_rows(decoder, &rows) && hb_png_read_fast(decoder->bytes - 8, decoder->left + 8, &rows, pixels)) {
    return HB_PNG_OK;
  }
  // Interlaced passes add to the rows of the previous pass.
  for (int pass = 0; pass < decoder->passes; pass++) {
    for (uint32_t y = 0; y < height; y++) png_read_row(png, (png_bytep)pixels + y * stride, NULL);
  }
  png_read_end(png, NULL);
  return HB_PNG_OK;
}

int hb_png_has_rows(const hb_png_decoder *decoder) { return decoder->passes == 1; }

// Decodes rows without libpng; returns 0 if libpng must do it, which then starts again.
static int read_rows_fast(hb_png_decoder *decoder, uint8_t *pixels, uint32_t count) {
  hb_png_rows rows;
  if (decoder->given == 0 && describe_rows(decoder, &rows)) {
    decoder->fast = hb_png_fast_open(&rows);
  }
  if (!decoder->fast) return 0;
  // libpng stays at the first chunk until it is needed.
  const uint8_t *data = decoder->bytes - 8;
  if (hb_png_fast_next(decoder->fast, data, decoder->left + 8, count, pixels)) return 1;
  hb_png_fast_close(decoder->fast);
  decoder->fast = NULL;
  return 0;
}

size_t hb_png_bytes_left(const hb_png_decoder *decoder) {
  return decoder->fast ? decoder->left + 8 - hb_png_fast_taken(decoder->fast) : decoder->left;
}

hb_png_status hb_png_read_rows(hb_png_decoder *decoder, void *pixels, uint32_t rows) {
  if (setjmp(decoder->errors.exit)) return status_of(&decoder->errors);
  png_structp png = decoder->png;
  uint32_t height = png_get_image_height(png, decoder->info);
  size_t stride = png_get_rowbytes(png, decoder->info);
  if (rows == 0 || rows > height - decoder->given) png_error(png, "no such rows");
  if (!read_rows_fast(decoder, pixels, rows)) {
    // Skips the rows that were already returned, which are identical.
    for (; decoder->decoded < decoder->given; decoder->decoded++) png_read_row(png, pixels, NULL);
    for (uint32_t y = 0; y < rows; y++, decoder->decoded++) png_read_row(png, (png_bytep)pixels + y * stride, NULL);
    if (decoder->decoded == height) png_read_end(png, NULL);
  }
  decoder->given += rows;
  return HB_PNG_OK;
}

const char *hb_png_message(const hb_png_decoder *decoder) { return decoder->errors.message; }

long hb_png_warnings(const hb_png_decoder *decoder) { return decoder->errors.warnings; }

// MARK: Encoding

typedef struct {
  png_structp png;
  png_infop info;
  error_state errors;
  hb_png_output output;
  size_t capacity;
  // Image data made without libpng.
  uint8_t *packed;
} encoder;

static void append(png_structp png, png_bytep bytes, size_t count) {
  encoder *state = png_get_io_ptr(png);
  hb_png_output *output = &state->output;
  if (count > SIZE_MAX / 2 - output->size) png_error(png, "out of memory");
  if (output->size + count > state->capacity) {
    size_t capacity = (output->size + count) * 2;
    uint8_t *grown = realloc(output->data, capacity);
    if (!grown) png_error(png, "out of memory");
    output->data = grown;
    state->capacity = capacity;
  }
  memcpy(output->data + output->size, bytes, count);
  output->size += count;
}

static void flush(png_structp png) { (void)png; }

static void write_significant_bits(encoder *state, const hb_png_format *format) {
  png_byte bits = (png_byte)format->significant_bits;
  png_color_8 significant = {.red = bits, .green = bits, .blue = bits, .gray = bits, .alpha = bits};
  png_set_sBIT(state->png, state->info, &significant);
}

static void write_palette(encoder *state, const hb_png_format *format) {
  png_color colours[256];
  for (int i = 0; i < format->colours; i++) {
    const uint8_t *colour = format->palette + 3 * i;
    colours[i] = (png_color){.red = colour[0], .green = colour[1], .blue = colour[2]};
  }
  png_set_PLTE(state->png, state->info, colours, format->colours);
}

// Writes the image data and the end; returns 0 if libpng must do it.
static int write_fast(encoder *state, const hb_png_format *format, const uint8_t *pixels, size_t stride) {
  hb_png_rows rows = {.height = format->height, .stride = stride, .distance = format->channels};
  size_t size;
  if (!format->is_fast || format->bit_depth != 8 || !hb_png_pack_fast(&rows, pixels, &state->packed, &size)) return 0;
  png_write_chunk(state->png, (png_const_bytep) "IDAT", state->packed, size);
  png_write_chunk(state->png, (png_const_bytep) "IEND", NULL, 0);
  return 1;
}

// Separate from hb_png_encode, so that the encoder is not a local variable of the function that calls setjmp and keeps
// its contents after longjmp.
static hb_png_status run(encoder *state, const void *pixels, const hb_png_format *format, const uint8_t *icc,
                         uint32_t icc_size) {
  static const int color_types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(state->errors.exit)) return status_of(&state->errors);
  state->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state->errors, leave, warn);
  state->info = state->png ? png_create_info_struct(state->png) : NULL;
  if (!state->info) return HB_PNG_OUT_OF_MEMORY;
  png_structp png = state->png;
  png_set_write_fn(png, state, append, flush);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_benign_errors(png, 1);
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  if (format->is_fast) {
    // A seventh of the time and 2 % more bytes on six Kodak photographs; the other filters are slower or larger.
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  } else {
    // This level reproduces the committed corpus byte for byte.
    png_set_compression_level(png, 6);
  }
  int color_type = format->colours > 0 ? PNG_COLOR_TYPE_PALETTE : color_types[format->channels - 1];
  png_set_IHDR(png, state->info, format->width, format->height, format->bit_depth, color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (format->colours > 0) write_palette(state, format);
  if (icc_size > 0) {
    png_set_iCCP(png, state->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, icc, icc_size);
    if (!png_get_valid(png, state->info, PNG_INFO_iCCP)) png_error(png, "libpng rejects the ICC profile");
  } else if (format->transfer == 0) {
    png_set_sRGB(png, state->info, PNG_sRGB_INTENT_PERCEPTUAL);
  }
  if (format->significant_bits < format->bit_depth) write_significant_bits(state, format);
  png_write_info(png, state->info);
  if (format->transfer > 0) {
    // RGB, full range. libpng before 1.6.46 has no function for this chunk.
    const png_byte points[] = {(png_byte)format->primaries, (png_byte)format->transfer, 0, 1};
    png_write_chunk(png, (png_const_bytep) "cICP", points, sizeof points);
  }
  if (is_little_endian() && format->bit_depth == 16) png_set_swap(png);
  size_t stride = (size_t)format->width * (size_t)format->channels * (size_t)(format->bit_depth / 8);
  if (write_fast(state, format, pixels, stride)) return HB_PNG_OK;
  for (uint32_t y = 0; y < format->height; y++) {
    png_write_row(png, (png_const_bytep)pixels + y * stride);
  }
  png_write_end(png, state->info);
  return HB_PNG_OK;
}

hb_png_status hb_png_encode(const void *pixels, const hb_png_format *format, const uint8_t *icc,
                            uint32_t icc_size, hb_png_output *output, char message[HB_PNG_MESSAGE_SIZE]) {
  encoder state = {0};
  hb_png_status status = run(&state, pixels, format, icc, icc_size);
  memcpy(message, state.errors.message, HB_PNG_MESSAGE_SIZE);
  png_destroy_write_struct(&state.png, &state.info);
  free(state.packed);
  if (status == HB_PNG_OK) {
    *output = state.output;
  } else {
    free(state.output.data);
  }
  return status;
}

void hb_png_free_output(hb_png_output *output) {
  free(output->data);
  *output = (hb_png_output){0};
}
