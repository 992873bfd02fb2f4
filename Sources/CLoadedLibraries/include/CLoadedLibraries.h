#ifndef CLOADEDLIBRARIES_H
#define CLOADEDLIBRARIES_H

#include <stddef.h>

// The shared libraries that this process has mapped, as the dynamic linker lists them: what really runs, and not
// what the headers said. No file is read.

// The caller's room in characters, closing zeros included. Swift imports an array inside a structure as a tuple, and
// took 20 seconds to compile one of 4,096 elements.
enum { HB_LIBRARY_PATH = 4096, HB_LIBRARY_BUILD = 65 };

typedef struct {
  // Where it was found, which may be a symbolic link.
  char *path;
  // The GNU build id in hexadecimal digits; empty where the file has none.
  char *build;
} hb_library;

// Finds the library with this stem, such as "libheif" for libheif.so.1 and for the libheif-0a1b2c3d.so.1 of a
// Python wheel. Returns how many there are; the first is described. 0 on systems without such a list.
int hb_find_library(const char *stem, hb_library library);

// Describes the library with this place in the linker's list, the program itself and the kernel's page left out.
// Returns 0 behind the last one.
int hb_library_at(int index, hb_library library);

// Copies the first text in the library's read-only memory that begins with `beginning`, up to its end or to
// `size` characters with the closing zero. Returns 0 where there is none.
int hb_find_library_text(const char *stem, const char *beginning, char *text, size_t size);

#endif
