#define _GNU_SOURCE
#include "Sandbox.h"

#ifdef HB_FENCED
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef HB_ARCHITECTURE
// clone3 keeps its flags in memory, where a filter cannot see them. Without clone3, the C library uses clone.
enum { CLONE3 = 435 };

// Calls that libraries try, and do without if the kernel says that it does not have them.
static const int probed[] = {CLONE3, 436 /* close_range */, 437 /* openat2 */, 449 /* futex_waitv */,
                             453 /* map_shadow_stack */, 462 /* mseal */};

// The newest call known to this list. Later calls get the answer of a kernel that lacks them.
enum { NEWEST_KNOWN = 470, FIRST_X32 = 0x40000000, CAPACITY = 1024 };

struct program {
  struct sock_filter code[CAPACITY];
  unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction) {
  if (program->length < CAPACITY) program->code[program->length] = instruction;
  program->length++;
}

static void finish(struct program *program, uint32_t action) {
  add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void load(struct program *program, uint32_t offset) {
  add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void load_number(struct program *program) { load(program, offsetof(struct seccomp_data, nr)); }

// Skips this many instructions unless the loaded word is `value`.
static void skip_unless(struct program *program, uint32_t value, uint8_t count) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

// If the loaded word is `value`, the result is `action`.
static void finish_if(struct program *program, uint32_t value, uint32_t action) {
  skip_unless(program, value, 1);
  finish(program, action);
}

static void require(struct program *program, const struct hb_condition *condition, uint8_t skipped) {
  uint32_t half = condition->argument >= HB_HIGH ? 4 : 0;
  load(program, (uint32_t)offsetof(struct seccomp_data, args) + condition->argument % HB_HIGH * 8u + half);
  uint32_t value = condition->kind == HB_IS_SELF ? (uint32_t)getpid() : condition->value;
  if (condition->kind == HB_HAS_NONE) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, skipped, 0));
    return;
  }
  if (condition->kind == HB_HAS_ALL) add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, value));
  skip_unless(program, value, skipped);
}

static uint8_t instructions(const struct hb_condition *condition) {
  return condition->kind == HB_NO_CONDITION ? 0 : condition->kind == HB_HAS_ALL ? 3 : 2;
}

// Allows a row's call if its conditions hold; otherwise loads the number again for the next row.
static void allow(struct program *program, const struct hb_call_row *row) {
  if (row->conditions[0].kind == HB_NO_CONDITION) {
    finish_if(program, (uint32_t)row->number, SECCOMP_RET_ALLOW);
    return;
  }
  uint8_t left = 1;
  for (int index = 0; index < HB_CONDITIONS; index++) left += instructions(&row->conditions[index]);
  skip_unless(program, (uint32_t)row->number, left);
  for (int index = 0; index < HB_CONDITIONS; index++) {
    if (row->conditions[index].kind == HB_NO_CONDITION) continue;
    left -= instructions(&row->conditions[index]);
    require(program, &row->conditions[index], left);
  }
  finish(program, SECCOMP_RET_ALLOW);
  load_number(program);
}

static void check_architecture(struct program *program) {
  load(program, offsetof(struct seccomp_data, arch));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HB_ARCHITECTURE, 1, 0));
  finish(program, SECCOMP_RET_KILL_PROCESS);
  load_number(program);
#ifdef __x86_64__
  // The x32 calls have their own numbers.
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_X32, 0, 1));
  finish(program, SECCOMP_RET_ERRNO | EPERM);
#endif
}

// Allows only the calls that workers need.
static void allow_what_workers_need(struct program *program, const struct hb_sandbox_options *options) {
  for (size_t index = 0; index < hb_call_row_count; index++) {
    const struct hb_call_row *row = &hb_call_rows[index];
    if (row->when == HB_ALWAYS || options->writable_count > 0) allow(program, row);
  }
  for (size_t index = 0; index < sizeof probed / sizeof *probed; index++) {
    finish_if(program, (uint32_t)probed[index], SECCOMP_RET_ERRNO | ENOSYS);
  }
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEWEST_KNOWN, 0, 1));
  finish(program, SECCOMP_RET_ERRNO | ENOSYS);
  finish(program, SECCOMP_RET_ERRNO | EPERM);
}

// MARK: Programs that the user chooses

// Nobody can list what those programs may need, so they are refused what scoring two pictures never needs.
static const int denied_to_programs[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_sendto, SYS_sendmsg, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns,
    SYS_unshare, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_userfaultfd,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_personality, SYS_settimeofday, SYS_clock_settime,
    SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_acct, SYS_syslog, SYS_quotactl,
    SYS_fanotify_init, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat, SYS_truncate, SYS_shmget,
    SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_migrate_pages, SYS_move_pages, SYS_sched_setscheduler,
    SYS_sched_setparam, SYS_ioprio_set, SYS_kcmp,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_iopl, SYS_ioperm,
#endif
    SYS_sched_setattr, 425 /* io_uring_setup */, 426, 427, 428 /* open_tree */, 429 /* move_mount */,
    430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 438 /* pidfd_getfd */,
    440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */, 448 /* process_mrelease */,
    452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */, 467 /* open_tree_attr */, 469 /* file_setattr */,
};

// What those programs may do only to themselves, as process 0.
static const struct hb_call_row to_themselves[] = {
    {.number = SYS_prlimit64, .conditions = {{HB_IS, 0, 0}}},
    {.number = SYS_sched_setaffinity, .conditions = {{HB_IS, 0, 0}}},
    {.number = SYS_setpriority, .conditions = {{HB_IS, 0, PRIO_PROCESS}, {HB_IS, 1, 0}}},
    // Only a new group of their own, not an existing one.
    {.number = SYS_setpgid, .conditions = {{HB_IS, 0, 0}, {HB_IS, 1, 0}}},
};

// What C libraries and interpreters ask about a descriptor. Other requests change file attributes or devices.
static const uint32_t harmless_requests[] = {FIOCLEX, FIONCLEX, FIONREAD, FIONBIO, TCGETS, TIOCGWINSZ, TIOCGPGRP};

// A process or thread in its parent's namespaces. CLONE_NEWTIME shares its bit with the signal for the child's end, and
// only clone3 and unshare know it.
static const struct hb_call_row without_namespaces = {
    .number = SYS_clone, .conditions = {{HB_HAS_NONE, 0, HB_NEW_NAMESPACES}}};

static void deny_what_programs_never_need(struct program *program) {
  for (size_t index = 0; index < sizeof denied_to_programs / sizeof(int); index++) {
    finish_if(program, (uint32_t)denied_to_programs[index], SECCOMP_RET_ERRNO | EPERM);
  }
  for (size_t index = 0; index < sizeof to_themselves / sizeof *to_themselves; index++) {
    allow(program, &to_themselves[index]);
    finish_if(program, (uint32_t)to_themselves[index].number, SECCOMP_RET_ERRNO | EPERM);
  }
  for (size_t index = 0; index < sizeof harmless_requests / sizeof *harmless_requests; index++) {
    allow(program, &(struct hb_call_row){
        .number = SYS_ioctl, .conditions = {{HB_IS, 1, harmless_requests[index]}}});
  }
  // The answer of a file without such a request; programs then do without it.
  finish_if(program, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
  allow(program, &without_namespaces);
  finish_if(program, SYS_clone, SECCOMP_RET_ERRNO | EPERM);
  finish_if(program, CLONE3, SECCOMP_RET_ERRNO | ENOSYS);
  finish(program, SECCOMP_RET_ALLOW);
}

int hb_seccomp(const struct hb_sandbox_options *options) {
  struct program program;
  program.length = 0;
  check_architecture(&program);
  if (options->allows_programs) {
    deny_what_programs_never_need(&program);
  } else {
    allow_what_workers_need(&program, options);
  }
  if (program.length > CAPACITY) return 0;
  struct sock_fprog filter = {.len = program.length, .filter = program.code};
  // Applies to existing threads too; later ones inherit it.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0) return 1;
  // If a thread has its own filter, for example from a library, the kernel refuses. A filter for this thread only is
  // better than nothing, but does not count as in force.
  (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
  return 0;
}
#else
int hb_seccomp(const struct hb_sandbox_options *options) {
  (void)options;
  return 0;
}
#endif
#endif
