#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "DE265.h"

// Before version 1.1, libde265 does not clear a picture's memory, so earlier contents show where a damaged stream does
// not code a block. Here every plane begins as a known pattern, so that such blocks can be found in the decoded
// picture.

// Samples along a side of the smallest coding block (H.265, 7.4.3.2.1), and in a row of the pattern.
enum { SIDE = 8, PERIOD = 512 };

struct image_spec {
  int format, width, height, alignment;
  // The fields that follow are not needed.
};

struct image_allocation {
  int (*get_buffer)(void *context, struct image_spec *spec, void *image, void *user_data);
  void (*release_buffer)(void *context, void *image, void *user_data);
};

static struct {
  int (*get_chroma_format)(const void *);
  int (*get_bits_per_pixel)(const void *, int);
  int (*get_warning)(void *);
  void *(*get_image_plane_user_data)(const void *, int);
  void (*set_image_plane)(void *, int, void *, int, void *);
} de265;

static int is_watched;
static uint8_t bytes[SIDE][PERIOD];
static uint16_t words[SIDE][PERIOD];
static _Thread_local hb_de265_gaps found;
static _Thread_local int longest_side;

// A picture's planes. Two pictures may exchange theirs, so everything is stored with the first plane.
struct planes {
  uint8_t *memory[3];
  size_t width, height, stride, sample;
};

static const uint8_t *pattern(size_t sample, size_t y) {
  return sample == 1 ? bytes[y % SIDE] : (const uint8_t *)words[y % SIDE];
}

static void make_pattern(void) {
  uint32_t state = 0x9E3779B9;
  for (size_t y = 0; y < SIDE; y++) {
    for (size_t x = 0; x < PERIOD; x++) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      bytes[y][x] = words[y][x] = (uint8_t)(state >> 24);
    }
  }
}

static void fill(struct planes *planes) {
  const size_t row = PERIOD * planes->sample;
  for (size_t y = 0; y < planes->height; y++) {
    uint8_t *target = planes->memory[0] + y * planes->stride;
    for (size_t x = 0; x < planes->stride; x += row) {
      memcpy(target + x, pattern(planes->sample, y), planes->stride - x < row ? planes->stride - x : row);
    }
  }
}

static void free_planes(struct planes *planes) {
  for (int i = 0; i < 3; i++) free(planes->memory[i]);
  free(planes);
}

static int get_buffer(void *context, struct image_spec *spec, void *image, void *user_data) {
  (void)context, (void)user_data;
  const int chroma = de265.get_chroma_format(image), alignment = spec->alignment < 16 ? 16 : spec->alignment;
  struct planes *planes = calloc(1, sizeof *planes);
  const int is_larger = longest_side > 0 && (spec->width > longest_side || spec->height > longest_side);
  if (!planes || spec->width <= 0 || spec->height <= 0 || is_larger) {
    free(planes);
    return 0;
  }
  size_t strides[3] = {0}, sizes[3] = {0};
  for (int i = 0; i < (chroma == 0 ? 1 : 3); i++) {
    const size_t sample = (size_t)(de265.get_bits_per_pixel(image, i) + 7) / 8;
    const size_t width = (size_t)spec->width / (i > 0 && chroma < 3 ? 2 : 1);
    const size_t height = (size_t)spec->height / (i > 0 && chroma < 2 ? 2 : 1);
    strides[i] = (width + (size_t)alignment - 1) / (size_t)alignment * (size_t)alignment * sample;
    sizes[i] = strides[i] * height;
    // libde265's loops read up to 16 bytes past a plane.
    if (posix_memalign((void **)&planes->memory[i], 64, sizes[i] + 64)) planes->memory[i] = NULL;
    if (!planes->memory[i]) {
      free_planes(planes);
      return 0;
    }
    memset(planes->memory[i] + sizes[i], 0, 64);
    if (i > 0) memset(planes->memory[i], 0, sizes[i]);
    if (i == 0) planes->width = width, planes->height = height, planes->stride = strides[0], planes->sample = sample;
  }
  fill(planes);
  for (int i = 0; i < 3; i++) de265.set_image_plane(image, i, planes->memory[i], (int)strides[i], planes);
  return 1;
}

// Counts the blocks of a picture that are still the pattern. The filters across block edges leave at least the upper
// left of an undecoded tree of blocks unchanged.
static void count(const struct planes *planes, hb_de265_gaps *gaps) {
  const size_t row = SIDE * planes->sample;
  for (size_t y = 0; y + SIDE <= planes->height; y += SIDE) {
    const uint8_t *line = planes->memory[0] + y * planes->stride;
    for (size_t x = 0; x + SIDE <= planes->width; x += SIDE) {
      const size_t offset = x * planes->sample, same = x % PERIOD * planes->sample;
      size_t rows = 0;
      while (rows < SIDE && !memcmp(line + rows * planes->stride + offset, pattern(planes->sample, rows) + same, row)) {
        rows++;
      }
      gaps->missing += rows == SIDE;
    }
    gaps->blocks += planes->width / SIDE;
  }
}

// Reads all warnings. Those about threads and about messages besides the picture say nothing about its blocks.
static int warns(void *context) {
  int is_faulty = 0;
  for (int warning; (warning = de265.get_warning(context)) != 0;) {
    is_faulty |= warning != 1000 && warning != 1022 && warning != 1025 && warning != 1036;
  }
  return is_faulty;
}

static void release_buffer(void *context, void *image, void *user_data) {
  (void)user_data;
  struct planes *planes = de265.get_image_plane_user_data(image, 0);
  if (!planes) return;
  count(planes, &found);
  if (context) found.is_faulty |= warns(context);
  free_planes(planes);
}

int hb_de265_watch(const char *path) {
  if (is_watched) return 1;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!library) return 0;
  const struct image_allocation *(*get_default)(void);
  int missing = !(get_default = (__typeof__(get_default))dlsym(library, "de265_get_default_image_allocation_functions"));
#define FIND(name) missing |= !(de265.name = (__typeof__(de265.name))dlsym(library, "de265_" #name));
  FIND(get_chroma_format)
  FIND(get_bits_per_pixel)
  FIND(get_warning)
  FIND(get_image_plane_user_data)
  FIND(set_image_plane)
#undef FIND
  struct image_allocation *functions = missing ? NULL : (struct image_allocation *)get_default();
  // libheif creates its own decoders, which use the library's default functions. These are a variable in the library.
  // The call makes it writable, and changes nothing if it already is.
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const uintptr_t start = (uintptr_t)functions / page * page, end = (uintptr_t)(functions + 1);
  if (!functions || mprotect((void *)start, end - start, PROT_READ | PROT_WRITE)) {
    dlclose(library);
    return 0;
  }
  make_pattern();
  // The library stays open, because our functions release its pictures.
  *functions = (struct image_allocation){get_buffer, release_buffer};
  return is_watched = 1;
}

void hb_de265_begin(int side) {
  longest_side = side;
  found = (hb_de265_gaps){0};
}

hb_de265_gaps hb_de265_take_gaps(void) {
  const hb_de265_gaps gaps = found;
  found = (hb_de265_gaps){0};
  return gaps;
}

hb_de265_gaps hb_de265_gaps_of(void *context, const void *image) {
  hb_de265_gaps gaps = {0};
  const struct planes *planes = de265.get_image_plane_user_data(image, 0);
  if (planes) count(planes, &gaps);
  gaps.is_faulty = warns(context);
  return gaps;
}
