#ifndef CPROCESSSHIM_H
#define CPROCESSSHIM_H
// What Swift cannot do or import: the steps between fork and exec, which only C can make safely, signal handlers,
// prctl, and the kernel's sandboxes. Everything else about processes is Swift.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a sandbox allows.
struct hb_sandbox_options {
  const char *const *writable_folders;  // folders below which files may be created and changed
  size_t writable_count;
  int allows_programs;  // whether other programs may be started: for starters, not for workers
};

// How a worker is started. Pointers are only read during the call.
struct hb_spawn_options {
  const char *executable;
  char *const *arguments;    // ends with NULL
  char *const *environment;  // ends with NULL; the child gets nothing else
  int channel;               // becomes the child's descriptors 0 and 1
  int log;                   // becomes the child's descriptor 2
  uint64_t memory_limit;     // bytes of private memory; 0 for no limit
  int niceness;              // added to the priority that the program was started with
  // The sandbox of the child before its program is loaded, in addition to the one that it creates itself; NULL for
  // none.
  const struct hb_sandbox_options *sandbox;
};

// The descriptor for `/proc/self/clear_refs` in a child that is sandboxed from the beginning, if the system has this
// file.
#define HB_MEMORY_MARK 4

// Opens both ends of a conversation, closed on exec: a pair of sockets, and a pipe (reading end first) that
// never blocks, so that a worker that writes too much loses output instead of time. Returns 0 or an errno.
int hb_make_ends(int sockets[2], int log[2]);

// Starts a worker with its own process group, default signal handlers, only the three descriptors (and HB_MEMORY_MARK),
// no core dumps, and limits in force before its first instruction. Returns its process id, or the errno of the step
// that failed as a negative number. The child is killed when the calling THREAD ends (Linux), so call this on a thread
// that stays alive.
int hb_spawn(const struct hb_spawn_options *options);

// Allows this process to have this many files open, up to its hard limit. Returns the number allowed.
uint64_t hb_allow_files(uint64_t files);

// A descriptor for a child, closed on exec, which becomes readable when the child ends; -1 if the kernel does not
// support this (before Linux 5.3, and elsewhere).
int hb_open_process(int process);

// Ends a child and its group at once, whatever group it is in by now and even if it is stopped. Only for children that
// have not been waited for, since their numbers may belong to other processes afterwards.
void hb_kill_process(int process, int descriptor);

// The exit status for an allocation failure, when a worker would otherwise crash for lack of memory.
#define HB_EXIT_OUT_OF_MEMORY 86

// Makes a crash that follows a refused allocation (errno is ENOMEM in the crashing thread) end the process
// with HB_EXIT_OUT_OF_MEMORY, so that the parent can distinguish it from a bug. Also notes SIGCONT.
void hb_install_crash_handlers(void);

// Whether the process was stopped and continued since the last call.
int hb_was_continued(void);

// Clears, then reads, errno of the calling thread.
void hb_clear_errno(void);
int hb_errno_is_out_of_memory(void);

// Starts a detached thread. Returns 0 or an errno.
int hb_start_thread(size_t stack_size, void (*body)(void *), void *context);

// Returns freed memory to the system, so that one image's peak does not count towards the next.
void hb_trim_memory(void);

// Waits until everything written to a folder's file system is on disk according to the system.
void hb_sync_file_system(const char *folder);

// Lets the calling thread and the threads it starts run only on these cores. Returns 0 or an errno.
int hb_pin(const int *cores, size_t count);

// The cores that the calling thread may run on, at most `capacity` of them. Returns how many.
size_t hb_allowed_cores(int *cores, size_t capacity);

// Makes the C library take every block of this many bytes or more from the system, and return it when it is freed. By
// default this size depends on what was freed before, so a call's need would depend on earlier calls.
void hb_fix_mapped_blocks(size_t bytes);

// How many bytes of a program's output are kept: the last part, where results usually are.
enum { HB_KEPT_OUTPUT = 1 << 16 };

// A metric program.
struct hb_command {
  const char *path;
  char *const *words;  // ends with NULL
};

// How a program ended. The last part of its output follows.
struct hb_program_end {
  int refusal;        // the errno if the program could not be started, otherwise 0
  int status;         // as waitpid returns it
  int was_stopped;    // because it was told to stop
  int was_lost;       // its keeper ended before the program did
  int closed_output;  // before it ended
  uint32_t length;    // bytes of output, at most HB_KEPT_OUTPUT
};

// Which parts of the sandbox are in force.
struct hb_sandbox_status {
  int landlock;  // the ABI version in force, 0 if there is none
  int seccomp;   // 1 if the filter is in force for all threads
};

// Sandboxes the process: no writing outside the folders, no network, no other programs, no access to other processes,
// and only the system calls in the list below. Call it before the first thread is created, since Landlock restricts the
// calling thread and the threads it starts. What the kernel lacks is left out, and the status shows that.
struct hb_sandbox_status hb_sandbox(const struct hb_sandbox_options *options);

// What a starter may start, and in which sandbox.
struct hb_starter_options {
  const struct hb_command *commands;
  size_t count;  // at most 255
  const struct hb_sandbox_options *sandbox;
};

// Creates a process next to this one that starts programs for it, one at a time, in their own sandbox and with this
// process's limits and environment (except TMPDIR, which is the first writable folder). Call it before any thread is
// created and before this process is sandboxed. Writing a command's number, one byte, to the channel is answered with
// one `hb_program_end` and the program's output; HB_STOP_PROGRAM in between ends the program. Nothing that a program
// starts outlives it, or the channel. Returns 0 or an errno.
int hb_start_starter(const struct hb_starter_options *options, int *channel, struct hb_sandbox_status *sandbox);

enum { HB_STOP_PROGRAM = 255 };

// A system call that a sandboxed worker may make.
struct hb_allowed_call {
  int number;
  const char *name;
  int when_writing;    // whether only workers that keep files may make it
  int is_checked;      // whether its arguments are checked
  const char *check;   // what they must be, in words
  const char *reason;  // what workers need it for
};

// The list, for tests and documents; empty if there is no sandbox.
size_t hb_allowed_call_count(void);
struct hb_allowed_call hb_allowed_call(size_t index);

#ifdef __cplusplus
}
#endif
#endif
