#include "CTIFFShim.h"

#if __has_include(<tiffio.h>)
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

// From libtiff 4.5 on, a file can be opened with a limit on allocations.
#if defined(TIFFLIB_VERSION) && TIFFLIB_VERSION >= 20221213
#define HB_HAS_OPTIONS 1
#endif

// The functions in use, typed by the header, so that a change of parameters is a compiler error.
static struct {
  __typeof__(&TIFFGetVersion) version;
  __typeof__(&TIFFSetErrorHandler) set_error_handler;
  __typeof__(&TIFFSetErrorHandlerExt) set_error_handler_ext;
  __typeof__(&TIFFSetWarningHandler) set_warning_handler;
  __typeof__(&TIFFSetWarningHandlerExt) set_warning_handler_ext;
  __typeof__(&TIFFClientOpen) open;
  __typeof__(&TIFFClose) close;
  __typeof__(&TIFFSetSubDirectory) set_directory;
  __typeof__(&TIFFIsCODECConfigured) has_codec;
  __typeof__(&TIFFGetFieldDefaulted) get;
  __typeof__(&TIFFSetField) set;
  __typeof__(&TIFFIsTiled) is_tiled;
  __typeof__(&TIFFScanlineSize) scanline_size;
  __typeof__(&TIFFTileSize) tile_size;
  __typeof__(&TIFFTileRowSize) tile_row_size;
  __typeof__(&TIFFStripSize) strip_size;
  __typeof__(&TIFFNumberOfStrips) strips;
  __typeof__(&TIFFNumberOfTiles) tiles;
  __typeof__(&TIFFReadScanline) read_scanline;
  __typeof__(&TIFFReadEncodedStrip) read_strip;
  __typeof__(&TIFFReadEncodedTile) read_tile;
  __typeof__(&TIFFComputeTile) tile_at;
  __typeof__(&TIFFReadRGBAStripExt) read_rgba_strip;
  __typeof__(&TIFFReadRGBATileExt) read_rgba_tile;
#ifdef HB_HAS_OPTIONS
  // Missing in older libraries with the same interface.
  __typeof__(&TIFFOpenOptionsAlloc) options_alloc;
  __typeof__(&TIFFOpenOptionsFree) options_free;
  __typeof__(&TIFFOpenOptionsSetMaxSingleMemAlloc) options_limit;
  __typeof__(&TIFFClientOpenExt) open_ext;
#endif
} tiff;

// MARK: Messages

enum { MESSAGE_SIZE = 200 };

// A file from libtiff's view, which libtiff passes to every callback.
typedef struct {
  hb_tiff_decoder *decoder;
  TIFF *file;
  uint64_t position;
} handle;

struct hb_tiff_decoder {
  const uint8_t *bytes;
  size_t size;
  hb_tiff_picture picture;
  // One handle per kept plane, so that each plane is decoded in sequence.
  handle handles[HB_TIFF_MOST_KEPT];
  uint32_t handle_count;
  uint32_t next_row;
  // A row of a plane, a tile, or a raster made by libtiff.
  uint8_t *buffer;
  size_t buffer_size;
  // The returned rows of a row of tiles, or of a strip that libtiff converts to RGB.
  uint8_t *band;
  // The first of these rows, and their number.
  uint32_t band_start, band_rows;
  uint32_t rows_per_strip;
  int is_started, has_failed, has_error;
  // Whether a warning says that samples are missing.
  int is_short;
  long warnings;
  char message[MESSAGE_SIZE];
};

// Warnings after which libtiff leaves rows unchanged and continues.
static int says_missing(const char *text) {
  static const char *const beginnings[] = {"Premature EOF", "Premature end", "Improper JPEG strip",
                                           "fractional scanline"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (strstr(text, beginnings[i])) return 1;
  }
  return 0;
}

// libtiff passes the file's client data, or NULL for messages that concern no file.
static void note(thandle_t client, const char *format, va_list arguments, int is_error) {
  handle *handle = client;
  if (!handle) return;
  hb_tiff_decoder *decoder = handle->decoder;
  char text[MESSAGE_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  if (!is_error) {
    // Messages about the directory do not matter, because Swift has read it.
    if (!decoder->is_started) return;
    decoder->is_short |= says_missing(text);
    if (decoder->warnings++ > 0 && !says_missing(text)) return;
  }
  if (decoder->has_error) return;
  decoder->has_error = is_error;
  memcpy(decoder->message, text, sizeof text);
}

static void note_error(thandle_t client, const char *module, const char *format, va_list arguments) {
  (void)module;
  note(client, format, arguments, 1);
}

static void note_warning(thandle_t client, const char *module, const char *format, va_list arguments) {
  (void)module;
  note(client, format, arguments, 0);
}

const char *hb_tiff_message(const hb_tiff_decoder *decoder) { return decoder->message; }

long hb_tiff_warnings(const hb_tiff_decoder *decoder) { return decoder->warnings; }

// MARK: Library

static void *open_library(void) {
  static const char *const names[] = {
#ifdef __APPLE__
      "libtiff.6.dylib", "/opt/homebrew/lib/libtiff.6.dylib",
#else
      "libtiff.so.6", "libtiff.so.5",
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

#define FIND(member, name) ((tiff.member = (__typeof__(tiff.member))dlsym(library, name)) != NULL)

static int find_reading(void *library) {
  return FIND(scanline_size, "TIFFScanlineSize") && FIND(tile_size, "TIFFTileSize") &&
         FIND(tile_row_size, "TIFFTileRowSize") && FIND(strip_size, "TIFFStripSize") &&
         FIND(strips, "TIFFNumberOfStrips") && FIND(tiles, "TIFFNumberOfTiles") &&
         FIND(read_scanline, "TIFFReadScanline") && FIND(read_strip, "TIFFReadEncodedStrip") &&
         FIND(read_tile, "TIFFReadEncodedTile") && FIND(tile_at, "TIFFComputeTile") &&
         FIND(read_rgba_strip, "TIFFReadRGBAStripExt") && FIND(read_rgba_tile, "TIFFReadRGBATileExt");
}

hb_tiff_status hb_tiff_load(void) {
  void *library = open_library();
  if (!library) return HB_TIFF_NOT_FOUND;
  int complete = FIND(version, "TIFFGetVersion") && FIND(set_error_handler, "TIFFSetErrorHandler") &&
                 FIND(set_error_handler_ext, "TIFFSetErrorHandlerExt") &&
                 FIND(set_warning_handler, "TIFFSetWarningHandler") &&
                 FIND(set_warning_handler_ext, "TIFFSetWarningHandlerExt") && FIND(open, "TIFFClientOpen") &&
                 FIND(close, "TIFFClose") && FIND(set_directory, "TIFFSetSubDirectory") &&
                 FIND(has_codec, "TIFFIsCODECConfigured") && FIND(get, "TIFFGetFieldDefaulted") &&
                 FIND(set, "TIFFSetField") && FIND(is_tiled, "TIFFIsTiled") && find_reading(library);
  if (!complete) return HB_TIFF_NOT_FOUND;
#ifdef HB_HAS_OPTIONS
  if (!(FIND(options_alloc, "TIFFOpenOptionsAlloc") && FIND(options_free, "TIFFOpenOptionsFree") &&
        FIND(options_limit, "TIFFOpenOptionsSetMaxSingleMemAlloc") && FIND(open_ext, "TIFFClientOpenExt"))) {
    tiff.open_ext = NULL;
  }
#endif
  // Every release passes these handlers the file's client data, so one pair serves all files.
  tiff.set_error_handler(NULL);
  tiff.set_warning_handler(NULL);
  tiff.set_error_handler_ext(note_error);
  tiff.set_warning_handler_ext(note_warning);
  return HB_TIFF_OK;
}

const char *hb_tiff_version(void) { return tiff.version(); }

// MARK: Reading from memory

static tmsize_t take(thandle_t client, void *target, tmsize_t count) {
  handle *handle = client;
  const hb_tiff_decoder *decoder = handle->decoder;
  if (count < 0 || handle->position >= decoder->size) return 0;
  size_t left = decoder->size - (size_t)handle->position;
  size_t taken = (size_t)count < left ? (size_t)count : left;
  memcpy(target, decoder->bytes + handle->position, taken);
  handle->position += taken;
  return (tmsize_t)taken;
}

static tmsize_t refuse(thandle_t client, void *source, tmsize_t count) {
  (void)client, (void)source, (void)count;
  return 0;
}

static toff_t seek(thandle_t client, toff_t offset, int whence) {
  handle *handle = client;
  uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? handle->position : handle->decoder->size;
  return handle->position = base + offset;
}

static int leave_open(thandle_t client) {
  (void)client;
  return 0;
}

static toff_t size_of(thandle_t client) { return ((handle *)client)->decoder->size; }

static int map(thandle_t client, void **base, toff_t *size) {
  const hb_tiff_decoder *decoder = ((handle *)client)->decoder;
  // libtiff only reads mapped memory.
  *base = (void *)(uintptr_t)decoder->bytes;
  *size = decoder->size;
  return 1;
}

static void unmap(thandle_t client, void *base, toff_t size) { (void)client, (void)base, (void)size; }

// 'h' does not read the first directory, and 'c' leaves strips as they are in the file.
static TIFF *open_file(handle *handle) {
  static const char mode[] = "rhc";
#ifdef HB_HAS_OPTIONS
  TIFFOpenOptions *options = tiff.open_ext ? tiff.options_alloc() : NULL;
  if (options) {
    tiff.options_limit(options, (tmsize_t)handle->decoder->picture.largest_allocation);
    TIFF *file = tiff.open_ext("TIFF", mode, handle, take, refuse, seek, leave_open, size_of, map, unmap, options);
    tiff.options_free(options);
    return file;
  }
#endif
  return tiff.open("TIFF", mode, handle, take, refuse, seek, leave_open, size_of, map, unmap);
}

hb_tiff_decoder *hb_tiff_open(const uint8_t *bytes, size_t size, const hb_tiff_picture *picture) {
  hb_tiff_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->bytes = bytes;
  decoder->size = size;
  decoder->picture = *picture;
  for (int i = 0; i < HB_TIFF_MOST_KEPT; i++) decoder->handles[i].decoder = decoder;
  return decoder;
}

void hb_tiff_close(hb_tiff_decoder *decoder) {
  for (uint32_t i = 0; i < decoder->handle_count; i++) {
    if (decoder->handles[i].file) tiff.close(decoder->handles[i].file);
  }
  free(decoder->buffer);
  free(decoder->band);
  free(decoder);
}

// MARK: The directory

static int is_tiled(const hb_tiff_picture *picture) { return picture->tile_width != 0; }

// The number of interleaved samples per pixel in a row that libtiff decodes.
static uint32_t interleaved(const hb_tiff_picture *picture) {
  return picture->is_separate ? 1 : picture->samples;
}

// The bytes of a row that libtiff decodes.
static uint64_t row_bytes(const hb_tiff_picture *picture, uint32_t columns) {
  return ((uint64_t)columns * interleaved(picture) * picture->bits + 7) / 8;
}

static uint32_t long_field(TIFF *file, uint32_t tag) {
  uint32_t value = 0;
  return tiff.get(file, tag, &value) ? value : 0;
}

static uint16_t short_field(TIFF *file, uint32_t tag) {
  uint16_t value = 0;
  return tiff.get(file, tag, &value) ? value : 0;
}

// Whether libtiff has read the same from the directory as Swift.
static int agrees(TIFF *file, const hb_tiff_picture *picture) {
  if (long_field(file, TIFFTAG_IMAGEWIDTH) != picture->width) return 0;
  if (long_field(file, TIFFTAG_IMAGELENGTH) != picture->height) return 0;
  if (short_field(file, TIFFTAG_COMPRESSION) != picture->compression) return 0;
  if (!tiff.is_tiled(file) != !is_tiled(picture)) return 0;
  if (is_tiled(picture)) {
    if (long_field(file, TIFFTAG_TILEWIDTH) != picture->tile_width) return 0;
    if (long_field(file, TIFFTAG_TILELENGTH) != picture->tile_height) return 0;
  }
  // libtiff corrects these values if JPEG streams state something else.
  if (picture->kind == HB_TIFF_TO_RGB) return 1;
  int is_separate = short_field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
  if (is_separate != picture->is_separate && picture->samples > 1) return 0;
  if (short_field(file, TIFFTAG_BITSPERSAMPLE) != picture->bits) return 0;
  if (short_field(file, TIFFTAG_SAMPLESPERPIXEL) != picture->samples) return 0;
  if (is_tiled(picture)) {
    uint64_t row = row_bytes(picture, picture->tile_width);
    return (uint64_t)tiff.tile_row_size(file) == row &&
           (uint64_t)tiff.tile_size(file) == row * picture->tile_height;
  }
  return (uint64_t)tiff.scanline_size(file) == row_bytes(picture, picture->width);
}

static hb_tiff_status start(handle *handle) {
  const hb_tiff_picture *picture = &handle->decoder->picture;
  // copy_raster supports nothing else.
  if (picture->kind == HB_TIFF_TO_RGB && (picture->bits != 8 || (picture->kept_count != 1 && picture->kept_count != 3))) {
    return HB_TIFF_DISAGREES;
  }
  handle->file = open_file(handle);
  if (!handle->file) return HB_TIFF_DISAGREES;
  if (!tiff.set_directory(handle->file, picture->directory)) return HB_TIFF_DISAGREES;
  if (picture->kind == HB_TIFF_JPEG_TO_RGB) {
    tiff.set(handle->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  // libtiff's rasters should come as stored, because pictures are turned elsewhere.
  if (picture->kind == HB_TIFF_TO_RGB) tiff.set(handle->file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  return agrees(handle->file, picture) ? HB_TIFF_OK : HB_TIFF_DISAGREES;
}

static size_t sample_bytes(const hb_tiff_picture *picture) { return picture->bits > 8 ? 2 : 1; }

static size_t pixel_bytes(const hb_tiff_picture *picture) {
  return picture->kept_count * sample_bytes(picture);
}

// Clear memory of a × b × c bytes, or NULL.
static uint8_t *cleared(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t rows, bytes;
  if (__builtin_mul_overflow(a, b, &rows) || __builtin_mul_overflow(rows, c, &bytes) || bytes > PTRDIFF_MAX) {
    return NULL;
  }
  return calloc(bytes ? (size_t)bytes : 1, 1);
}

static hb_tiff_status make_buffers(hb_tiff_decoder *decoder) {
  const hb_tiff_picture *picture = &decoder->picture;
  uint32_t columns = is_tiled(picture) ? picture->tile_width : picture->width, rows = 1;
  decoder->rows_per_strip = long_field(decoder->handles[0].file, TIFFTAG_ROWSPERSTRIP);
  if (decoder->rows_per_strip == 0 || decoder->rows_per_strip > picture->height) {
    decoder->rows_per_strip = picture->height;
  }
  if (is_tiled(picture)) rows = picture->tile_height;
  else if (picture->kind == HB_TIFF_TO_RGB) rows = decoder->rows_per_strip;
  uint64_t bytes = picture->kind == HB_TIFF_TO_RGB ? 4 * (uint64_t)columns : row_bytes(picture, columns);
  decoder->buffer = cleared(bytes, rows, 1);
  decoder->buffer_size = bytes * rows;
  if (!decoder->buffer) return HB_TIFF_OUT_OF_MEMORY;
  if (!is_tiled(picture) && picture->kind != HB_TIFF_TO_RGB) return HB_TIFF_OK;
  if (rows > picture->height) rows = picture->height;
  decoder->band = cleared(picture->width, rows, pixel_bytes(picture));
  return decoder->band ? HB_TIFF_OK : HB_TIFF_OUT_OF_MEMORY;
}

hb_tiff_status hb_tiff_start(hb_tiff_decoder *decoder) {
  const hb_tiff_picture *picture = &decoder->picture;
  if (!tiff.has_codec((uint16_t)picture->compression)) return HB_TIFF_NO_CODEC;
  uint32_t count = picture->is_separate && picture->kind == HB_TIFF_PLAIN ? picture->kept_count : 1;
  while (decoder->handle_count < count) {
    hb_tiff_status status = start(&decoder->handles[decoder->handle_count++]);
    if (status != HB_TIFF_OK) return status;
  }
  hb_tiff_status status = make_buffers(decoder);
  decoder->is_started = status == HB_TIFF_OK;
  decoder->has_error = 0;
  decoder->message[0] = 0;
  return status;
}

// MARK: Rows

// Copies `count` samples of `bits` bits, from sample `first` of the row in steps of `step`, to positions `stride`
// apart.
static void unpack(const uint8_t *row, uint32_t bits, size_t first, size_t step, size_t count, uint8_t *target,
                   size_t stride) {
  if (bits == 8) {
    for (size_t i = 0; i < count; i++) target[i * stride] = row[first + i * step];
  } else if (bits == 16) {
    for (size_t i = 0; i < count; i++) memcpy(target + 2 * i * stride, row + 2 * (first + i * step), 2);
  } else if (bits > 8) {
    for (size_t i = 0; i < count; i++) {
      size_t bit = (first + i * step) * bits, end = (bit + bits + 7) / 8;
      uint32_t window = 0;
      for (size_t byte = bit / 8; byte < end; byte++) window = window << 8 | row[byte];
      uint16_t value = (uint16_t)(window >> (8 * end - bit - bits) & ((1u << bits) - 1));
      memcpy(target + 2 * i * stride, &value, 2);
    }
  } else if (8 % bits != 0) {
    for (size_t i = 0; i < count; i++) {
      size_t bit = (first + i * step) * bits, end = (bit + bits + 7) / 8;
      uint32_t window = end - bit / 8 > 1 ? (uint32_t)row[bit / 8] << 8 | row[end - 1] : row[bit / 8];
      target[i * stride] = (uint8_t)(window >> (8 * end - bit - bits) & ((1u << bits) - 1));
    }
  } else {
    uint8_t mask = (uint8_t)((1 << bits) - 1);
    for (size_t i = 0; i < count; i++) {
      size_t bit = (first + i * step) * bits;
      target[i * stride] = row[bit / 8] >> (8 - bits - bit % 8) & mask;
    }
  }
}

// Copies the kept samples of a decoded row, or of one of its planes, to pixels.
static void unpack_row(const hb_tiff_decoder *decoder, uint32_t plane, const uint8_t *row, size_t columns,
                       uint8_t *target) {
  const hb_tiff_picture *picture = &decoder->picture;
  size_t kept = picture->kept_count, bytes = sample_bytes(picture);
  if (picture->is_separate) {
    unpack(row, picture->bits, 0, 1, columns, target + plane * bytes, kept);
    return;
  }
  int is_all = kept == picture->samples && (picture->bits == 8 || picture->bits == 16);
  for (size_t k = 0; k < kept; k++) is_all &= picture->kept[k] == k;
  if (is_all) {
    memcpy(target, row, columns * kept * bytes);
    return;
  }
  for (size_t k = 0; k < kept; k++) {
    unpack(row, picture->bits, picture->kept[k], picture->samples, columns, target + k * bytes, kept);
  }
}

static uint16_t plane_number(const hb_tiff_decoder *decoder, uint32_t plane) {
  return decoder->picture.is_separate ? (uint16_t)decoder->picture.kept[plane] : 0;
}

static hb_tiff_status read_scanline(hb_tiff_decoder *decoder, uint8_t *target) {
  for (uint32_t plane = 0; plane < decoder->handle_count; plane++) {
    // Clears the buffer, so that missing parts of a damaged strip do not show another row.
    memset(decoder->buffer, 0, decoder->buffer_size);
    TIFF *file = decoder->handles[plane].file;
    int read = tiff.read_scanline(file, decoder->buffer, decoder->next_row, plane_number(decoder, plane));
    if (read != 1 || decoder->is_short) return HB_TIFF_DAMAGED;
    unpack_row(decoder, plane, decoder->buffer, decoder->picture.width, target);
  }
  return HB_TIFF_OK;
}

static hb_tiff_status read_tiles(hb_tiff_decoder *decoder) {
  const hb_tiff_picture *picture = &decoder->picture;
  size_t row = (size_t)row_bytes(picture, picture->tile_width), pixel = pixel_bytes(picture);
  for (uint64_t x = 0; x < picture->width; x += picture->tile_width) {
    uint64_t left = picture->width - x;
    size_t columns = left < picture->tile_width ? (size_t)left : picture->tile_width;
    for (uint32_t plane = 0; plane < decoder->handle_count; plane++) {
      TIFF *file = decoder->handles[plane].file;
      memset(decoder->buffer, 0, decoder->buffer_size);
      uint32_t tile =
          tiff.tile_at(file, (uint32_t)x, decoder->band_start, 0, plane_number(decoder, plane));
      tmsize_t read = tiff.read_tile(file, tile, decoder->buffer, (tmsize_t)decoder->buffer_size);
      if (read != (tmsize_t)decoder->buffer_size || decoder->is_short) return HB_TIFF_DAMAGED;
      for (size_t y = 0; y < decoder->band_rows; y++) {
        uint8_t *target = decoder->band + (y * picture->width + x) * pixel;
        unpack_row(decoder, plane, decoder->buffer + y * row, columns, target);
      }
    }
  }
  return HB_TIFF_OK;
}

// Copies libtiff's pixels, with rows from the bottom up: all three colours, or for gray the first, which equals the
// others.
static void copy_raster(const hb_tiff_decoder *decoder, size_t x, size_t columns, size_t raster_columns,
                        size_t raster_rows) {
  const uint32_t *raster = (const uint32_t *)(const void *)decoder->buffer;
  for (size_t y = 0; y < decoder->band_rows; y++) {
    const uint32_t *from = raster + (raster_rows - 1 - y) * raster_columns;
    size_t kept = decoder->picture.kept_count;
    uint8_t *to = decoder->band + (y * decoder->picture.width + x) * kept;
    for (size_t i = 0; i < columns; i++) {
      const uint8_t colours[3] = {TIFFGetR(from[i]), TIFFGetG(from[i]), TIFFGetB(from[i])};
      memcpy(to + kept * i, colours, kept);
    }
  }
}

static hb_tiff_status read_rgb(hb_tiff_decoder *decoder) {
  const hb_tiff_picture *picture = &decoder->picture;
  TIFF *file = decoder->handles[0].file;
  uint32_t *raster = (uint32_t *)(void *)decoder->buffer;
  memset(decoder->buffer, 0, decoder->buffer_size);
  if (!is_tiled(picture)) {
    int read = tiff.read_rgba_strip(file, decoder->band_start, raster, 1);
    if (!read || decoder->is_short || decoder->has_error) return HB_TIFF_DAMAGED;
    copy_raster(decoder, 0, picture->width, picture->width, decoder->band_rows);
    return HB_TIFF_OK;
  }
  for (uint64_t x = 0; x < picture->width; x += picture->tile_width) {
    int read = tiff.read_rgba_tile(file, (uint32_t)x, decoder->band_start, raster, 1);
    if (!read || decoder->is_short || decoder->has_error) return HB_TIFF_DAMAGED;
    uint64_t left = picture->width - x;
    size_t columns = left < picture->tile_width ? (size_t)left : picture->tile_width;
    copy_raster(decoder, (size_t)x, columns, picture->tile_width, picture->tile_height);
  }
  return HB_TIFF_OK;
}

// Ensures that the band contains the next row.
static hb_tiff_status fill_band(hb_tiff_decoder *decoder) {
  const hb_tiff_picture *picture = &decoder->picture;
  uint64_t end = (uint64_t)decoder->band_start + decoder->band_rows;
  if (decoder->next_row < end) return HB_TIFF_OK;
  uint32_t rows = is_tiled(picture) ? picture->tile_height : decoder->rows_per_strip;
  decoder->band_start = (uint32_t)end;
  decoder->band_rows = rows < picture->height - (uint32_t)end ? rows : picture->height - (uint32_t)end;
  return picture->kind == HB_TIFF_TO_RGB ? read_rgb(decoder) : read_tiles(decoder);
}

static hb_tiff_status read_row(hb_tiff_decoder *decoder, uint8_t *target) {
  if (!decoder->band) return read_scanline(decoder, target);
  hb_tiff_status status = fill_band(decoder);
  if (status != HB_TIFF_OK) return status;
  size_t stride = decoder->picture.width * pixel_bytes(&decoder->picture);
  memcpy(target, decoder->band + (decoder->next_row - decoder->band_start) * stride, stride);
  return HB_TIFF_OK;
}

hb_tiff_status hb_tiff_read_rows(hb_tiff_decoder *decoder, void *samples, uint32_t rows) {
  size_t stride = decoder->picture.width * pixel_bytes(&decoder->picture);
  for (uint32_t row = 0; row < rows; row++) {
    if (decoder->has_failed || decoder->next_row >= decoder->picture.height) return HB_TIFF_DAMAGED;
    hb_tiff_status status = read_row(decoder, (uint8_t *)samples + row * stride);
    decoder->has_failed = status != HB_TIFF_OK;
    if (status != HB_TIFF_OK) return status;
    decoder->next_row++;
  }
  return HB_TIFF_OK;
}

uint32_t hb_tiff_next_row(const hb_tiff_decoder *decoder) { return decoder->next_row; }

// MARK: Damage

hb_tiff_status hb_tiff_count_damaged(hb_tiff_decoder *decoder, uint32_t *damaged, uint32_t *all) {
  const hb_tiff_picture *picture = &decoder->picture;
  TIFF *file = decoder->handles[0].file;
  tmsize_t size = is_tiled(picture) ? tiff.tile_size(file) : tiff.strip_size(file);
  *all = is_tiled(picture) ? tiff.tiles(file) : tiff.strips(file);
  *damaged = 0;
  uint8_t *buffer = size > 0 ? malloc((size_t)size) : NULL;
  if (!buffer) return HB_TIFF_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < *all; i++) {
    decoder->is_short = 0;
    tmsize_t read = (is_tiled(picture) ? tiff.read_tile : tiff.read_strip)(file, i, buffer, size);
    *damaged += read <= 0 || decoder->is_short;
  }
  free(buffer);
  return HB_TIFF_OK;
}

#else
hb_tiff_status hb_tiff_load(void) { return HB_TIFF_NOT_BUILT; }

const char *hb_tiff_version(void) { return ""; }

hb_tiff_decoder *hb_tiff_open(const uint8_t *bytes, size_t size, const hb_tiff_picture *picture) {
  (void)bytes, (void)size, (void)picture;
  return NULL;
}

void hb_tiff_close(hb_tiff_decoder *decoder) { (void)decoder; }

hb_tiff_status hb_tiff_start(hb_tiff_decoder *decoder) {
  (void)decoder;
  return HB_TIFF_NOT_BUILT;
}

hb_tiff_status hb_tiff_read_rows(hb_tiff_decoder *decoder, void *samples, uint32_t rows) {
  (void)decoder, (void)samples, (void)rows;
  return HB_TIFF_NOT_BUILT;
}

uint32_t hb_tiff_next_row(const hb_tiff_decoder *decoder) {
  (void)decoder;
  return 0;
}

hb_tiff_status hb_tiff_count_damaged(hb_tiff_decoder *decoder, uint32_t *damaged, uint32_t *all) {
  (void)decoder, (void)damaged, (void)all;
  return HB_TIFF_NOT_BUILT;
}

const char *hb_tiff_message(const hb_tiff_decoder *decoder) {
  (void)decoder;
  return "";
}

long hb_tiff_warnings(const hb_tiff_decoder *decoder) {
  (void)decoder;
  return 0;
}
#endif
