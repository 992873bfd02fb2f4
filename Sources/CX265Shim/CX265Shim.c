#include "CX265Shim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// x265_param and x265_encoder differ between builds; nothing here accesses their fields.
typedef struct parameters parameters;
typedef struct encoder encoder;

struct hb_x265 {
  void *handle;
  parameters *parameters;
  void (*free)(parameters *);
  int (*set)(parameters *, const char *, const char *);
  encoder *(*start)(parameters *);
  void (*stop)(encoder *);
};

static void *find(void *handle, const char *name) { return dlsym(handle, name); }

// The one function whose name contains the build number, so that no other build is called by mistake.
static void *find_start(void *handle, int build) {
  char name[40];
  snprintf(name, sizeof name, "x265_encoder_open_%d", build);
  return find(handle, name);
}

hb_x265 *hb_x265_open(const char *path, int build, const char *preset, const char *tune, int *refused) {
  *refused = 0;
  hb_x265 *library = calloc(1, sizeof *library);
  if (!library) return NULL;
  library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library->handle) {
    parameters *(*make)(void) = (parameters * (*)(void)) find(library->handle, "x265_param_alloc");
    int (*choose)(parameters *, const char *, const char *) =
        (int (*)(parameters *, const char *, const char *))find(library->handle, "x265_param_default_preset");
    library->free = (void (*)(parameters *))find(library->handle, "x265_param_free");
    library->set = (int (*)(parameters *, const char *, const char *))find(library->handle, "x265_param_parse");
    library->start = (encoder * (*)(parameters *)) find_start(library->handle, build);
    library->stop = (void (*)(encoder *))find(library->handle, "x265_encoder_close");
    if (make && choose && library->free && library->set && library->start && library->stop) {
      library->parameters = make();
      if (library->parameters) {
        *refused = choose(library->parameters, preset, tune) != 0;
        library->set(library->parameters, "log-level", "none");
        if (!*refused) return library;
      }
    }
  }
  hb_x265_close(library);
  return NULL;
}

int hb_x265_codes(const char *path, int build, int bits) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!handle) return 0;
  char name[40];
  snprintf(name, sizeof name, "x265_api_get_%d", build);
  const void *(*get)(int) = (const void *(*)(int))find(handle, name);
  int codes = get && get(bits) != NULL;
  dlclose(handle);
  return codes;
}

void hb_x265_close(hb_x265 *library) {
  if (library->parameters) library->free(library->parameters);
  if (library->handle) dlclose(library->handle);
  free(library);
}

int hb_x265_set(hb_x265 *library, const char *key, const char *value) {
  return library->set(library->parameters, key, value);
}

int hb_x265_starts(hb_x265 *library) {
  // Large enough for every size of coding tree unit.
  if (hb_x265_set(library, "input-res", "256x256") != 0 || hb_x265_set(library, "fps", "1") != 0) return 0;
  encoder *encoder = library->start(library->parameters);
  if (!encoder) return 0;
  library->stop(encoder);
  return 1;
}
