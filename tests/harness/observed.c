/* SPDX-License-Identifier: Apache-2.0 */
#include "observed.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void on_violation(struct adi_sink *sink, const struct adi_sight *sight) {
    struct observed *observed = (struct observed *)sink;
    size_t at = observed->broken++;
    if (at < OBSERVED_MOST) observed->findings[at] = *sight;
}

static void on_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    (void)rule;
    ((struct observed *)sink)->held++;
}

void observed_open(struct observed *observed) {
    observed->sink = (struct adi_sink){.broken = on_violation, .held = on_satisfied};
    observed->broken = observed->held = 0;
}

void observed_only(const struct observed *observed, const char *rule, const char *about) {
    char text[2000] = "nothing";
    int at = 0;
    for (size_t i = 0; i < observed->broken && i < OBSERVED_MOST; i++)
        if (at < (int)sizeof text)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s (%s); ",
                           observed->findings[i].rule->id, observed->findings[i].message);
    bool right = *rule == '\0'
                     ? observed->broken == 0
                     : observed->broken == 1 && strcmp(observed->findings[0].rule->id, rule) == 0;
    ck_assert_msg(right, "%s: wanted %s, heard %s", about, *rule == '\0' ? "nothing" : rule, text);
}
