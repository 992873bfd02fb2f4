// libheif: HEIF container, with x265, libde265, aom and dav1d behind its plugins.
#include <libheif/heif.h>
