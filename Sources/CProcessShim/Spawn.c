#define _GNU_SOURCE
#include "Child.h"
#include "CProcessShim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HB_SANITIZED 1
#endif
#endif

// Between fork and exec of a process with threads only async-signal-safe calls are allowed: plain system
// calls, no allocation, no locks. Everything in this section keeps to that.

static int limit(int resource, uint64_t soft) {
  struct rlimit value;
  if (getrlimit(resource, &value) != 0) return -1;
  if (value.rlim_max == RLIM_INFINITY || soft < value.rlim_max) value.rlim_max = soft;
  value.rlim_cur = value.rlim_max;
  return setrlimit(resource, &value);
}

// Limits the number of files. Valgrind does not allow changing the hard limit.
static int limit_files(rlim_t files) {
  if (limit(RLIMIT_NOFILE, files) == 0) return 0;
  struct rlimit value;
  if (getrlimit(RLIMIT_NOFILE, &value) != 0) return -1;
  value.rlim_cur = files < value.rlim_max ? files : value.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &value);
}

static int limit_memory(uint64_t bytes) {
#ifdef HB_SANITIZED
  // Sanitizers reserve terabytes of address space for their shadows.
  (void)bytes;
#else
  if (bytes == 0) return 0;
  // RLIMIT_DATA counts private writable memory, but not libraries or the address space that malloc only reserves for
  // its arenas. RLIMIT_AS catches what RLIMIT_DATA misses, which is shared memory.
  if (limit(RLIMIT_DATA, bytes) != 0) return -1;
  uint64_t slack = (uint64_t)8 << 30;
  if (bytes < UINT64_MAX / 4 && limit(RLIMIT_AS, bytes * 2 + slack) != 0) return -1;
#endif
  return 0;
}

void hb_reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// Closes every descriptor from `first` on.
void hb_close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
  struct rlimit files;
  int end = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 1 << 20 ? (int)files.rlim_cur : 1 << 20;
  for (int descriptor = first; descriptor < end; descriptor++) close(descriptor);
}

// Arranges the descriptors as 0 and 1 (channel), 2 (log) and 3 (to report a failure), and no others. They are moved out
// of the way first, since any of them may have one of these numbers already.
static int arrange_descriptors(const struct hb_spawn_options *options, int failures) {
  int channel = fcntl(options->channel, F_DUPFD, 16);
  int log = fcntl(options->log, F_DUPFD, 16);
  int tell = fcntl(failures, F_DUPFD, 16);
  if (channel < 0 || log < 0 || tell < 0) return -1;
  if (dup2(channel, 0) < 0 || dup2(channel, 1) < 0 || dup2(log, 2) < 0 || dup2(tell, 3) < 0) return -1;
  hb_close_from(4);
  return fcntl(3, F_SETFD, FD_CLOEXEC);
}

// Gives the child this priority. It inherits the priority of the thread that forked, and libdispatch sets its own
// priorities for its threads (0, or -4 if the user may), whatever `nice` the program was started with.
static int lower_priority(int wanted) {
  if (getpriority(PRIO_PROCESS, 0) == wanted) return 0;
  if (setpriority(PRIO_PROCESS, 0, wanted) == 0) return 0;
  // A thread with a lower priority than the program may not be raised again; it keeps that priority.
  return getpriority(PRIO_PROCESS, 0) >= wanted ? 0 : -1;
}

#ifdef __linux__
// Permanently gives up root's privileges, with which a worker could look into its run. Reading other users' files stays
// allowed, since a worker opens the images itself and root's workers should read what root can.
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
  if (syscall(SYS_capget, &header, sets) != 0) return -1;
  for (int number = 0; number < 64; number++) {
    // Refused to processes without privileges, and for numbers that the kernel does not know.
    if (number != CAP_DAC_READ_SEARCH) (void)prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  }
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  uint32_t kept = sets[0].permitted & CAP_TO_MASK(CAP_DAC_READ_SEARCH);
  sets[0] = (struct __user_cap_data_struct){.effective = kept, .permitted = kept};
  sets[1] = (struct __user_cap_data_struct){0};
  return (int)syscall(SYS_capset, &header, sets);
}
#endif

// `base` is the program's own priority, which is that of its first thread.
static int isolate(const struct hb_spawn_options *options, pid_t parent, int base) {
  // A separate group, so that Ctrl-C in the terminal reaches only the parent, which then decides.
  if (setpgid(0, 0) != 0) return -1;
#ifdef __linux__
  // If a sandbox forbids these, the worker still watches its socket and still has no set-user-id program to use.
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // If memory runs out, the system should end a worker and not the parent. It does no harm if this fails.
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    (void)!write(score, "500", 3);
    close(score);
  }
#else
  (void)parent;
#endif
  if (limit(RLIMIT_CORE, 0) != 0 || limit_files(256) != 0) return -1;
  if (limit_memory(options->memory_limit) != 0) return -1;
  if (lower_priority(base + options->niceness) != 0) return -1;
#ifdef __linux__
  return drop_capabilities();
#else
  return 0;
#endif
}

// Opens the peak memory mark as HB_MEMORY_MARK, since a restricted process can no longer open it for writing. The mark
// still belongs to the process after its program is loaded. If it cannot be opened, the worker reports less about its
// memory.
static void keep_memory_mark(void) {
#ifdef __linux__
  int mark = open("/proc/self/clear_refs", O_WRONLY);
  if (mark < 0 || mark == HB_MEMORY_MARK) return;
  (void)dup2(mark, HB_MEMORY_MARK);
  close(mark);
#endif
}

static void become_worker(const struct hb_spawn_options *options, int failures, pid_t parent, int base) {
  hb_reset_signals();
  int told = failures;
  if (arrange_descriptors(options, failures) == 0) {
    told = 3;
    if (isolate(options, parent, base) == 0) {
      if (options->sandbox) {
        keep_memory_mark();
        (void)hb_sandbox(options->sandbox);
      }
      execve(options->executable, options->arguments, options->environment);
    }
  }
  int reason = errno;
  (void)!write(told, &reason, sizeof reason);
  _exit(127);
}

static int set_flags(int descriptor, int blocks) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return -1;
  return blocks ? 0 : fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

int hb_make_ends(int sockets[2], int log[2]) {
#ifdef __linux__
  int failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0;
#else
  int failed = socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || set_flags(sockets[0], 1) != 0 ||
               set_flags(sockets[1], 1) != 0;
  int on = 1;
  if (!failed) failed = setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) != 0;
#endif
  if (failed) return errno;
#ifdef __linux__
  failed = pipe2(log, O_CLOEXEC) != 0;
#else
  failed = pipe(log) != 0;
#endif
  if (!failed && set_flags(log[0], 0) == 0 && set_flags(log[1], 0) == 0) return 0;
  int reason = errno;
  if (!failed) {
    close(log[0]);
    close(log[1]);
  }
  close(sockets[0]);
  close(sockets[1]);
  return reason;
}

int hb_spawn(const struct hb_spawn_options *options) {
  // The pipe closes automatically on exec: reading nothing from it means that the worker's program has begun.
  int failures[2];
#ifdef __linux__
  if (pipe2(failures, O_CLOEXEC) != 0) return -errno;
#else
  if (pipe(failures) != 0) return -errno;
  (void)fcntl(failures[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(failures[1], F_SETFD, FD_CLOEXEC);
#endif
  // None of the parent's handlers may run in the child before they are reset.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  int base = getpriority(PRIO_PROCESS, (id_t)parent);
  pid_t child = fork();
  if (child == 0) become_worker(options, failures[1], parent, base);
  int fork_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(failures[1]);
  if (child < 0) {
    close(failures[0]);
    return -fork_error;
  }
  int reason = 0;
  ssize_t got;
  do got = read(failures[0], &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  close(failures[0]);
  if (got != (ssize_t)sizeof reason) return child;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return -reason;
}
