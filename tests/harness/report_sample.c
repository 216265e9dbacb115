/* SPDX-License-Identifier: Apache-2.0 */
#include "report_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

const struct adi_rule *adi_sample_rule(enum adi_level level, enum adi_basis basis) {
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (rule->level == level && rule->basis == basis) return rule;
    return NULL;
}

struct adi_result *adi_sample_row(struct adi_report *report, enum adi_verdict verdict,
                                  const struct adi_rule *rule, const char *case_name) {
    struct adi_result *result = adi_report_add(report);
    result->verdict = verdict;
    result->rule = rule;
    result->party = ADI_PRODUCER;
    adi_result_set(&result->device, "cpu:-1");
    adi_result_set(&result->case_name, "%s", case_name);
    return result;
}

void adi_sample_program(struct adi_result *row, const char *words) {
    row->program = malloc(sizeof *row->program);
    ck_assert_ptr_nonnull(row->program);
    ck_assert_int_eq(adi_program_parse(words, row->program, NULL), 0);
}

struct adi_report *adi_sample_report(void) {
    struct adi_report *report = adi_report_new();
    adi_result_set(&report->implementation, "mine");
    adi_result_set(&report->implementation_version, "1.0");
    report->seed = 1;
    report->devices = calloc(2, sizeof *report->devices);
    report->n_devices = 2;
    report->devices[0] = (struct adi_report_device){
        .name = "cpu:-1", .type = 1, .runtime = "native", .available = true};
    report->devices[1] =
        (struct adi_report_device){.name = "opencl", .type = 4, .why = "no platform"};
    return report;
}

struct adi_report *adi_sample_full_report(void) {
    struct adi_report *report = adi_sample_report();
    const struct adi_rule *must = adi_sample_rule(ADI_MUST, ADI_TEXT);
    for (unsigned i = 0; i < ADI_VERDICTS; i++) {
        struct adi_result *result =
            adi_sample_row(report, (enum adi_verdict)i, must, "int32/nulls/export");
        adi_result_set(&result->message, "%s", HOSTILE);
        adi_result_set(&result->seen, "%s", HOSTILE);
        adi_result_set(&result->wanted, "01");
        adi_result_set(&result->replay, "adicheck run --case int32/nulls/export");
        adi_result_set(&result->stderr_text, "%s", HOSTILE);
        adi_result_step(result, "export  %s", HOSTILE);
        result->ms = 1500;
    }
    adi_sample_row(report, ADI_ERROR, NULL, "");
    return report;
}

char *adi_report_written(adi_report_writer *write, struct adi_report *const *reports, size_t n) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(write(reports, n, out), 0);
    fclose(out);
    return text;
}

size_t adi_occurrences(const char *text, const char *word) {
    size_t n = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word)) n++;
    return n;
}
