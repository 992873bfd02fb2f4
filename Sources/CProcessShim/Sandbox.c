#define _GNU_SOURCE
#include "Sandbox.h"

#ifdef HB_FENCED
#include <stdlib.h>
#include <sys/prctl.h>

struct hb_sandbox_status hb_sandbox(const struct hb_sandbox_options *options) {
  struct hb_sandbox_status status = {0, 0};
#ifdef DEBUG
  // For Valgrind, which makes its own calls in the program's name. Releases do not have this.
  if (getenv("HEICBENCH_UNFENCED")) return status;
#endif
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return status;
  status.landlock = hb_landlock(options);
  status.seccomp = hb_seccomp(options);
  return status;
}
#else
struct hb_sandbox_status hb_sandbox(const struct hb_sandbox_options *options) {
  (void)options;
  struct hb_sandbox_status status = {0, 0};
  return status;
}
#endif
