#ifndef CESCAPE_H
#define CESCAPE_H
// System calls by number, which Swift cannot make, for tests of the sandbox.

#include <stddef.h>

#include "CProcessShim.h"

// Makes a call. Returns what it returns, or its errno as a negative number.
long hb_call(long number, const long arguments[6]);

// What became of `count` calls with the same arguments that a child made one after the other, sandboxed, as `user` where
// that is not negative: 0 when it succeeded, its errno, the negative signal that ended the child (the next call is then
// made by another one), or this where the child could not be made ready. One child for many calls, since a fork of a
// program that runs tests beside each other is slow on some machines.
#define HB_NOT_TRIED (-1000)
void hb_try_calls(
    const struct hb_sandbox_options *options, long user, const long *numbers, size_t count, const long arguments[6],
    int *answers);

// What `hb_sandbox` says of seccomp in a child of which another thread has a filter of its own, as a library may give
// itself one; -1 where the child could not be made.
int hb_seccomp_beside_filtered_thread(const struct hb_sandbox_options *options);

// Takes Landlock and seccomp from this process and whatever it executes, as kernels and containers do that have none.
// Returns 0 or an errno.
int hb_lose_sandboxes(void);

// The same for getpid by the 32-bit entry of x86-64, whose numbers are others.
int hb_try_other_entry(const struct hb_sandbox_options *options);
#endif
