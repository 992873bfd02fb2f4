#ifndef CX265SHIM_H
#define CX265SHIM_H

// Uses the x265 that libheif has loaded to check the `x265:` keys that libheif 1.15 ignores silently. It is not linked,
// so a process has only one x265 whatever build of libheif runs, and the check uses the one that encodes.

// An x265 library with its parameters.
typedef struct hb_x265 hb_x265;

// Creates the parameters for a preset and a tune with the library at a path, which must be loaded already. `build` is
// the number in the names of its file and functions. Returns NULL with `refused` 1 if x265 does not know the preset or
// tune, and NULL with 0 if the library cannot be used.
hb_x265 *hb_x265_open(const char *path, int build, const char *preset, const char *tune, int *refused);
void hb_x265_close(hb_x265 *library);
// Whether the same library codes samples of this many bits.
int hb_x265_codes(const char *path, int build, int bits);

// x265_param_parse: 0 if it is valid, -1 for an unknown key, -2 for a bad value.
int hb_x265_set(hb_x265 *library, const char *key, const char *value);
// Whether x265 starts with this combination of parameters.
int hb_x265_starts(hb_x265 *library);

#endif
