/* SPDX-License-Identifier: Apache-2.0 */
#include "report_json.h"

#include <errno.h>
#include <stdlib.h>

#include "clean.h"
#include "group.h"
#include "life_path.h"
#include "order.h"

json_t *adi_json_devices(const struct adi_report_device *devices, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_object();
        adi_json_text(&row, "device", devices[i].name);
        adi_json_number(&row, "type", devices[i].type);
        adi_json_text(&row, "runtime", devices[i].runtime);
        adi_json_value(&row, "available", json_boolean(devices[i].available));
        adi_json_text(&row, "why", devices[i].why);
        if (devices[i].remark[0] != '\0') adi_json_text(&row, "remark", devices[i].remark);
        adi_json_append(&list, row);
    }
    return list;
}

static json_t *steps_of(const struct adi_result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->n_steps; i++)
        adi_json_append(&list, adi_json_string(result->steps[i]));
    return list;
}

static json_t *result_of(const struct adi_result *result) {
    const struct adi_rule *rule = result->rule;
    json_t *row = json_object();
    adi_json_text(&row, "rule", adi_result_rule(result));
    adi_json_text(&row, "level", rule == NULL ? "" : adi_level_name(rule->level));
    adi_json_text(&row, "basis", rule == NULL ? "" : adi_basis_name(rule->basis));
    adi_json_text(&row, "party", adi_result_party(result));
    adi_json_text(&row, "device", result->device);
    adi_json_text(&row, "case", result->case_name);
    adi_json_text(&row, "verdict", adi_verdict_name(result->verdict));
    adi_json_text(&row, "message", result->message);
    adi_json_value(&row, "steps", steps_of(result));
    adi_json_text(&row, "seen", result->seen);
    adi_json_text(&row, "wanted", result->wanted);
    char *section = NULL;
    if (rule != NULL) adi_result_set(&section, "%s, \"%s\"", rule->document, rule->section);
    adi_json_text(&row, "section", section == NULL ? "" : section);
    free(section);
    adi_json_text(&row, "mend", adi_result_mend(result));
    adi_json_text(&row, "replay", result->replay);
    adi_json_text(&row, "stderr", result->stderr_text);
    adi_json_number(&row, "ms", result->ms);
    adi_json_value(&row, "confirmed", json_boolean(result->confirmed));
    struct adi_life_path path;
    if (adi_digest_has(result) && adi_life_path_of(result, &path))
        adi_json_value(&row, "life", adi_life_path_json(&path));
    if (result->order != NULL) adi_json_value(&row, "order", adi_order_json(result->order));
    return row;
}

static json_t *results_of(const struct adi_report *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->n_results; i++)
        adi_json_append(&list, result_of(&report->results[i]));
    return list;
}

static json_t *summary_of(const struct adi_report *report) {
    json_t *summary = json_object();
    for (unsigned i = 0; i < ADI_VERDICTS; i++)
        adi_json_number(&summary, adi_verdict_name((enum adi_verdict)i),
                        (int64_t)adi_report_count(report, (enum adi_verdict)i));
    return summary;
}

/* Of a run that came to its end there is none. */
static json_t *cut_of(const struct adi_report *report) {
    json_t *cut = json_object();
    adi_json_text(&cut, "why", adi_report_cut(report));
    if (report->counted) adi_json_number(&cut, "not_played", (int64_t)report->n_unplayed);
    json_t *list = json_array();
    for (size_t i = 0; i < report->n_in_play; i++) {
        const struct adi_report_in_play *play = &report->in_play[i];
        json_t *row = json_object();
        adi_json_text(&row, "device", play->device);
        adi_json_text(&row, "case", play->case_name);
        adi_json_text(&row, "operation", play->operation);
        adi_json_number(&row, "ms", play->ms);
        adi_json_append(&list, row);
    }
    adi_json_value(&cut, "in_play", list);
    return cut;
}

/* Whose run it is: of the reference there is no adapter. */
static void put_origin(json_t **record, const struct adi_report *report) {
    char text[32];
    struct tm day;
    if (report->adapter != NULL) adi_json_text(record, "adapter", report->adapter);
    if (report->begun == 0 || gmtime_r(&report->begun, &day) == NULL) return;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day);
    adi_json_text(record, "begun", text);
}

static json_t *record_of(const struct adi_report *report) {
    json_t *name = adi_json_string(report->implementation),
           *version = adi_json_string(report->implementation_version);
    json_t *record = json_object();
    adi_json_text(&record, "adicheck", ADI_VERSION);
    adi_json_text(&record, "rules", report->rules);
    adi_json_number(&record, "seed", (int64_t)report->seed);
    adi_json_value(&record, "implementation",
                   json_pack("{s:o, s:o}", "name", name, "version", version));
    put_origin(&record, report);
    adi_json_value(&record, "devices", adi_json_devices(report->devices, report->n_devices));
    adi_json_value(&record, "results", results_of(report));
    adi_json_value(&record, "summary", summary_of(report));
    adi_json_number(&record, "exit", adi_report_exit(report));
    if (adi_report_cut(report) != NULL) adi_json_value(&record, "cut", cut_of(report));
    return record;
}

int adi_json_write(json_t *value, FILE *out) {
    if (value == NULL) return ENOMEM;
    int failed = json_dumpf(value, out, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    json_decref(value);
    return failed != 0 || fputc('\n', out) == EOF ? EIO : 0;
}

int adi_report_json(struct adi_report *const *reports, size_t n, FILE *out) {
    if (n == 1) return adi_json_write(record_of(reports[0]), out);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) adi_json_append(&list, record_of(reports[i]));
    return adi_json_write(list, out);
}
