#define _GNU_SOURCE
#include "CProcessShim.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HB_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(HB_SANITIZED)
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Landlock (kernel documentation, userspace-api/landlock). Spelt out here because the headers of a
// distribution are often older than its kernel.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct ruleset {
  uint64_t handled_files;
  uint64_t handled_network;  // since ABI 4
  uint64_t scoped;           // since ABI 6
};

struct path_rule {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  REMOVE_AND_MAKE = 0x1ff0,  // remove folder and file, make device, folder, file, socket, FIFO, block, link
  REFER = 1 << 13,           // since ABI 2
  TRUNCATE = 1 << 14,        // since ABI 3
  DEVICE_CONTROL = 1 << 15,  // since ABI 5
  BIND_AND_CONNECT = 3,
  ABSTRACT_SOCKETS_AND_SIGNALS = 3,
};

static int allow_writing(int rules, const char *folder, uint64_t access) {
  struct path_rule rule = {.allowed = access & (WRITE_FILE | TRUNCATE | REFER | REMOVE_AND_MAKE)};
  rule.folder = open(folder, O_PATH | O_CLOEXEC);
  if (rule.folder < 0) return -1;
  long result = syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
  close(rule.folder);
  return result == 0 ? 0 : -1;
}

static int landlock(const struct hb_fence_options *options) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (abi < 1) return 0;
  struct ruleset rules = {.handled_files = WRITE_FILE | REMOVE_AND_MAKE};
  if (!options->allows_programs) rules.handled_files |= EXECUTE;
  if (abi >= 2) rules.handled_files |= REFER;
  if (abi >= 3) rules.handled_files |= TRUNCATE;
  if (abi >= 5) rules.handled_files |= DEVICE_CONTROL;
  if (abi >= 4) rules.handled_network = BIND_AND_CONNECT;
  if (abi >= 6) rules.scoped = ABSTRACT_SOCKETS_AND_SIGNALS;
  size_t size = abi >= 6 ? sizeof rules : abi >= 4 ? offsetof(struct ruleset, scoped) : sizeof(uint64_t);
  int descriptor = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (descriptor < 0) return 0;
  int failed = 0;
  for (size_t index = 0; index < options->writable_count; index++) {
    failed |= allow_writing(descriptor, options->writable_folders[index], rules.handled_files);
  }
  // A program that is started may want to write to /dev/null; nothing else there is opened up by this.
  failed |= options->allows_programs && allow_writing(descriptor, "/dev/null", WRITE_FILE | TRUNCATE);
  if (!failed) failed = (int)syscall(SYS_landlock_restrict_self, descriptor, 0);
  close(descriptor);
  return failed ? 0 : (int)abi;
}

// MARK: seccomp

#if defined(__x86_64__)
#define HB_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define HB_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef HB_ARCHITECTURE
// What decoding, encoding and scoring never need, refused with EPERM whatever the arguments.
static const int denied_always[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_sendto, SYS_sendmsg, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns,
    SYS_unshare, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_userfaultfd,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_personality, SYS_settimeofday, SYS_clock_settime,
    SYS_sethostname, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_fsetxattr,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown,
#endif
    425 /* io_uring_setup */, 438 /* pidfd_getfd */, 452 /* fchmodat2 */,
};

// What only a worker that runs a metric's command needs.
static const int denied_without_programs[] = {
    SYS_execve, SYS_execveat, SYS_kill,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
};

enum { CAPACITY = 160 };

struct program {
  struct sock_filter code[CAPACITY];
  unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction) {
  if (program->length < CAPACITY) program->code[program->length++] = instruction;
}

// If the loaded word is `value`, the result is `action`.
static void refuse_if_equal(struct program *program, uint32_t value, uint32_t action) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void load(struct program *program, uint32_t offset) {
  add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static int seccomp(const struct hb_fence_options *options) {
  const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;
  struct program program = {.length = 0};
  load(&program, offsetof(struct seccomp_data, arch));
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HB_ARCHITECTURE, 1, 0));
  add(&program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  load(&program, offsetof(struct seccomp_data, nr));
  for (size_t index = 0; index < sizeof denied_always / sizeof(int); index++) {
    refuse_if_equal(&program, (uint32_t)denied_always[index], refusal);
  }
#ifdef __x86_64__
  // The x32 calls have numbers of their own and would get past the list.
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  add(&program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refusal));
#endif
  if (!options->allows_programs) {
    for (size_t index = 0; index < sizeof denied_without_programs / sizeof(int); index++) {
      refuse_if_equal(&program, (uint32_t)denied_without_programs[index], refusal);
    }
    // clone3 keeps its flags in memory, where a filter cannot look; without it the C library uses clone,
    // which may then make threads only.
    refuse_if_equal(&program, 435, SECCOMP_RET_ERRNO | ENOSYS);
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    load(&program, offsetof(struct seccomp_data, args[0]));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
    add(&program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refusal));
  }
  add(&program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  if (program.length >= CAPACITY) return 0;
  struct sock_fprog filter = {.len = program.length, .filter = program.code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}
#else
static int seccomp(const struct hb_fence_options *options) {
  (void)options;
  return 0;
}
#endif

struct hb_fence_status hb_fence(const struct hb_fence_options *options) {
  struct hb_fence_status status = {0, 0};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return status;
  status.landlock = landlock(options);
  status.seccomp = seccomp(options);
  return status;
}
#else
struct hb_fence_status hb_fence(const struct hb_fence_options *options) {
  (void)options;
  struct hb_fence_status status = {0, 0};
  return status;
}
#endif
