/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix of the page, and the form that filters what is below it.
 */
#include <stdlib.h>
#include <string.h>

#include "html.h"

/* ---- the matrix ---- */

/* The first group that has a row of the cell. */
static bool find_group(const struct adi_digest *digest, const char *device, const char *family,
                       enum adi_line line, size_t *group) {
    for (*group = 0; *group < digest->n_groups; ++*group) {
        const struct adi_group *rows = &digest->groups[*group];
        for (size_t i = 0; i < rows->count; i++)
            if (adi_line_has(line, family, device, digest->rows[rows->first + i])) return true;
    }
    return false;
}

static void add_cell(xmlNode *row, const struct adi_html_report *page, const char *device,
                     const char *family, enum adi_line line, const struct adi_cell *cell) {
    char text[ADI_CELL_TEXT], id[ADI_HTML_ID];
    size_t group;
    const char *worst = adi_verdict_name(adi_cell_text(cell, text));
    bool judged = find_group(&page->findings, device, family, line, &group);
    if (!judged && !find_group(&page->unjudged, device, family, line, &group)) {
        adi_html_add(row, "td", worst, text);
        return;
    }
    adi_html_id(page, judged, group, id);
    xmlNode *link = adi_html_add(adi_html_add(row, "td", worst, NULL), "a", "cell", text);
    adi_html_set(link, "href", "#%s", id);
    adi_html_set(link, "data-device", "%s", device);
    if (line != ADI_LINE_RELAY) adi_html_set(link, "data-party", "%s", adi_line_name(line));
    adi_html_set(link, "data-rule", "%s", family);
}

static void add_rows(xmlNode *table, const struct adi_html_report *page,
                     const struct adi_families *families, const struct adi_report_device *device,
                     const struct adi_cells *cells) {
    for (unsigned i = 0; i < ADI_LINES; i++) {
        enum adi_line line = (enum adi_line)i;
        bool empty = !cells->has[i];
        if (empty && line == ADI_LINE_RELAY) continue;
        xmlNode *row = adi_html_add(table, "tr", NULL, NULL);
        if (empty) adi_html_set(row, "class", "nothing");
        adi_html_add(row, "th", NULL, device->name);
        adi_html_add(row, "td", NULL, device->runtime);
        adi_html_add(row, "td", NULL, adi_line_name(line));
        for (size_t k = 0; k < families->count; k++)
            add_cell(row, page, device->name, families->names[k], line, &cells->of[i][k]);
    }
}

static bool is_idle(const struct adi_report_device *device, const struct adi_cells *cells) {
    for (unsigned i = 0; i < ADI_LINES; i++)
        if (cells->has[i]) return false;
    return device->available;
}

/* One line for all devices that are there and have no row of anything. */
static void add_idle(xmlNode *body, const struct adi_report *report,
                     const struct adi_families *families) {
    xmlNode *said = NULL;
    for (size_t i = 0; i < report->n_devices; i++) {
        struct adi_cells cells;
        adi_cells_of(report, families, report->devices[i].name, &cells);
        if (!is_idle(&report->devices[i], &cells)) continue;
        if (said == NULL)
            said = adi_html_add(body, "p", "idle", "Nothing is judged on ");
        else
            adi_html_say(said, ", ");
        adi_html_say(said, report->devices[i].name);
    }
    if (said != NULL) adi_html_say(said, ".");
}

/* Why a device, or something on it, was not judged. */
static void add_reason(xmlNode *table, const struct adi_report_device *device, size_t columns) {
    xmlNode *row = adi_html_add(table, "tr", "reason", NULL);
    adi_html_add(row, "th", NULL, device->name);
    xmlNode *why = adi_html_add(row, "td", NULL, "not judged: ");
    adi_html_say(why, device->why);
    adi_html_set(why, "colspan", "%zu", columns);
}

void adi_html_matrix(xmlNode *body, const struct adi_html_report *page) {
    struct adi_families families;
    const struct adi_report *report = page->report;
    adi_families_of(report, &families);
    xmlNode *table = adi_html_add(adi_html_add(body, "div", "matrix", NULL), "table", NULL, NULL);
    xmlNode *head = adi_html_add(table, "tr", NULL, NULL);
    static const char *const columns[] = {"device", "runtime", "party"};
    for (size_t i = 0; i < 3; i++) adi_html_add(head, "th", NULL, columns[i]);
    for (size_t i = 0; i < families.count; i++) adi_html_add(head, "th", NULL, families.names[i]);
    for (size_t i = 0; i < report->n_devices; i++) {
        const struct adi_report_device *device = &report->devices[i];
        struct adi_cells cells;
        adi_cells_of(report, &families, device->name, &cells);
        if (device->available && !is_idle(device, &cells))
            add_rows(table, page, &families, device, &cells);
        if (!device->available || device->why[0] != '\0')
            add_reason(table, device, families.count + 2);
    }
    if (families.count > 0) adi_html_add(body, "p", "legend", adi_legend);
    add_idle(body, report, &families);
}

/* ---- the form ---- */

/* Distinct texts, in the order in which they came. The texts are others'. */
struct choices {
    const char **texts;
    size_t n;
};

static void choose(struct choices *choices, const char *text) {
    for (size_t i = 0; i < choices->n; i++)
        if (strcmp(choices->texts[i], text) == 0) return;
    const char **more = reallocarray(choices->texts, choices->n + 1, sizeof *more);
    if (more == NULL) return;
    choices->texts = more;
    choices->texts[choices->n++] = text;
}

static const char *device_of(const struct adi_result *row) {
    return row->device;
}

static const char *verdict_of(const struct adi_result *row) {
    return adi_verdict_name(row->verdict);
}

static void choose_all(struct choices *choices, const struct adi_html_report *pages, size_t n,
                       const char *(*of)(const struct adi_result *)) {
    for (size_t i = 0; i < n; i++) {
        const struct adi_digest *digests[] = {&pages[i].findings, &pages[i].unjudged};
        for (size_t d = 0; d < 2; d++)
            for (size_t k = 0; k < digests[d]->n_rows; k++)
                if (of(digests[d]->rows[k])[0] != '\0') choose(choices, of(digests[d]->rows[k]));
    }
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Rules are listed under their family, which can be chosen as a whole. */
static void add_options(xmlNode *select, const struct choices *choices, bool by_family) {
    char before[ADI_FAMILY_SIZE] = "";
    for (size_t i = 0; i < choices->n; i++) {
        int length = (int)strcspn(choices->texts[i], "/");
        if (by_family &&
            (strncmp(before, choices->texts[i], (size_t)length) != 0 || before[length] != '\0')) {
            snprintf(before, sizeof before, "%.*s", length, choices->texts[i]);
            xmlNode *family = adi_html_add(select, "option", NULL, before);
            adi_html_set(family, "value", "%s", before);
            adi_html_say(family, "/*");
        }
        adi_html_set(adi_html_add(select, "option", NULL, choices->texts[i]), "value", "%s",
                     choices->texts[i]);
    }
}

void adi_html_filter(xmlNode *body, const struct adi_html_report *pages, size_t n) {
    static const struct {
        const char *name;
        const char *(*of)(const struct adi_result *);
    } selects[] = {{"device", device_of},
                   {"party", adi_result_party},
                   {"verdict", verdict_of},
                   {"rule", adi_result_rule}};
    xmlNode *form = adi_html_add(body, "form", NULL, NULL);
    adi_html_set(form, "id", "filter");
    adi_html_set(form, "hidden", "hidden");
    for (size_t i = 0; i < sizeof selects / sizeof *selects; i++) {
        struct choices choices = {0};
        choose_all(&choices, pages, n, selects[i].of);
        bool rules = selects[i].of == adi_result_rule;
        if (rules && choices.n > 0)
            qsort(choices.texts, choices.n, sizeof *choices.texts, compare_texts);
        xmlNode *label = adi_html_add(form, "label", NULL, selects[i].name);
        xmlNode *select = adi_html_add(label, "select", NULL, NULL);
        adi_html_set(select, "name", "%s", selects[i].name);
        adi_html_set(adi_html_add(select, "option", NULL, "all"), "value", "%s", "");
        add_options(select, &choices, rules);
        free(choices.texts);
    }
    static const char *const buttons[][2] = {
        {"everything", "all"}, {"unfold", "unfold"}, {"fold", "fold"}};
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        xmlNode *button = adi_html_add(form, "button", NULL, buttons[i][1]);
        adi_html_set(button, "type", "%s", i == 0 ? "reset" : "button");
        adi_html_set(button, "name", "%s", buttons[i][0]);
    }
    adi_html_set(adi_html_add(form, "output", NULL, NULL), "id", "shown");
}
