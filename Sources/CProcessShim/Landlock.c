#define _GNU_SOURCE
#include "Sandbox.h"

#ifdef HB_FENCED
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock (kernel documentation, userspace-api/landlock). Spelt out here because a distribution's headers are often
// older than its kernel.

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

int hb_landlock(const struct hb_sandbox_options *options) {
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
  // A started program may want to write to /dev/null; this does not open anything else there.
  failed |= options->allows_programs && allow_writing(descriptor, "/dev/null", WRITE_FILE | TRUNCATE);
  if (!failed) failed = (int)syscall(SYS_landlock_restrict_self, descriptor, 0);
  close(descriptor);
  return failed ? 0 : (int)abi;
}

#endif
