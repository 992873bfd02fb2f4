#include "CJXLShim.h"

#if __has_include(<jxl/encode.h>) && __has_include(<jxl/decode.h>) && __has_include(<jxl/version.h>)
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

#define BEFORE(major, minor) (JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(major, minor, 0))

// The functions in use, in one list for declaring and for finding them.
#define FUNCTIONS(USE)                  \
  USE(JxlEncoderVersion)                \
  USE(JxlEncoderCreate)                 \
  USE(JxlEncoderDestroy)                \
  USE(JxlEncoderInitBasicInfo)          \
  USE(JxlEncoderSetBasicInfo)           \
  USE(JxlColorEncodingSetToSRGB)        \
  USE(JxlColorEncodingSetToLinearSRGB)  \
  USE(JxlEncoderSetColorEncoding)       \
  USE(JxlEncoderSetICCProfile)          \
  USE(JxlEncoderFrameSettingsCreate)    \
  USE(JxlEncoderFrameSettingsSetOption) \
  USE(JxlEncoderSetFrameDistance)       \
  USE(JxlEncoderSetFrameLossless)       \
  USE(JxlEncoderAddImageFrame)          \
  USE(JxlEncoderAddJPEGFrame)           \
  USE(JxlEncoderUseContainer)           \
  USE(JxlEncoderStoreJPEGMetadata)      \
  USE(JxlEncoderCloseInput)             \
  USE(JxlEncoderProcessOutput)          \
  USE(JxlEncoderGetError)               \
  USE(JxlDecoderCreate)                 \
  USE(JxlDecoderDestroy)                \
  USE(JxlDecoderSubscribeEvents)        \
  USE(JxlDecoderSetInput)               \
  USE(JxlDecoderCloseInput)             \
  USE(JxlDecoderProcessInput)           \
  USE(JxlDecoderGetBasicInfo)           \
  USE(JxlDecoderGetColorAsEncodedProfile) \
  USE(JxlDecoderGetICCProfileSize)      \
  USE(JxlDecoderGetColorAsICCProfile)   \
  USE(JxlDecoderSetPreferredColorProfile) \
  USE(JxlDecoderSetUnpremultiplyAlpha)  \
  USE(JxlDecoderImageOutBufferSize)     \
  USE(JxlDecoderSetImageOutBuffer)      \
  USE(JxlDecoderSetJPEGBuffer)          \
  USE(JxlDecoderReleaseJPEGBuffer)

// Typed by the headers, so that a change of parameters is a compiler error.
static struct {
#define DECLARE(function) __typeof__(&function) function;
  FUNCTIONS(DECLARE)
#if !BEFORE(0, 9)
  DECLARE(JxlEncoderSetExtraChannelDistance)
#endif
} jxl;

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token
#define RELEASE TEXT_OF(JPEGXL_MAJOR_VERSION) "." TEXT_OF(JPEGXL_MINOR_VERSION)
#ifdef __APPLE__
#define LIBRARY "libjxl." RELEASE ".dylib"
#else
#define LIBRARY "libjxl.so." RELEASE
#endif

const char *hb_jxl_library_name(void) { return LIBRARY; }

hb_jxl_status hb_jxl_load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
#ifdef __APPLE__
  if (!library) library = dlopen("/opt/homebrew/lib/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return HB_JXL_NOT_FOUND;
  int complete = 1;
#define FIND(function) \
  complete &= (jxl.function = (__typeof__(jxl.function))dlsym(library, #function)) != NULL;
  FUNCTIONS(FIND)
#if !BEFORE(0, 9)
  FIND(JxlEncoderSetExtraChannelDistance)
#endif
  return complete ? HB_JXL_OK : HB_JXL_NOT_FOUND;
}

uint32_t hb_jxl_version(void) { return jxl.JxlEncoderVersion(); }

void hb_jxl_free_output(hb_jxl_output *output) {
  free(output->data);
  *output = (hb_jxl_output){0};
}

static int grow(hb_jxl_output *output, size_t capacity) {
  uint8_t *grown = realloc(output->data, capacity);
  if (!grown) return 0;
  output->data = grown;
  output->capacity = capacity;
  return 1;
}

// MARK: Encoding

static hb_jxl_status finish(JxlEncoder *encoder, hb_jxl_output *output, size_t expected, int *detail) {
  jxl.JxlEncoderCloseInput(encoder);
  if (!grow(output, expected + 65536)) return HB_JXL_OUT_OF_MEMORY;
  while (1) {
    uint8_t *next = output->data + output->size;
    size_t room = output->capacity - output->size;
    JxlEncoderStatus status = jxl.JxlEncoderProcessOutput(encoder, &next, &room);
    output->size = (size_t)(next - output->data);
    if (status == JXL_ENC_SUCCESS) return HB_JXL_OK;
    if (status != JXL_ENC_NEED_MORE_OUTPUT) {
      *detail = (int)jxl.JxlEncoderGetError(encoder);
      return *detail == JXL_ENC_ERR_OOM ? HB_JXL_OUT_OF_MEMORY : HB_JXL_REFUSED;
    }
    if (output->capacity > SIZE_MAX / 2 || !grow(output, output->capacity * 2)) return HB_JXL_OUT_OF_MEMORY;
  }
}

static int describe(JxlEncoder *encoder, const hb_jxl_settings *settings, const uint8_t *icc, size_t icc_size) {
  int has_alpha = settings->channels % 2 == 0;
  int is_gray = settings->channels < 3;
  JxlBasicInfo info;
  jxl.JxlEncoderInitBasicInfo(&info);
  info.xsize = settings->width;
  info.ysize = settings->height;
  info.bits_per_sample = settings->bit_depth;
  info.num_color_channels = is_gray ? 1 : 3;
  info.num_extra_channels = has_alpha ? 1 : 0;
  info.alpha_bits = has_alpha ? settings->bit_depth : 0;
  // Lossy files are coded in XYB, lossless ones in the input's colours.
  info.uses_original_profile = settings->lossless ? JXL_TRUE : JXL_FALSE;
  if (settings->intensity_target > 0) info.intensity_target = settings->intensity_target;
  if (jxl.JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS) return 0;
  if (icc_size > 0) return jxl.JxlEncoderSetICCProfile(encoder, icc, icc_size) == JXL_ENC_SUCCESS;
  JxlColorEncoding colours;
  jxl.JxlColorEncodingSetToSRGB(&colours, is_gray ? JXL_TRUE : JXL_FALSE);
  if (settings->transfer > 0) {
    colours.primaries = (JxlPrimaries)settings->primaries;
    colours.transfer_function = (JxlTransferFunction)settings->transfer;
  }
  return jxl.JxlEncoderSetColorEncoding(encoder, &colours) == JXL_ENC_SUCCESS;
}

static JxlEncoderFrameSettings *frame(JxlEncoder *encoder, const hb_jxl_settings *settings) {
  JxlEncoderFrameSettings *frame = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL);
  if (!frame) return NULL;
  int done = jxl.JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, settings->effort) ==
                 JXL_ENC_SUCCESS &&
             jxl.JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_DECODING_SPEED,
                                                  settings->decoding_speed) == JXL_ENC_SUCCESS &&
             (settings->lossless
                  ? jxl.JxlEncoderSetFrameLossless(frame, JXL_TRUE)
                  : jxl.JxlEncoderSetFrameDistance(frame, settings->distance)) == JXL_ENC_SUCCESS;
#if !BEFORE(0, 9)
  // Lossless alpha, as in cjxl. Older releases choose for themselves.
  if (settings->channels % 2 == 0) {
    done = done && jxl.JxlEncoderSetExtraChannelDistance(frame, 0, 0) == JXL_ENC_SUCCESS;
  }
#endif
  return done ? frame : NULL;
}

static hb_jxl_status encode(JxlEncoder *encoder, const void *pixels, const hb_jxl_settings *settings,
                            const uint8_t *icc, size_t icc_size, hb_jxl_output *output, int *detail) {
  JxlEncoderFrameSettings *options = NULL;
  JxlPixelFormat format = {settings->channels, settings->bit_depth > 8 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                           JXL_NATIVE_ENDIAN, 0};
  size_t size = (size_t)settings->width * settings->height * settings->channels * (settings->bit_depth > 8 ? 2 : 1);
  if (!describe(encoder, settings, icc, icc_size) || !(options = frame(encoder, settings)) ||
      jxl.JxlEncoderAddImageFrame(options, &format, pixels, size) != JXL_ENC_SUCCESS) {
    *detail = (int)jxl.JxlEncoderGetError(encoder);
    return *detail == JXL_ENC_ERR_OOM ? HB_JXL_OUT_OF_MEMORY : HB_JXL_REFUSED;
  }
  return finish(encoder, output, size / 2 + icc_size, detail);
}

hb_jxl_status hb_jxl_encode(const void *pixels, const hb_jxl_settings *settings, const uint8_t *icc,
                            size_t icc_size, hb_jxl_output *output, int *detail) {
  *output = (hb_jxl_output){0};
  *detail = 0;
  JxlEncoder *encoder = jxl.JxlEncoderCreate(NULL);
  if (!encoder) return HB_JXL_OUT_OF_MEMORY;
  hb_jxl_status status = encode(encoder, pixels, settings, icc, icc_size, output, detail);
  jxl.JxlEncoderDestroy(encoder);
  if (status != HB_JXL_OK) hb_jxl_free_output(output);
  return status;
}

hb_jxl_status hb_jxl_pack_jpeg(const uint8_t *jpeg, size_t size, int effort, hb_jxl_output *output,
                               int *detail) {
  *output = (hb_jxl_output){0};
  *detail = 0;
  JxlEncoder *encoder = jxl.JxlEncoderCreate(NULL);
  if (!encoder) return HB_JXL_OUT_OF_MEMORY;
  JxlEncoderFrameSettings *options = NULL;
  hb_jxl_status status = HB_JXL_REFUSED;
  if (jxl.JxlEncoderUseContainer(encoder, JXL_TRUE) == JXL_ENC_SUCCESS &&
      jxl.JxlEncoderStoreJPEGMetadata(encoder, JXL_TRUE) == JXL_ENC_SUCCESS &&
      (options = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL)) != NULL &&
      jxl.JxlEncoderFrameSettingsSetOption(options, JXL_ENC_FRAME_SETTING_EFFORT, effort) == JXL_ENC_SUCCESS &&
      jxl.JxlEncoderAddJPEGFrame(options, jpeg, size) == JXL_ENC_SUCCESS) {
    status = finish(encoder, output, size, detail);
  } else {
    *detail = (int)jxl.JxlEncoderGetError(encoder);
    if (*detail == JXL_ENC_ERR_OOM) status = HB_JXL_OUT_OF_MEMORY;
  }
  jxl.JxlEncoderDestroy(encoder);
  if (status != HB_JXL_OK) hb_jxl_free_output(output);
  return status;
}

// MARK: Decoding

struct hb_jxl_decoder {
  JxlDecoder *decoder;
};

hb_jxl_decoder *hb_jxl_open(const uint8_t *bytes, size_t size) {
  hb_jxl_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->decoder = jxl.JxlDecoderCreate(NULL);
  int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
  if (!decoder->decoder || jxl.JxlDecoderSubscribeEvents(decoder->decoder, events) != JXL_DEC_SUCCESS ||
      jxl.JxlDecoderSetUnpremultiplyAlpha(decoder->decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
      jxl.JxlDecoderSetInput(decoder->decoder, bytes, size) != JXL_DEC_SUCCESS) {
    hb_jxl_close(decoder);
    return NULL;
  }
  jxl.JxlDecoderCloseInput(decoder->decoder);
  return decoder;
}

void hb_jxl_close(hb_jxl_decoder *decoder) {
  if (decoder->decoder) jxl.JxlDecoderDestroy(decoder->decoder);
  free(decoder);
}

// Runs the decoder up to an event.
static hb_jxl_status advance(hb_jxl_decoder *decoder, JxlDecoderStatus event) {
  JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder->decoder);
  if (status == event) return HB_JXL_OK;
  return status == JXL_DEC_NEED_MORE_INPUT ? HB_JXL_TRUNCATED : HB_JXL_REFUSED;
}

// The profile's calls lost a parameter in 0.9.
#if BEFORE(0, 9)
#define OF(decoder) decoder, NULL
#else
#define OF(decoder) decoder
#endif
#define PIXELS JXL_COLOR_PROFILE_TARGET_DATA
#define ORIGINAL JXL_COLOR_PROFILE_TARGET_ORIGINAL

// Zero for colours that a profile describes, and for spaces that are neither gray nor RGB.
static int read_colours(const hb_jxl_decoder *decoder, JxlColorProfileTarget target, hb_jxl_colours *colours) {
  JxlColorEncoding encoding;
  *colours = (hb_jxl_colours){0};
  if (jxl.JxlDecoderGetColorAsEncodedProfile(OF(decoder->decoder), target, &encoding) != JXL_DEC_SUCCESS) return 0;
  colours->is_gray = encoding.color_space == JXL_COLOR_SPACE_GRAY;
  if (!colours->is_gray && encoding.color_space != JXL_COLOR_SPACE_RGB) return 0;
  if (encoding.transfer_function == JXL_TRANSFER_FUNCTION_UNKNOWN) return 0;
  memcpy(colours->white, encoding.white_point_xy, sizeof colours->white);
  if (!colours->is_gray) {
    memcpy(colours->red, encoding.primaries_red_xy, sizeof colours->red);
    memcpy(colours->green, encoding.primaries_green_xy, sizeof colours->green);
    memcpy(colours->blue, encoding.primaries_blue_xy, sizeof colours->blue);
  }
  colours->transfer = (int)encoding.transfer_function;
  colours->gamma = encoding.transfer_function == JXL_TRANSFER_FUNCTION_GAMMA ? encoding.gamma : 0;
  return 1;
}

static int agree(const double *one, const double *other) {
  return fabs(one[0] - other[0]) < 1e-5 && fabs(one[1] - other[1]) < 1e-5;
}

static int is_same(const hb_jxl_colours *one, const hb_jxl_colours *other) {
  return one->is_gray == other->is_gray && one->transfer == other->transfer &&
         fabs(one->gamma - other->gamma) < 1e-6 && agree(one->white, other->white) &&
         agree(one->red, other->red) && agree(one->green, other->green) && agree(one->blue, other->blue);
}

static void read_profiles(const hb_jxl_decoder *decoder, hb_jxl_header *header) {
  hb_jxl_colours pixels;
  int are_stated = read_colours(decoder, PIXELS, &pixels);
  header->has_space = read_colours(decoder, ORIGINAL, &header->space);
  size_t size = 0;
  if (jxl.JxlDecoderGetICCProfileSize(OF(decoder->decoder), ORIGINAL, &size) == JXL_DEC_SUCCESS) {
    header->icc_size = size;
  }
  // Pixels are decoded in the stated profile only if they were coded in it.
  header->is_light = are_stated && !(header->has_space && is_same(&pixels, &header->space));
  if (header->is_light && header->icc_size == 0) {
    header->is_light = 0;
    header->has_space = 1;
    header->space = pixels;
  }
}

hb_jxl_status hb_jxl_read_header(hb_jxl_decoder *decoder, hb_jxl_header *header) {
  *header = (hb_jxl_header){0};
  JxlBasicInfo info;
  hb_jxl_status status = advance(decoder, JXL_DEC_BASIC_INFO);
  if (status != HB_JXL_OK) return status;
  if (jxl.JxlDecoderGetBasicInfo(decoder->decoder, &info) != JXL_DEC_SUCCESS) return HB_JXL_REFUSED;
  status = advance(decoder, JXL_DEC_COLOR_ENCODING);
  if (status != HB_JXL_OK) return status;
  header->width = info.xsize;
  header->height = info.ysize;
  header->colours = info.num_color_channels;
  header->alpha_bits = info.alpha_bits;
  header->bits = info.bits_per_sample;
  header->is_float = info.exponent_bits_per_sample > 0;
  header->is_animated = info.have_animation;
  read_profiles(decoder, header);
  return HB_JXL_OK;
}

hb_jxl_status hb_jxl_read_icc(hb_jxl_decoder *decoder, uint8_t *icc, size_t size) {
  return jxl.JxlDecoderGetColorAsICCProfile(OF(decoder->decoder), ORIGINAL, icc, size) == JXL_DEC_SUCCESS
             ? HB_JXL_OK
             : HB_JXL_REFUSED;
}

static hb_jxl_status read_pixels(hb_jxl_decoder *decoder, uint32_t channels, JxlDataType type, void *pixels,
                                 size_t size) {
  JxlPixelFormat format = {channels, type, JXL_NATIVE_ENDIAN, 0};
  size_t needed = 0;
  hb_jxl_status status = advance(decoder, JXL_DEC_NEED_IMAGE_OUT_BUFFER);
  if (status != HB_JXL_OK) return status;
  if (jxl.JxlDecoderImageOutBufferSize(decoder->decoder, &format, &needed) != JXL_DEC_SUCCESS || needed != size ||
      jxl.JxlDecoderSetImageOutBuffer(decoder->decoder, &format, pixels, size) != JXL_DEC_SUCCESS) {
    return HB_JXL_REFUSED;
  }
  return advance(decoder, JXL_DEC_FULL_IMAGE);
}

hb_jxl_status hb_jxl_read(hb_jxl_decoder *decoder, uint32_t channels, int as_words, void *pixels, size_t size) {
  return read_pixels(decoder, channels, as_words ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, pixels, size);
}

hb_jxl_status hb_jxl_read_light(hb_jxl_decoder *decoder, uint32_t channels, float *pixels, size_t size) {
  JxlColorEncoding linear;
  jxl.JxlColorEncodingSetToLinearSRGB(&linear, channels < 3 ? JXL_TRUE : JXL_FALSE);
  if (jxl.JxlDecoderSetPreferredColorProfile(decoder->decoder, &linear) != JXL_DEC_SUCCESS) return HB_JXL_REFUSED;
  return read_pixels(decoder, channels, JXL_TYPE_FLOAT, pixels, size);
}

static hb_jxl_status unpack(JxlDecoder *decoder, const uint8_t *bytes, size_t size, hb_jxl_output *output) {
  if (jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE) != JXL_DEC_SUCCESS ||
      jxl.JxlDecoderSetInput(decoder, bytes, size) != JXL_DEC_SUCCESS) {
    return HB_JXL_REFUSED;
  }
  jxl.JxlDecoderCloseInput(decoder);
  int has_jpeg = 0;
  while (1) {
    switch (jxl.JxlDecoderProcessInput(decoder)) {
      case JXL_DEC_JPEG_RECONSTRUCTION:
        has_jpeg = 1;
        if (!grow(output, size + size / 2 + 65536)) return HB_JXL_OUT_OF_MEMORY;
        break;
      case JXL_DEC_JPEG_NEED_MORE_OUTPUT:
        output->size = output->capacity - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
        if (output->capacity > SIZE_MAX / 2 || !grow(output, output->capacity * 2)) return HB_JXL_OUT_OF_MEMORY;
        break;
      case JXL_DEC_FULL_IMAGE:
        output->size = output->capacity - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
        return HB_JXL_OK;
      case JXL_DEC_NEED_MORE_INPUT: return HB_JXL_TRUNCATED;
      default: return has_jpeg ? HB_JXL_REFUSED : HB_JXL_NO_JPEG;
    }
    if (jxl.JxlDecoderSetJPEGBuffer(decoder, output->data + output->size, output->capacity - output->size) !=
        JXL_DEC_SUCCESS) {
      return HB_JXL_REFUSED;
    }
  }
}

hb_jxl_status hb_jxl_unpack_jpeg(const uint8_t *bytes, size_t size, hb_jxl_output *output) {
  *output = (hb_jxl_output){0};
  JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
  if (!decoder) return HB_JXL_OUT_OF_MEMORY;
  hb_jxl_status status = unpack(decoder, bytes, size, output);
  jxl.JxlDecoderDestroy(decoder);
  if (status != HB_JXL_OK) hb_jxl_free_output(output);
  return status;
}

#else
hb_jxl_status hb_jxl_load(void) { return HB_JXL_NOT_BUILT; }

const char *hb_jxl_library_name(void) { return "libjxl"; }

uint32_t hb_jxl_version(void) { return 0; }

hb_jxl_status hb_jxl_encode(const void *pixels, const hb_jxl_settings *settings, const uint8_t *icc,
                            size_t icc_size, hb_jxl_output *output, int *detail) {
  (void)pixels, (void)settings, (void)icc, (void)icc_size, (void)output, (void)detail;
  return HB_JXL_NOT_BUILT;
}

hb_jxl_status hb_jxl_pack_jpeg(const uint8_t *jpeg, size_t size, int effort, hb_jxl_output *output,
                               int *detail) {
  (void)jpeg, (void)size, (void)effort, (void)output, (void)detail;
  return HB_JXL_NOT_BUILT;
}

hb_jxl_status hb_jxl_unpack_jpeg(const uint8_t *bytes, size_t size, hb_jxl_output *output) {
  (void)bytes, (void)size, (void)output;
  return HB_JXL_NOT_BUILT;
}

void hb_jxl_free_output(hb_jxl_output *output) { (void)output; }

hb_jxl_decoder *hb_jxl_open(const uint8_t *bytes, size_t size) {
  (void)bytes, (void)size;
  return NULL;
}

void hb_jxl_close(hb_jxl_decoder *decoder) { (void)decoder; }

hb_jxl_status hb_jxl_read_header(hb_jxl_decoder *decoder, hb_jxl_header *header) {
  (void)decoder, (void)header;
  return HB_JXL_NOT_BUILT;
}

hb_jxl_status hb_jxl_read_icc(hb_jxl_decoder *decoder, uint8_t *icc, size_t size) {
  (void)decoder, (void)icc, (void)size;
  return HB_JXL_NOT_BUILT;
}

hb_jxl_status hb_jxl_read(hb_jxl_decoder *decoder, uint32_t channels, int as_words, void *pixels, size_t size) {
  (void)decoder, (void)channels, (void)as_words, (void)pixels, (void)size;
  return HB_JXL_NOT_BUILT;
}

hb_jxl_status hb_jxl_read_light(hb_jxl_decoder *decoder, uint32_t channels, float *pixels, size_t size) {
  (void)decoder, (void)channels, (void)pixels, (void)size;
  return HB_JXL_NOT_BUILT;
}
#endif
