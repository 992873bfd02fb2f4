// SHA-256's compression function with the processor's SHA instructions.
#ifndef HEICBENCH_HASH_KERNEL_H
#define HEICBENCH_HASH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/// Adds `count` blocks of 64 bytes to a state of eight words. Returns 0 and does nothing if the processor lacks the
/// instructions.
int hb_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count);

#endif
