/* SPDX-License-Identifier: Apache-2.0 */
#include "heard.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void hear_broken(struct adi_sink *sink, const struct adi_sight *sight) {
    struct heard *heard = (struct heard *)sink;
    size_t at = heard->broken++;
    if (at < HEARD_MOST) heard->findings[at] = *sight;
}

static void hear_held(struct adi_sink *sink, const struct adi_rule *rule) {
    (void)rule;
    ((struct heard *)sink)->held++;
}

void heard_open(struct heard *heard) {
    heard->sink = (struct adi_sink){.broken = hear_broken, .held = hear_held};
    heard->broken = heard->held = 0;
}

void heard_only(const struct heard *heard, const char *rule, const char *about) {
    char text[2000] = "nothing";
    int at = 0;
    for (size_t i = 0; i < heard->broken && i < HEARD_MOST; i++)
        if (at < (int)sizeof text)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s (%s); ",
                           heard->findings[i].rule->id, heard->findings[i].message);
    bool right = *rule == '\0'
                     ? heard->broken == 0
                     : heard->broken == 1 && strcmp(heard->findings[0].rule->id, rule) == 0;
    ck_assert_msg(right, "%s: wanted %s, heard %s", about, *rule == '\0' ? "nothing" : rule, text);
}
