/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is done by repetition. `make test` plays everything at least once without sanitizers;
 * where a sanitizer makes processes dear, a share of what is alike is enough. ADI_TEST_FULL=1
 * (`make test-full`) asks for all, in every variant; ADI_TEST_SHORT=1 (`make check SHORT=1`) for
 * the CPU alone where every device is gone through, and for three ways to run what is queued. A
 * suite that leaves something out says what in the comment at its head, and while it runs.
 */
#ifndef ADI_TESTS_SLOW_H
#define ADI_TESTS_SLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#if defined(__SANITIZE_THREAD__)
#define IS_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#endif
#endif
#ifndef IS_THREAD_SANITIZED
#define IS_THREAD_SANITIZED 0
#endif

static inline bool is_full(void) {
    return getenv("ADI_TEST_FULL") != NULL;
}

static inline bool is_short(void) {
    return getenv("ADI_TEST_SHORT") != NULL && !is_full();
}

/* Of many that are alike, is the one with this number left to other variants? Says so once. */
static inline bool is_left_out(size_t number, size_t share) {
    static bool is_said;
    bool is = IS_SANITIZED && !is_full() && number % share != 0;
    if (is && number == 1 && !is_said)
        printf("left out: all but one in %zu: processes are dear under a sanitizer; "
               "ADI_TEST_FULL=1 plays them here\n",
               share);
    is_said = is_said || is;
    return is;
}

#endif /* ADI_TESTS_SLOW_H */
