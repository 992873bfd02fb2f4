#define _GNU_SOURCE
#include "CJPEGShim.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

_Static_assert(HB_JPEG_MESSAGE_SIZE >= JMSG_LENGTH_MAX, "libjpeg's messages must fit");

// The state that libjpeg's callbacks reach through cinfo->err: the jump buffer and what happened.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf exit;
  hb_jpeg_status status;
  int truncated;
  char message[HB_JPEG_MESSAGE_SIZE];
} error_state;

static void leave(j_common_ptr cinfo) {
  error_state *state = (error_state *)cinfo->err;
  state->status = state->base.msg_code == JERR_OUT_OF_MEMORY ? HB_JPEG_OUT_OF_MEMORY : HB_JPEG_ERROR;
  state->base.format_message(cinfo, state->message);
  longjmp(state->exit, 1);
}

// Counts warnings instead of printing them, and keeps the first one, or the first about missing data.
static void emit(j_common_ptr cinfo, int level) {
  error_state *state = (error_state *)cinfo->err;
  if (level >= 0) return;
  int code = state->base.msg_code;
  int truncated = code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER;
  if (state->base.num_warnings++ == 0 || (truncated && !state->truncated)) {
    state->base.format_message(cinfo, state->message);
  }
  state->truncated |= truncated;
}

static void silence(j_common_ptr cinfo) { (void)cinfo; }

static struct jpeg_error_mgr *set_up_errors(error_state *state) {
  memset(state, 0, sizeof *state);
  struct jpeg_error_mgr *errors = jpeg_std_error(&state->base);
  errors->error_exit = leave;
  errors->emit_message = emit;
  errors->output_message = silence;
  return errors;
}

// MARK: Encoding

// A destination like libjpeg's own memory destination, which would lose its buffer if an error follows a reallocation.
// This one always knows what it owns.
typedef struct {
  struct jpeg_destination_mgr base;
  uint8_t *data, *owned;
  size_t capacity, size;
} destination;

static void start_output(j_compress_ptr cinfo) {
  destination *target = (destination *)cinfo->dest;
  target->base.next_output_byte = target->data;
  target->base.free_in_buffer = target->capacity;
}

// When libjpeg calls this, the whole buffer is full, whatever free_in_buffer says.
static boolean grow_output(j_compress_ptr cinfo) {
  destination *target = (destination *)cinfo->dest;
  size_t used = target->capacity;
  if (used > SIZE_MAX / 2) ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
  size_t capacity = used < 32768 ? 65536 : used * 2;
  uint8_t *grown = realloc(target->owned, capacity);
  if (!grown) ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
  if (!target->owned && used > 0) memcpy(grown, target->data, used);
  target->owned = target->data = grown;
  target->capacity = capacity;
  target->base.next_output_byte = grown + used;
  target->base.free_in_buffer = capacity - used;
  return TRUE;
}

static void finish_output(j_compress_ptr cinfo) {
  destination *target = (destination *)cinfo->dest;
  target->size = target->capacity - target->base.free_in_buffer;
}

// mozjpeg's parameters (from its jpeglib.h, 3.0 and later), found by name at run time: mozjpeg replaces libjpeg-turbo,
// whose headers do not declare them.
enum {
  MOZ_COMPRESS_PROFILE = (int)0xE9918625,
  MOZ_PROFILE_FASTEST = 0x2AEA5CB4,
  MOZ_OPTIMIZE_SCANS = 0x680C061E,
  MOZ_TRELLIS_QUANT = (int)0xC5122033,
  MOZ_TRELLIS_QUANT_DC = 0x339D4C0C,
  MOZ_BASE_QUANT_TABLE = 0x44492AB1,
};
typedef void set_parameter(j_compress_ptr cinfo, int parameter, int value);

static set_parameter *mozjpeg_flags(void) { return (set_parameter *)dlsym(RTLD_DEFAULT, "jpeg_c_set_bool_param"); }
static set_parameter *mozjpeg_numbers(void) { return (set_parameter *)dlsym(RTLD_DEFAULT, "jpeg_c_set_int_param"); }

int hb_jpeg_has_mozjpeg(void) { return mozjpeg_flags() && mozjpeg_numbers(); }

// Defaults differ: mozjpeg's are progressive with its own tables, and jpegli's omit the JFIF marker. Whatever the
// library, all defaults are first set to libjpeg-turbo's and then changed by the settings.
static void set_defaults(j_compress_ptr cinfo, const hb_jpeg_settings *settings) {
  // The profile that results in libjpeg-turbo's files; the defaults are derived from it.
  if (hb_jpeg_has_mozjpeg()) mozjpeg_numbers()(cinfo, MOZ_COMPRESS_PROFILE, MOZ_PROFILE_FASTEST);
  jpeg_set_defaults(cinfo);
  cinfo->scan_info = NULL;
  cinfo->num_scans = 0;
  cinfo->write_JFIF_header = TRUE;
  if (!hb_jpeg_has_mozjpeg()) return;
  mozjpeg_numbers()(cinfo, MOZ_BASE_QUANT_TABLE, settings->table);
  mozjpeg_flags()(cinfo, MOZ_TRELLIS_QUANT, settings->trellis);
  mozjpeg_flags()(cinfo, MOZ_TRELLIS_QUANT_DC, settings->trellis);
  mozjpeg_flags()(cinfo, MOZ_OPTIMIZE_SCANS, settings->progressive && settings->scan_search);
}

static void compress(j_compress_ptr cinfo, const uint8_t *pixels, const hb_jpeg_settings *settings,
                     const uint8_t *icc, size_t icc_size) {
  cinfo->image_width = (JDIMENSION)settings->width;
  cinfo->image_height = (JDIMENSION)settings->height;
  cinfo->input_components = settings->components;
  cinfo->in_color_space = settings->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  set_defaults(cinfo, settings);
  // Baseline tables, as `cjpeg -baseline`: without them low qualities need 16-bit tables, which some decoders
  // refuse.
  jpeg_set_quality(cinfo, settings->quality, TRUE);
  cinfo->dct_method = JDCT_ISLOW;
  cinfo->optimize_coding = settings->optimise ? TRUE : FALSE;
  if (settings->components == 3) {
    cinfo->comp_info[0].h_samp_factor = settings->horizontal_sampling;
    cinfo->comp_info[0].v_samp_factor = settings->vertical_sampling;
  }
  if (settings->progressive) jpeg_simple_progression(cinfo);
  jpeg_start_compress(cinfo, TRUE);
  if (icc_size > 0) jpeg_write_icc_profile(cinfo, icc, (unsigned int)icc_size);
  size_t stride = (size_t)settings->width * (size_t)settings->components;
  while (cinfo->next_scanline < cinfo->image_height) {
    JSAMPROW rows[16];
    JDIMENSION count = cinfo->image_height - cinfo->next_scanline;
    if (count > 16) count = 16;
    for (JDIMENSION i = 0; i < count; i++) {
      rows[i] = (JSAMPROW)(pixels + (cinfo->next_scanline + i) * stride);
    }
    jpeg_write_scanlines(cinfo, rows, count);
  }
  jpeg_finish_compress(cinfo);
}

typedef struct {
  struct jpeg_compress_struct cinfo;
  error_state errors;
  destination target;
} encoder;

// Separate from hb_jpeg_encode, so that the encoder is not a local variable of the function that calls setjmp and keeps
// its contents after longjmp.
static hb_jpeg_status run(encoder *state, const uint8_t *pixels, const hb_jpeg_settings *settings,
                          const uint8_t *icc, size_t icc_size) {
  if (setjmp(state->errors.exit)) return state->errors.status;
  jpeg_create_compress(&state->cinfo);
  state->cinfo.dest = &state->target.base;
  compress(&state->cinfo, pixels, settings, icc, icc_size);
  return HB_JPEG_OK;
}

hb_jpeg_status hb_jpeg_encode(const uint8_t *pixels, const hb_jpeg_settings *settings, const uint8_t *icc,
                              size_t icc_size, uint8_t *buffer, size_t capacity, hb_jpeg_output *output,
                              char message[HB_JPEG_MESSAGE_SIZE]) {
  encoder state = {0};
  state.cinfo.err = set_up_errors(&state.errors);
  state.target.data = buffer;
  state.target.capacity = capacity;
  state.target.base.init_destination = start_output;
  state.target.base.empty_output_buffer = grow_output;
  state.target.base.term_destination = finish_output;
  hb_jpeg_status status = run(&state, pixels, settings, icc, icc_size);
  memcpy(message, state.errors.message, HB_JPEG_MESSAGE_SIZE);
  jpeg_destroy_compress(&state.cinfo);
  if (status == HB_JPEG_OK) {
    *output = (hb_jpeg_output){state.target.data, state.target.size, state.target.owned};
  } else {
    free(state.target.owned);
  }
  return status;
}

void hb_jpeg_free_output(hb_jpeg_output *output) {
  free(output->owned);
  *output = (hb_jpeg_output){0};
}

// MARK: Decoding

struct hb_jpeg_decoder {
  struct jpeg_decompress_struct cinfo;
  error_state errors;
  struct jpeg_progress_mgr progress;
  int maximum_scans;
  // Whether hb_jpeg_read_rows was called.
  int has_begun;
};

// Called for every row of blocks of every scan, the only place to count scans while libjpeg reads them.
static void count_scans(j_common_ptr cinfo) {
  hb_jpeg_decoder *decoder = (hb_jpeg_decoder *)cinfo;
  if (decoder->cinfo.input_scan_number <= decoder->maximum_scans) return;
  decoder->errors.status = HB_JPEG_TOO_MANY_SCANS;
  longjmp(decoder->errors.exit, 1);
}

hb_jpeg_decoder *hb_jpeg_open(const uint8_t *bytes, size_t size, int maximum_scans) {
  hb_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->cinfo.err = set_up_errors(&decoder->errors);
  decoder->maximum_scans = maximum_scans;
  decoder->progress.progress_monitor = count_scans;
  if (setjmp(decoder->errors.exit)) {
    hb_jpeg_close(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->cinfo);
  decoder->cinfo.progress = &decoder->progress;
  jpeg_mem_src(&decoder->cinfo, bytes, (unsigned long)size);
  return decoder;
}

void hb_jpeg_close(hb_jpeg_decoder *decoder) {
  jpeg_destroy_decompress(&decoder->cinfo);
  free(decoder);
}

hb_jpeg_status hb_jpeg_read_header(hb_jpeg_decoder *decoder, int *width, int *height, int *components,
                                   int *is_adobe) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  j_decompress_ptr cinfo = &decoder->cinfo;
  jpeg_read_header(cinfo, TRUE);
  switch (cinfo->jpeg_color_space) {
    case JCS_GRAYSCALE: cinfo->out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK:
    case JCS_YCCK: cinfo->out_color_space = JCS_CMYK; break;
    case JCS_UNKNOWN: ERREXIT(cinfo, JERR_CONVERSION_NOTIMPL); break;
    default: cinfo->out_color_space = JCS_RGB; break;
  }
  cinfo->dct_method = JDCT_ISLOW;
  jpeg_calc_output_dimensions(cinfo);
  *width = (int)cinfo->output_width;
  *height = (int)cinfo->output_height;
  *components = cinfo->out_color_components;
  *is_adobe = cinfo->saw_Adobe_marker ? 1 : 0;
  return HB_JPEG_OK;
}

static size_t stride_of(j_decompress_ptr cinfo) {
  return (size_t)cinfo->output_width * (size_t)cinfo->output_components;
}

static void read_rows(j_decompress_ptr cinfo, uint8_t *pixels, JDIMENSION end) {
  size_t stride = stride_of(cinfo);
  while (cinfo->output_scanline < end) {
    JSAMPROW rows[16];
    JDIMENSION count = end - cinfo->output_scanline;
    if (count > 16) count = 16;
    for (JDIMENSION i = 0; i < count; i++) rows[i] = pixels + i * stride;
    pixels += jpeg_read_scanlines(cinfo, rows, count) * stride;
  }
  if (end == cinfo->output_height) jpeg_finish_decompress(cinfo);
}

hb_jpeg_status hb_jpeg_read(hb_jpeg_decoder *decoder, uint8_t *pixels, size_t size) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  j_decompress_ptr cinfo = &decoder->cinfo;
  jpeg_start_decompress(cinfo);
  if (size / stride_of(cinfo) < cinfo->output_height) ERREXIT(cinfo, JERR_BUFFER_SIZE);
  read_rows(cinfo, pixels, cinfo->output_height);
  return HB_JPEG_OK;
}

hb_jpeg_status hb_jpeg_read_rows(hb_jpeg_decoder *decoder, uint8_t *pixels, int rows) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  j_decompress_ptr cinfo = &decoder->cinfo;
  if (!decoder->has_begun) jpeg_start_decompress(cinfo);
  decoder->has_begun = 1;
  if (rows < 1 || (JDIMENSION)rows > cinfo->output_height - cinfo->output_scanline) ERREXIT(cinfo, JERR_BUFFER_SIZE);
  read_rows(cinfo, pixels, cinfo->output_scanline + (JDIMENSION)rows);
  return HB_JPEG_OK;
}

// MARK: Decoding in part

hb_jpeg_status hb_jpeg_scale(hb_jpeg_decoder *decoder, int denominator, int *width, int *height) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  decoder->cinfo.scale_num = 1;
  decoder->cinfo.scale_denom = (unsigned int)denominator;
  jpeg_calc_output_dimensions(&decoder->cinfo);
  *width = (int)decoder->cinfo.output_width;
  *height = (int)decoder->cinfo.output_height;
  return HB_JPEG_OK;
}

hb_jpeg_status hb_jpeg_read_region(hb_jpeg_decoder *decoder, const hb_jpeg_region *region, uint8_t *pixels,
                                   size_t size) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  j_decompress_ptr cinfo = &decoder->cinfo;
  jpeg_start_decompress(cinfo);
  size_t depth = (size_t)cinfo->output_components;
  JDIMENSION x = (JDIMENSION)region->x, y = (JDIMENSION)region->y;
  JDIMENSION columns = (JDIMENSION)region->width, rows = (JDIMENSION)region->height;
  if (columns == 0 || rows == 0 || columns > cinfo->output_width || x > cinfo->output_width - columns ||
      rows > cinfo->output_height || y > cinfo->output_height - rows || size / columns / depth < rows) {
    ERREXIT(cinfo, JERR_BUFFER_SIZE);
  }
  // Chroma is interpolated between columns, so the outermost columns of a cropped row would differ from the whole
  // picture's: two more on either side are decoded and dropped.
  JDIMENSION left = x < 2 ? 0 : x - 2;
  JDIMENSION right = x + columns + 2 > cinfo->output_width ? cinfo->output_width : x + columns + 2;
  JDIMENSION width = right - left;
  if (width < cinfo->output_width) jpeg_crop_scanline(cinfo, &left, &width);
  JSAMPARRAY row = cinfo->mem->alloc_sarray((j_common_ptr)cinfo, JPOOL_IMAGE,
                                            cinfo->output_width * (JDIMENSION)depth, 1);
  if (y > 0) jpeg_skip_scanlines(cinfo, y);
  for (JDIMENSION i = 0; i < rows; i++) {
    if (jpeg_read_scanlines(cinfo, row, 1) != 1) ERREXIT(cinfo, JERR_BUFFER_SIZE);
    memcpy(pixels + i * columns * depth, row[0] + (x - left) * depth, columns * depth);
  }
  jpeg_abort_decompress(cinfo);
  return HB_JPEG_OK;
}

void hb_jpeg_keep_luma_and_chroma(hb_jpeg_decoder *decoder) {
  decoder->cinfo.out_color_space = JCS_YCbCr;
}

int hb_jpeg_is_luma_and_chroma(const hb_jpeg_decoder *decoder) {
  J_COLOR_SPACE space = decoder->cinfo.jpeg_color_space;
  return space == JCS_YCbCr || space == JCS_GRAYSCALE;
}

int hb_jpeg_plane_count(const hb_jpeg_decoder *decoder) { return decoder->cinfo.num_components; }

void hb_jpeg_plane_size(const hb_jpeg_decoder *decoder, int plane, int *width, int *height) {
  const jpeg_component_info *component = decoder->cinfo.comp_info + plane;
  *width = (int)component->downsampled_width;
  *height = (int)component->downsampled_height;
}

hb_jpeg_status hb_jpeg_read_planes(hb_jpeg_decoder *decoder, uint8_t *const *planes) {
  if (setjmp(decoder->errors.exit)) return decoder->errors.status;
  j_decompress_ptr cinfo = &decoder->cinfo;
  cinfo->raw_data_out = TRUE;
  jpeg_start_decompress(cinfo);
  JSAMPARRAY band[MAX_COMPONENTS];
  for (int i = 0; i < cinfo->num_components; i++) {
    const jpeg_component_info *component = cinfo->comp_info + i;
    band[i] = cinfo->mem->alloc_sarray((j_common_ptr)cinfo, JPOOL_IMAGE, component->width_in_blocks * DCTSIZE,
                                       (JDIMENSION)component->v_samp_factor * DCTSIZE);
  }
  JDIMENSION lines = (JDIMENSION)cinfo->max_v_samp_factor * DCTSIZE;
  for (JDIMENSION step = 0; cinfo->output_scanline < cinfo->output_height; step++) {
    if (jpeg_read_raw_data(cinfo, band, lines) == 0) ERREXIT(cinfo, JERR_BUFFER_SIZE);
    for (int i = 0; i < cinfo->num_components; i++) {
      const jpeg_component_info *component = cinfo->comp_info + i;
      JDIMENSION rows = (JDIMENSION)component->v_samp_factor * DCTSIZE;
      for (JDIMENSION row = 0; row < rows && step * rows + row < component->downsampled_height; row++) {
        memcpy(planes[i] + (size_t)(step * rows + row) * component->downsampled_width, band[i][row],
               component->downsampled_width);
      }
    }
  }
  jpeg_finish_decompress(cinfo);
  return HB_JPEG_OK;
}

size_t hb_jpeg_bytes_left(const hb_jpeg_decoder *decoder) { return decoder->cinfo.src->bytes_in_buffer; }

const char *hb_jpeg_message(const hb_jpeg_decoder *decoder) { return decoder->errors.message; }

long hb_jpeg_warnings(const hb_jpeg_decoder *decoder) { return decoder->errors.base.num_warnings; }

int hb_jpeg_is_truncated(const hb_jpeg_decoder *decoder) { return decoder->errors.truncated; }

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token

const char *hb_jpeg_version(void) { return TEXT_OF(LIBJPEG_TURBO_VERSION); }
