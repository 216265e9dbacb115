/* SPDX-License-Identifier: Apache-2.0
 *
 * Blinds the judge to one rule, the one that ADI_TEST_BLIND names: a mutant of the judge, chosen
 * at run time. The command and the unit tests are linked once more with the linker's --wrap around
 * what every finding goes through, so that no source of the harness knows of it:
 *
 *   adi_holds_NAME     a predicate: finds nothing to judge
 *   adi_report         a violation that the monitor or a case saw: not said
 *   adi_report_aside   a note that hides nothing: the same
 *   adi_rule_implies   the rule that what follows from it is told as: told as what it is
 *   adi_play_crash_rule    the rule that a death breaks: life/crash, and no other
 *   adi_play_tell_as   the rule that whatever happens is told as: the same
 *   adi_charge_tensor  the rule of DLPack that it is in place of one of Arrow: that one
 *   adi_outcome_add    what the parent of the workers saw itself: passes
 *   adi_verdict_of_violation   what the package for Python looked at itself: the same
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charge.h"
#include "finding.h"
#include "play.h"
#include "report.h"
#include "run_outcome.h"

static bool is_blind(const char *rule) {
    const char *blind = getenv("ADI_TEST_BLIND");
    return blind != NULL && rule != NULL && strcmp(blind, rule) == 0;
}

/* ---- predicates ---- */

/* The rows of the rules name the wrapped predicates. */
static bool is_blind_predicate(adi_predicate *wrapped) {
    const char *blind = getenv("ADI_TEST_BLIND");
    const struct adi_rule *rule = blind == NULL ? NULL : adi_rule_named(blind);
    return rule != NULL && rule->check == wrapped;
}

#define MONITOR(how)
#define CASE(how)
#define IN_PYTHON(how)
#define RULE(id, level, basis, party, where, since, statement, found, implies, mend) found
#define CHECK(name, how)                                                                           \
    adi_predicate __real_adi_holds_##name, __wrap_adi_holds_##name;                                \
    bool __wrap_adi_holds_##name(const struct adi_node *node, struct adi_found *finding) {         \
        if (!is_blind_predicate(__wrap_adi_holds_##name))                                          \
            return __real_adi_holds_##name(node, finding);                                         \
        finding->not_applicable = true;                                                            \
        return true;                                                                               \
    }
#include "rules/rules.h"

#include "rules/all.def"
#undef CHECK
#undef RULE
#undef CASE
#undef MONITOR

/* ---- everything else ---- */

extern __typeof__(adi_report) __real_adi_report, __wrap_adi_report;
extern __typeof__(adi_report_aside) __real_adi_report_aside, __wrap_adi_report_aside;
extern __typeof__(adi_rule_implies) __real_adi_rule_implies, __wrap_adi_rule_implies;
extern __typeof__(adi_play_crash_rule) __real_adi_play_crash_rule, __wrap_adi_play_crash_rule;
extern __typeof__(adi_play_tell_as) __real_adi_play_tell_as, __wrap_adi_play_tell_as;
extern __typeof__(adi_charge_tensor) __real_adi_charge_tensor, __wrap_adi_charge_tensor;
extern __typeof__(adi_outcome_add) __real_adi_outcome_add, __wrap_adi_outcome_add;
extern __typeof__(adi_verdict_of_violation) __real_adi_verdict_of_violation,
    __wrap_adi_verdict_of_violation;

void __wrap_adi_report(struct adi_sink *sink, const char *rule, enum adi_party party,
                       const char *seen, const char *wanted, const char *format, ...) {
    char text[ADI_FINDING_SIZE];
    va_list arguments;
    if (is_blind(rule)) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __real_adi_report(sink, rule, party, seen, wanted, "%s", text);
}

void __wrap_adi_report_aside(struct adi_sink *sink, const char *rule, const char *seen,
                             const char *wanted, const char *what) {
    if (!is_blind(rule)) __real_adi_report_aside(sink, rule, seen, wanted, what);
}

bool __wrap_adi_rule_implies(const struct adi_rule *rule, const struct adi_rule *other) {
    return !is_blind(rule->id) && __real_adi_rule_implies(rule, other);
}

void __wrap_adi_play_crash_rule(struct adi_test *test, const char *rule) {
    __real_adi_play_crash_rule(test, is_blind(rule) ? NULL : rule);
}

void __wrap_adi_play_tell_as(struct adi_test *test, const char *rule) {
    __real_adi_play_tell_as(test, is_blind(rule) ? NULL : rule);
}

void __wrap_adi_charge_tensor(struct adi_found *finding) {
    struct adi_found told = *finding;
    __real_adi_charge_tensor(&told);
    if (!is_blind(told.rule->id)) *finding = told;
}

struct adi_result *__wrap_adi_outcome_add(struct adi_outcome *outcome, const struct adi_rule *rule,
                                          enum adi_party party, enum adi_verdict verdict,
                                          const char *message, const char *seen,
                                          const char *wanted) {
    if (rule != NULL && verdict != ADI_ERROR && is_blind(rule->id)) verdict = ADI_PASS;
    return __real_adi_outcome_add(outcome, rule, party, verdict, message, seen, wanted);
}

enum adi_verdict __wrap_adi_verdict_of_violation(const struct adi_rule *rule, bool strict) {
    return is_blind(rule->id) ? ADI_PASS : __real_adi_verdict_of_violation(rule, strict);
}
