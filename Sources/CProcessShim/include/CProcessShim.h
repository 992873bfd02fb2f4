#ifndef CPROCESSSHIM_H
#define CPROCESSSHIM_H
// What Swift cannot do or import: the steps between fork and exec, which may only be made from C, signal
// handlers, prctl, and the kernel's sandboxes. Everything else about processes is Swift.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a sandbox allows.
struct hb_sandbox_options {
  const char *const *writable_folders;  // folders below which files may be made and changed
  size_t writable_count;
  int allows_programs;  // whether other programs may be started: for those that start them, not for workers
};

// How a worker is started. Pointers are only read during the call.
struct hb_spawn_options {
  const char *executable;
  char *const *arguments;    // ends with NULL
  char *const *environment;  // ends with NULL; the child gets nothing else
  int channel;               // becomes the child's descriptors 0 and 1
  int log;                   // becomes the child's descriptor 2
  uint64_t memory_limit;     // bytes of private memory; 0 is no limit
  int niceness;              // added to the priority that the program was started with; 0 leaves that
  // What holds the child before its program is loaded, beside the sandbox that it puts up itself; NULL for nothing.
  const struct hb_sandbox_options *sandbox;
};

// The descriptor that a child which is held from its beginning has of its `/proc/self/clear_refs`, where the system
// has one.
#define HB_MEMORY_MARK 4

// Opens both ends of a conversation, closed on exec: a pair of sockets, and a pipe (reading end first) that
// never blocks, so that a worker which talks too much loses words and not time. Returns 0 or an errno.
int hb_make_ends(int sockets[2], int log[2]);

// Starts a worker: a process group of its own, default signal handlers, no descriptors but the three (and HB_MEMORY_MARK), no core
// dumps, limits in force before its first instruction. Returns its process id, or the errno of the step that
// failed as a negative number. The child is killed when the calling THREAD ends (Linux), so call from one
// that stays.
int hb_spawn(const struct hb_spawn_options *options);

// Lets this process have so many files open, as far as its hard limit goes. Returns how many it may.
uint64_t hb_allow_files(uint64_t files);

// A descriptor that stands for a child, closed on exec, which becomes readable when the child ends; -1 where the
// kernel has no such thing (before Linux 5.3, and elsewhere).
int hb_open_process(int process);

// Ends a child and its group at once, whatever group it is in by now and even where it is stopped. Only for
// children that have not been waited for, since their numbers may belong to others afterwards.
void hb_kill_process(int process, int descriptor);

// The status of an allocation failure: what a worker ends with where it would crash for want of memory.
#define HB_EXIT_OUT_OF_MEMORY 86

// Makes a crash that follows a refused allocation (errno is ENOMEM in the crashing thread) end the process
// with HB_EXIT_OUT_OF_MEMORY, so that the parent can tell it from a defect. Also notes SIGCONT.
void hb_install_crash_handlers(void);

// Whether the process was stopped and continued since the last call.
int hb_was_continued(void);

// Clears, then reads, errno of the calling thread.
void hb_clear_errno(void);
int hb_errno_is_out_of_memory(void);

// Starts a thread that nobody waits for. Returns 0 or an errno.
int hb_start_thread(size_t stack_size, void (*body)(void *), void *context);

// Hands freed memory back to the system, so that one image's peak is not counted with the next.
void hb_trim_memory(void);

// Waits until everything that was written to the file system of a folder is on its disk, as far as the system tells.
void hb_sync_file_system(const char *folder);

// Lets the calling thread and the threads it starts run on these cores only. Returns 0 or an errno.
int hb_pin(const int *cores, size_t count);

// The cores that the calling thread may run on, at most `capacity` of them. Returns how many.
size_t hb_allowed_cores(int *cores, size_t capacity);

// Makes the C library take every block of this many bytes or more from the system and give it back when it is
// freed. By default that size moves with what was freed before, and what a call needs with what came before it.
void hb_fix_mapped_blocks(size_t bytes);

// What of the output of a program is kept: its last part, where results stand. Bytes.
enum { HB_KEPT_OUTPUT = 1 << 16 };

// The program of a metric.
struct hb_command {
  const char *path;
  char *const *words;  // ends with NULL
};

// How a program ended. What it printed last follows.
struct hb_program_end {
  int refusal;        // the errno of a program that could not be started, else 0
  int status;         // as waitpid tells it
  int was_stopped;    // because it was told to
  int was_lost;       // what kept it ended before it did
  int closed_output;  // before it ended
  uint32_t length;    // bytes of output, at most HB_KEPT_OUTPUT
};

// What of the sandbox the kernel took.
struct hb_sandbox_status {
  int landlock;  // the ABI version in force, 0 where there is none
  int seccomp;   // 1 when the filter is in force for all threads
};

// Sandboxes the process: no writing outside the folders, no network, no other programs, no looking into other
// processes, no system calls but those of the list below. Call it before the first thread is made, since Landlock
// holds the calling thread and what that starts. What the kernel lacks is left out and shows in the status.
struct hb_sandbox_status hb_sandbox(const struct hb_sandbox_options *options);

// What a starter may start, and under which sandbox.
struct hb_starter_options {
  const struct hb_command *commands;
  size_t count;  // at most 255
  const struct hb_sandbox_options *sandbox;
};

// Makes a process beside this one that starts programs for it, one at a time, with this process's environment (but
// TMPDIR, which is the first writable folder) and limits under a sandbox of their own. Call it before any thread is made and before this process is sandboxed. Who
// writes a command's number, one byte, to the channel gets one `hb_program_end` with what was printed;
// HB_STOP_PROGRAM in between ends the program. Nothing that a program starts outlives it, or the channel. Returns 0
// or an errno.
int hb_start_starter(const struct hb_starter_options *options, int *channel, struct hb_sandbox_status *sandbox);

enum { HB_STOP_PROGRAM = 255 };

// A system call that a sandboxed worker may make.
struct hb_allowed_call {
  int number;
  const char *name;
  int when_writing;    // whether only workers may that keep files
  int is_checked;      // whether its arguments are
  const char *check;   // what they have to be, in words
  const char *reason;  // what workers need it for
};

// The list, for tests and documents; none where there is no sandbox.
size_t hb_allowed_call_count(void);
struct hb_allowed_call hb_allowed_call(size_t index);

#ifdef __cplusplus
}
#endif
#endif
