#define _GNU_SOURCE
#include "CEscape.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

long hb_call(long number, const long arguments[6]) {
  long result = syscall(
      number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  return result == -1 ? -errno : result;
}

static int other_entry(void) {
#ifdef __x86_64__
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
  return result;
#else
  _exit(1);
#endif
}

enum { OTHER_ENTRY = -1 };

// What a child finds out, in memory shared with its parent.
struct findings {
  size_t next;
  int answers[];
};

static void try_calls(
    const struct hb_sandbox_options *options, long user, const long *numbers, size_t count, const long arguments[6],
    struct findings *findings) {
  alarm(60);
  // Nothing that other tests have open may stay open here, such as a lock or a file on a disk to be unmounted.
  (void)syscall(436 /* close_range */, 3U, ~0U, 0U);
  if (user >= 0 && (setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)) _exit(0);
  if (!hb_sandbox(options).seccomp) _exit(0);
  while (findings->next < count) {
    size_t index = findings->next;
    // If the call ends the child, that is the answer, and another child makes the next call.
    findings->answers[index] = 0;
    findings->next = index + 1;
    long result = numbers[index] == OTHER_ENTRY ? other_entry() : hb_call(numbers[index], arguments);
    findings->answers[index] = result < 0 && result > -4096 ? (int)-result : 0;
  }
  _exit(0);
}

void hb_try_calls(
    const struct hb_sandbox_options *options, long user, const long *numbers, size_t count, const long arguments[6],
    int *answers) {
  for (size_t index = 0; index < count; index++) answers[index] = HB_NOT_TRIED;
  size_t size = sizeof(struct findings) + count * sizeof *answers;
  struct findings *findings = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (findings == MAP_FAILED) return;
  memcpy(findings->answers, answers, count * sizeof *answers);
  size_t begun;
  do {
    begun = findings->next;
    pid_t child = fork();
    if (child == 0) try_calls(options, user, numbers, count, arguments, findings);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || findings->next == begun) break;
    if (WIFSIGNALED(status)) findings->answers[findings->next - 1] = -WTERMSIG(status);
  } while (findings->next < count);
  memcpy(answers, findings->answers, count * sizeof *answers);
  munmap(findings, size);
}

int hb_try_other_entry(const struct hb_sandbox_options *options) {
  const long none[6] = {0};
  const long number = OTHER_ENTRY;
  int answer;
  hb_try_calls(options, -1, &number, 1, none, &answer);
  return answer;
}

// Installs a filter for the calling thread.
static int filter(struct sock_filter *code, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)

static void *filter_itself(void *ready) {
  struct sock_filter code[] = {ANSWER(SECCOMP_RET_ALLOW)};
  if (filter(code, 1) != 0) _exit(0xff);
  (void)!write(*(int *)ready, "", 1);
  while (1) pause();
  return NULL;
}

int hb_seccomp_beside_filtered_thread(const struct hb_sandbox_options *options) {
  pid_t child = fork();
  if (child == 0) {
    int ends[2];
    char byte;
    pthread_t thread;
    alarm(60);
    if (pipe(ends) != 0 || pthread_create(&thread, NULL, filter_itself, &ends[1]) != 0) _exit(0xff);
    if (read(ends[0], &byte, 1) != 1) _exit(0xff);
    _exit(hb_sandbox(options).seccomp);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) == 0xff ? -1 : WEXITSTATUS(status);
}

int hb_lose_sandboxes(void) {
  struct sock_filter code[] = {
      LOAD(nr),
      IF(444 /* landlock_create_ruleset */, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      IF(445 /* landlock_add_rule */, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      IF(446 /* landlock_restrict_self */, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      IF(SYS_seccomp, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
      IF(SYS_prctl, 3), LOAD(args), IF(PR_SET_SECCOMP, 1), ANSWER(SECCOMP_RET_ERRNO | EINVAL),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  return filter(code, sizeof code / sizeof *code);
}
#else
int hb_seccomp_beside_filtered_thread(const struct hb_sandbox_options *options) {
  (void)options;
  return -1;
}

int hb_lose_sandboxes(void) { return 0; }

long hb_call(long number, const long arguments[6]) {
  (void)number, (void)arguments;
  return -ENOSYS;
}

void hb_try_calls(
    const struct hb_sandbox_options *options, long user, const long *numbers, size_t count, const long arguments[6],
    int *answers) {
  (void)options, (void)user, (void)numbers, (void)arguments;
  for (size_t index = 0; index < count; index++) answers[index] = HB_NOT_TRIED;
}

int hb_try_other_entry(const struct hb_sandbox_options *options) {
  (void)options;
  return HB_NOT_TRIED;
}
#endif
