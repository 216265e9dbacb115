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
    struct adi_json message = adi_json_begin();
    adi_json_text(&message, "text", text);
    return adi_json_end(&message);
}

/* A list that lacks something is none. */
static void append(json_t **list, json_t *value) {
    if (json_array_append_new(*list, value) == 0) return;
    json_decref(*list);
    *list = NULL;
}

static json_t *list_of(json_t *only) {
    json_t *list = json_array();
    append(&list, only);
    return list;
}

/* ---- the rules that were broken, in the order of their first group ---- */

static size_t rule_place(const struct adi_digest *findings, const struct adi_rule *rule) {
    size_t place = 0;
    for (size_t i = 0; i < findings->n_groups; i++) {
        const struct adi_rule *other = findings->rows[findings->groups[i].first]->rule;
        bool before = other == NULL;
        if (other == rule) return place;
        for (size_t k = 0; k < i && !before; k++)
            before = findings->rows[findings->groups[k].first]->rule == other;
        place += !before;
    }
    return place;
}

static json_t *rule_of(const struct adi_rule *rule) {
    char url[ADI_URL_SIZE];
    struct adi_json bag = adi_json_begin();
    adi_json_text(&bag, "level", adi_level_name(rule->level));
    adi_json_text(&bag, "basis", adi_basis_name(rule->basis));
    adi_json_text(&bag, "document", rule->document);
    adi_json_text(&bag, "section", rule->section);
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "id", rule->id);
    adi_json_value(&object, "shortDescription", message_of(rule->statement));
    adi_json_value(&object, "help", message_of(rule->mend));
    if (adi_link_rule(rule, url)) adi_json_text(&object, "helpUri", url);
    adi_json_value(&object, "properties", adi_json_end(&bag));
    return adi_json_end(&object);
}

static json_t *tool_of(const struct adi_digest *findings) {
    json_t *rules = json_array();
    for (size_t i = 0; i < findings->n_groups; i++) {
        const struct adi_rule *rule = findings->rows[findings->groups[i].first]->rule;
        if (rule != NULL && rule_place(findings, rule) == json_array_size(rules))
            append(&rules, rule_of(rule));
    }
    struct adi_json driver = adi_json_begin();
    adi_json_text(&driver, "name", "adicheck");
    adi_json_text(&driver, "version", ADI_VERSION);
    adi_json_value(&driver, "rules", rules);
    struct adi_json tool = adi_json_begin();
    adi_json_value(&tool, "driver", adi_json_end(&driver));
    return adi_json_end(&tool);
}

/* ---- a group ---- */

static json_t *artifact_location(const char *uri, bool index) {
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "uri", uri);
    if (strncmp(uri, "file://", 7) != 0) adi_json_text(&object, "uriBaseId", ROOT);
    if (index) adi_json_number(&object, "index", 0);
    return adi_json_end(&object);
}

/* The file, from its first line on, since scanners want one. */
static json_t *physical_location(const char *uri) {
    struct adi_json region = adi_json_begin();
    adi_json_number(&region, "startLine", 1);
    struct adi_json object = adi_json_begin();
    adi_json_value(&object, "artifactLocation", artifact_location(uri, true));
    adi_json_value(&object, "region", adi_json_end(&region));
    return adi_json_end(&object);
}

/* "DEVICE/CASE" of the first rows. */
static json_t *logical_locations(const struct adi_result *const *rows, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count && i < PLACES; i++) {
        char *name = NULL;
        adi_result_set(&name, "%s/%s", rows[i]->device, rows[i]->case_name);
        struct adi_json logical = adi_json_begin();
        adi_json_text(&logical, "fullyQualifiedName", name);
        append(&list, adi_json_end(&logical));
        free(name);
    }
    return list;
}

static json_t *location_of(const char *uri, const struct adi_result *const *rows, size_t count) {
    struct adi_json location = adi_json_begin();
    adi_json_value(&location, "physicalLocation", physical_location(uri));
    adi_json_value(&location, "logicalLocations", logical_locations(rows, count));
    return adi_json_end(&location);
}

/* FNV-1a over what all rows of the group have in common, in every run. */
static json_t *fingerprints_of(const struct adi_result *result) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    char *message = adi_group_message(result);
    const char *const texts[] = {result->rule == NULL ? "" : result->rule->id,
                                 adi_party_name(result->party), message == NULL ? "" : message};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *at = texts[i];; at++) {
            sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
            if (*at == '\0') break;
        }
    free(message);
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, sum);
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "adicheckCause/v1", text);
    return adi_json_end(&object);
}

static json_t *suppression(const char *why) {
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "kind", "external");
    adi_json_text(&object, "justification", why);
    return adi_json_end(&object);
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
    struct adi_json bag = adi_json_begin();
    adi_json_text(&bag, "verdict", adi_verdict_name(result->verdict));
    if (result->rule != NULL) adi_json_text(&bag, "party", adi_party_name(result->party));
    adi_json_text(&bag, "replay", result->replay);
    return adi_json_end(&bag);
}

static json_t *result_of(const struct adi_report *report, const struct adi_digest *findings,
                         size_t group, const char *uri) {
    size_t count = findings->groups[group].count;
    const struct adi_result *const *rows = findings->rows + findings->groups[group].first;
    struct adi_json object = adi_json_begin();
    if (rows[0]->rule != NULL) {
        adi_json_text(&object, "ruleId", rows[0]->rule->id);
        adi_json_number(&object, "ruleIndex", (int64_t)rule_place(findings, rows[0]->rule));
    }
    adi_json_text(&object, "level", level_of(rows[0], report));
    adi_json_value(&object, "message", sentence_of(rows[0], count));
    adi_json_value(&object, "locations", list_of(location_of(uri, rows, count)));
    adi_json_number(&object, "occurrenceCount", (int64_t)count);
    adi_json_value(&object, "partialFingerprints", fingerprints_of(rows[0]));
    if (rows[0]->verdict == ADI_XFAIL)
        adi_json_value(&object, "suppressions", list_of(suppression(rows[0]->message)));
    adi_json_value(&object, "properties", bag_of(rows[0]));
    return adi_json_end(&object);
}

/* ---- a run ---- */

static json_t *notification_of(const char *level, const char *text) {
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "level", level);
    adi_json_value(&object, "message", message_of(text));
    return adi_json_end(&object);
}

/* What was refused or skipped, a note a reason; before them, that the run was cut. NULL: out of
 * memory. */
static json_t *notifications_of(const struct adi_report *report) {
    struct adi_digest unjudged;
    if (adi_digest_unjudged(report, &unjudged) != 0) return NULL;
    json_t *list = json_array();
    char *cut = adi_report_cut_sentence(report);
    if (cut != NULL) append(&list, notification_of("error", cut));
    free(cut);
    for (size_t i = 0; i < unjudged.n_groups; i++) {
        const struct adi_result *row = unjudged.rows[unjudged.groups[i].first];
        char *text = NULL;
        adi_result_set(&text, "%s: %s (%zu: %s %s)", adi_verdict_name(row->verdict), row->message,
                       unjudged.groups[i].count, row->device, row->case_name);
        append(&list, notification_of("note", text));
        free(text);
    }
    adi_digest_free(&unjudged);
    return list;
}

static json_t *invocation_of(const struct adi_report *report) {
    struct adi_json object = adi_json_begin();
    adi_json_truth(&object, "executionSuccessful",
                   adi_report_exit(report) != 2 && adi_report_cut(report) == NULL);
    adi_json_number(&object, "exitCode", adi_report_exit(report));
    adi_json_value(&object, "toolExecutionNotifications", notifications_of(report));
    return adi_json_end(&object);
}

static json_t *artifact_of(const char *uri) {
    struct adi_json object = adi_json_begin();
    adi_json_value(&object, "location", artifact_location(uri, false));
    adi_json_value(&object, "roles", list_of(json_string("analysisTarget")));
    return adi_json_end(&object);
}

static json_t *bases(void) {
    struct adi_json root = adi_json_begin();
    adi_json_value(&root, "description", message_of("the folder that adicheck was started in"));
    struct adi_json object = adi_json_begin();
    adi_json_value(&object, ROOT, adi_json_end(&root));
    return adi_json_end(&object);
}

static json_t *run_of(const struct adi_report *report) {
    struct adi_digest findings;
    char *uri = adi_link_judged(report);
    if (uri == NULL || adi_digest_of(report, &findings) != 0) {
        free(uri);
        return NULL;
    }
    json_t *results = json_array();
    for (size_t i = 0; i < findings.n_groups; i++)
        append(&results, result_of(report, &findings, i, uri));
    struct adi_json run = adi_json_begin();
    adi_json_value(&run, "tool", tool_of(&findings));
    adi_json_value(&run, "invocations", list_of(invocation_of(report)));
    adi_json_value(&run, "originalUriBaseIds", bases());
    adi_json_value(&run, "artifacts", list_of(artifact_of(uri)));
    adi_json_value(&run, "results", results);
    adi_digest_free(&findings);
    free(uri);
    return adi_json_end(&run);
}

int adi_report_sarif(struct adi_report *const *reports, size_t n, FILE *out) {
    json_t *runs = json_array();
    for (size_t i = 0; i < n; i++) append(&runs, run_of(reports[i]));
    struct adi_json log = adi_json_begin();
    adi_json_text(&log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    adi_json_text(&log, "version", "2.1.0");
    adi_json_value(&log, "runs", runs);
    return adi_json_write(adi_json_end(&log), out);
}
