/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzzers share. A fuzzer takes bytes and ends the process when the code under test does
 * not do what it must. Its bytes come from libFuzzer, from AFL++ (entry.c) or, in the unit tests,
 * from the files of tests/fuzz/corpus and the programs of life.seeds (corpus.c).
 */
#ifndef ADI_TESTS_FUZZ_H
#define ADI_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUZZER(name) void adi_fuzz_##name(const uint8_t *bytes, size_t count);
#include "fuzzers.def"
#undef FUZZER

/* What is left of the bytes; behind their end there are zeros. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input) {
    if (input->left == 0) return 0;
    input->left--;
    return *input->at++;
}

/* One of 0 .. limit - 1; 0 < limit <= 256. */
static inline int fuzz_below(struct fuzz_input *input, int limit) {
    return fuzz_byte(input) % limit;
}

/* A finding: the sentence, as printf, and the end of the process. */
#define FUZZ_REQUIRE(condition, ...)                                                               \
    do {                                                                                           \
        if (condition) break;                                                                      \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fputc('\n', stderr);                                                                       \
        abort();                                                                                   \
    } while (0)

#endif /* ADI_TESTS_FUZZ_H */
