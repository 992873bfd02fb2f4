#ifndef HB_CHILD_H
#define HB_CHILD_H
// Steps between fork and exec that several kinds of children share. Async-signal-safe.

// Default actions for all signals, and none blocked.
void hb_reset_signals(void);

// Closes every descriptor from `first` on.
void hb_close_from(int first);

#endif
