// x265 itself, only to validate `x265:` keys: libheif 1.15 swallows unknown ones unread.
#ifndef HEICBENCH_CX265_SHIM_H
#define HEICBENCH_CX265_SHIM_H
#include <x265.h>

// Whether x265 starts with these parameters. Swift cannot call x265_encoder_open: it is a macro that adds the
// library's build number to the name.
static inline int heicbench_x265_starts(x265_param *parameters) {
  x265_encoder *encoder = x265_encoder_open(parameters);
  if (!encoder) {
    return 0;
  }
  x265_encoder_close(encoder);
  return 1;
}
#endif
