/* SPDX-License-Identifier: Apache-2.0
 *
 * The pseudo-random numbers of the sample data: splitmix64 (Steele, Lea and Flood, 2014), which
 * needs one word of state and gives the same numbers everywhere.
 */
#ifndef ADI_SAMPLE_RANDOM_H
#define ADI_SAMPLE_RANDOM_H

#include <stdint.h>

struct adi_random {
    uint64_t state;
};

static inline uint64_t adi_random_next(struct adi_random *random) {
    uint64_t bits = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

/* One of 0 .. limit - 1; limit > 0. */
static inline uint64_t adi_random_below(struct adi_random *random, uint64_t limit) {
    return adi_random_next(random) % limit;
}

/* Stirs a name into the state, so that equal seeds give other numbers under another name. */
static inline void adi_random_stir(struct adi_random *random, const char *name) {
    for (; *name != '\0'; name++) {
        random->state ^= (unsigned char)*name;
        adi_random_next(random);
    }
}

#endif /* ADI_SAMPLE_RANDOM_H */
