#ifndef FENCE_H
#define FENCE_H
// The parts of a sandbox, which `hb_sandbox` combines. Not for Swift.

#include "CProcessShim.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HB_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(HB_SANITIZED)
#define HB_FENCED 1

#if defined(__x86_64__)
#define HB_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define HB_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Restricts files, and whatever else Landlock can, for the calling thread. Returns the ABI in force, or 0.
int hb_landlock(const struct hb_sandbox_options *options);

// Restricts system calls for all threads of the process. Returns whether all of them are restricted.
int hb_seccomp(const struct hb_sandbox_options *options);
#endif

// What an argument of a system call must be. Only its low half is checked, which is all that the kernel itself uses of
// process numbers, flags and commands; `HB_HIGH` checks the other half of a pointer.
struct hb_condition {
  enum { HB_NO_CONDITION, HB_IS, HB_IS_SELF, HB_HAS_ALL, HB_HAS_NONE } kind;
  uint8_t argument;
  uint32_t value;
};

enum { HB_CONDITIONS = 3, HB_HIGH = 6 };

// The flags of clone that create namespaces, from CLONE_NEWNS to CLONE_NEWNET.
#define HB_NEW_NAMESPACES 0x7e020000u

// When a row applies.
enum hb_when {
  HB_ALWAYS,         // for every worker
  HB_WHEN_WRITING,   // for workers that keep files
};

// A system call that a worker may make if all conditions hold. For a call with several rows, one row is enough.
struct hb_call_row {
  int number;
  const char *name;
  enum hb_when when;
  struct hb_condition conditions[HB_CONDITIONS];
  const char *check;  // the conditions in words; empty if there are none
  const char *reason;
};

extern const struct hb_call_row hb_call_rows[];
extern const size_t hb_call_row_count;
#endif
