/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static void say(char text[ADI_SIGHT_SIZE], const char *what) {
    snprintf(text, ADI_SIGHT_SIZE, "%s", what == NULL ? "" : what);
}

bool adi_see(struct adi_sight *sight, const char *seen, const char *wanted, const char *format,
             ...) {
    say(sight->seen, seen);
    say(sight->wanted, wanted);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sight->message, sizeof sight->message, format, arguments);
    va_end(arguments);
    return false;
}

void adi_report(struct adi_sink *sink, const char *rule, enum adi_party party, const char *seen,
                const char *wanted, const char *format, ...) {
    const struct adi_rule *broken = adi_rule_named(rule);
    assert(broken != NULL);
    if (broken->party != ADI_BOTH) party = broken->party;
    assert(party != ADI_BOTH);

    struct adi_sight sight = {.moot = false};
    say(sight.seen, seen);
    say(sight.wanted, wanted);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sight.message, sizeof sight.message, format, arguments);
    va_end(arguments);
    sink->broken(sink, broken, party, &sight);
}
