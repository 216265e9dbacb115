/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include "charge.h"

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

static void fill(struct adi_sight *sight, const char *seen, const char *wanted, const char *format,
                 va_list arguments) {
    say(sight->seen, seen);
    say(sight->wanted, wanted);
    cut(sight->message, vsnprintf(sight->message, sizeof sight->message, format, arguments));
}

bool adi_see(struct adi_sight *sight, const char *seen, const char *wanted, const char *format,
             ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(sight, seen, wanted, format, arguments);
    va_end(arguments);
    return false;
}

void adi_report(struct adi_sink *sink, const char *rule, enum adi_party party, const char *seen,
                const char *wanted, const char *format, ...) {
    const struct adi_rule *broken = adi_rule_named(rule);
    assert(broken != NULL);
    struct adi_sight sight = {.rule = broken, .party = adi_charged(broken, party)};
    assert(sight.party != ADI_BOTH);
    va_list arguments;
    va_start(arguments, format);
    fill(&sight, seen, wanted, format, arguments);
    va_end(arguments);
    sink->broken(sink, &sight);
}

bool adi_follows(const struct adi_rule *rule, const struct adi_rule *cause, bool cause_was_first) {
    return adi_rule_implies(cause, rule) && (cause_was_first || !adi_rule_implies(rule, cause));
}

struct adi_mistake adi_mistake(const char *rule, bool of_all) {
    return (struct adi_mistake){.rule = rule == NULL ? NULL : adi_rule_named(rule),
                                .of_all = of_all};
}

bool adi_mistake_takes(struct adi_mistake *mistake, struct adi_sight *finding) {
    const struct adi_rule *rule = mistake->rule;
    if (rule == NULL || (!mistake->of_all && !adi_follows(finding->rule, rule, true))) return true;
    bool is_news = !mistake->of_all || !mistake->told;
    mistake->told = true;
    finding->rule = rule;
    finding->party = rule->party;
    return is_news;
}
