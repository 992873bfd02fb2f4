#define _GNU_SOURCE
#include "CAVIFShim.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The leading members of libavif's structures, the same in all releases of libavif.so.16 (avif/avif.h, "Version 1.0.0
// ends here"): those that the library allocates, and the two that callers allocate. Newer releases add members at the
// end.
typedef struct {
  uint8_t *data;
  size_t size;
} avif_data;

typedef struct {
  uint32_t width, height, depth;
  int format, range, chroma_position;
  uint8_t *planes[3];
  uint32_t row_bytes[3];
  int owns_planes;
  uint8_t *alpha;
  uint32_t alpha_row_bytes;
  int owns_alpha, is_premultiplied;
  avif_data icc;
  uint16_t primaries, transfer, matrix;
} avif_image;

typedef struct {
  int codec, threads, speed, keyframe_interval;
  uint64_t timescale;
  int repetitions;
  uint32_t extra_layers;
  int quality, alpha_quality;
} avif_encoder;

typedef struct {
  uint32_t width, height, depth;
  int format, upsampling, downsampling, avoids_libyuv, ignores_alpha, is_premultiplied, is_float, threads;
  uint8_t *pixels;
  uint32_t row_bytes;
} avif_rgb;

typedef int avif_result;

static struct {
  const char *(*version)(void);
  void (*codecs)(char *);
  const char *(*text)(avif_result);
  avif_image *(*image)(uint32_t, uint32_t, uint32_t, int);
  avif_image *(*empty_image)(void);
  void (*free_image)(avif_image *);
  avif_result (*set_icc)(avif_image *, const uint8_t *, size_t);
  void (*set_defaults)(avif_rgb *, const avif_image *);
  avif_result (*from_rgb)(avif_image *, const avif_rgb *);
  avif_result (*to_rgb)(const avif_image *, avif_rgb *);
  avif_encoder *(*encoder)(void);
  void (*free_encoder)(avif_encoder *);
  avif_result (*set_option)(avif_encoder *, const char *, const char *);
  avif_result (*write)(avif_encoder *, const avif_image *, avif_data *);
  void (*free_data)(avif_data *);
  void *(*decoder)(void);
  void (*free_decoder)(void *);
  avif_result (*read)(void *, avif_image *, const uint8_t *, size_t);
} avif;

#define FIND(member, name) ((avif.member = (__typeof__(avif.member))dlsym(library, name)) != NULL)

static int find_functions(void *library) {
  return FIND(version, "avifVersion") && FIND(codecs, "avifCodecVersions") && FIND(text, "avifResultToString") &&
         FIND(image, "avifImageCreate") && FIND(empty_image, "avifImageCreateEmpty") &&
         FIND(free_image, "avifImageDestroy") && FIND(set_icc, "avifImageSetProfileICC") &&
         FIND(set_defaults, "avifRGBImageSetDefaults") && FIND(from_rgb, "avifImageRGBToYUV") &&
         FIND(to_rgb, "avifImageYUVToRGB") && FIND(encoder, "avifEncoderCreate") &&
         FIND(free_encoder, "avifEncoderDestroy") && FIND(set_option, "avifEncoderSetCodecSpecificOption") &&
         FIND(write, "avifEncoderWrite") && FIND(free_data, "avifRWDataFree") && FIND(decoder, "avifDecoderCreate") &&
         FIND(free_decoder, "avifDecoderDestroy") && FIND(read, "avifDecoderReadMemory");
}

// Codecs inside the library take precedence over others with the same names, such as an older aom that came with
// libheif.
#ifdef RTLD_DEEPBIND
#define OWN_CODECS RTLD_DEEPBIND
#else
#define OWN_CODECS 0
#endif

int hb_avif_load(void) {
  const char *folder = getenv("LIBAVIF_FOLDER");
  char path[PATH_MAX];
  if (!folder || snprintf(path, sizeof path, "%s/libavif.so.16", folder) >= (int)sizeof path) return 0;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | OWN_CODECS);
  // Only 1.0 and later: other libraries with that name would have other structures.
  if (!library || !find_functions(library) || strcmp(avif.version(), "1.") <= 0) return 0;
  // Otherwise SVT-AV1 prints what it is about to do.
  setenv("SVT_LOG", "1", 0);
  return 1;
}

const char *hb_avif_version(void) { return avif.version(); }

void hb_avif_codecs(char *buffer) { avif.codecs(buffer); }

static const char *checked(avif_result result) { return result ? avif.text(result) : NULL; }

static avif_rgb rgb_of(const avif_image *image, const hb_avif_settings *settings, const void *samples) {
  avif_rgb rgb;
  avif.set_defaults(&rgb, image);
  rgb.depth = settings->sample_depth;
  rgb.format = settings->channels == 4;
  rgb.pixels = (uint8_t *)samples;
  rgb.row_bytes = settings->width * (uint32_t)settings->channels * (settings->sample_depth > 8 ? 2 : 1);
  return rgb;
}

// avifPixelFormat.
static int format_of(const hb_avif_settings *settings) {
  if (settings->is_gray) return 4;
  return settings->chroma == 444 ? 1 : settings->chroma == 422 ? 2 : 3;
}

static const char *write_image(const avif_image *image, const hb_avif_settings *settings, hb_avif_output *output) {
  avif_encoder *encoder = avif.encoder();
  if (!encoder) return "out of memory";
  encoder->codec = settings->is_svt ? 5 : 1;
  encoder->threads = 1;
  encoder->speed = settings->speed;
  encoder->quality = encoder->alpha_quality = settings->quality;
  avif_data data = {0};
  // SVT-AV1 gets options without a prefix.
  const char *key = settings->is_svt ? "tune" : "color:tune";
  const char *problem = settings->tune ? checked(avif.set_option(encoder, key, settings->tune)) : NULL;
  if (!problem) problem = checked(avif.write(encoder, image, &data));
  avif.free_encoder(encoder);
  *output = (hb_avif_output){data.data, data.size};
  if (problem) hb_avif_free(output);
  return problem;
}

const char *hb_avif_encode(const void *samples, const hb_avif_settings *settings, const uint8_t *icc, size_t icc_size,
                           hb_avif_output *output) {
  *output = (hb_avif_output){0};
  avif_image *image = avif.image(settings->width, settings->height, settings->depth, format_of(settings));
  if (!image) return "out of memory";
  image->primaries = settings->primaries;
  image->transfer = settings->transfer;
  image->matrix = settings->matrix;
  avif_rgb rgb = rgb_of(image, settings, samples);
  const char *problem = icc_size > 0 ? checked(avif.set_icc(image, icc, icc_size)) : NULL;
  if (!problem) problem = checked(avif.from_rgb(image, &rgb));
  if (!problem) problem = write_image(image, settings, output);
  avif.free_image(image);
  return problem;
}

void hb_avif_free(hb_avif_output *output) {
  avif_data data = {output->data, output->size};
  if (data.data) avif.free_data(&data);
  *output = (hb_avif_output){0};
}

const char *hb_avif_open(const uint8_t *bytes, size_t size, hb_avif_picture *picture) {
  *picture = (hb_avif_picture){0};
  void *decoder = avif.decoder();
  avif_image *image = avif.empty_image();
  const char *problem = decoder && image ? checked(avif.read(decoder, image, bytes, size)) : "out of memory";
  if (decoder) avif.free_decoder(decoder);
  if (problem) {
    if (image) avif.free_image(image);
    return problem;
  }
  picture->image = image;
  picture->icc = image->icc.data;
  picture->icc_size = image->icc.size;
  picture->settings = (hb_avif_settings){
      .width = image->width,
      .height = image->height,
      .depth = image->depth,
      .sample_depth = image->depth,
      .channels = image->alpha ? 4 : 3,
      .is_gray = image->format == 4,
      .primaries = image->primaries,
      .transfer = image->transfer,
      .matrix = image->matrix,
  };
  return NULL;
}

const char *hb_avif_pixels(const hb_avif_picture *picture, void *samples) {
  avif_rgb rgb = rgb_of(picture->image, &picture->settings, samples);
  return checked(avif.to_rgb(picture->image, &rgb));
}

void hb_avif_close(hb_avif_picture *picture) {
  if (picture->image) avif.free_image(picture->image);
  *picture = (hb_avif_picture){0};
}
