#include "CNoICUData.h"

#include <stdint.h>

/*
 * An empty set of data for ICU, 30 MB smaller than the one that Foundation's static library carries along.
 *
 * Foundation asks ICU for locales, calendars, collation and transliteration; heicbench asks for none of them.
 * ICU takes a set without tables, which is how its own "stubdata" library is meant, and fails what needs one.
 * The linker takes this symbol and leaves Foundation's in the archive. The number in its name is ICU's version in
 * the toolchain: with another one, the program is larger and works as well.
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
