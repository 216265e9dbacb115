/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What is too long ends with a whole word. */
static void cut(char text[ADI_SIGHT_SIZE], int length) {
    if (length < ADI_SIGHT_SIZE) return;
    size_t end = ADI_SIGHT_SIZE - sizeof " ...";
    while (end > ADI_SIGHT_SIZE / 2 && text[end] != ' ') end--;
    memcpy(&text[end], " ...", sizeof " ...");
}

static void say(char text[ADI_SIGHT_SIZE], const char *what) {
    cut(text, snprintf(text, ADI_SIGHT_SIZE, "%s", what == NULL ? "" : what));
}

bool adi_see(struct adi_sight *sight, const char *seen, const char *wanted, const char *format,
             ...) {
    say(sight->seen, seen);
    say(sight->wanted, wanted);
    va_list arguments;
    va_start(arguments, format);
    cut(sight->message, vsnprintf(sight->message, sizeof sight->message, format, arguments));
    va_end(arguments);
    return false;
}

void adi_report(struct adi_sink *sink, const char *rule, enum adi_party party, const char *seen,
                const char *wanted, const char *format, ...) {
    const struct adi_rule *broken = adi_rule_named(rule);
    assert(broken != NULL);
    struct adi_sight sight = {.rule = broken,
                              .party = broken->party != ADI_BOTH ? broken->party : party};
    assert(sight.party != ADI_BOTH);
    say(sight.seen, seen);
    say(sight.wanted, wanted);
    va_list arguments;
    va_start(arguments, format);
    cut(sight.message, vsnprintf(sight.message, sizeof sight.message, format, arguments));
    va_end(arguments);
    sink->broken(sink, &sight);
}
