#include "FastRows.h"

#if __has_include(<isa-l/igzip_lib.h>) && __has_include(<isa-l/crc.h>)
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

// The functions in use, typed by the headers, so that a change of parameters is a compiler error.
static struct {
  __typeof__(&isal_inflate_init) begin;
  __typeof__(&isal_inflate) inflate;
  __typeof__(&isal_deflate_init) begin_packing;
  __typeof__(&isal_deflate) deflate;
  __typeof__(&crc32_gzip_refl) crc;
} isal;

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("libisal.2.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return;
  isal.begin = (__typeof__(isal.begin))dlsym(library, "isal_inflate_init");
  isal.inflate = (__typeof__(isal.inflate))dlsym(library, "isal_inflate");
  isal.begin_packing = (__typeof__(isal.begin_packing))dlsym(library, "isal_deflate_init");
  isal.deflate = (__typeof__(isal.deflate))dlsym(library, "isal_deflate");
  isal.crc = (__typeof__(isal.crc))dlsym(library, "crc32_gzip_refl");
}

static int is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isal.begin && isal.inflate && isal.begin_packing && isal.deflate && isal.crc;
}

int hb_png_is_fast(void) { return is_loaded(); }

// MARK: Filters

#define INLINE static inline __attribute__((always_inline))

// Four samples at a time; a pixel with three samples uses three. Sums stay within 16 bits.
typedef int16_t wide __attribute__((vector_size(8)));
typedef uint8_t narrow __attribute__((vector_size(4)));
typedef uint8_t octets __attribute__((vector_size(8)));

// Every processor of the last fifteen years has SSE4.1, whose blend by mask shortens a pixel's latency by a third. The
// run-time selection happens before ThreadSanitizer is ready for it.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define CLONED __attribute__((target_clones("sse4.1", "default")))
#else
#define CLONED
#endif

INLINE wide widen(const uint8_t *bytes, size_t count) {
  narrow samples = {0};
  memcpy(&samples, bytes, count);
  return __builtin_convertvector(samples, wide);
}

INLINE wide chosen(wide mask, wide yes, wide no) { return (mask & yes) | (~mask & no); }

// The current position in a row: the samples on the left, and those above them.
typedef struct {
  wide left, corner;
} pixel;

// The sample on the left, above, or above on the left, whichever is nearest to left + above - above left (PNG
// specification, 9.4).
INLINE wide paeth_guess(wide up, const pixel *at) {
  wide rise = up - at->corner, run = at->left - at->corner;
  wide to_left = __builtin_elementwise_abs(rise), to_up = __builtin_elementwise_abs(run);
  wide to_corner = __builtin_elementwise_abs(rise + run);
  wide other = chosen(to_up > to_corner, at->corner, up);
  return chosen(to_left > __builtin_elementwise_min(to_up, to_corner), other, at->left);
}

// A filter's prediction for a pixel (PNG specification, 9.2).
INLINE wide guess(int filter, wide up, const pixel *at) {
  switch (filter) {
    case 1: return at->left;
    case 3: return (at->left + up) >> 1;
    default: return paeth_guess(up, at);
  }
}

INLINE void undo_pixel(int filter, const uint8_t *in, const uint8_t *above, uint8_t *row, size_t touched, pixel *at) {
  wide up = widen(above, touched), byte = widen(in, touched);
  // Bytes are added as bytes, so overflow is discarded.
  at->left = (wide)((octets)guess(filter, up, at) + (octets)byte);
  at->corner = up;
  narrow samples = __builtin_convertvector(at->left, narrow);
  memcpy(row, &samples, touched);
}

// Pixels with three or four 8-bit samples. With three, the fourth byte belongs to the next pixel, which is written
// afterwards.
INLINE void undo_all(int filter, const uint8_t *in, const uint8_t *above, uint8_t *row, size_t size, size_t count) {
  pixel at = {{0}, {0}};
  size_t i = 0;
  for (; i + 4 <= size; i += count) undo_pixel(filter, in + i, above + i, row + i, 4, &at);
  for (; i + count <= size; i += count) undo_pixel(filter, in + i, above + i, row + i, count, &at);
}

CLONED static void undo_pixels(int filter, const uint8_t *in, const uint8_t *above, uint8_t *row, size_t size,
                               size_t count) {
  switch (8 * (int)count + filter) {
    case 8 * 3 + 1: undo_all(1, in, above, row, size, 3); break;
    case 8 * 3 + 3: undo_all(3, in, above, row, size, 3); break;
    case 8 * 3 + 4: undo_all(4, in, above, row, size, 3); break;
    case 8 * 4 + 1: undo_all(1, in, above, row, size, 4); break;
    case 8 * 4 + 3: undo_all(3, in, above, row, size, 4); break;
    default: undo_all(4, in, above, row, size, 4);
  }
}

static uint8_t paeth(int left, int up, int corner) {
  int to_left = abs(up - corner), to_up = abs(left - corner), to_corner = abs(left + up - 2 * corner);
  if (to_left <= to_up && to_left <= to_corner) return (uint8_t)left;
  return (uint8_t)(to_up <= to_corner ? up : corner);
}

static void undo_paeth(const uint8_t *in, const uint8_t *above, uint8_t *row, size_t size, size_t distance) {
  for (size_t i = 0; i < distance; i++) row[i] = (uint8_t)(in[i] + above[i]);
  for (size_t i = distance; i < size; i++) {
    row[i] = (uint8_t)(in[i] + paeth(row[i - distance], above[i], above[i - distance]));
  }
}

// Reconstructs a row from its bytes in the file, which begin with the filter, and the row above. Returns 0 for an
// unknown filter.
static int undo_filter(const uint8_t *in, const uint8_t *above, uint8_t *row, size_t size, size_t distance) {
  int filter = *in++;
  if ((distance == 3 || distance == 4) && (filter == 1 || filter == 3 || filter == 4)) {
    undo_pixels(filter, in, above, row, size, distance);
    return 1;
  }
  switch (filter) {
    case 0: memcpy(row, in, size); return 1;
    case 1:
      memcpy(row, in, distance);
      for (size_t i = distance; i < size; i++) row[i] = (uint8_t)(in[i] + row[i - distance]);
      return 1;
    case 2:
      for (size_t i = 0; i < size; i++) row[i] = (uint8_t)(in[i] + above[i]);
      return 1;
    case 3:
      for (size_t i = 0; i < distance; i++) row[i] = (uint8_t)(in[i] + above[i] / 2);
      for (size_t i = distance; i < size; i++) row[i] = (uint8_t)(in[i] + (row[i - distance] + above[i]) / 2);
      return 1;
    case 4: undo_paeth(in, above, row, size, distance); return 1;
    default: return 0;
  }
}

// MARK: Image data

// The state between chunks and rows. Inflated bytes pass through a strip of whole rows.
struct hb_png_fast {
  struct inflate_state stream;
  hb_png_rows rows;
  uint32_t done;
  // The position up to which chunks were read, and the number of bytes of the last chunk that are not inflated yet.
  size_t at, left;
  int has_begun, is_in_chunk;
  size_t strip_size, ready, taken;
  uint8_t *strip;
  // The previous row.
  uint8_t *above;
};

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// True for chunks that no pixel depends on, wherever they are.
static int is_skipped(const uint8_t *name) {
  return (name[0] & 32) != 0 && memcmp(name, "tRNS", 4) != 0 && memcmp(name, "iCCP", 4) != 0;
}

typedef struct {
  const uint8_t *name, *data;
  uint32_t length;
} chunk;

// Reads the next chunk; returns 0 if there is none or its checksum is wrong.
static int take_chunk(hb_png_fast *reader, const uint8_t *bytes, size_t size, chunk *taken) {
  if (size - reader->at < 12) return 0;
  const uint8_t *start = bytes + reader->at;
  uint32_t length = number(start);
  if (length > size - reader->at - 12) return 0;
  if (isal.crc(0, start + 4, (uint64_t)length + 4) != number(start + 8 + length)) return 0;
  *taken = (chunk){.name = start + 4, .data = start + 8, .length = length};
  reader->at += 12 + (size_t)length;
  return 1;
}

static int is_finished(const hb_png_fast *reader) { return reader->stream.block_state == ISAL_BLOCK_FINISH; }

// Starts the next chunk, which must be image data.
static int begin_chunk(hb_png_fast *reader, const uint8_t *bytes, size_t size) {
  chunk next;
  if (!take_chunk(reader, bytes, size, &next) || memcmp(next.name, "IDAT", 4) != 0) return 0;
  if (next.length == 0) return 1;
  // libpng refuses distances beyond the window that the stream's first byte declares, but ISA-L does not check.
  if (!reader->has_begun && next.data[0] >> 4 != 7) return 0;
  reader->has_begun = 1;
  reader->is_in_chunk = 1;
  reader->left = next.length;
  return 1;
}

// Inflates until the strip is full or the stream ends; returns 0 if the stream is broken, has more rows than the
// picture, or ends before the chunk does.
static int fill_strip(hb_png_fast *reader, const uint8_t *bytes, size_t size) {
  struct inflate_state *stream = &reader->stream;
  stream->next_out = reader->strip;
  stream->avail_out = (uint32_t)reader->strip_size;
  while (stream->avail_out > 0 && !is_finished(reader)) {
    if (!reader->is_in_chunk) {
      if (!begin_chunk(reader, bytes, size)) return 0;
      continue;
    }
    // The checksum follows a chunk's data.
    stream->next_in = (uint8_t *)bytes + reader->at - 4 - reader->left;
    stream->avail_in = (uint32_t)reader->left;
    if (isal.inflate(stream) != ISAL_DECOMP_OK) return 0;
    reader->left = stream->avail_in;
    // With a full strip, the inflater may still hold output.
    if (reader->left == 0 && stream->avail_out > 0) reader->is_in_chunk = 0;
  }
  if (is_finished(reader) && reader->left > 0) return 0;
  size_t row = reader->rows.stride + 1;
  reader->taken = 0;
  reader->ready = reader->strip_size - stream->avail_out;
  return reader->ready % row == 0 && reader->ready / row <= reader->rows.height - reader->done;
}

// Reads the part after the rows; libpng judges anything unexpected.
static int read_end(hb_png_fast *reader, const uint8_t *bytes, size_t size) {
  while (!is_finished(reader)) {
    if (!fill_strip(reader, bytes, size)) return 0;
  }
  int is_behind = 0;
  chunk next;
  while (take_chunk(reader, bytes, size, &next)) {
    if (memcmp(next.name, "IEND", 4) == 0) return next.length == 0;
    if (memcmp(next.name, "IDAT", 4) == 0) {
      if (is_behind || next.length > 0) return 0;
    } else {
      if (!is_skipped(next.name)) return 0;
      is_behind = 1;
    }
  }
  return 0;
}

static void swap_bytes(uint8_t *bytes, size_t size) {
  for (size_t i = 0; i + 1 < size; i += 2) {
    uint8_t first = bytes[i];
    bytes[i] = bytes[i + 1];
    bytes[i + 1] = first;
  }
}

hb_png_fast *hb_png_fast_open(const hb_png_rows *rows) {
  if (rows->stride == 0 || rows->stride >= UINT32_MAX / 2 || !is_loaded()) return NULL;
  // Zeroed, because ISA-L reads some members before setting them.
  hb_png_fast *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  size_t row = rows->stride + 1;
  // The strip is small enough for the cache.
  reader->strip_size = row * ((128u << 10) / row + 1);
  reader->strip = malloc(reader->strip_size);
  reader->above = calloc(1, rows->stride);
  reader->rows = *rows;
  if (!reader->strip || !reader->above) {
    hb_png_fast_close(reader);
    return NULL;
  }
  isal.begin(&reader->stream);
  reader->stream.crc_flag = ISAL_ZLIB;
  return reader;
}

size_t hb_png_fast_taken(const hb_png_fast *reader) { return reader->at - reader->left; }

void hb_png_fast_close(hb_png_fast *reader) {
  if (!reader) return;
  free(reader->strip);
  free(reader->above);
  free(reader);
}

int hb_png_fast_next(hb_png_fast *reader, const uint8_t *bytes, size_t size, uint32_t count, uint8_t *pixels) {
  const hb_png_rows *rows = &reader->rows;
  if (count == 0 || count > rows->height - reader->done) return 0;
  const uint8_t *above = reader->above;
  uint8_t *row = pixels;
  for (uint32_t y = 0; y < count; y++, row += rows->stride) {
    while (reader->taken == reader->ready) {
      if (is_finished(reader) || !fill_strip(reader, bytes, size)) return 0;
    }
    if (!undo_filter(reader->strip + reader->taken, above, row, rows->stride, (size_t)rows->distance)) return 0;
    reader->taken += rows->stride + 1;
    reader->done++;
    above = row;
  }
  memcpy(reader->above, above, rows->stride);
  if (rows->swaps) swap_bytes(pixels, rows->stride * count);
  return reader->done < rows->height || (reader->taken == reader->ready && read_end(reader, bytes, size));
}

int hb_png_read_fast(const uint8_t *bytes, size_t size, const hb_png_rows *rows, uint8_t *pixels) {
  hb_png_fast *reader = hb_png_fast_open(rows);
  int is_complete = reader && hb_png_fast_next(reader, bytes, size, rows->height, pixels);
  hb_png_fast_close(reader);
  return is_complete;
}

// MARK: Writing

static uint8_t *grow(uint8_t *data, struct isal_zstream *stream, size_t more) {
  size_t size = stream->total_out;
  uint8_t *grown = realloc(data, size + more);
  if (!grown) {
    free(data);
    return NULL;
  }
  stream->next_out = grown + size;
  stream->avail_out = (uint32_t)more;
  return grown;
}

// Subtracts from each sample the one on its left, which is the cheapest filter here.
static void filter_row(const uint8_t *row, size_t stride, size_t distance, uint8_t *out) {
  *out++ = 1;
  memcpy(out, row, distance < stride ? distance : stride);
  for (size_t i = distance; i < stride; i++) out[i] = (uint8_t)(row[i] - row[i - distance]);
}

// Packs row by row; returns NULL if out of memory.
static uint8_t *pack(struct isal_zstream *stream, const hb_png_rows *rows, const uint8_t *pixels, uint8_t *row) {
  const size_t step = 256 << 10;
  uint8_t *data = grow(NULL, stream, step);
  for (uint32_t y = 0; data && y < rows->height; y++) {
    filter_row(pixels + (size_t)y * rows->stride, rows->stride, (size_t)rows->distance, row);
    stream->next_in = row;
    stream->avail_in = (uint32_t)rows->stride + 1;
    stream->end_of_stream = y + 1 == rows->height;
    do {
      if (stream->avail_out == 0 && !(data = grow(data, stream, step))) return NULL;
      if (isal.deflate(stream) != COMP_OK) {
        free(data);
        return NULL;
      }
    } while (stream->avail_in > 0 || stream->avail_out == 0 ||
             (stream->end_of_stream && stream->internal_state.state != ZSTATE_END));
  }
  return data;
}

int hb_png_pack_fast(const hb_png_rows *rows, const uint8_t *pixels, uint8_t **data, size_t *size) {
  // The stream counts bytes in 32 bits.
  if (rows->height == 0 || rows->stride == 0 || rows->stride >= (1u << 30) / rows->height || !is_loaded()) return 0;
  struct isal_zstream *stream = calloc(1, sizeof *stream);
  uint8_t *row = malloc(rows->stride + 1), *buffer = malloc(ISAL_DEF_LVL3_DEFAULT);
  *data = NULL;
  if (stream && row && buffer) {
    isal.begin_packing(stream);
    stream->level = 3;
    stream->level_buf = buffer;
    stream->level_buf_size = ISAL_DEF_LVL3_DEFAULT;
    stream->gzip_flag = IGZIP_ZLIB;
    *data = pack(stream, rows, pixels, row);
    *size = stream->total_out;
  }
  free(stream);
  free(row);
  free(buffer);
  return *data != NULL;
}

#else

int hb_png_is_fast(void) { return 0; }

int hb_png_pack_fast(const hb_png_rows *rows, const uint8_t *pixels, uint8_t **data, size_t *size) {
  (void)rows, (void)pixels, (void)data, (void)size;
  return 0;
}

int hb_png_read_fast(const uint8_t *bytes, size_t size, const hb_png_rows *rows, uint8_t *pixels) {
  (void)bytes, (void)size, (void)rows, (void)pixels;
  return 0;
}

hb_png_fast *hb_png_fast_open(const hb_png_rows *rows) {
  (void)rows;
  return NULL;
}

int hb_png_fast_next(hb_png_fast *reader, const uint8_t *bytes, size_t size, uint32_t count, uint8_t *pixels) {
  (void)reader, (void)bytes, (void)size, (void)count, (void)pixels;
  return 0;
}

size_t hb_png_fast_taken(const hb_png_fast *reader) {
  (void)reader;
  return 0;
}

void hb_png_fast_close(hb_png_fast *reader) { (void)reader; }

#endif
