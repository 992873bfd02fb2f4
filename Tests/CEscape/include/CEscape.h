#ifndef CESCAPE_H
#define CESCAPE_H
// System calls by number, which Swift cannot make, for tests of the sandbox.

#include <stddef.h>

#include "CProcessShim.h"

// Makes a call. Returns its result, or its errno as a negative number.
long hb_call(long number, const long arguments[6]);

// The results of `count` calls with the same arguments, made one after the other by a sandboxed child, as `user` unless
// that is negative: 0 for success, the call's errno, the negative signal that ended the child (another child then makes
// the next call), or HB_NOT_TRIED if the child could not be prepared. One child makes many calls, because forking a
// program that runs tests in parallel is slow on some machines.
#define HB_NOT_TRIED (-1000)
void hb_try_calls(
    const struct hb_sandbox_options *options, long user, const long *numbers, size_t count, const long arguments[6],
    int *answers);

// What `hb_sandbox` reports about seccomp in a child with another thread that has its own filter, as a library might
// install; -1 if the child could not be made.
int hb_seccomp_beside_filtered_thread(const struct hb_sandbox_options *options);

// Removes Landlock and seccomp from this process and the programs that it executes, like kernels and containers without
// them. Returns 0 or an errno.
int hb_lose_sandboxes(void);

// The same for getpid through the 32-bit entry of x86-64, which has other call numbers.
int hb_try_other_entry(const struct hb_sandbox_options *options);
#endif
