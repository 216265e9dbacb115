/* SPDX-License-Identifier: Apache-2.0
 *
 * A group of rows on the page, folded: what the text report says, and all of its cases.
 */
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "links.h"

void adi_html_id(const struct adi_html_report *page, bool judged, size_t group,
                 char out[ADI_HTML_ID]) {
    snprintf(out, ADI_HTML_ID, "r%zu-%c%zu", page->index, judged ? 'f' : 'n', group);
}

/* ---- what the script filters by ---- */

/* Sets an attribute to the distinct words of the rows, with blanks between them. */
static void set_words(xmlNode *node, const char *name, const struct adi_result *const *rows,
                      size_t count, const char *(*of)(const struct adi_result *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return;
    for (size_t i = 0; i < count; i++) {
        const char *word = of(rows[i]);
        bool said = word[0] == '\0';
        for (size_t k = 0; k < i && !said; k++) said = strcmp(of(rows[k]), word) == 0;
        if (!said) fprintf(out, "%s%s", ftell(out) > 0 ? " " : "", word);
    }
    if (fclose(out) == 0) adi_html_set(node, name, "%s", text);
    free(text);
}

static const char *device_of(const struct adi_result *row) {
    return row->device;
}

/* ---- what is in it ---- */

static void add_line(xmlNode *list, const char *what, const char *text) {
    if (text[0] == '\0') return;
    adi_html_add(list, "dt", NULL, what);
    adi_html_add(list, "dd", NULL, text);
}

static void add_code(xmlNode *list, const char *what, const char *text) {
    if (text[0] == '\0') return;
    adi_html_add(list, "dt", NULL, what);
    adi_html_add(adi_html_add(list, "dd", NULL, NULL), "pre", NULL, text);
}

static void add_steps(xmlNode *list, const struct adi_result *row) {
    if (row->n_steps == 0) return;
    adi_html_add(list, "dt", NULL, "steps");
    xmlNode *steps = adi_html_add(adi_html_add(list, "dd", NULL, NULL), "ol", NULL, NULL);
    for (size_t i = 0; i < row->n_steps; i++) adi_html_add(steps, "li", NULL, row->steps[i]);
}

static void add_rule(xmlNode *list, const struct adi_rule *rule) {
    char url[ADI_URL_SIZE];
    if (rule == NULL) return;
    add_line(list, "rule", rule->statement);
    adi_html_add(list, "dt", NULL, "document");
    bool links = adi_link_rule(rule, url);
    xmlNode *said = links ? adi_html_add(list, "dd", NULL, NULL) : list;
    xmlNode *where =
        adi_html_print(said, links ? "a" : "dd", NULL, "%s, \"%s\"", rule->document, rule->section);
    if (links) adi_html_set(where, "href", "%s", url);
}

/* All cases, a line a device. */
static void add_cases(xmlNode *parent, const struct adi_result *const *rows, size_t count) {
    xmlNode *cases = adi_html_add(parent, "details", "cases", NULL), *line = NULL;
    adi_html_print(cases, "summary", NULL, "%zu case%s", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(rows[i]->device, rows[i - 1]->device) != 0) {
            line = adi_html_add(cases, "p", NULL, NULL);
            adi_html_add(line, "b", NULL, rows[i]->device);
        } else {
            adi_html_say(line, ",");
        }
        adi_html_say(line, " ");
        adi_html_say(line, rows[i]->case_name);
    }
}

static void add_title(xmlNode *group, const struct adi_result *const *rows, size_t count,
                      bool judged) {
    const struct adi_result *row = rows[0];
    const char *name = adi_verdict_name(row->verdict);
    xmlNode *title = adi_html_add(group, "summary", NULL, NULL);
    adi_html_set(adi_html_add(title, "span", NULL, name), "class", "badge %s", name);
    if (judged && row->rule != NULL) {
        adi_html_add(title, "code", NULL, row->rule->id);
        adi_html_add(title, "span", "level", adi_level_name(row->rule->level));
        adi_html_add(title, "span", "party", adi_party_name(row->party));
    }
    adi_html_add(title, "span", "message", row->message);
    adi_html_print(title, "span", "count", "%zu", count);
}

static bool has_order(const struct adi_result *row) {
    return row->order != NULL;
}

static bool has_program(const struct adi_result *row) {
    return row->program != NULL;
}

/* The row of the group of which most is known: an order, or a program that was shrunk. */
static const struct adi_result *drawn_of(const struct adi_result *const *rows, size_t count) {
    bool (*const better[])(const struct adi_result *) = {has_order, has_program};
    for (size_t b = 0; b < sizeof better / sizeof *better; b++)
        for (size_t i = 0; i < count; i++)
            if (better[b](rows[i])) return rows[i];
    return rows[0];
}

static void draw(xmlNode *group, const struct adi_result *const *rows, size_t count) {
    const struct adi_result *drawn = drawn_of(rows, count);
    if (adi_html_draw(group, drawn) && drawn != rows[0])
        adi_html_print(group, "p", "drawn", "Drawn: %s %s.", drawn->device, drawn->case_name);
}

void adi_html_group(xmlNode *body, const struct adi_html_report *page, bool judged, size_t group) {
    const struct adi_digest *digest = judged ? &page->findings : &page->unjudged;
    const struct adi_result *const *rows = digest->rows + digest->groups[group].first;
    size_t count = digest->groups[group].count;
    char id[ADI_HTML_ID];
    adi_html_id(page, judged, group, id);
    xmlNode *node = adi_html_add(body, "details", "group", NULL);
    adi_html_set(node, "id", "%s", id);
    adi_html_set(node, "data-verdict", "%s", adi_verdict_name(rows[0]->verdict));
    set_words(node, "data-device", rows, count, device_of);
    set_words(node, "data-party", rows, count, adi_result_party);
    set_words(node, "data-rule", rows, count, adi_result_rule);
    if (judged && group == 0) adi_html_set(node, "open", "open");
    add_title(node, rows, count, judged);
    xmlNode *list = adi_html_add(node, "dl", NULL, NULL);
    adi_html_add(list, "dt", NULL, "seen first");
    adi_html_print(list, "dd", NULL, "%s %s", rows[0]->device, rows[0]->case_name);
    if (judged) {
        add_steps(list, rows[0]);
        add_line(list, "saw", rows[0]->seen);
        add_line(list, "wanted", rows[0]->wanted);
        add_rule(list, rows[0]->rule);
        add_line(list, "mend", adi_result_mend(rows[0]));
    }
    if (judged) draw(node, rows, count);
    list = adi_html_add(node, "dl", NULL, NULL);
    add_code(list, "replay", rows[0]->replay);
    if (judged) add_code(list, "stderr", rows[0]->stderr_text);
    add_cases(node, rows, count);
}
