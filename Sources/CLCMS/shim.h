// Little CMS 2 reads, writes and applies ICC profiles.
#include <lcms2.h>
