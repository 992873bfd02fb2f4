// SHA-256's compression with the processor's own instructions for it.
#ifndef HEICBENCH_HASH_KERNEL_H
#define HEICBENCH_HASH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/// Takes `count` blocks of 64 bytes into a state of eight words. Returns 0, and does nothing, where the processor has no
/// instructions for it.
int hb_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count);

#endif
