#define _GNU_SOURCE
#include "CProcessShim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <malloc.h>
#include <sched.h>
#include <sys/syscall.h>
#endif

uint64_t hb_allow_files(uint64_t files) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return files;
  if (limit.rlim_cur < files) {
    struct rlimit raised = limit;
    raised.rlim_cur = files < limit.rlim_max ? files : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur;
}

int hb_open_process(int process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

void hb_kill_process(int process, int descriptor) {
  int sent = -1;
#if defined(__linux__) && defined(SYS_pidfd_send_signal)
  if (descriptor >= 0) sent = (int)syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, NULL, 0);
#else
  (void)descriptor;
#endif
  if (sent != 0) (void)kill(process, SIGKILL);
  (void)kill(-process, SIGKILL);
}

struct thread {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *pointer) {
  struct thread thread = *(struct thread *)pointer;
  free(pointer);
  thread.body(thread.context);
  return NULL;
}

int hb_start_thread(size_t stack_size, void (*body)(void *), void *context) {
  struct thread *thread = malloc(sizeof *thread);
  if (!thread) return ENOMEM;
  *thread = (struct thread){body, context};
  pthread_attr_t attributes;
  pthread_t number;
  int refusal = pthread_attr_init(&attributes);
  if (!refusal) {
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, stack_size);
    refusal = pthread_create(&number, &attributes, run_thread, thread);
    (void)pthread_attr_destroy(&attributes);
  }
  if (refusal) free(thread);
  return refusal;
}

void hb_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void hb_fix_mapped_blocks(size_t bytes) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, (int)bytes);
  // A fixed threshold also fixes this one, at 128 kB, so every few blocks would be returned and requested again.
  (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
  // One heap for all threads. Otherwise a codec's next thread would find the memory left by the last only by chance.
  (void)mallopt(M_ARENA_MAX, 1);
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

void hb_sync_file_system(const char *folder) {
#ifdef __linux__
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  syncfs(descriptor);
  close(descriptor);
#else
  (void)folder;
  sync();
#endif
}
