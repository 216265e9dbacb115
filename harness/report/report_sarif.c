/* SPDX-License-Identifier: Apache-2.0
 *
 * SARIF 2.1.0: one run an implementation, its findings as results, the rules that they broke as the
 * tool's rules.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_json.h"
#include "report_view.h"

static json_t *message_of(const char *text) {
    struct adi_json message = adi_json_begin();
    adi_json_text(&message, "text", text);
    return adi_json_end(&message);
}

static json_t *list_of(json_t *only) {
    json_t *list = json_array();
    if (json_array_append_new(list, only) == 0) return list;
    json_decref(list);
    return NULL;
}

static json_t *rule_of(const struct adi_rule *rule) {
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "id", rule->id);
    adi_json_value(&object, "shortDescription", message_of(rule->statement));
    adi_json_value(&object, "help", message_of(rule->mend));
    return adi_json_end(&object);
}

/* "DEVICE/CASE" as a logical location: there is no source file to point to. */
static json_t *location_of(const struct adi_result *result) {
    char *name = NULL;
    adi_result_set(&name, "%s/%s", result->device, result->case_name);
    struct adi_json logical = adi_json_begin();
    adi_json_text(&logical, "fullyQualifiedName", name);
    free(name);
    struct adi_json location = adi_json_begin();
    adi_json_value(&location, "logicalLocations", list_of(adi_json_end(&logical)));
    return adi_json_end(&location);
}

static json_t *suppression(const char *why) {
    struct adi_json object = adi_json_begin();
    adi_json_text(&object, "kind", "external");
    adi_json_text(&object, "justification", why);
    return adi_json_end(&object);
}

static json_t *result_of(const struct adi_result *result, const struct adi_report *report) {
    const char *level = result->verdict == ADI_NOTE || result->verdict == ADI_XFAIL ? "note"
                        : result->verdict == ADI_ERROR || adi_result_is_red(result, report)
                            ? "error"
                            : "warning";
    char *text = NULL;
    adi_result_set(&text, "%s: %s%s%s%s%s", adi_verdict_name(result->verdict), result->message,
                   result->seen[0] == '\0' ? "" : "; saw ", result->seen,
                   result->wanted[0] == '\0' ? "" : "; wanted ", result->wanted);
    struct adi_json object = adi_json_begin();
    if (result->rule != NULL) adi_json_text(&object, "ruleId", result->rule->id);
    adi_json_text(&object, "level", level);
    adi_json_value(&object, "message", message_of(text));
    free(text);
    adi_json_value(&object, "locations", list_of(location_of(result)));
    if (result->verdict == ADI_XFAIL)
        adi_json_value(&object, "suppressions", list_of(suppression(result->message)));
    return adi_json_end(&object);
}

static json_t *tool_of(const struct adi_digest *findings) {
    json_t *rules = json_array();
    for (size_t i = 0; i < findings->n_groups; i++) {
        const struct adi_rule *rule = findings->rows[findings->groups[i].first]->rule;
        bool seen = rule == NULL;
        for (size_t k = 0; k < i && !seen; k++)
            seen = findings->rows[findings->groups[k].first]->rule == rule;
        if (!seen) json_array_append_new(rules, rule_of(rule));
    }
    struct adi_json driver = adi_json_begin();
    adi_json_text(&driver, "name", "adicheck");
    adi_json_text(&driver, "version", ADI_VERSION);
    adi_json_value(&driver, "rules", rules);
    struct adi_json tool = adi_json_begin();
    adi_json_value(&tool, "driver", adi_json_end(&driver));
    return adi_json_end(&tool);
}

static json_t *invocation_of(const struct adi_report *report) {
    struct adi_json object = adi_json_begin();
    adi_json_truth(&object, "executionSuccessful", adi_report_exit(report) != 2);
    adi_json_number(&object, "exitCode", adi_report_exit(report));
    return adi_json_end(&object);
}

static json_t *run_of(const struct adi_report *report) {
    struct adi_digest findings;
    if (adi_digest_of(report, &findings) != 0) return NULL;
    json_t *results = json_array();
    for (size_t i = 0; i < findings.n_rows; i++)
        json_array_append_new(results, result_of(findings.rows[i], report));
    struct adi_json run = adi_json_begin();
    adi_json_value(&run, "tool", tool_of(&findings));
    adi_json_value(&run, "invocations", list_of(invocation_of(report)));
    adi_json_value(&run, "results", results);
    adi_digest_free(&findings);
    return adi_json_end(&run);
}

int adi_report_sarif(struct adi_report *const *reports, size_t n, FILE *out) {
    json_t *runs = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(runs, run_of(reports[i]));
    struct adi_json log = adi_json_begin();
    adi_json_text(&log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    adi_json_text(&log, "version", "2.1.0");
    adi_json_value(&log, "runs", runs);
    return adi_json_write(adi_json_end(&log), out);
}
