#ifndef CJXLSHIM_H
#define CJXLSHIM_H

#include <stddef.h>
#include <stdint.h>

// libjxl, opened at run time and not linked, for the reasons given in CWebPShim.h. Its calls and its file name differ
// between releases, so only the release of the headers is opened.

typedef enum {
  HB_JXL_OK = 0,
  // The program was built without libjxl's headers.
  HB_JXL_NOT_BUILT,
  // The library is not installed, or lacks a function.
  HB_JXL_NOT_FOUND,
  // libjxl refuses the pixels, the settings or the file.
  HB_JXL_REFUSED,
  // The file ends before the image does.
  HB_JXL_TRUNCATED,
  // The file does not contain a JPEG to restore.
  HB_JXL_NO_JPEG,
  HB_JXL_OUT_OF_MEMORY,
} hb_jxl_status;

// Opens the library. Called once, before everything else here.
hb_jxl_status hb_jxl_load(void);

// The library name that was searched for, such as libjxl.so.0.7.
const char *hb_jxl_library_name(void);

// The loaded encoder's version: 1,000,000 for a major, 1,000 for a minor number, 1 for a patch.
uint32_t hb_jxl_version(void);

typedef struct {
  uint32_t width, height;
  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
  uint32_t channels;
  // Significant bits of a sample, 8 to 16. The samples are bytes for 8, else words of the full range of 16.
  uint32_t bit_depth;
  // Butteraugli distance, 0 to 25; ignored for lossless.
  float distance;
  // 1 to 9.
  int effort;
  // 0 to 4: how easy files are to decode.
  int decoding_speed;
  int lossless;
  // Light of HDR by JxlPrimaries and JxlTransferFunction, and its luminance for full samples, cd/m²; 0 for none.
  int primaries, transfer;
  float intensity_target;
} hb_jxl_settings;

// A finished file, to be freed with hb_jxl_free_output.
typedef struct {
  uint8_t *data;
  size_t size, capacity;
} hb_jxl_output;

// Encodes rows of samples without padding between them, on the calling thread. Without a profile they are
// sRGB. `output` is valid, and to be freed, only after HB_JXL_OK; `detail` is libjxl's own error otherwise.
hb_jxl_status hb_jxl_encode(const void *pixels, const hb_jxl_settings *settings, const uint8_t *icc,
                            size_t icc_size, hb_jxl_output *output, int *detail);

// Recompresses a JPEG file so that the same bytes can be restored.
hb_jxl_status hb_jxl_pack_jpeg(const uint8_t *jpeg, size_t size, int effort, hb_jxl_output *output,
                               int *detail);
// Restores the JPEG file that was recompressed.
hb_jxl_status hb_jxl_unpack_jpeg(const uint8_t *bytes, size_t size, hb_jxl_output *output);

void hb_jxl_free_output(hb_jxl_output *output);

typedef struct hb_jxl_decoder hb_jxl_decoder;

// A colour space by its chromaticities, x and y, and its curve.
typedef struct {
  double white[2], red[2], green[2], blue[2];
  // By JxlTransferFunction, which is ITU-T H.273's; 65535 for a power.
  int transfer;
  // Samples are light to this power.
  double gamma;
  // 1 for gray, for which only the white's chromaticities matter.
  int is_gray;
} hb_jxl_colours;

typedef struct {
  // The size after turning as the file states.
  uint32_t width, height;
  // Colour channels, 1 or 3.
  uint32_t colours;
  uint32_t alpha_bits, bits;
  int is_float, is_animated;
  // The colours that the file states for its image, if it states them without a profile.
  int has_space;
  hb_jxl_colours space;
  // Bytes of the profile that the file states for its image, or that libjxl makes from its colours; 0 if it cannot.
  size_t icc_size;
  // 1 if the pixels are not coded in those colours and libjxl does not convert to them, so that only hb_jxl_read_light
  // gives all of their light.
  int is_light;
} hb_jxl_header;

// Makes a decoder for bytes that must outlive it; NULL if out of memory.
hb_jxl_decoder *hb_jxl_open(const uint8_t *bytes, size_t size);
void hb_jxl_close(hb_jxl_decoder *decoder);

hb_jxl_status hb_jxl_read_header(hb_jxl_decoder *decoder, hb_jxl_header *header);
hb_jxl_status hb_jxl_read_icc(hb_jxl_decoder *decoder, uint8_t *icc, size_t size);
// Decodes the first frame, once, after the header: bytes, or words of the full range of 16 bits. `size` must be exactly
// the size of the samples.
hb_jxl_status hb_jxl_read(hb_jxl_decoder *decoder, uint32_t channels, int as_words, void *pixels, size_t size);
// The same as floats of linear sRGB, with colours outside its gamut below 0 or above 1; gray likewise. Only if
// `is_light`.
hb_jxl_status hb_jxl_read_light(hb_jxl_decoder *decoder, uint32_t channels, float *pixels, size_t size);

#endif
