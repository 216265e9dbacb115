/* SPDX-License-Identifier: Apache-2.0
 *
 * JUnit: a test suite for each device, a test case for each row. CI servers know three outcomes
 * beside success, and many show nothing of what succeeded: a finding that is not red is a skipped
 * test whose reason begins with its verdict, and has its details as system-out.
 */
#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "report.h"

/* The element that a verdict puts into its test case; NULL: none. */
static const char *element_of(const struct adi_result *result, const struct adi_report *report) {
    static const char *const elements[ADI_VERDICTS] = {
        [ADI_WARN] = "skipped",  [ADI_NOTE] = "skipped",        [ADI_CRASH] = "skipped",
        [ADI_SKIP] = "skipped",  [ADI_UNSUPPORTED] = "skipped", [ADI_TIMEOUT] = "skipped",
        [ADI_XFAIL] = "skipped", [ADI_ERROR] = "error",
    };
    return adi_result_is_red(result, report) ? "failure" : elements[result->verdict];
}

/* An XML writer that remembers a failure. */
struct junit {
    xmlTextWriter *xml;
    bool failed;
};

static void start(struct junit *junit, const char *element) {
    if (xmlTextWriterStartElement(junit->xml, BAD_CAST element) < 0) junit->failed = true;
}

static void end(struct junit *junit) {
    if (xmlTextWriterEndElement(junit->xml) < 0) junit->failed = true;
}

static void attribute(struct junit *junit, const char *name, const char *text) {
    char *clean = adi_clean_copy(text, ADI_CLEAN_LINES);
    if (clean == NULL || xmlTextWriterWriteAttribute(junit->xml, BAD_CAST name, BAD_CAST clean) < 0)
        junit->failed = true;
    free(clean);
}

static void number(struct junit *junit, const char *name, size_t value) {
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    attribute(junit, name, text);
}

static void seconds(struct junit *junit, int64_t ms) {
    char text[48];
    snprintf(text, sizeof text, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
    attribute(junit, "time", text);
}

static void content(struct junit *junit, const char *text) {
    char *clean = adi_clean_copy(text, ADI_CLEAN_LINES);
    if (clean == NULL || xmlTextWriterWriteString(junit->xml, BAD_CAST clean) < 0)
        junit->failed = true;
    free(clean);
}

/* A line "WHAT TEXT" unless the text is empty. */
static void line(struct junit *junit, const char *what, const char *text) {
    if (text[0] == '\0') return;
    content(junit, what);
    content(junit, text);
    content(junit, "\n");
}

static void put_details(struct junit *junit, const struct adi_result *result) {
    line(junit, "", result->message);
    for (size_t i = 0; i < result->n_steps; i++) line(junit, "step: ", result->steps[i]);
    line(junit, "saw ", result->seen);
    line(junit, "wanted ", result->wanted);
    if (result->rule != NULL) {
        line(junit, "rule: ", result->rule->statement);
        line(junit, "party: ", adi_party_name(result->party));
        line(junit, "mend: ", adi_result_mend(result));
    }
    line(junit, "replay: ", result->replay);
}

static void put_red(struct junit *junit, const char *element, const struct adi_result *result) {
    start(junit, element);
    attribute(junit, "message", result->message);
    attribute(junit, "type", adi_verdict_name(result->verdict));
    put_details(junit, result);
    end(junit);
}

static bool was_judged(const struct adi_result *result) {
    return result->verdict != ADI_SKIP && result->verdict != ADI_UNSUPPORTED;
}

static void put_skipped(struct junit *junit, const struct adi_result *result) {
    char *reason = NULL;
    adi_result_set(&reason, "%s: %s", adi_verdict_name(result->verdict), result->message);
    start(junit, "skipped");
    attribute(junit, "message", reason);
    attribute(junit, "type", adi_verdict_name(result->verdict));
    end(junit);
    free(reason);
    if (!was_judged(result)) return;
    start(junit, "system-out");
    line(junit, "verdict: ", adi_verdict_name(result->verdict));
    put_details(junit, result);
    end(junit);
}

static void put_row(struct junit *junit, const struct adi_report *report,
                    const struct adi_result *result) {
    const char *element = element_of(result, report);
    const char *rule = result->rule == NULL ? "adicheck" : result->rule->id;
    char *name = NULL, *place = NULL;
    adi_result_set(&name, "%s", result->case_name[0] == '\0' ? "every tree" : result->case_name);
    adi_result_set(&place, "%s.%s", result->device, rule);
    start(junit, "testcase");
    attribute(junit, "classname", place);
    attribute(junit, "name", name);
    seconds(junit, result->ms);
    if (element != NULL && strcmp(element, "skipped") == 0)
        put_skipped(junit, result);
    else if (element != NULL)
        put_red(junit, element, result);
    if (result->stderr_text[0] != '\0') {
        start(junit, "system-err");
        content(junit, result->stderr_text);
        end(junit);
    }
    end(junit);
    free(name);
    free(place);
}

static size_t count(const struct adi_report *report, const char *device, const char *element) {
    size_t n = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        const char *has = element_of(result, report);
        if (strcmp(result->device, device) == 0 &&
            (element == NULL || (has != NULL && strcmp(has, element) == 0)))
            n++;
    }
    return n;
}

static void start_suite(struct junit *junit, const struct adi_report *report, const char *device) {
    char *name = NULL;
    adi_result_set(&name, "%s %s %s", report->implementation, report->implementation_version,
                   device[0] == '\0' ? "any device" : device);
    start(junit, "testsuite");
    attribute(junit, "name", name);
    free(name);
}

static void put_device(struct junit *junit, const struct adi_report *report, const char *device) {
    int64_t ms = 0;
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(report->results[i].device, device) == 0) ms += report->results[i].ms;
    start_suite(junit, report, device);
    number(junit, "tests", count(report, device, NULL));
    number(junit, "failures", count(report, device, "failure"));
    number(junit, "errors", count(report, device, "error"));
    number(junit, "skipped", count(report, device, "skipped"));
    seconds(junit, ms);
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(report->results[i].device, device) == 0)
            put_row(junit, report, &report->results[i]);
    end(junit);
}

/* A run that decides nothing must not look green to a reader that sees test cases only. */
static void put_undecided(struct junit *junit, const struct adi_report *report) {
    struct adi_error sentence;
    adi_report_sentence(report, &sentence);
    start_suite(junit, report, "run");
    number(junit, "tests", 1);
    number(junit, "failures", 0);
    number(junit, "errors", 1);
    number(junit, "skipped", 0);
    start(junit, "testcase");
    attribute(junit, "classname", "adicheck");
    attribute(junit, "name", "the run decides");
    seconds(junit, (int64_t)(report->seconds * 1000));
    start(junit, "error");
    attribute(junit, "message", sentence.text);
    attribute(junit, "type", "undecided");
    end(junit);
    end(junit);
    end(junit);
}

static bool is_first_of_device(const struct adi_report *report, size_t at) {
    for (size_t i = at; i-- > 0;)
        if (strcmp(report->results[i].device, report->results[at].device) == 0) return false;
    return true;
}

static void put_report(struct junit *junit, const struct adi_report *report) {
    for (size_t i = 0; i < report->n_results; i++)
        if (is_first_of_device(report, i)) put_device(junit, report, report->results[i].device);
    if (report->interrupted || adi_report_exit(report) == 2) put_undecided(junit, report);
}

int adi_report_junit(struct adi_report *const *reports, size_t n, FILE *out) {
    xmlOutputBuffer *buffer = xmlOutputBufferCreateFile(out, NULL);
    struct junit junit = {buffer == NULL ? NULL : xmlNewTextWriter(buffer), false};
    if (junit.xml == NULL) {
        if (buffer != NULL) xmlOutputBufferClose(buffer);
        return ENOMEM;
    }
    xmlTextWriterSetIndent(junit.xml, 1);
    if (xmlTextWriterStartDocument(junit.xml, NULL, "UTF-8", NULL) < 0) junit.failed = true;
    start(&junit, "testsuites");
    attribute(&junit, "name", "adicheck");
    for (size_t i = 0; i < n; i++) put_report(&junit, reports[i]);
    end(&junit);
    if (xmlTextWriterEndDocument(junit.xml) < 0) junit.failed = true;
    xmlFreeTextWriter(junit.xml);
    return junit.failed || ferror(out) ? EIO : 0;
}
