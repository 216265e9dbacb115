/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void adi_report_aside(struct adi_sink *sink, const char *rule, const char *seen, const char *wanted,
                      const char *what) {
    const struct adi_rule *broken = adi_rule_named(rule);
    assert(broken != NULL && broken->party != ADI_BOTH);
    struct adi_found finding = {.rule = broken, .party = broken->party, .aside = true};
    adi_see(&finding, seen, wanted, "%s", what);
    sink->violated(sink, &finding);
}

void adi_report(struct adi_sink *sink, const char *rule, enum adi_party party, const char *seen,
                const char *wanted, const char *format, ...) {
    const struct adi_rule *broken = adi_rule_named(rule);
    assert(broken != NULL);
    struct adi_found finding = {.rule = broken, .party = adi_charged(broken, party)};
    assert(finding.party != ADI_BOTH);
    char message[ADI_FINDING_SIZE + 1]; /* one more, so that what was cut is known */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    adi_see(&finding, seen, wanted, "%s", message);
    sink->violated(sink, &finding);
}

void adi_sink_last(struct adi_sink *sink) {
    if (sink->last != NULL) sink->last(sink);
}

bool adi_follows(const struct adi_rule *rule, const struct adi_rule *cause, bool cause_was_first) {
    return adi_rule_implies(cause, rule) && (cause_was_first || !adi_rule_implies(rule, cause));
}

struct adi_mistake adi_mistake(const char *rule, bool of_all) {
    return (struct adi_mistake){.rule = rule == NULL ? NULL : adi_rule_named(rule),
                                .of_all = of_all};
}

bool adi_mistake_takes(struct adi_mistake *mistake, struct adi_found *finding) {
    const struct adi_rule *rule = mistake->rule;
    if (rule == NULL || (!mistake->of_all && !adi_follows(finding->rule, rule, true))) return true;
    bool is_news = !mistake->of_all || !mistake->told;
    mistake->told = true;
    finding->rule = rule;
    finding->party = rule->party;
    finding->mend = NULL;
    return is_news;
}
