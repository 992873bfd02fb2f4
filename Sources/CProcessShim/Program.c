#define _GNU_SOURCE
#include "Child.h"
#include "CProcessShim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// A starter is a process next to a worker that starts metric programs, so that the worker's own sandbox can forbid
// starting anything. It is created first, knows the commands, and takes only their numbers as requests. For each
// program it creates a keeper, between itself and the program. Whatever the program starts, even in separate sessions,
// becomes the keeper's child when its parent ends (a “subreaper”, prctl(2)). The keeper ends all of them when the
// program has ended, when it is told to, or when the worker is gone, which the socket shows. If something ends the
// keeper, the starter does the same. Both are forks that never execute anything, so they make only async-signal-safe
// calls.

enum { CONTROL = 3, FIRST_UNUSED = 4 };

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

// Sends SIGKILL to every child of this process, from the kernel's list.
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

static time_t whole_seconds(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Ends all descendants. After ten seconds at most it leaves those that cannot be killed because they wait for a disk: a
// worker waits eleven (`ProgramStarter`), and rounds take longer than their pauses.
static void end_all(pid_t program, int *status) {
  const time_t end = whole_seconds() + 10;
  for (int round = 0; round < 10000 && whole_seconds() < end; round++) {
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

// Pipes that close on exec.
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

// MARK: The keeper

// The last part of a program's output, with room to collect more before the oldest part is dropped.
static char tail[2 * HB_KEPT_OUTPUT];
static size_t tail_length;

// Reads some output; 0 at its end, -1 if there is none at the moment.
static int take(int output) {
  if (tail_length == sizeof tail) {
    memmove(tail, tail + HB_KEPT_OUTPUT, HB_KEPT_OUTPUT);
    tail_length = HB_KEPT_OUTPUT;
  }
  ssize_t count = read(output, tail + tail_length, sizeof tail - tail_length);
  if (count < 0) return errno == EINTR ? 1 : -1;
  tail_length += (size_t)count;
  return count > 0;
}

static int write_all(const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = write(CONTROL, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    next += written;
    count -= (size_t)written;
  }
  return 0;
}

static int answer(struct hb_program_end *end) {
  size_t skipped = tail_length > HB_KEPT_OUTPUT ? tail_length - HB_KEPT_OUTPUT : 0;
  end->length = (uint32_t)(tail_length - skipped);
  if (write_all(end, sizeof *end) != 0) return -1;
  return write_all(tail + skipped, end->length);
}

static void become_program(const struct hb_command *command, int output, int refusal, pid_t keeper) {
  hb_reset_signals();
#ifdef __linux__
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(127);
#else
  (void)keeper;
#endif
  if (dup2(output, STDOUT_FILENO) >= 0) {
    // All other descriptors close automatically when the program begins.
    extern char **environ;
    execve(command->path, command->words, environ);
  }
  int reason = errno;
  (void)!write(refusal, &reason, sizeof reason);
  _exit(127);
}

// Starts the program. Returns its process number, or -1 with the reason in `end`.
static pid_t begin(const struct hb_command *command, int *output, struct hb_program_end *end) {
  int ends[2], refusal[2];
  if (open_pipe(ends) != 0 || open_pipe(refusal) != 0) {
    end->refusal = errno;
    return -1;
  }
  pid_t keeper = getpid();
  pid_t program = fork();
  if (program == 0) become_program(command, ends[1], refusal[1], keeper);
  if (program < 0) end->refusal = errno;
  close(ends[1]);
  close(refusal[1]);
  *output = ends[0];
  // Nothing arrives if the program has begun.
  if (program > 0) {
    while (read(refusal[0], &end->refusal, sizeof end->refusal) < 0 && errno == EINTR) continue;
  }
  close(refusal[0]);
  return program;
}

static void keep(const struct hb_command *command) {
  // Its own group: what a program does to its group must not affect the starter.
  (void)setpgid(0, 0);
#ifdef __linux__
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  struct sigaction note = {.sa_handler = note_child};
  (void)sigaction(SIGCHLD, &note, NULL);
  // SIGCHLD is blocked except while waiting, so that an end between the check and the wait is noticed.
  sigset_t children, none;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigemptyset(&none);
  (void)sigprocmask(SIG_BLOCK, &children, NULL);
  struct hb_program_end end = {.refusal = 0};
  int output = -1;
  pid_t program = begin(command, &output, &end);
  int is_running = program > 0, is_open = output >= 0, is_told = 0;
  while (is_running && !is_told) {
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
    if (is_open) FD_SET(output, &readable);
    int highest = is_open && output > CONTROL ? output : CONTROL;
    if (pselect(highest + 1, &readable, NULL, NULL, NULL, &none) <= 0) continue;
    char word;
    if (FD_ISSET(CONTROL, &readable)) is_told = read(CONTROL, &word, 1) >= 0 || errno != EINTR;
    if (is_open && FD_ISSET(output, &readable)) is_open = take(output) != 0;
  }
  end.was_stopped = is_told;
  end.closed_output = !is_open;
  end_all(is_running ? program : 0, &end.status);
  // No process is left that could print anything more.
  if (is_open && output >= 0) {
    (void)fcntl(output, F_SETFL, O_NONBLOCK);
    while (take(output) > 0) continue;
  }
  (void)answer(&end);
  _exit(0);
}

// MARK: The starter

static void serve(const struct hb_command *commands, size_t count) {
  while (1) {
    unsigned char number;
    ssize_t got = read(CONTROL, &number, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(0);
    // Ignores orders to stop a program that has already ended.
    if (number >= count) continue;
    struct hb_program_end end = {.was_lost = 1};
    pid_t keeper = fork();
    if (keeper == 0) keep(&commands[number]);
    if (keeper < 0) end = (struct hb_program_end){.refusal = errno};
    int status = 0;
    while (keeper > 0 && waitpid(keeper, &status, 0) < 0 && errno == EINTR) continue;
    if (keeper > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    end_all(0, &status);
    if (answer(&end) != 0) _exit(0);
  }
}

static void become_starter(const struct hb_starter_options *options, int channel) {
  hb_reset_signals();
  // The worker's group is killed with the worker, but programs must be ended in an orderly way.
  (void)setpgid(0, 0);
  // If the worker is gone, writing an answer must fail without a signal.
  (void)signal(SIGPIPE, SIG_IGN);
#ifdef __linux__
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  int moved = fcntl(channel, F_DUPFD, 64);
  if (dup2(moved, CONTROL) < 0) _exit(127);
  // In particular the worker's channel, whose closing tells the run that the worker has ended.
  hb_close_from(FIRST_UNUSED);
  (void)fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
  // Programs have no other folder for temporary files.
  if (options->sandbox->writable_count > 0) (void)setenv("TMPDIR", options->sandbox->writable_folders[0], 1);
  struct hb_sandbox_status sandbox = hb_sandbox(options->sandbox);
  if (write_all(&sandbox, sizeof sandbox) != 0) _exit(127);
  serve(options->commands, options->count);
}

int hb_start_starter(const struct hb_starter_options *options, int *channel, struct hb_sandbox_status *sandbox) {
  int ends[2];
#ifdef __linux__
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
#endif
  // If the starter is gone, the next order fails, but the worker must not end.
  (void)signal(SIGPIPE, SIG_IGN);
  pid_t starter = fork();
  if (starter == 0) become_starter(options, ends[1]);
  int reason = errno;
  close(ends[1]);
  ssize_t got = -1;
  if (starter > 0) {
    do got = read(ends[0], sandbox, sizeof *sandbox);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *sandbox) reason = EPIPE;
  }
  if (got == (ssize_t)sizeof *sandbox) {
    *channel = ends[0];
    return 0;
  }
  close(ends[0]);
  return reason;
}
