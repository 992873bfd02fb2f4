// libpng, reading and writing.
#include <png.h>
