// Little CMS 2: ICC profiles, read, written and applied.
#include <lcms2.h>
