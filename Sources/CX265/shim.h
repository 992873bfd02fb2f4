// x265 itself, only to validate `x265:` keys (x265_param_parse) and to name its version:
// libheif 1.15 swallows unknown keys unread.
#include <x265.h>
