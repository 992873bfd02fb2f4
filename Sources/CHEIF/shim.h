// libheif: HEIF container, with x265, libde265, aom and dav1d behind its plugins.
#ifndef HEICBENCH_CHEIF_SHIM_H
#define HEICBENCH_CHEIF_SHIM_H
#include <libheif/heif.h>

// The limits that an untrusted file meets. libheif 1.19 replaced the one limit on the side of an image by a
// structure, which a header of 1.15 does not declare: so the choice is made here, where macros work.
static inline void heicbench_set_limits(struct heif_context *context, int maximum_side, uint64_t maximum_pixels) {
  heif_context_set_maximum_image_size_limit(context, maximum_side);
#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
  struct heif_security_limits *limits = heif_context_get_security_limits(context);
  if (limits) {
    limits->max_image_size_pixels = maximum_pixels;
  }
#else
  (void)maximum_pixels;
#endif
}
#endif
