#define _GNU_SOURCE
#include "CProcessShim.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t continued;

static void note_continued(int number) {
  (void)number;
  continued = 1;
}

// A library that does not check an allocation crashes on the null pointer; Swift and C++ abort. Either way
// the crashing thread's errno still shows the reason. If it was not memory, the signal is raised again: the handler
// runs only once, so the second signal ends the process as it would have without this handler.
static void crashed(int number) {
  if (errno == ENOMEM) _exit(HB_EXIT_OUT_OF_MEMORY);
  raise(number);
}

void hb_install_crash_handlers(void) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE};
  struct sigaction once = {.sa_handler = crashed, .sa_flags = SA_RESETHAND | SA_NODEFER};
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) {
    (void)sigaction(fatal[index], &once, NULL);
  }
  struct sigaction note = {.sa_handler = note_continued, .sa_flags = SA_RESTART};
  (void)sigaction(SIGCONT, &note, NULL);
}

int hb_was_continued(void) {
  int was = continued;
  continued = 0;
  return was;
}

void hb_clear_errno(void) { errno = 0; }

int hb_errno_is_out_of_memory(void) { return errno == ENOMEM; }
