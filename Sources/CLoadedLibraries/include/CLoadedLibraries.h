#ifndef CLOADEDLIBRARIES_H
#define CLOADEDLIBRARIES_H

#include <stddef.h>

// The shared libraries that this process has mapped, as the dynamic linker lists them: the code that really runs,
// whatever the headers were. No file is read.

// The size of the caller's buffers in characters, including the terminating zeros. They are not arrays in the
// structure, because Swift imports those as tuples, and took 20 seconds to compile one with 4,096 elements.
enum { HB_LIBRARY_PATH = 4096, HB_LIBRARY_BUILD = 65 };

typedef struct {
  // The path where it was found, which may be a symbolic link.
  char *path;
  // The GNU build id in hexadecimal digits; empty if the file has none.
  char *build;
} hb_library;

// Finds the library with this stem, such as "libheif" for libheif.so.1 or for libheif-0a1b2c3d.so.1 of a Python wheel.
// Describes the first match and returns the number of matches; 0 on systems without such a list.
int hb_find_library(const char *stem, hb_library library);

// Describes the library at this index in the linker's list, which leaves out the program itself and the kernel's page.
// Returns 0 after the last one.
int hb_library_at(int index, hb_library library);

// Copies the first text in the library's read-only memory that begins with `beginning`, up to its end or to `size`
// characters including the terminating zero. Returns 0 if there is none.
int hb_find_library_text(const char *stem, const char *beginning, char *text, size_t size);

#endif
