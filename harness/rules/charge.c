/* SPDX-License-Identifier: Apache-2.0 */
#include "charge.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *rules[2]; /* if it produces, if it consumes */
    const char *wanted, *message;
} charges[] = {
#define CHARGE(what, of_producer, of_consumer, wanted, message)                                    \
    [ADI_CHARGE_##what] = {{of_producer, of_consumer}, wanted, message},
#include "rules/charges.def"
#undef CHARGE
};

_Static_assert(ADI_CHARGE_MISUSE_MUTATED - ADI_CHARGE_MISUSE_EARLY == (int)ADI_MISUSE_MUTATED,
               "each misuse has a row");

const struct adi_rule *adi_charge_rule(enum adi_charge what, bool consumes) {
    return adi_rule_named(charges[what].rules[consumes]);
}

enum adi_charge adi_charge_of_misuse(enum adi_misuse misuse, bool is_event, bool consumes) {
    if (misuse == ADI_MISUSE_ADDRESS)
        return is_event && consumes ? ADI_CHARGE_EVENT_BY_ADDRESS : ADI_CHARGE_MISUSE_ADDRESS;
    bool of_life = misuse == ADI_MISUSE_DEAD || misuse == ADI_MISUSE_NOT_OWNED;
    return is_event && consumes && of_life
               ? ADI_CHARGE_EVENT_MISUSED
               : (enum adi_charge)(ADI_CHARGE_MISUSE_EARLY + (int)misuse);
}

void adi_charge(struct adi_sink *sink, enum adi_charge what, bool consumes, enum adi_party at_hand,
                const char *seen, const char *about) {
    const char *message = charges[what].message;
    adi_report(sink, charges[what].rules[consumes], at_hand, seen, charges[what].wanted, "%s%s%s",
               about == NULL ? "" : about, about == NULL || *message == '\0' ? "" : " ", message);
}

void adi_charge_tensor(struct adi_found *finding) {
    static const struct {
        const char *rule, *instead, *wanted, *message;
    } rows[] = {
#define INSTEAD(rule, instead, wanted, message) {rule, instead, wanted, message},
#include "rules/tensor_charges.def"
#undef INSTEAD
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(finding->rule->id, rows[i].rule) != 0) continue;
        finding->rule = adi_rule_named(rows[i].instead);
        finding->party = adi_charged(finding->rule, finding->party);
        if (rows[i].wanted != NULL)
            snprintf(finding->wanted, sizeof finding->wanted, "%s", rows[i].wanted);
        if (rows[i].message != NULL)
            snprintf(finding->message, sizeof finding->message, "%s", rows[i].message);
        return;
    }
}
