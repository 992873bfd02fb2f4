#define _GNU_SOURCE
#include "CLoadedLibraries.h"

#ifdef __linux__
#include <ctype.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Whether a path's last component is `stem`.so…, or `stem`-HASH.so… as in Python wheels.
static int is_named(const char *path, const char *stem) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t length = strlen(stem);
  if (strncmp(name, stem, length) != 0) return 0;
  name += length;
  if (*name == '-') {
    size_t digits = 0;
    while (isxdigit((unsigned char)name[1 + digits])) digits++;
    if (digits != 8) return 0;
    name += 9;
  }
  return strncmp(name, ".so", 3) == 0 && (name[3] == 0 || name[3] == '.');
}

static size_t aligned(size_t size) { return (size + 3) & ~(size_t)3; }

static void read_build(const struct dl_phdr_info *info, hb_library library) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_NOTE) continue;
    const char *note = (const char *)(info->dlpi_addr + header->p_vaddr);
    const char *end = note + header->p_memsz;
    while (end - note >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
      const char *name = note + sizeof *head;
      size_t name_size = aligned(head->n_namesz), size = aligned(head->n_descsz);
      if (name_size > (size_t)(end - name) || size > (size_t)(end - name) - name_size) break;
      const unsigned char *digest = (const unsigned char *)name + name_size;
      if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        size_t bytes = head->n_descsz < 32 ? head->n_descsz : 32;
        for (size_t k = 0; k < bytes; k++) snprintf(library.build + 2 * k, 3, "%02x", digest[k]);
        return;
      }
      note = name + name_size + size;
    }
  }
}

typedef struct {
  const char *stem;
  hb_library library;
  int count;
} library_search;

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  library_search *search = context;
  if (!info->dlpi_name || !is_named(info->dlpi_name, search->stem)) return 0;
  if (search->count++ == 0) {
    snprintf(search->library.path, HB_LIBRARY_PATH, "%s", info->dlpi_name);
    read_build(info, search->library);
  }
  return 0;
}

int hb_find_library(const char *stem, hb_library library) {
  *library.path = *library.build = 0;
  library_search search = {stem, library, 0};
  dl_iterate_phdr(visit, &search);
  return search.count;
}

typedef struct {
  int left;
  hb_library library;
} library_count;

static int visit_place(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  library_count *count = context;
  // The program has an empty name, and the kernel's page has a name without a folder.
  if (!info->dlpi_name || !strchr(info->dlpi_name, '/') || count->left-- > 0) return 0;
  snprintf(count->library.path, HB_LIBRARY_PATH, "%s", info->dlpi_name);
  read_build(info, count->library);
  return 1;
}

int hb_library_at(int index, hb_library library) {
  *library.path = *library.build = 0;
  library_count count = {index, library};
  return dl_iterate_phdr(visit_place, &count);
}

typedef struct {
  const char *stem, *beginning;
  char *text;
  size_t size;
} text_search;

static int visit_text(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  text_search *search = context;
  if (!info->dlpi_name || !is_named(info->dlpi_name, search->stem)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_R) || header->p_flags & PF_W) continue;
    const char *start = (const char *)(info->dlpi_addr + header->p_vaddr);
    const char *found = memmem(start, header->p_filesz, search->beginning, strlen(search->beginning));
    if (!found) continue;
    size_t room = (size_t)(start + header->p_filesz - found);
    snprintf(search->text, search->size, "%.*s", (int)(room < 4096 ? room : 4096), found);
    return 1;
  }
  return 0;
}

int hb_find_library_text(const char *stem, const char *beginning, char *text, size_t size) {
  text_search search = {stem, beginning, text, size};
  return dl_iterate_phdr(visit_text, &search);
}

#else
int hb_find_library(const char *stem, hb_library library) {
  (void)stem;
  *library.path = *library.build = 0;
  return 0;
}

int hb_library_at(int index, hb_library library) {
  (void)index;
  *library.path = *library.build = 0;
  return 0;
}

int hb_find_library_text(const char *stem, const char *beginning, char *text, size_t size) {
  (void)stem, (void)beginning, (void)text, (void)size;
  return 0;
}
#endif
