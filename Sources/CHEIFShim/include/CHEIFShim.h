#ifndef CHEIFSHIM_H
#define CHEIFSHIM_H

#include <libheif/heif.h>

#include "DE265.h"

// libheif, opened while the program runs instead of linked. It brings x265, libde265, aom and dav1d, which take a third
// of the start-up time of a process that may never see a HEIF file.

// The functions in use: one list for declaring them and for looking them up.
#define HB_HEIF_FUNCTIONS(USE)                       \
  USE(get_version)                                   \
  USE(get_version_number)                            \
  USE(get_encoder_descriptors)                       \
  USE(get_decoder_descriptors)                       \
  USE(encoder_descriptor_get_name)                   \
  USE(decoder_descriptor_get_name)                   \
  USE(context_alloc)                                 \
  USE(context_free)                                  \
  USE(context_get_encoder)                           \
  USE(encoding_options_alloc)                        \
  USE(encoding_options_free)                         \
  USE(context_encode_image)                          \
  USE(context_encode_thumbnail)                      \
  USE(context_write)                                 \
  USE(context_set_max_decoding_threads)              \
  USE(context_set_maximum_image_size_limit)          \
  USE(context_read_from_memory_without_copy)         \
  USE(context_get_primary_image_handle)              \
  USE(encoder_release)                               \
  USE(encoder_set_lossy_quality)                     \
  USE(encoder_set_lossless)                          \
  USE(encoder_set_parameter)                         \
  USE(encoder_set_logging_level)                     \
  USE(image_handle_release)                          \
  USE(image_handle_get_width)                        \
  USE(image_handle_get_height)                       \
  USE(image_handle_has_alpha_channel)                \
  USE(image_handle_is_premultiplied_alpha)           \
  USE(image_handle_get_luma_bits_per_pixel)          \
  USE(image_handle_get_thumbnail)                    \
  USE(image_handle_get_raw_color_profile_size)       \
  USE(image_handle_get_raw_color_profile)            \
  USE(image_handle_get_nclx_color_profile)           \
  USE(decode_image)                                  \
  USE(image_create)                                  \
  USE(image_release)                                 \
  USE(image_get_width)                               \
  USE(image_get_height)                              \
  USE(image_get_bits_per_pixel_range)                \
  USE(image_get_decoding_warnings)                   \
  USE(image_add_plane)                               \
  USE(image_get_plane)                               \
  USE(image_set_raw_color_profile)                   \
  USE(image_set_nclx_color_profile)                  \
  USE(nclx_color_profile_alloc)                      \
  USE(nclx_color_profile_free)                       \
  USE(nclx_color_profile_set_color_primaries)        \
  USE(nclx_color_profile_set_transfer_characteristics) \
  USE(nclx_color_profile_set_matrix_coefficients)

// Typed from the header, so the compiler reports changed parameters. Either all are present or none.
typedef struct {
#define HB_DECLARE(name) __typeof__(&heif_##name) name;
  HB_HEIF_FUNCTIONS(HB_DECLARE)
#undef HB_DECLARE
} hb_heif_functions;

// Opens libheif and starts it with its plugins. Returns its functions, or NULL with the reason in `reason`, which holds
// `size` characters. Call it once, before everything else here.
const hb_heif_functions *hb_heif_load(char *reason, size_t size);

// Collects what the process prints to its standard error stream until `hb_log_end`, which returns it, to be freed by
// the caller, or NULL if memory is short. Only for a process in which nothing else prints in the meantime.
void hb_log_begin(void);
char *hb_log_end(void);

// Sets the limits for untrusted files: pixels along a side and in total.
void hb_heif_set_limits(struct heif_context *context, int maximum_side, uint64_t maximum_pixels);

#endif
