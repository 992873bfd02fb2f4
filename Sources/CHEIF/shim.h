// libheif's header: types and constants. Its functions are called through CHEIFShim.
#include <libheif/heif.h>
