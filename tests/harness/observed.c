/* SPDX-License-Identifier: Apache-2.0 */
#include "observed.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void on_violation(struct adi_sink *sink, const struct adi_found *finding) {
    struct observed *observed = (struct observed *)sink;
    size_t at = observed->violated++;
    if (at < OBSERVED_MOST) observed->findings[at] = *finding;
}

static void on_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    (void)rule;
    ((struct observed *)sink)->satisfied++;
}

void observed_open(struct observed *observed) {
    observed->sink = (struct adi_sink){.violated = on_violation, .satisfied = on_satisfied};
    observed->violated = observed->satisfied = 0;
}

void observed_only(const struct observed *observed, const char *rule, const char *about) {
    char text[2000] = "nothing";
    int at = 0;
    for (size_t i = 0; i < observed->violated && i < OBSERVED_MOST; i++)
        if (at < (int)sizeof text)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s (%s); ",
                           observed->findings[i].rule->id, observed->findings[i].message);
    bool right = *rule == '\0'
                     ? observed->violated == 0
                     : observed->violated == 1 && strcmp(observed->findings[0].rule->id, rule) == 0;
    ck_assert_msg(right, "%s: wanted %s, heard %s", about, *rule == '\0' ? "nothing" : rule, text);
}
