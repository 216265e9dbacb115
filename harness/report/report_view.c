/* SPDX-License-Identifier: Apache-2.0 */
#include "report_view.h"

#include <stdio.h>
#include <string.h>

static bool is_of_family(const struct adi_rule *rule, const char *family) {
    size_t length = strlen(family);
    return strncmp(rule->id, family, length) == 0 && rule->id[length] == '/';
}

static bool has_rows_of(const struct adi_report *report, const char *family) {
    for (size_t i = 0; i < report->n_results; i++)
        if (report->results[i].rule != NULL && is_of_family(report->results[i].rule, family))
            return true;
    return false;
}

void adi_families_of(const struct adi_report *report, struct adi_families *out) {
    const struct adi_rule *rule;
    char before[ADI_FAMILY_SIZE] = "";
    out->count = 0;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL && out->count < ADI_FAMILIES; i++) {
        if (before[0] != '\0' && is_of_family(rule, before)) continue;
        snprintf(before, sizeof before, "%.*s", (int)strcspn(rule->id, "/"), rule->id);
        if (!has_rows_of(report, before)) continue;
        memcpy(out->names[out->count++], before, sizeof before);
    }
}

void adi_cell_of(const struct adi_report *report, const char *device, const char *family,
                 enum adi_party party, struct adi_cell *out) {
    *out = (struct adi_cell){0};
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (result->rule != NULL && result->party == party && is_of_family(result->rule, family) &&
            strcmp(result->device, device) == 0)
            out->rows[result->verdict]++;
    }
}

enum adi_verdict adi_cell_text(const struct adi_cell *cell, char out[ADI_CELL_TEXT]) {
    size_t all = 0;
    enum adi_verdict worst = ADI_VERDICTS;
    for (unsigned i = 0; i < ADI_VERDICTS; i++) {
        enum adi_verdict verdict = (enum adi_verdict)i;
        if (cell->rows[verdict] == 0) continue;
        all += cell->rows[verdict];
        if (worst == ADI_VERDICTS || adi_verdict_rank(verdict) < adi_verdict_rank(worst))
            worst = verdict;
    }
    if (worst == ADI_VERDICTS) {
        snprintf(out, ADI_CELL_TEXT, "-");
        return ADI_SKIP;
    }
    /* What was refused is no pass; what was skipped has its reason elsewhere. */
    if (worst == ADI_PASS) all = cell->rows[ADI_PASS] + cell->rows[ADI_UNSUPPORTED];
    size_t rows = cell->rows[worst];
    const char *name = worst == ADI_UNSUPPORTED ? "refused" : adi_verdict_name(worst);
    if (rows == all || adi_verdict_rank(worst) > adi_verdict_rank(ADI_PASS))
        snprintf(out, ADI_CELL_TEXT, "%zu %s", rows, name);
    else
        snprintf(out, ADI_CELL_TEXT, "%zu/%zu %s", rows, all, name);
    return worst;
}
