#include "CWebPShim.h"

#if __has_include(<webp/encode.h>) && __has_include(<webp/decode.h>)
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/encode.h>

// The functions in use, typed by the header, so that a change of parameters is a compiler error. The structures pass
// their version with every call, and the library refuses an unknown one.
static struct {
  __typeof__(&WebPGetEncoderVersion) version;
  __typeof__(&WebPConfigInitInternal) config_init;
  __typeof__(&WebPValidateConfig) config_check;
  __typeof__(&WebPPictureInitInternal) picture_init;
  __typeof__(&WebPPictureImportRGB) import_rgb;
  __typeof__(&WebPPictureImportRGBA) import_rgba;
  __typeof__(&WebPPictureFree) picture_free;
  __typeof__(&WebPEncode) encode;
  __typeof__(&WebPGetFeaturesInternal) features;
  __typeof__(&WebPDecodeRGBInto) decode_rgb;
  __typeof__(&WebPDecodeRGBAInto) decode_rgba;
} webp;

static void *open_library(void) {
  static const char *const names[] = {
#ifdef __APPLE__
      "libwebp.7.dylib", "/opt/homebrew/lib/libwebp.7.dylib",
#else
      "libwebp.so.7",
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

#define FIND(member, name) ((webp.member = (__typeof__(webp.member))dlsym(library, name)) != NULL)

hb_webp_status hb_webp_load(void) {
  void *library = open_library();
  if (!library) return HB_WEBP_NOT_FOUND;
  int complete = FIND(version, "WebPGetEncoderVersion") && FIND(config_init, "WebPConfigInitInternal") &&
                 FIND(config_check, "WebPValidateConfig") && FIND(picture_init, "WebPPictureInitInternal") &&
                 FIND(import_rgb, "WebPPictureImportRGB") && FIND(import_rgba, "WebPPictureImportRGBA") &&
                 FIND(picture_free, "WebPPictureFree") && FIND(encode, "WebPEncode") &&
                 FIND(features, "WebPGetFeaturesInternal") && FIND(decode_rgb, "WebPDecodeRGBInto") &&
                 FIND(decode_rgba, "WebPDecodeRGBAInto");
  return complete ? HB_WEBP_OK : HB_WEBP_NOT_FOUND;
}

int hb_webp_version(void) { return webp.version(); }

// libwebp's callback for finished bytes; 0 ends the encode with VP8_ENC_ERROR_BAD_WRITE.
static int append(const uint8_t *data, size_t size, const WebPPicture *picture) {
  hb_webp_output *output = picture->custom_ptr;
  if (size > output->capacity - output->size) {
    size_t capacity = (output->size + size) * 2;
    uint8_t *grown = realloc(output->data, capacity);
    if (!grown) return 0;
    output->data = grown;
    output->capacity = capacity;
  }
  memcpy(output->data + output->size, data, size);
  output->size += size;
  return 1;
}

static int configure(WebPConfig *config, const hb_webp_settings *settings) {
  if (!webp.config_init(config, WEBP_PRESET_DEFAULT, settings->quality, WEBP_ENCODER_ABI_VERSION)) return 0;
  config->method = settings->method;
  config->thread_level = 0;
  config->use_sharp_yuv = settings->sharp;
  config->lossless = settings->lossless;
  // Without it, colours under full transparency are discarded.
  config->exact = settings->lossless;
  return webp.config_check(config);
}

hb_webp_status hb_webp_encode(const uint8_t *pixels, const hb_webp_settings *settings, hb_webp_output *output,
                              int *detail) {
  WebPConfig config;
  WebPPicture picture;
  *output = (hb_webp_output){0};
  *detail = VP8_ENC_ERROR_INVALID_CONFIGURATION;
  if (!configure(&config, settings)) return HB_WEBP_REFUSED;
  if (!webp.picture_init(&picture, WEBP_ENCODER_ABI_VERSION)) return HB_WEBP_REFUSED;
  picture.width = settings->width;
  picture.height = settings->height;
  // As in cwebp: converts to YUV with libwebp immediately, unless RGB is needed.
  picture.use_argb = settings->lossless || settings->sharp;
  picture.writer = append;
  picture.custom_ptr = output;
  int stride = settings->width * settings->channels;
  int done = (settings->channels == 4 ? webp.import_rgba : webp.import_rgb)(&picture, pixels, stride) &&
             webp.encode(&config, &picture);
  *detail = picture.error_code;
  webp.picture_free(&picture);
  if (done) return HB_WEBP_OK;
  hb_webp_free_output(output);
  int is_memory = *detail == VP8_ENC_ERROR_OUT_OF_MEMORY || *detail == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY ||
                  *detail == VP8_ENC_ERROR_BAD_WRITE;
  return is_memory ? HB_WEBP_OUT_OF_MEMORY : HB_WEBP_REFUSED;
}

void hb_webp_free_output(hb_webp_output *output) {
  free(output->data);
  *output = (hb_webp_output){0};
}

hb_webp_status hb_webp_read_header(const uint8_t *bytes, size_t size, int *width, int *height, int *has_alpha,
                                   int *is_animated, int *detail) {
  WebPBitstreamFeatures features;
  *detail = webp.features(bytes, size, &features, WEBP_DECODER_ABI_VERSION);
  if (*detail != VP8_STATUS_OK) return HB_WEBP_REFUSED;
  *width = features.width;
  *height = features.height;
  *has_alpha = features.has_alpha;
  *is_animated = features.has_animation;
  return HB_WEBP_OK;
}

hb_webp_status hb_webp_decode(const uint8_t *bytes, size_t size, int width, int channels, uint8_t *pixels,
                              size_t capacity) {
  int stride = width * channels;
  uint8_t *result = channels == 4 ? webp.decode_rgba(bytes, size, pixels, capacity, stride)
                                  : webp.decode_rgb(bytes, size, pixels, capacity, stride);
  return result ? HB_WEBP_OK : HB_WEBP_REFUSED;
}

#else
hb_webp_status hb_webp_load(void) { return HB_WEBP_NOT_BUILT; }

int hb_webp_version(void) { return 0; }

hb_webp_status hb_webp_encode(const uint8_t *pixels, const hb_webp_settings *settings, hb_webp_output *output,
                              int *detail) {
  (void)pixels, (void)settings, (void)output, (void)detail;
  return HB_WEBP_NOT_BUILT;
}

void hb_webp_free_output(hb_webp_output *output) { (void)output; }

hb_webp_status hb_webp_read_header(const uint8_t *bytes, size_t size, int *width, int *height, int *has_alpha,
                                   int *is_animated, int *detail) {
  (void)bytes, (void)size, (void)width, (void)height, (void)has_alpha, (void)is_animated, (void)detail;
  return HB_WEBP_NOT_BUILT;
}

hb_webp_status hb_webp_decode(const uint8_t *bytes, size_t size, int width, int channels, uint8_t *pixels,
                              size_t capacity) {
  (void)bytes, (void)size, (void)width, (void)channels, (void)pixels, (void)capacity;
  return HB_WEBP_NOT_BUILT;
}
#endif
