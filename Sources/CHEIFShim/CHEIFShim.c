#include "CHEIFShim.h"

#include <dlfcn.h>
#include <stdio.h>

static hb_heif_functions heif;

static __typeof__(&heif_init) start;
#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
static __typeof__(&heif_context_get_security_limits) security_limits;
#endif

static void *open_library(void) {
  static const char *const names[] = {
#ifdef __APPLE__
      "libheif.1.dylib", "/opt/homebrew/lib/libheif.1.dylib",
#else
      "libheif.so.1",
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    // Global, like a linked library, because dav1d's version function is looked up by name.
    void *library = dlopen(names[i], RTLD_LAZY | RTLD_GLOBAL);
    if (library) return library;
  }
  return NULL;
}

const hb_heif_functions *hb_heif_load(char *reason, size_t size) {
  if (size > 0) reason[0] = 0;
  void *library = open_library();
  const char *missing = NULL;
  if (library) {
#define FIND(target, name) \
  if (!(target = (__typeof__(target))dlsym(library, "heif_" #name)) && !missing) missing = #name;
#define FIND_MEMBER(name) FIND(heif.name, name)
    HB_HEIF_FUNCTIONS(FIND_MEMBER)
    FIND(start, init)
#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
    security_limits = (__typeof__(security_limits))dlsym(library, "heif_context_get_security_limits");
#endif
  }
  if (!library || missing) {
    // The linker's message names the file, whether it is missing or cannot be used.
    const char *error = library ? "a function is missing:" : dlerror();
    snprintf(reason, size, "%s%s%s", error ? error : "unknown", missing ? " heif_" : "", missing ? missing : "");
    return NULL;
  }
  // If plugins are missing, libheif has fewer encoders and decoders, which callers will notice.
  start(NULL);
  return &heif;
}

static FILE *real_errors, *kept_errors;
static char *kept_text;
static size_t kept_size;

// Replaces the stream and not its descriptor, since a sandbox may not allow duplicating that.
void hb_log_begin(void) {
  kept_text = NULL;
  kept_errors = open_memstream(&kept_text, &kept_size);
  if (!kept_errors) return;
  real_errors = stderr;
  stderr = kept_errors;
}

char *hb_log_end(void) {
  if (!kept_errors) return NULL;
  stderr = real_errors;
  fclose(kept_errors);
  kept_errors = NULL;
  return kept_text;
}

void hb_heif_set_limits(struct heif_context *context, int maximum_side, uint64_t maximum_pixels) {
  heif.context_set_maximum_image_size_limit(context, maximum_side);
  // libheif 1.19 replaced the single limit on an image's side by a structure, which the header of 1.15 does not
  // declare.
#if LIBHEIF_NUMERIC_VERSION >= 0x01130000
  struct heif_security_limits *limits = security_limits ? security_limits(context) : NULL;
  if (limits) limits->max_image_size_pixels = maximum_pixels;
#else
  (void)maximum_pixels;
#endif
}
