/* SPDX-License-Identifier: Apache-2.0
 *
 * HTML: a page that needs nothing else, the matrix first, then the findings.
 */
#include <errno.h>
#include <libxml/HTMLtree.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "report_view.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{border:1px solid #8885;padding:.2rem .6rem;"
    "text-align:left}pre{overflow-x:auto;background:#8881;padding:.6rem}"
    ".pass{background:#2a52}.fail,.crash,.timeout,.xpass{background:#d333;font-weight:bold}"
    ".warn{background:#db33}.error{background:#c3c3}.note,.xfail{background:#39c3}"
    ":root{color-scheme:light dark}";

/* Adds `<element class="of">text</element>`; `of` and `text` may be NULL. */
static xmlNode *add(xmlNode *parent, const char *element, const char *of, const char *text) {
    char *clean = text == NULL ? NULL : adi_clean_copy(text, ADI_CLEAN_LINES);
    xmlNode *node = parent == NULL
                        ? NULL
                        : xmlNewTextChild(parent, NULL, BAD_CAST element, (const xmlChar *)clean);
    free(clean);
    if (node != NULL && of != NULL) xmlNewProp(node, BAD_CAST "class", BAD_CAST of);
    return node;
}

static void add_matrix_row(xmlNode *table, const struct adi_report *report,
                           const struct adi_families *families, const char *device,
                           enum adi_party party) {
    struct adi_cell cell;
    char text[ADI_CELL_TEXT];
    xmlNode *row = add(table, "tr", NULL, NULL);
    add(row, "th", NULL, device);
    add(row, "td", NULL, adi_party_name(party));
    for (size_t i = 0; i < families->count; i++) {
        adi_cell_of(report, device, families->names[i], party, &cell);
        enum adi_verdict worst = adi_cell_text(&cell, text);
        add(row, "td", adi_verdict_name(worst), text);
    }
}

/* Why a device, or something on it, was not judged. */
static void add_reason(xmlNode *table, const struct adi_report_device *device, size_t columns) {
    char span[32];
    snprintf(span, sizeof span, "%zu", columns);
    xmlNode *row = add(table, "tr", NULL, NULL);
    add(row, "th", NULL, device->name);
    xmlNode *why = add(row, "td", "skip", device->why);
    if (why != NULL) xmlNewProp(why, BAD_CAST "colspan", BAD_CAST span);
}

static void add_matrix(xmlNode *body, const struct adi_report *report) {
    struct adi_families families;
    adi_families_of(report, &families);
    xmlNode *table = add(body, "table", NULL, NULL);
    xmlNode *head = add(table, "tr", NULL, NULL);
    add(head, "th", NULL, "device");
    add(head, "th", NULL, "party");
    for (size_t i = 0; i < families.count; i++) add(head, "th", NULL, families.names[i]);
    for (size_t i = 0; i < report->n_devices; i++) {
        const struct adi_report_device *device = &report->devices[i];
        if (device->available) {
            add_matrix_row(table, report, &families, device->name, ADI_PRODUCER);
            add_matrix_row(table, report, &families, device->name, ADI_CONSUMER);
        }
        if (!device->available || device->why[0] != '\0')
            add_reason(table, device, families.count + 1);
    }
}

static void put_line(FILE *out, const char *what, const char *text) {
    if (text[0] != '\0') fprintf(out, "%s%s\n", what, text);
}

/* The finding as the text report tells it, but all of its cases. */
static char *details_of(const struct adi_result *const *rows, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    put_line(out, "", rows[0]->message);
    for (size_t i = 0; i < rows[0]->n_steps; i++)
        fprintf(out, "step %zu  %s\n", i + 1, rows[0]->steps[i]);
    put_line(out, "saw ", rows[0]->seen);
    put_line(out, "wanted ", rows[0]->wanted);
    if (rows[0]->rule != NULL) {
        fprintf(out, "%s, \"%s\"\n", rows[0]->rule->document, rows[0]->rule->section);
        put_line(out, "mend: ", rows[0]->rule->mend);
    }
    put_line(out, "replay: ", rows[0]->replay);
    put_line(out, "", rows[0]->stderr_text);
    for (size_t i = 1; i < count; i++)
        fprintf(out, "%s%s %s", i == 1 ? "also: " : ", ", rows[i]->device, rows[i]->case_name);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static int add_findings(xmlNode *body, const struct adi_report *report) {
    struct adi_digest findings;
    ADI_TRY(adi_digest_of(report, &findings));
    for (size_t i = 0; i < findings.n_groups; i++) {
        const struct adi_result *const *rows = findings.rows + findings.groups[i].first;
        char *title = NULL, *details = details_of(rows, findings.groups[i].count);
        adi_result_set(&title, "%s  %s  %s %s (%zu)", adi_verdict_name(rows[0]->verdict),
                       rows[0]->rule == NULL ? "" : rows[0]->rule->id, rows[0]->device,
                       rows[0]->case_name, findings.groups[i].count);
        add(body, "h3", adi_verdict_name(rows[0]->verdict), title);
        add(body, "pre", NULL, details == NULL ? "" : details);
        free(title);
        free(details);
    }
    adi_digest_free(&findings);
    return 0;
}

static int add_report(xmlNode *body, const struct adi_report *report) {
    static const char *const classes[] = {"pass", "fail", "error"};
    struct adi_error sentence;
    char *title = NULL;
    adi_report_sentence(report, &sentence);
    adi_result_set(&title, "%s %s", report->implementation, report->implementation_version);
    add(body, "h1", NULL, title);
    free(title);
    add(body, "p", classes[adi_report_exit(report)], sentence.text);
    add_matrix(body, report);
    return add_findings(body, report);
}

int adi_report_html(struct adi_report *const *reports, size_t n, FILE *out) {
    xmlDoc *page = htmlNewDocNoDtD(NULL, NULL);
    xmlNode *root = xmlNewNode(NULL, BAD_CAST "html");
    if (page == NULL || root == NULL) {
        xmlFreeNode(root);
        xmlFreeDoc(page);
        return ENOMEM;
    }
    xmlCreateIntSubset(page, BAD_CAST "html", NULL, NULL);
    xmlDocSetRootElement(page, root);
    xmlNode *head = add(root, "head", NULL, NULL);
    xmlNode *charset = add(head, "meta", NULL, NULL);
    if (charset != NULL) xmlNewProp(charset, BAD_CAST "charset", BAD_CAST "utf-8");
    add(head, "title", NULL, "adicheck");
    add(head, "style", NULL, style);
    xmlNode *body = add(root, "body", NULL, NULL);
    int code = body == NULL ? ENOMEM : 0;
    for (size_t i = 0; i < n && code == 0; i++) code = add_report(body, reports[i]);
    if (code == 0 && htmlDocDump(out, page) < 0) code = EIO;
    xmlFreeDoc(page);
    return code;
}
