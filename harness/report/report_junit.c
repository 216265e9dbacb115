/* SPDX-License-Identifier: Apache-2.0
 *
 * JUnit: a test suite for each device, a test case for each row. CI servers know three outcomes
 * beside success, and many show nothing of what succeeded: a finding that is not red is a skipped
 * test whose reason begins with its verdict, and has its details as system-out.
 */
#include <errno.h>
#include <inttypes.h>
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

ADI_PRINTF(3, 4)
static void attribute(struct junit *junit, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *clean = adi_clean_format(format, arguments);
    va_end(arguments);
    if (clean == NULL || xmlTextWriterWriteAttribute(junit->xml, BAD_CAST name, BAD_CAST clean) < 0)
        junit->failed = true;
    free(clean);
}

static void seconds(struct junit *junit, int64_t ms) {
    attribute(junit, "time", "%" PRId64 ".%03" PRId64, ms / 1000, ms % 1000);
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
    attribute(junit, "message", "%s", result->message);
    attribute(junit, "type", "%s", adi_verdict_name(result->verdict));
    put_details(junit, result);
    end(junit);
}

static void put_skipped(struct junit *junit, const struct adi_result *result) {
    const char *verdict = adi_verdict_name(result->verdict);
    start(junit, "skipped");
    attribute(junit, "message", "%s: %s", verdict, result->message);
    attribute(junit, "type", "%s", verdict);
    end(junit);
    if (result->verdict == ADI_SKIP || result->verdict == ADI_UNSUPPORTED) return;
    start(junit, "system-out");
    line(junit, "verdict: ", verdict);
    put_details(junit, result);
    end(junit);
}

static void put_row(struct junit *junit, const struct adi_report *report,
                    const struct adi_result *result) {
    const char *element = element_of(result, report);
    const char *rule = result->rule == NULL ? "adicheck" : result->rule->id;
    start(junit, "testcase");
    attribute(junit, "classname", "%s.%s", result->device, rule);
    attribute(junit, "name", "%s", result->case_name[0] == '\0' ? "every tree" : result->case_name);
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

static void start_suite(struct junit *junit, const struct adi_report *report, const char *of,
                        const size_t counts[4]) {
    static const char *const names[] = {"tests", "failures", "errors", "skipped"};
    start(junit, "testsuite");
    attribute(junit, "name", "%s %s %s", report->implementation, report->implementation_version,
              of[0] == '\0' ? "any device" : of);
    for (size_t i = 0; i < 4; i++) attribute(junit, names[i], "%zu", counts[i]);
}

static void put_device(struct junit *junit, const struct adi_report *report, const char *device) {
    int64_t ms = 0;
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(report->results[i].device, device) == 0) ms += report->results[i].ms;
    const size_t counts[] = {count(report, device, NULL), count(report, device, "failure"),
                             count(report, device, "error"), count(report, device, "skipped")};
    start_suite(junit, report, device, counts);
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
    start_suite(junit, report, "run", (const size_t[]){1, 0, 1, 0});
    start(junit, "testcase");
    attribute(junit, "classname", "adicheck");
    attribute(junit, "name", "the run decides");
    seconds(junit, (int64_t)(report->seconds * 1000));
    start(junit, "error");
    attribute(junit, "message", "%s", sentence.text);
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
