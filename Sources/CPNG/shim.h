// libpng reads and writes PNG files.
#include <png.h>
