#ifndef CX265SHIM_H
#define CX265SHIM_H

// The x265 that libheif has loaded, to have it check the `x265:` keys that libheif 1.15 swallows unread. It is
// not linked: a process then has one x265 whatever build of libheif runs, and the one that encodes is asked.

// A library with its parameters.
typedef struct hb_x265 hb_x265;

// Makes the parameters of a preset and a tune with the library at a path, which has to be loaded already.
// `build` is the number in its file's name and in that of its functions. NULL with `refused` 1 where x265
// knows no such preset or tune, NULL with 0 where the library cannot be used.
hb_x265 *hb_x265_open(const char *path, int build, const char *preset, const char *tune, int *refused);
void hb_x265_close(hb_x265 *library);
// Whether the same library codes samples of so many bits.
int hb_x265_codes(const char *path, int build, int bits);

// x265_param_parse: 0 good, -1 unknown key, -2 bad value.
int hb_x265_set(hb_x265 *library, const char *key, const char *value);
// Whether x265 starts with the parameters together.
int hb_x265_starts(hb_x265 *library);

#endif
