#define _GNU_SOURCE
#include "CProcessShim.h"

#include <errno.h>
#ifdef __linux__
#include <malloc.h>
#include <sched.h>
#endif

void hb_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void hb_fix_mapped_blocks(size_t bytes) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, (int)bytes);
  // A fixed threshold also fixes this one, at 128 kB: every few blocks would be given back and asked for again.
  (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
#else
  (void)bytes;
#endif
}

int hb_pin(const int *cores, size_t count) {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t index = 0; index < count; index++) {
    if (cores[index] >= 0 && cores[index] < CPU_SETSIZE) CPU_SET(cores[index], &set);
  }
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
#else
  (void)cores;
  (void)count;
  return ENOTSUP;
#endif
}

size_t hb_allowed_cores(int *cores, size_t capacity) {
  size_t count = 0;
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int core = 0; core < CPU_SETSIZE && count < capacity; core++) {
    if (CPU_ISSET(core, &set)) cores[count++] = core;
  }
#else
  (void)cores;
  (void)capacity;
#endif
  return count;
}
