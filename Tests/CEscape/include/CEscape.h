#ifndef CESCAPE_H
#define CESCAPE_H
// System calls by number, which Swift cannot make, for tests of the sandbox.

#include "CProcessShim.h"

// Makes a call. Returns what it returns, or its errno as a negative number.
long hb_call(long number, const long arguments[6]);

// What became of a call that a child made, sandboxed, as `user` where that is not negative: 0 when it succeeded,
// its errno, the negative signal that ended the child, or this where the child could not be made ready.
#define HB_NOT_TRIED (-1000)
int hb_try_call(const struct hb_sandbox_options *options, long user, long number, const long arguments[6]);

// The same for getpid by the 32-bit entry of x86-64, whose numbers are others.
int hb_try_other_entry(const struct hb_sandbox_options *options);
#endif
