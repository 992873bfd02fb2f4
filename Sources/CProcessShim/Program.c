#define _GNU_SOURCE
#include "Child.h"
#include "CProcessShim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// A keeper is a process between a worker and the program of a metric. Whatever the program starts, also in
// sessions of its own, becomes the keeper's child when its parent ends (a “subreaper”, prctl(2)), and the keeper
// ends all of them: when the program has ended, when it is told to, and when the worker is gone, which it sees by
// the pipe that the worker holds. It is a fork that never executes anything, so only async-signal-safe calls here.

enum { CONTROL = 3, STATUS = 4, FIRST_UNUSED = 5 };

static void wait_a_moment(void) {
  struct timespec pause = {.tv_nsec = 1000000};
  (void)nanosleep(&pause, NULL);
}

static void note_child(int number) { (void)number; }

static size_t append_number(char *text, size_t length, unsigned long number) {
  char digits[24];
  size_t count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  while (count > 0) text[length++] = digits[--count];
  return length;
}

// Sends SIGKILL to every child of this process, as the kernel lists them.
static void kill_children(pid_t program) {
  if (program > 0) (void)kill(program, SIGKILL);
#ifdef __linux__
  char path[64] = "/proc/self/task/";
  size_t length = append_number(path, strlen(path), (unsigned long)getpid());
  memcpy(path + length, "/children", sizeof "/children");
  int list = open(path, O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char text[4096];
  ssize_t count;
  pid_t child = 0;
  while ((count = read(list, text, sizeof text)) > 0) {
    for (ssize_t index = 0; index < count; index++) {
      if (text[index] >= '0' && text[index] <= '9') {
        child = child * 10 + (text[index] - '0');
      } else {
        if (child > 1) (void)kill(child, SIGKILL);
        child = 0;
      }
    }
  }
  close(list);
#endif
}

// Ends all descendants. What cannot be killed, because it waits for a disk, is left after ten seconds.
static void end_all(pid_t program, int *status) {
  for (int round = 0; round < 10000; round++) {
    kill_children(program);
    int ended;
    pid_t child;
    while ((child = waitpid(-1, &ended, WNOHANG)) > 0) {
      if (child == program) {
        *status = ended;
        program = 0;
      }
    }
    if (child < 0 && errno == ECHILD) return;
    wait_a_moment();
  }
}

static void become_program(const char *path, char *const *words, int output, pid_t keeper) {
  hb_reset_signals();
#ifdef __linux__
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(127);
#else
  (void)keeper;
#endif
  if (dup2(output, STDOUT_FILENO) >= 0) {
    // The keeper's ends close by themselves when the program begins.
    extern char **environ;
    execve(path, words, environ);
  }
  struct hb_program_end end = {.refusal = errno};
  (void)!write(STATUS, &end, sizeof end);
  _exit(127);
}

static void keep(const char *path, char *const *words, int control, int status, int output) {
  // A group of its own: what kills the worker's group must leave time to end what the program has started.
  (void)setpgid(0, 0);
#ifdef __linux__
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  int ends[3] = {fcntl(control, F_DUPFD, 64), fcntl(status, F_DUPFD, 64), fcntl(output, F_DUPFD, 64)};
  if (dup2(ends[0], CONTROL) < 0 || dup2(ends[1], STATUS) < 0 || dup2(ends[2], FIRST_UNUSED) < 0) _exit(127);
  // Above all the worker's channel, whose closing tells the run that the worker has ended.
  hb_close_from(FIRST_UNUSED + 1);
  for (int descriptor = CONTROL; descriptor <= FIRST_UNUSED; descriptor++) {
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  struct sigaction note = {.sa_handler = note_child};
  (void)sigaction(SIGCHLD, &note, NULL);
  pid_t keeper = getpid();
  pid_t program = fork();
  if (program == 0) become_program(path, words, FIRST_UNUSED, keeper);
  struct hb_program_end end = {.refusal = program < 0 ? errno : 0};
  close(FIRST_UNUSED);
  // SIGCHLD is blocked except while waiting, so that no end is missed between the look and the wait.
  sigset_t none;
  sigemptyset(&none);
  int is_running = program > 0;
  while (is_running) {
    pid_t child;
    int ended;
    while ((child = waitpid(-1, &ended, WNOHANG)) > 0) {
      if (child != program) continue;
      end.status = ended;
      is_running = 0;
    }
    if (!is_running) break;
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(CONTROL, &readable);
    if (pselect(CONTROL + 1, &readable, NULL, NULL, NULL, &none) > 0) break;
  }
  end_all(is_running ? program : 0, &end.status);
  (void)!write(STATUS, &end, sizeof end);
  _exit(0);
}

// Pipes that close on exec: a worker with several threads may be starting something else.
static int open_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

static void close_both(int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

int hb_start_program(const char *path, char *const *words, struct hb_program *program) {
  int control[2], status[2], output[2];
  if (open_pipe(control) != 0) return errno;
  if (open_pipe(status) != 0) {
    int reason = errno;
    close_both(control);
    return reason;
  }
  if (open_pipe(output) != 0) {
    int reason = errno;
    close_both(control);
    close_both(status);
    return reason;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t keeper = fork();
  if (keeper == 0) {
    hb_reset_signals();
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    keep(path, words, control[0], status[1], output[1]);
    _exit(127);
  }
  int reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(control[0]);
  close(status[1]);
  close(output[1]);
  if (keeper < 0) {
    close(control[1]);
    close(status[0]);
    close(output[0]);
    return reason;
  }
  *program = (struct hb_program){.keeper = keeper, .control = control[1], .status = status[0], .output = output[0]};
  return 0;
}

void hb_end_program(const struct hb_program *program) {
  close(program->control);
  close(program->status);
  close(program->output);
  // The keeper has ten seconds for the descendants, and a little more for itself.
  for (int round = 0; round < 11000; round++) {
    pid_t ended = waitpid(program->keeper, NULL, WNOHANG);
    if (ended == program->keeper || (ended < 0 && errno != EINTR)) return;
    if (round > 0) wait_a_moment();
  }
  (void)kill(program->keeper, SIGKILL);
  while (waitpid(program->keeper, NULL, 0) < 0 && errno == EINTR) continue;
}
