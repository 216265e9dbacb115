/* SPDX-License-Identifier: Apache-2.0
 *
 * What other programs read: JSON, JUnit, TAP, SARIF.
 */
#include <check.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "report_sample.h"
#include "shell.h"

Suite *harness_report_formats_suite(void);

/* ---- JSON ---- */

static void expect_keys(const json_t *object, const char *const *keys) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        ck_assert_msg(*keys != NULL, "one key too many: %s", key);
        ck_assert_str_eq(key, *keys++);
    }
    ck_assert_msg(*keys == NULL, "%s is missing", *keys == NULL ? "" : *keys);
}

START_TEST(json_has_the_keys_of_the_contract_in_their_order)
{
    static const char *const record[] = {"adicheck",       "rules",   "seed",
                                         "implementation", "devices", "results",
                                         "summary",        "exit",    NULL};
    static const char *const implementation[] = {"name", "version", NULL};
    static const char *const device[] = {"device", "type", "runtime", "available", "why", NULL};
    static const char *const result[] = {
        "rule", "level",  "basis",   "party", "device", "case",   "verdict", "message",   "steps",
        "seen", "wanted", "section", "mend",  "replay", "stderr", "ms",      "confirmed", NULL};
    static const char *const summary[] = {"pass",  "fail",        "warn",  "note",
                                          "skip",  "unsupported", "crash", "timeout",
                                          "xfail", "xpass",       "error", NULL};
    struct adi_report *report = adi_sample_full_report();
    report->results[ADI_CRASH].confirmed = false;
    char *text = adi_report_written(adi_report_json, &report, 1);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(json);
    expect_keys(json, record);
    expect_keys(json_object_get(json, "implementation"), implementation);
    expect_keys(json_array_get(json_object_get(json, "devices"), 0), device);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "results")), ADI_VERDICTS + 1U);
    for (size_t i = 0; i < ADI_VERDICTS + 1U; i++)
        expect_keys(json_array_get(json_object_get(json, "results"), i), result);
    expect_keys(json_object_get(json, "summary"), summary);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "exit")), 1);
    json_t *row = json_array_get(json_object_get(json, "results"), ADI_FAIL);
    ck_assert_str_eq(json_string_value(json_object_get(row, "level")), "MUST");
    ck_assert_str_eq(json_string_value(json_object_get(row, "basis")), "text");
    ck_assert_str_eq(json_string_value(json_object_get(row, "party")), "producer");
    ck_assert_str_eq(json_string_value(json_object_get(row, "wanted")), "01");
    ck_assert_int_eq(json_integer_value(json_object_get(row, "ms")), 1500);
    ck_assert(json_is_true(json_object_get(row, "confirmed")));
    row = json_array_get(json_object_get(json, "results"), ADI_CRASH);
    ck_assert(json_is_false(json_object_get(row, "confirmed")));
    json_decref(json);
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(json_says_what_else_is_to_be_known_of_a_device)
{
    struct adi_report *report = adi_sample_report();
    snprintf(report->devices[0].remark, sizeof report->devices[0].remark, "this for that");
    char *text = adi_report_written(adi_report_json, &report, 1);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(json);
    const json_t *devices = json_object_get(json, "devices");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(devices, 0), "remark")),
                     "this for that");
    ck_assert_ptr_null(json_object_get(json_array_get(devices, 1), "remark"));
    json_decref(json);
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(json_is_an_array_for_several)
{
    struct adi_report *reports[] = {adi_sample_full_report(), adi_sample_report()};
    reports[1]->interrupted = true;
    char *text = adi_report_written(adi_report_json, reports, 2);
    json_t *json = json_loads(text, 0, NULL);
    ck_assert_uint_eq(json_array_size(json), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(json, 1), "exit")), 2);
    json_decref(json);
    free(text);
    adi_report_free(reports[0]);
    adi_report_free(reports[1]);
}
END_TEST

static void write_record(struct adi_report *const *reports, size_t n) {
    char path[96];
    snprintf(path, sizeof path, "%s/r.json", folder);
    FILE *out = fopen(path, "w");
    ck_assert_int_eq(adi_report_json(reports, n, out), 0);
    fclose(out);
}

START_TEST(records_keep_to_their_schema)
{
    struct adi_report *reports[] = {adi_sample_full_report(), adi_sample_report()};
    struct adi_result *row = &reports[0]->results[ADI_FAIL]; /* with all that may be there */
    row->rule = adi_rule_named("life/release-not-cleared");
    free(row->steps[0]);
    row->steps[0] = strdup("program      struct/many e0 c0.1>2 x0 r2 x2");
    adi_result_set(&row->case_name, "struct/many/program-export");
    adi_sample_program(row, "e0 c0.1>2 x0 r2 x2");
    row->program_step = 3;
    row->order =
        adi_order_of("{\"by\":\"queue 1\",\"writes\":\"allocation 1\",\"call\":1}\n"
                     "{\"by\":\"the host\",\"access\":\"free\",\"writes\":\"allocation 1\","
                     "\"call\":2}\n{\"unordered\":\"the host\",\"behind\":\"queue 1\","
                     "\"call\":2,\"earlier\":1}\n");
    write_record(reports, (size_t)_i);
    shell_expect_records(folder);
    adi_report_free(reports[0]);
    adi_report_free(reports[1]);
}
END_TEST

/* What is held against a schema has to be able to fail. */
static const char *const spoils[] = {
    "s/\"exit\": [0-9]/\"exit\": 3/",
    "s/\"seed\": 1/\"seed\": \"1\"/",
    "s/\"verdict\": \"note\"/\"verdict\": \"hm\"/",
    "s/\"mend\"/\"mended\"/",
    "s/\"summary\": {/\"sum\": 1, &/",
    "s/\"level\": \"MUST\"/\"level\": \"\"/",
    "s/^{$/{{/",
};

START_TEST(what_is_no_record_is_told_from_one)
{
    struct adi_report *report = adi_sample_full_report();
    char line[256];
    write_record(&report, 1);
    snprintf(line, sizeof line, "cp r.json good && sed '%s' good > r.json && ! cmp -s good r.json",
             spoils[_i]);
    expect(line, 0, "");
    snprintf(line, sizeof line, "cd $OLDPWD && %s tests/record.py %s/r.json",
             "/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || exit 1;", folder);
    expect(line, 1, "");
    expect("rm r.json", 0, "");
    adi_report_free(report);
}
END_TEST

/* ---- JUnit ---- */

static size_t count_elements(const xmlNode *node, const char *name) {
    size_t n = 0;
    for (; node != NULL; node = node->next)
        n += (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0) +
             count_elements(node->children, name);
    return n;
}

static xmlDoc *junit_of(struct adi_report *const *reports, size_t n) {
    char *text = adi_report_written(adi_report_junit, reports, n);
    xmlDoc *xml =
        xmlReadMemory(text, (int)strlen(text), "junit", NULL, XML_PARSE_NONET | XML_PARSE_PEDANTIC);
    ck_assert_msg(xml != NULL, "not well-formed:\n%s", text);
    free(text);
    return xml;
}

static void expect_attribute(xmlNode *node, const char *name, const char *wanted) {
    xmlChar *seen = xmlGetProp(node, (const xmlChar *)name);
    ck_assert_str_eq((const char *)seen, wanted);
    xmlFree(seen);
}

START_TEST(junit_counts_what_it_holds)
{
    struct adi_report *report = adi_sample_full_report();
    xmlDoc *xml = junit_of(&report, 1);
    xmlNode *root = xmlDocGetRootElement(xml), *suite = xmlFirstElementChild(root);
    expect_attribute(suite, "name", "mine 1.0 cpu:-1");
    expect_attribute(suite, "tests", "12");
    expect_attribute(suite, "failures", "4"); /* fail, crash, timeout, xpass */
    expect_attribute(suite, "errors", "2");
    expect_attribute(suite, "skipped", "5"); /* skip, unsupported, xfail, warn, note */
    expect_attribute(suite, "time", "16.500");
    ck_assert_uint_eq(count_elements(root, "testsuite"), 1);
    ck_assert_uint_eq(count_elements(root, "testcase"), 12);
    ck_assert_uint_eq(count_elements(root, "failure"), 4);
    ck_assert_uint_eq(count_elements(root, "error"), 2);
    ck_assert_uint_eq(count_elements(root, "skipped"), 5);
    ck_assert_uint_eq(count_elements(root, "system-out"), 3); /* xfail, warn, note */
    xmlFreeDoc(xml);
    adi_report_free(report);
}
END_TEST

static xmlNode *child_named(xmlNode *node, const char *name) {
    xmlNode *child = xmlFirstElementChild(node);
    while (child != NULL && strcmp((const char *)child->name, name) != 0)
        child = xmlNextElementSibling(child);
    ck_assert_msg(child != NULL, "no %s", name);
    return child;
}

/* Many servers show nothing of a test that succeeded. */
START_TEST(what_is_not_red_is_a_skipped_test_with_its_reason_in_junit)
{
    static const struct {
        enum adi_verdict verdict;
        const char *reason;
    } rows[] = {{ADI_WARN, "warn: the flag is lost"},
                {ADI_NOTE, "note: the flag is lost"},
                {ADI_CRASH, "crash: the flag is lost"}};
    static const struct adi_rule may = {.id = "a/b",
                                        .level = ADI_MAY,
                                        .basis = ADI_PRACTICE,
                                        .statement = "flags are kept",
                                        .mend = "keep it"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = adi_sample_report();
        struct adi_result *row = adi_sample_row(report, rows[i].verdict, &may, "int32/many/relay");
        adi_result_set(&row->message, "the flag is lost");
        adi_result_set(&row->seen, "0");
        xmlDoc *xml = junit_of(&report, 1);
        xmlNode *test =
            child_named(child_named(xmlDocGetRootElement(xml), "testsuite"), "testcase");
        expect_attribute(child_named(test, "skipped"), "message", rows[i].reason);
        xmlChar *out = xmlNodeGetContent(child_named(test, "system-out"));
        ck_assert_ptr_nonnull(strstr((const char *)out, "the flag is lost\nsaw 0\n"));
        ck_assert_ptr_nonnull(strstr((const char *)out, "mend: keep it\n"));
        xmlFree(out);
        xmlFreeDoc(xml);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(junit_of_an_undecided_run_is_not_green)
{
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_PASS, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    xmlDoc *xml = junit_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(xml), "error"), 0);
    xmlFreeDoc(xml);
    report->interrupted = true;
    xml = junit_of(&report, 1);
    ck_assert_uint_eq(count_elements(xmlDocGetRootElement(xml), "error"), 1);
    xmlFreeDoc(xml);
    adi_report_free(report);
}
END_TEST

/* ---- the others ---- */

START_TEST(tap_has_a_point_for_each_row_and_keeps_hostile_text_in_its_line)
{
    struct adi_report *report = adi_sample_full_report();
    char *text = adi_report_written(adi_report_tap, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, "TAP version 14\n1..12\n"));
    ck_assert_uint_eq(adi_occurrences(text, "\nok ") + adi_occurrences(text, "\nnot ok "), 12);
    ck_assert_uint_eq(adi_occurrences(text, " # SKIP "), 2);
    ck_assert_uint_eq(adi_occurrences(text, "TODO <script>"), 1);
    ck_assert_ptr_null(strstr(text, "\n#  \\"));
    free(text);
    adi_report_free(report);
}
END_TEST

/* ---- SARIF ---- */

static json_t *sarif_run_of(struct adi_report *report, json_t **log) {
    char *text = adi_report_written(adi_report_sarif, &report, 1);
    *log = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(*log);
    free(text);
    adi_report_free(report);
    return json_array_get(json_object_get(*log, "runs"), 0);
}

/* Follows keys, and indices as "0", separated by blanks. */
static json_t *at(json_t *value, const char *path) {
    char words[128];
    snprintf(words, sizeof words, "%s", path);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        value = json_is_array(value) ? json_array_get(value, strtoul(word, NULL, 10))
                                     : json_object_get(value, word);
        ck_assert_msg(value != NULL, "no %s of %s", word, path);
    }
    return value;
}

static const char *text_at(json_t *value, const char *path) {
    return json_string_value(at(value, path));
}

START_TEST(sarif_has_a_result_for_each_cause)
{
    struct adi_report *report = adi_sample_full_report();
    for (int i = 0; i < 30; i++)
        adi_result_set(
            &adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "c")->message,
            "children[%d] is NULL", i);
    json_t *log, *run = sarif_run_of(report, &log), *results = at(run, "results");
    ck_assert_uint_eq(json_array_size(results), 10); /* no pass, no skip */
    ck_assert_int_eq(json_integer_value(at(results, "2 occurrenceCount")), 30);
    ck_assert_str_eq(text_at(results, "2 message text"), "fail: children[0] is NULL (30 cases)");
    ck_assert_uint_eq(json_array_size(at(run, "tool driver rules")), 1);
    ck_assert_uint_eq(json_array_size(at(run, "invocations 0 toolExecutionNotifications")), 2);
    json_decref(log);
}
END_TEST

/* What scanners refuse a result without. */
START_TEST(sarif_points_to_a_file_and_to_the_document)
{
    json_t *log, *run = sarif_run_of(adi_sample_full_report(), &log), *result;
    const char *id = text_at(run, "tool driver rules 0 id"), *uri;
    size_t i;
    ck_assert_ptr_nonnull(strstr(text_at(run, "tool driver rules 0 helpUri"),
                                 "https://arrow.apache.org/docs/format/"));
    json_array_foreach(at(run, "results"), i, result) {
        const char *place = "locations 0 physicalLocation artifactLocation uri";
        uri = text_at(result, place);
        ck_assert_msg(uri[0] != '/' && strchr(uri, ':') == NULL, "%s is not relative", uri);
        ck_assert_str_eq(uri, text_at(run, "artifacts 0 location uri"));
        ck_assert_int_ge(json_integer_value(at(result, "occurrenceCount")), 1);
        ck_assert_uint_eq(strlen(text_at(result, "partialFingerprints adicheckCause/v2")), 16);
        json_t *rule = json_object_get(result, "ruleId");
        if (rule != NULL) ck_assert_str_eq(json_string_value(rule), id);
    }
    json_decref(log);
}
END_TEST

static char *fingerprint(const char *message, enum adi_party party) {
    struct adi_report *report = adi_sample_report();
    struct adi_result *row =
        adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "c");
    row->party = party;
    adi_result_set(&row->message, "%s", message);
    json_t *log, *run = sarif_run_of(report, &log);
    char *text = strdup(text_at(run, "results 0 partialFingerprints adicheckCause/v2"));
    json_decref(log);
    return text;
}

START_TEST(a_cause_has_one_fingerprint_in_every_run)
{
    char *texts[] = {fingerprint("children[1] is NULL", ADI_PRODUCER),
                     fingerprint("children[22] is NULL", ADI_PRODUCER),
                     fingerprint("buffers[1] is NULL", ADI_PRODUCER),
                     fingerprint("children[1] is NULL", ADI_CONSUMER)};
    ck_assert_str_eq(texts[0], texts[1]);
    ck_assert_str_ne(texts[0], texts[2]);
    ck_assert_str_ne(texts[0], texts[3]);
    for (size_t i = 0; i < 4; i++) free(texts[i]);
}
END_TEST

START_TEST(sarif_names_the_source_if_it_is_told)
{
    static const struct {
        const char *adapter, *source, *uri;
    } rows[] = {
        {"./tests/main.c", NULL, "tests/main.c"},
        {"build/no such.so", NULL, "build/no%20such.so"},
        {"./libmine.so", "tests/../tests/main.c", "tests/main.c"},
        {"/none/libmine.so", NULL, "file:///none/libmine.so"},
    };
    struct adi_report *report = adi_sample_full_report();
    adi_result_set(&report->adapter, "%s", rows[_i].adapter);
    if (rows[_i].source != NULL) adi_result_set(&report->source, "%s", rows[_i].source);
    json_t *log, *run = sarif_run_of(report, &log);
    ck_assert_str_eq(text_at(run, "artifacts 0 location uri"), rows[_i].uri);
    json_decref(log);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *harness_report_formats_suite(void) {
    Suite *suite = suite_create("harness_report_formats");
    TCase *json = add_case(suite, "json");
    tcase_add_test(json, json_has_the_keys_of_the_contract_in_their_order);
    tcase_add_test(json, json_says_what_else_is_to_be_known_of_a_device);
    tcase_add_test(json, json_is_an_array_for_several);
    TCase *records = add_case(suite, "records");
    tcase_add_checked_fixture(records, shell_open, shell_close);
    tcase_add_loop_test(records, records_keep_to_their_schema, 1, 3);
    tcase_add_loop_test(records, what_is_no_record_is_told_from_one, 0,
                        sizeof spoils / sizeof spoils[0]);
    TCase *junit = add_case(suite, "junit");
    tcase_add_test(junit, junit_counts_what_it_holds);
    tcase_add_test(junit, what_is_not_red_is_a_skipped_test_with_its_reason_in_junit);
    tcase_add_test(junit, junit_of_an_undecided_run_is_not_green);
    TCase *others = add_case(suite, "others");
    tcase_add_test(others, tap_has_a_point_for_each_row_and_keeps_hostile_text_in_its_line);
    TCase *sarif = add_case(suite, "sarif");
    tcase_add_test(sarif, sarif_has_a_result_for_each_cause);
    tcase_add_test(sarif, sarif_points_to_a_file_and_to_the_document);
    tcase_add_test(sarif, a_cause_has_one_fingerprint_in_every_run);
    tcase_add_loop_test(sarif, sarif_names_the_source_if_it_is_told, 0, 4);
    return suite;
}
