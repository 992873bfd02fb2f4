#define _GNU_SOURCE
#include "Sandbox.h"

#ifdef HB_FENCED
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// The only list of what a worker may ask of the kernel. Rows are left out if an architecture or an older header lacks
// the call. docs/lab/security.md shows the list, and a test compares the two.

#define CALL(call, reason) {SYS_##call, #call, HB_ALWAYS, {{0}}, "", reason}
#define CHECKED(call, check, reason, ...) {SYS_##call, #call, HB_ALWAYS, {__VA_ARGS__}, check, reason}
#define WRITING(call, reason) {SYS_##call, #call, HB_WHEN_WRITING, {{0}}, "", reason}
#define IS(argument, value) {HB_IS, argument, value}
#define HAS_ALL(argument, value) {HB_HAS_ALL, argument, value}
#define HAS_NONE(argument, value) {HB_HAS_NONE, argument, (uint32_t)(value)}

enum {
  CHANGES_FILES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND,
  ADVICE_OF_PROGRAMS = 31,  // larger values include advice that takes memory away from everyone
  GUARD_INSTALL = 102,      // madvise, Linux 6.13; the C library guards stacks with it
  GUARD_REMOVE = 103,
  NAME_MEMORY = 0x53564d41,  // PR_SET_VMA, Linux 5.17; the C library names its heaps
};

const struct hb_call_row hb_call_rows[] = {
    // Memory.
    CHECKED(mmap, "not executable", "memory; reading libraries", HAS_NONE(2, PROT_EXEC)),
    CHECKED(mmap, "not writable", "a library's code, where codecs are plug-ins", HAS_NONE(2, PROT_WRITE)),
    CHECKED(mprotect, "not executable", "heaps and stacks that grow", HAS_NONE(2, PROT_EXEC)),
    CHECKED(madvise, "advice below 32", "handing memory back", HAS_NONE(2, ~ADVICE_OF_PROGRAMS)),
    CHECKED(madvise, "`MADV_GUARD_INSTALL`", "guarding stacks", IS(2, GUARD_INSTALL)),
    CHECKED(madvise, "`MADV_GUARD_REMOVE`", "guarding stacks", IS(2, GUARD_REMOVE)),
    CALL(munmap, "memory"),
    CALL(mremap, "memory"),
    CALL(brk, "memory"),
    CALL(get_mempolicy, "x265 looks for NUMA nodes"),
    CALL(set_mempolicy, "x265 places its own memory"),

    // Threads.
    CHECKED(clone, "`CLONE_THREAD`, no `CLONE_NEW…`", "the codecs' threads, no processes or namespaces",
            HAS_ALL(0, CLONE_THREAD), HAS_NONE(0, HB_NEW_NAMESPACES)),
    CALL(futex, "locks"),
    CALL(set_robust_list, "each new thread"),
#ifdef SYS_rseq
    CALL(rseq, "each new thread"),
#endif
    CALL(exit, "the end of a thread"),
    CALL(exit_group, "the end of the worker"),
    CALL(gettid, "crash reports, locks"),
    CALL(sched_yield, "spinning locks"),
    CALL(sched_getaffinity, "counting cores"),
    CHECKED(sched_setaffinity, "process 0, itself", "the timing pass stays on its cores", IS(0, 0)),
    CALL(sched_getparam, "reading a thread's priority"),
    CALL(sched_getscheduler, "reading a thread's priority"),
    CALL(sched_get_priority_max, "reading the range of priorities"),
    CALL(sched_get_priority_min, "reading the range of priorities"),
    CHECKED(getpriority, "process 0, itself", "x265 asks for its threads' priority", IS(0, PRIO_PROCESS), IS(1, 0)),
    CHECKED(setpriority, "process 0, itself", "x265 sets its threads' priority", IS(0, PRIO_PROCESS), IS(1, 0)),
    CHECKED(prctl, "`PR_SET_NAME`", "naming threads", IS(0, PR_SET_NAME)),
    CHECKED(prctl, "`PR_GET_NAME`", "naming threads", IS(0, PR_GET_NAME)),
    CHECKED(prctl, "`PR_SET_VMA`", "naming memory", IS(0, NAME_MEMORY)),

    // Its own signals.
    CHECKED(tgkill, "its own process", "`abort` and `raise`", {HB_IS_SELF, 0, 0}),
    CALL(rt_sigaction, "crash handlers"),
    CALL(rt_sigprocmask, "starting threads"),
    CALL(rt_sigreturn, "the end of a handler"),
    CALL(sigaltstack, "crash handlers"),
    CALL(restart_syscall, "continuing after a stop"),

    // Messages, and files to read.
    CALL(read, "requests and files"),
    CALL(pread64, "files"),
    CALL(readv, "files"),
    CALL(write, "answers"),
    CALL(writev, "answers, library messages"),
    CALL(lseek, "files"),
    CALL(close, "files"),
#ifdef SYS_poll
    CALL(poll, "waiting for requests"),
#endif
    CALL(ppoll, "waiting for requests"),
#ifdef SYS_open
    CHECKED(open, "for reading", "the image; `/proc/self/status`", HAS_NONE(1, CHANGES_FILES)),
    CALL(stat, "the type and size of a file"),
    CALL(lstat, "the type and size of a file"),
    CALL(access, "whether a file exists"),
    CALL(readlink, "the target of a link"),
#endif
    CHECKED(openat, "for reading", "the image; `/proc/self/status`", HAS_NONE(2, CHANGES_FILES)),
    CALL(fstat, "the type and size of a file"),
    CALL(newfstatat, "the type and size of a file"),
#ifdef SYS_statx
    CALL(statx, "the type and size of a file"),
#endif
    CALL(statfs, "the type of a file system"),
    CALL(fstatfs, "the type of a file system"),
    CALL(faccessat, "whether a file exists"),
#ifdef SYS_faccessat2
    CALL(faccessat2, "whether a file exists"),
#endif
    CALL(readlinkat, "the target of a link"),
    CALL(getdents64, "folders; NUMA nodes"),
    CALL(fadvise64, "reading ahead"),
    CALL(getcwd, "relative paths"),
    CHECKED(fcntl, "`F_GETFD`", "whether a descriptor is open", IS(1, F_GETFD)),
    CHECKED(fcntl, "`F_SETFD`", "closing on exec", IS(1, F_SETFD)),
    CHECKED(fcntl, "`F_GETFL`", "how a descriptor was opened", IS(1, F_GETFL)),
    CHECKED(fcntl, "`F_DUPFD_CLOEXEC`", "a second descriptor", IS(1, F_DUPFD_CLOEXEC)),
    CALL(dup, "a second descriptor"),

    // Clocks, random numbers, and facts about the machine.
    CALL(clock_gettime, "times"),
    CALL(clock_getres, "times"),
    CALL(clock_nanosleep, "waiting"),
    CALL(nanosleep, "waiting"),
    CALL(gettimeofday, "times"),
#ifdef SYS_time
    CALL(time, "times"),
#endif
    CALL(times, "times"),
    CALL(getrusage, "peak memory"),
    CALL(getrandom, "hash seeds, names of temporary files"),
    CALL(getcpu, "heaps for each core"),
    CALL(sysinfo, "the amount of memory"),
    CALL(uname, "the kernel's version"),
    CHECKED(prlimit64, "process 0, itself; reading", "the size of the stack", IS(0, 0), IS(2, 0), IS(HB_HIGH + 2, 0)),
    CALL(getpid, "its own process ID"),
    CALL(getppid, "its run's process ID"),
    CALL(getuid, "its own user"),
    CALL(geteuid, "its own user"),
    CALL(getgid, "its own group"),
    CALL(getegid, "its own group"),

    // For keeping encoded files. Landlock limits the folder, which seccomp cannot see.
#ifdef SYS_open
    WRITING(open, "encoded files"),
    WRITING(mkdir, "folders for encoded files"),
#endif
    WRITING(openat, "encoded files"),
    WRITING(mkdirat, "folders for encoded files"),
};

const size_t hb_call_row_count = sizeof hb_call_rows / sizeof *hb_call_rows;
#else
const struct hb_call_row hb_call_rows[1];
const size_t hb_call_row_count = 0;
#endif

size_t hb_allowed_call_count(void) { return hb_call_row_count; }

struct hb_allowed_call hb_allowed_call(size_t index) {
  const struct hb_call_row *row = &hb_call_rows[index];
  return (struct hb_allowed_call){
      row->number, row->name, row->when == HB_WHEN_WRITING, row->conditions[0].kind != HB_NO_CONDITION, row->check,
      row->reason};
}
