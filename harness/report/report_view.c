/* SPDX-License-Identifier: Apache-2.0 */
#include "report_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is a finding comes before ADI_PASS. */
static const enum adi_verdict order[ADI_VERDICTS] = {
    ADI_FAIL, ADI_CRASH, ADI_TIMEOUT, ADI_XPASS,       ADI_ERROR, ADI_WARN,
    ADI_NOTE, ADI_XFAIL, ADI_PASS,    ADI_UNSUPPORTED, ADI_SKIP,
};

unsigned adi_verdict_rank(enum adi_verdict verdict) {
    unsigned rank = 0;
    while (rank < ADI_VERDICTS - 1 && order[rank] != verdict) rank++;
    return rank;
}

static bool is_finding(const struct adi_result *result) {
    return adi_verdict_rank(result->verdict) < adi_verdict_rank(ADI_PASS);
}

static int compare_group(const struct adi_result *a, const struct adi_result *b) {
    unsigned rank_a = adi_verdict_rank(a->verdict), rank_b = adi_verdict_rank(b->verdict);
    if (rank_a != rank_b) return rank_a < rank_b ? -1 : 1;
    if (a->rule != b->rule) {
        if (a->rule == NULL || b->rule == NULL) return a->rule == NULL ? -1 : 1;
        return adi_rule_index(a->rule) < adi_rule_index(b->rule) ? -1 : 1;
    }
    return a->party == b->party ? 0 : a->party < b->party ? -1 : 1;
}

static int compare_rows(const void *a, const void *b) {
    const struct adi_result *const *left = a, *const *right = b;
    int by_group = compare_group(*left, *right);
    if (by_group != 0) return by_group;
    return *left == *right ? 0 : *left < *right ? -1 : 1; /* rows of one array: their order */
}

int adi_digest_of(const struct adi_report *report, struct adi_digest *out) {
    *out = (struct adi_digest){0};
    out->rows = calloc(report->n_results + 1, sizeof *out->rows);
    out->groups = calloc(report->n_results + 1, sizeof *out->groups);
    if (out->rows == NULL || out->groups == NULL) {
        adi_digest_free(out);
        return ENOMEM;
    }
    for (size_t i = 0; i < report->n_results; i++)
        if (is_finding(&report->results[i])) out->rows[out->n_rows++] = &report->results[i];
    qsort(out->rows, out->n_rows, sizeof *out->rows, compare_rows);
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i == 0 || compare_group(out->rows[i - 1], out->rows[i]) != 0)
            out->groups[out->n_groups++].first = i;
        out->groups[out->n_groups - 1].count++;
    }
    return 0;
}

void adi_digest_free(struct adi_digest *findings) {
    free(findings->rows);
    free(findings->groups);
    *findings = (struct adi_digest){0};
}

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
    unsigned worst = ADI_VERDICTS;
    for (unsigned rank = ADI_VERDICTS; rank-- > 0;) {
        if (cell->rows[order[rank]] == 0) continue;
        all += cell->rows[order[rank]];
        worst = rank;
    }
    if (worst == ADI_VERDICTS) {
        snprintf(out, ADI_CELL_TEXT, "-");
        return ADI_SKIP;
    }
    size_t rows = cell->rows[order[worst]];
    const char *name = adi_verdict_name(order[worst]);
    if (order[worst] == ADI_UNSUPPORTED) name = "refused";
    if (rows == all || worst >= adi_verdict_rank(ADI_PASS))
        snprintf(out, ADI_CELL_TEXT, "%zu %s", rows, name);
    else
        snprintf(out, ADI_CELL_TEXT, "%zu/%zu %s", rows, all, name);
    return order[worst];
}
