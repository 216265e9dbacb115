/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that collects findings, and the two expectations that every test of a judge comes
 * down to.
 */
#ifndef ADI_TESTS_COLLECTOR_H
#define ADI_TESTS_COLLECTOR_H

#include <check.h>
#include <string.h>

#include "finding.h"

struct collector {
    struct adi_sink sink; /* first */
    int n;
    char rule[8][64];
    enum adi_party party[8];
    char message[8][ADI_FINDING_SIZE];
    char seen[8][ADI_FINDING_SIZE];
};

static inline void collector_on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct collector *collector = (struct collector *)(void *)sink;
    if (collector->n == 8) return;
    strcpy(collector->rule[collector->n], finding->rule->id);
    strcpy(collector->message[collector->n], finding->message);
    strcpy(collector->seen[collector->n], finding->seen);
    collector->party[collector->n++] = finding->party;
}

static inline struct collector collector_open(void) {
    return (struct collector){.sink = {.violated = collector_on_finding}};
}

#define expect_nothing(collector)                                                                  \
    ck_assert_msg((collector).n == 0, "%s: %s", (collector).rule[0], (collector).message[0])

#define expect_only(collector, wanted, by)                                                         \
    do {                                                                                           \
        ck_assert_msg((collector).n > 0, "nothing was found, " wanted " was expected");            \
        ck_assert_msg((collector).n == 1, "%d findings: %s, %s", (collector).n,                    \
                      (collector).rule[0], (collector).rule[1]);                                   \
        ck_assert_str_eq((collector).rule[0], wanted);                                             \
        ck_assert_int_eq((collector).party[0], by);                                                \
        (collector).n = 0;                                                                         \
    } while (0)

#endif /* ADI_TESTS_COLLECTOR_H */
