#include "CNoICUData.h"

#include <stdint.h>

/*
 * An empty set of data for ICU, 30 MB smaller than the one in Foundation's static library.
 *
 * Foundation uses ICU for locales, calendars, collation and transliteration; heicbench uses none of them. ICU accepts
 * a set without tables, as its own "stubdata" library shows, and fails calls that need one. The linker uses this
 * symbol and leaves Foundation's in the archive. The number in its name is the toolchain's ICU version: with another
 * version, the program is larger but works as well.
 *
 * Layout: ICU's DataHeader (unicode/udata.h: MappedData, UDataInfo) and a table of contents with no entries.
 */
struct hb_empty_icu_data {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size;
  uint16_t reserved;
  uint8_t is_big_endian;
  uint8_t is_ebcdic;
  uint8_t character_size;
  uint8_t reserved_byte;
  uint8_t data_format[4];
  uint8_t format_version[4];
  uint8_t data_version[4];
  uint8_t padding[8];
  uint32_t entries;
  uint32_t end;
};

#if defined(__linux__)
__attribute__((aligned(16))) const struct hb_empty_icu_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .character_size = 2,
    .data_format = {'C', 'm', 'n', 'D'},
    .format_version = {1, 0, 0, 0},
};
#endif
