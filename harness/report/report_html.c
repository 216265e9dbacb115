/* SPDX-License-Identifier: Apache-2.0
 *
 * HTML: a page that needs nothing else, nor a script: the verdict, the matrix, the findings, what
 * was not judged. The script filters and unfolds.
 */
#include <errno.h>
#include <inttypes.h>
#include <libxml/HTMLtree.h>
#include <stdlib.h>

#include "html.h"

static const char style[] =
#include "html_style.inc"
    ;

static const char drawing_style[] =
#include "html_draw_style.inc"
    ;

static const char script[] =
#include "html_script.inc"
    ;

/* Nothing is ever fetched. */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'";

static void add_summary(xmlNode *body, const struct adi_report *report) {
    xmlNode *list = adi_html_add(body, "ul", "summary", NULL);
    for (unsigned i = 0; i < ADI_VERDICTS; i++) {
        size_t rows = adi_report_count(report, (enum adi_verdict)i);
        const char *name = adi_verdict_name((enum adi_verdict)i);
        if (rows > 0) adi_html_print(list, "li", name, "%zu %s", rows, name);
    }
    adi_html_print(list, "li", "run", "%.1f s, rules %s, seed %" PRIu64 ", adicheck %s",
                   report->seconds, report->rules, report->seed, ADI_VERSION);
}

static void add_report(xmlNode *body, const struct adi_html_report *page) {
    static const char *const classes[] = {"pass", "fail", "error"};
    const struct adi_report *report = page->report;
    struct adi_error sentence;
    adi_report_sentence(report, &sentence);
    adi_html_print(body, "h1", NULL, "%s %s", report->implementation,
                   report->implementation_version);
    xmlNode *verdict = adi_html_add(body, "p", NULL, sentence.text);
    adi_html_set(verdict, "class", "verdict %s", classes[adi_report_exit(report)]);
    char *cut = adi_report_cut_sentence(report);
    if (cut != NULL) adi_html_add(body, "p", "cut", cut);
    free(cut);
    add_summary(body, report);
    adi_html_matrix(body, page);
    if (page->findings.n_groups > 0) adi_html_add(body, "h2", NULL, "Findings");
    for (size_t i = 0; i < page->findings.n_groups; i++) adi_html_group(body, page, true, i);
    if (page->unjudged.n_groups > 0) adi_html_add(body, "h2", NULL, "Not judged");
    for (size_t i = 0; i < page->unjudged.n_groups; i++) adi_html_group(body, page, false, i);
}

static xmlNode *add_head(xmlNode *root) {
    xmlNode *head = adi_html_add(root, "head", NULL, NULL);
    adi_html_set(adi_html_add(head, "meta", NULL, NULL), "charset", "utf-8");
    xmlNode *scale = adi_html_add(head, "meta", NULL, NULL);
    adi_html_set(scale, "name", "viewport");
    adi_html_set(scale, "content", "width=device-width, initial-scale=1");
    xmlNode *guard = adi_html_add(head, "meta", NULL, NULL);
    adi_html_set(guard, "http-equiv", "Content-Security-Policy");
    adi_html_set(guard, "content", "%s", policy);
    adi_html_add(head, "title", NULL, "adicheck");
    adi_html_add(head, "style", NULL, style);
    adi_html_add(head, "style", NULL, drawing_style);
    return head;
}

static int add_pages(xmlNode *root, struct adi_html_report *pages, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ADI_TRY(adi_digest_of(pages[i].report, &pages[i].findings));
        ADI_TRY(adi_digest_unjudged(pages[i].report, &pages[i].unjudged));
    }
    xmlNode *head = add_head(root), *body = adi_html_add(root, "body", NULL, NULL);
    adi_html_filter(body, pages, n);
    for (size_t i = 0; i < n; i++) add_report(adi_html_add(body, "section", NULL, NULL), &pages[i]);
    xmlNode *scripted = adi_html_add(body, "script", NULL, script);
    return head == NULL || scripted == NULL ? ENOMEM : 0;
}

int adi_report_html(struct adi_report *const *reports, size_t n, FILE *out) {
    xmlDoc *page = htmlNewDocNoDtD(NULL, NULL);
    xmlNode *root = xmlNewNode(NULL, BAD_CAST "html");
    struct adi_html_report *pages = calloc(n + 1, sizeof *pages);
    if (page == NULL || root == NULL || pages == NULL) {
        free(pages);
        xmlFreeNode(root);
        xmlFreeDoc(page);
        return ENOMEM;
    }
    xmlCreateIntSubset(page, BAD_CAST "html", NULL, NULL);
    xmlDocSetRootElement(page, root);
    adi_html_set(root, "lang", "en");
    for (size_t i = 0; i < n; i++)
        pages[i] = (struct adi_html_report){.report = reports[i], .index = i};
    int code = add_pages(root, pages, n);
    if (code == 0 && htmlDocDump(out, page) < 0) code = EIO;
    for (size_t i = 0; i < n; i++) {
        adi_digest_free(&pages[i].findings);
        adi_digest_free(&pages[i].unjudged);
    }
    free(pages);
    xmlFreeDoc(page);
    return code;
}
