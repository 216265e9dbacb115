/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that remembers what it hears, and the two expectations that every test of a judge comes
 * down to.
 */
#ifndef ADI_TESTS_EARS_H
#define ADI_TESTS_EARS_H

#include <check.h>
#include <string.h>

#include "finding.h"

struct ears {
    struct adi_sink sink; /* first */
    int n;
    char rule[8][64];
    enum adi_party party[8];
    char message[8][ADI_SIGHT_SIZE];
    char seen[8][ADI_SIGHT_SIZE];
};

static inline void ears_hear(struct adi_sink *sink, const struct adi_sight *sight) {
    struct ears *ears = (struct ears *)(void *)sink;
    if (ears->n == 8) return;
    strcpy(ears->rule[ears->n], sight->rule->id);
    strcpy(ears->message[ears->n], sight->message);
    strcpy(ears->seen[ears->n], sight->seen);
    ears->party[ears->n++] = sight->party;
}

static inline struct ears ears_open(void) {
    return (struct ears){.sink = {.broken = ears_hear}};
}

#define expect_nothing(ears)                                                                       \
    ck_assert_msg((ears).n == 0, "%s: %s", (ears).rule[0], (ears).message[0])

#define expect_only(ears, wanted, by)                                                              \
    do {                                                                                           \
        ck_assert_msg((ears).n > 0, "nothing was found, " wanted " was expected");                 \
        ck_assert_msg((ears).n == 1, "%d findings: %s, %s", (ears).n, (ears).rule[0],              \
                      (ears).rule[1]);                                                             \
        ck_assert_str_eq((ears).rule[0], wanted);                                                  \
        ck_assert_int_eq((ears).party[0], by);                                                     \
        (ears).n = 0;                                                                              \
    } while (0)

#endif /* ADI_TESTS_EARS_H */
