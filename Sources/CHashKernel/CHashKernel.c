#include "CHashKernel.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

// FIPS 180-4, section 4.2.2.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

// Leaf 7 reports the SHA extensions, and leaf 1 reports SSE4.1.
static int has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & 1u << 29)) return 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 19);
}

__attribute__((target("sha,sse4.1"))) static void compress(
    uint32_t *state, const uint8_t *blocks, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions keep the words a to h as abef and cdgh, with the first in the highest position.
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; count--, blocks += 64) {
    const __m128i first = abef, second = cdgh;
    __m128i words[4];
#pragma GCC unroll 16
    for (int group = 0; group < 16; group++) {
      // Four words of the schedule; from the fifth group on, they are computed from the last sixteen.
      const int now = group & 3, before = (group + 3) & 3;
      if (group < 4) {
        const __m128i read = _mm_loadu_si128((const __m128i *)(blocks + 16 * group));
        words[now] = _mm_shuffle_epi8(read, big_endian);
      } else {
        const __m128i seven_back = _mm_alignr_epi8(words[before], words[(group + 2) & 3], 4);
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(words[now], words[(group + 1) & 3]), seven_back);
        words[now] = _mm_sha256msg2_epu32(sum, words[before]);
      }
      const __m128i keyed = _mm_add_epi32(words[now], _mm_loadu_si128((const __m128i *)(constants + 4 * group)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0e));
    }
    abef = _mm_add_epi32(abef, first);
    cdgh = _mm_add_epi32(cdgh, second);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

int hb_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count) {
  // A race is harmless: two threads would compute the same answer.
  static int known = -1;
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has < 0) {
    has = has_instructions();
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  if (!has) return 0;
  compress(state, blocks, count);
  return 1;
}

#else

int hb_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count) {
  (void)state, (void)blocks, (void)count;
  return 0;
}

#endif
