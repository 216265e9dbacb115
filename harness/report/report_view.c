/* SPDX-License-Identifier: Apache-2.0 */
#include "report_view.h"

#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "case.h"

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

static const struct {
    const char *name;
    enum adi_party party;
} lines[ADI_LINES] = {
    [ADI_LINE_PRODUCER] = {"producer", ADI_PRODUCER},
    [ADI_LINE_CONSUMER] = {"consumer", ADI_CONSUMER},
    [ADI_LINE_RELAY] = {"relay", ADI_BOTH},
};

const char adi_legend[] =
    "a cell: how many results (one for each rule that a case judges) have its worst verdict;\n"
    "N/M fail: N of M; N pass+M: M more cases were refused";

const char *adi_line_name(enum adi_line line) {
    return lines[line].name;
}

static bool is_in_line(const struct adi_result *row, enum adi_line line) {
    bool relays = adi_role_relays(adi_case_role(row->case_name));
    return line == ADI_LINE_RELAY ? relays : !relays && row->party == lines[line].party;
}

bool adi_line_has(enum adi_line line, const char *family, const char *device,
                  const struct adi_result *row) {
    return row->rule != NULL && is_of_family(row->rule, family) &&
           strcmp(row->device, device) == 0 && is_in_line(row, line);
}

void adi_cells_of(const struct adi_report *report, const struct adi_families *families,
                  const char *device, struct adi_cells *out) {
    *out = (struct adi_cells){0};
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        size_t family = 0;
        if (row->rule == NULL || strcmp(row->device, device) != 0) continue;
        while (family < families->count && !is_of_family(row->rule, families->names[family]))
            family++;
        if (family == families->count) continue;
        for (unsigned line = 0; line < ADI_LINES; line++) {
            if (!is_in_line(row, (enum adi_line)line)) continue;
            out->of[line][family].rows[row->verdict]++;
            out->has[line] = true;
        }
    }
}

/* What is known is shown last among the findings, and is as bad as it is: a known deviation
 * outranks advice. */
static unsigned cell_rank(enum adi_verdict verdict) {
    return 2 * adi_verdict_rank(verdict == ADI_XFAIL ? ADI_WARN : verdict) -
           (verdict == ADI_XFAIL ? 1 : 0);
}

enum adi_verdict adi_cell_text(const struct adi_cell *cell, char out[ADI_CELL_TEXT]) {
    size_t all = 0;
    enum adi_verdict worst = ADI_VERDICTS;
    for (unsigned i = 0; i < ADI_VERDICTS; i++) {
        enum adi_verdict verdict = (enum adi_verdict)i;
        if (cell->rows[verdict] == 0) continue;
        all += cell->rows[verdict];
        if (worst == ADI_VERDICTS || cell_rank(verdict) < cell_rank(worst)) worst = verdict;
    }
    if (worst == ADI_VERDICTS) {
        snprintf(out, ADI_CELL_TEXT, "-");
        return ADI_SKIP;
    }
    /* What was refused is no pass; what was skipped has its reason elsewhere. */
    size_t rows = cell->rows[worst], refused = cell->rows[ADI_UNSUPPORTED];
    const char *name = worst == ADI_UNSUPPORTED ? "refused" : adi_verdict_name(worst);
    if (worst == ADI_PASS && refused > 0)
        snprintf(out, ADI_CELL_TEXT, "%zu %s+%zu", rows, name, refused);
    else if (rows == all || adi_verdict_rank(worst) >= adi_verdict_rank(ADI_PASS))
        snprintf(out, ADI_CELL_TEXT, "%zu %s", rows, name);
    else
        snprintf(out, ADI_CELL_TEXT, "%zu/%zu %s", rows, all, name);
    return worst;
}
