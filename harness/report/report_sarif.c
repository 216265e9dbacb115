/* SPDX-License-Identifier: Apache-2.0
 *
 * SARIF 2.1.0: one run an implementation; a result a group of findings, which is a cause, with how
 * often it was met. Scanners want a place in a file and refuse logical ones alone: it is the
 * adapter, or its source. What was not judged is a notification.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "links.h"
#include "report_json.h"
#include "report_view.h"

#define ROOT   "%SRCROOT%"
#define PLACES 20 /* cases of a group that are named */

static json_t *message_of(const char *text) {
    return json_pack("{s:o}", "text", adi_json_string(text));
}

/* ---- the rules that were broken, in the order of their first group ---- */

static json_t *rule_of(const struct adi_rule *rule) {
    char url[ADI_URL_SIZE];
    json_t *bag = json_pack("{s:s, s:s, s:s, s:s}", "level", adi_level_name(rule->level), "basis",
                            adi_basis_name(rule->basis), "document", rule->document, "section",
                            rule->section);
    return json_pack("{s:s, s:o, s:o, s:s*, s:o}", "id", rule->id, "shortDescription",
                     message_of(rule->statement), "help", message_of(rule->mend), "helpUri",
                     adi_link_rule(rule, url) ? url : NULL, "properties", bag);
}

/* -1: it is none of them. */
static int64_t rule_place(const json_t *rules, const struct adi_rule *rule) {
    const json_t *other;
    size_t i;
    json_array_foreach(rules, i, other) {
        if (strcmp(adi_json_text_of(other, "id"), rule->id) == 0) return (int64_t)i;
    }
    return -1;
}

static json_t *rules_of(const struct adi_digest *findings) {
    json_t *rules = json_array();
    for (size_t i = 0; i < findings->n_groups; i++) {
        const struct adi_rule *rule = findings->rows[findings->groups[i].first]->rule;
        if (rule != NULL && rule_place(rules, rule) < 0) adi_json_append(&rules, rule_of(rule));
    }
    return rules;
}

/* ---- a group ---- */

static json_t *artifact_location(const char *uri, bool index) {
    json_t *object = json_object();
    adi_json_text(&object, "uri", uri);
    if (strncmp(uri, "file://", 7) != 0) adi_json_text(&object, "uriBaseId", ROOT);
    if (index) adi_json_number(&object, "index", 0);
    return object;
}

/* The file, from its first line on, since scanners want one. */
static json_t *physical_location(const char *uri) {
    return json_pack("{s:o, s:{s:i}}", "artifactLocation", artifact_location(uri, true), "region",
                     "startLine", 1);
}

/* "DEVICE/CASE" of the first rows. */
static json_t *logical_locations(const struct adi_result *const *rows, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count && i < PLACES; i++) {
        char *name = NULL;
        adi_result_set(&name, "%s/%s", rows[i]->device, rows[i]->case_name);
        adi_json_append(&list, json_pack("{s:o}", "fullyQualifiedName", adi_json_string(name)));
        free(name);
    }
    return list;
}

static json_t *locations_of(const char *uri, const struct adi_result *const *rows, size_t count) {
    return json_pack("[{s:o, s:o}]", "physicalLocation", physical_location(uri), "logicalLocations",
                     logical_locations(rows, count));
}

/* FNV-1a over what all rows of the group have in common, in every run. */
static json_t *fingerprints_of(const struct adi_result *result) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    char *message = adi_group_message(result);
    const char *const texts[] = {adi_result_rule(result), adi_party_name(result->party),
                                 message == NULL ? "" : message};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *at = texts[i];; at++) {
            sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
            if (*at == '\0') break;
        }
    free(message);
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, sum);
    return json_pack("{s:s}", "adicheckCause/v2", text);
}

static json_t *suppressions_of(const char *why) {
    return json_pack("[{s:s, s:o}]", "kind", "external", "justification", adi_json_string(why));
}

static const char *level_of(const struct adi_result *result, const struct adi_report *report) {
    if (result->verdict == ADI_NOTE || result->verdict == ADI_XFAIL) return "note";
    bool error = result->verdict == ADI_ERROR || adi_result_is_red(result, report);
    return error ? "error" : "warning";
}

/* On one line, as scanners show it. */
static json_t *sentence_of(const struct adi_result *result, size_t count) {
    char *text = NULL, more[48] = "";
    if (count > 1) snprintf(more, sizeof more, " (%zu cases)", count);
    adi_result_set(&text, "%s: %s%s%s%s%s%s", adi_verdict_name(result->verdict), result->message,
                   result->seen[0] == '\0' ? "" : "; saw ", result->seen,
                   result->wanted[0] == '\0' ? "" : "; wanted ", result->wanted, more);
    json_t *message = message_of(text);
    free(text);
    return message;
}

static json_t *bag_of(const struct adi_result *result) {
    return json_pack("{s:s, s:s*, s:o}", "verdict", adi_verdict_name(result->verdict), "party",
                     result->rule == NULL ? NULL : adi_party_name(result->party), "replay",
                     adi_json_string(result->replay));
}

static json_t *result_of(const struct adi_report *report, const struct adi_digest *findings,
                         size_t group, const json_t *rules, const char *uri) {
    size_t count = findings->groups[group].count;
    const struct adi_result *const *rows = findings->rows + findings->groups[group].first;
    json_t *object = json_object();
    if (rows[0]->rule != NULL) {
        adi_json_text(&object, "ruleId", rows[0]->rule->id);
        adi_json_number(&object, "ruleIndex", rule_place(rules, rows[0]->rule));
    }
    adi_json_text(&object, "level", level_of(rows[0], report));
    adi_json_value(&object, "message", sentence_of(rows[0], count));
    adi_json_value(&object, "locations", locations_of(uri, rows, count));
    adi_json_number(&object, "occurrenceCount", (int64_t)count);
    adi_json_value(&object, "partialFingerprints", fingerprints_of(rows[0]));
    if (rows[0]->verdict == ADI_XFAIL)
        adi_json_value(&object, "suppressions", suppressions_of(rows[0]->message));
    adi_json_value(&object, "properties", bag_of(rows[0]));
    return object;
}

/* ---- a run ---- */

static json_t *notification_of(const char *level, const char *text) {
    return json_pack("{s:s, s:o}", "level", level, "message", message_of(text));
}

/* What was refused or skipped, a note a reason; before them, that the run was cut. NULL: out of
 * memory. */
static json_t *notifications_of(const struct adi_report *report) {
    struct adi_digest unjudged;
    if (adi_digest_unjudged(report, &unjudged) != 0) return NULL;
    json_t *list = json_array();
    char *cut = adi_report_cut_sentence(report);
    if (cut != NULL) adi_json_append(&list, notification_of("error", cut));
    free(cut);
    for (size_t i = 0; i < unjudged.n_groups; i++) {
        const struct adi_result *row = unjudged.rows[unjudged.groups[i].first];
        char *text = NULL;
        adi_result_set(&text, "%s: %s (%zu: %s %s)", adi_verdict_name(row->verdict), row->message,
                       unjudged.groups[i].count, row->device, row->case_name);
        adi_json_append(&list, notification_of("note", text));
        free(text);
    }
    adi_digest_free(&unjudged);
    return list;
}

static json_t *invocations_of(const struct adi_report *report) {
    int status = adi_report_exit(report);
    return json_pack("[{s:b, s:i, s:o}]", "executionSuccessful",
                     status != 2 && adi_report_cut(report) == NULL, "exitCode", status,
                     "toolExecutionNotifications", notifications_of(report));
}

static json_t *artifacts_of(const char *uri) {
    return json_pack("[{s:o, s:[s]}]", "location", artifact_location(uri, false), "roles",
                     "analysisTarget");
}

static json_t *bases(void) {
    return json_pack("{s:{s:o}}", ROOT, "description",
                     message_of("the folder that adicheck was started in"));
}

static json_t *run_of(const struct adi_report *report) {
    struct adi_digest findings;
    char *uri = adi_link_judged(report);
    if (uri == NULL || adi_digest_of(report, &findings) != 0) {
        free(uri);
        return NULL;
    }
    json_t *rules = rules_of(&findings), *results = json_array();
    for (size_t i = 0; i < findings.n_groups; i++)
        adi_json_append(&results, result_of(report, &findings, i, rules, uri));
    json_t *run = json_object();
    adi_json_value(&run, "tool",
                   json_pack("{s:{s:s, s:s, s:o}}", "driver", "name", "adicheck", "version",
                             ADI_VERSION, "rules", rules));
    adi_json_value(&run, "invocations", invocations_of(report));
    adi_json_value(&run, "originalUriBaseIds", bases());
    adi_json_value(&run, "artifacts", artifacts_of(uri));
    adi_json_value(&run, "results", results);
    adi_digest_free(&findings);
    free(uri);
    return run;
}

int adi_report_sarif(struct adi_report *const *reports, size_t n, FILE *out) {
    json_t *runs = json_array();
    for (size_t i = 0; i < n; i++) adi_json_append(&runs, run_of(reports[i]));
    json_t *log =
        json_pack("{s:s, s:s, s:o}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                  "version", "2.1.0", "runs", runs);
    return adi_json_write(log, out);
}
