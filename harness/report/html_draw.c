/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of the page, in SVG: the order of things before a finding, and a program over the life
 * cycle. Time goes down, or to the right; what is wrong is red, and dashed where it is missing.
 */
#include <stdint.h>
#include <string.h>

#include "html.h"
#include "life_path.h"
#include "order.h"

/* ---- pieces ---- */

static xmlNode *begin(xmlNode *parent, const char *caption, int width, int height) {
    xmlNode *figure = adi_html_add(parent, "figure", NULL, NULL);
    xmlNode *svg = adi_html_add(figure, "svg", NULL, NULL);
    adi_html_set(svg, "xmlns", "http://www.w3.org/2000/svg");
    adi_html_set(svg, "width", "%d", width);
    adi_html_set(svg, "height", "%d", height);
    adi_html_set(svg, "viewBox", "0 0 %d %d", width, height);
    adi_html_set(svg, "role", "img");
    adi_html_add(svg, "title", NULL, caption);
    adi_html_add(figure, "figcaption", NULL, caption);
    return svg;
}

static void line(xmlNode *svg, const char *of, int x1, int y1, int x2, int y2) {
    xmlNode *node = adi_html_add(svg, "line", of, NULL);
    adi_html_set(node, "x1", "%d", x1);
    adi_html_set(node, "y1", "%d", y1);
    adi_html_set(node, "x2", "%d", x2);
    adi_html_set(node, "y2", "%d", y2);
}

static void label(xmlNode *svg, const char *of, int x, int y, const char *anchor,
                  const char *text) {
    xmlNode *node = adi_html_add(svg, "text", of, text);
    adi_html_set(node, "x", "%d", x);
    adi_html_set(node, "y", "%d", y);
    adi_html_set(node, "text-anchor", "%s", anchor);
}

static void dot(xmlNode *svg, const char *of, int x, int y, int radius, const char *title) {
    xmlNode *node = adi_html_add(svg, "circle", of, NULL);
    adi_html_set(node, "cx", "%d", x);
    adi_html_set(node, "cy", "%d", y);
    adi_html_set(node, "r", "%d", radius);
    adi_html_add(node, "title", NULL, title);
}

/* From one place to another, with a head on its end. Within one column it swings out to the left,
 * beyond the others if it is missing. */
static void arrow(xmlNode *svg, const char *of, int x1, int y1, int x2, int y2) {
    int swing = strcmp(of, "missing") == 0 ? 46 : 28;
    int out = x1 == x2 ? x1 - swing : (x1 + x2) / 2;
    x2 += x1 > x2 ? 7 : -7; /* beside the mark */
    adi_html_set(adi_html_add(svg, "path", of, NULL), "d", "M%d %dC%d %d %d %d %d %d", x1, y1, out,
                 y1, out, y2, x2, y2);
    int back = x1 > x2 ? x2 + 8 : x2 - 8;
    adi_html_set(adi_html_add(svg, "path", of, NULL), "d", "M%d %dL%d %dL%d %d", back, y2 - 4, x2,
                 y2, back, y2 + 4);
}

static int width_of(const char *text) {
    return (int)strlen(text) * 15 / 2; /* of the font, at 12 px */
}

/* ---- the order of things ---- */

#define LANE   64
#define ROW    26
#define MARGIN 40

static int lane_x(size_t lane) {
    return MARGIN + (int)lane * LANE;
}

static int head_height(const struct adi_order *order) {
    return 14 + (int)order->n_lanes * 18;
}

static int mark_y(const struct adi_order *order, size_t mark) {
    return head_height(order) + (int)mark * ROW + ROW / 2;
}

static int order_width(const struct adi_order *order) {
    int most = 0, texts = lane_x(order->n_lanes - 1) + 28;
    for (size_t i = 0; i < order->n_marks; i++) {
        int width = texts + width_of(order->marks[i].text);
        if (width > most) most = width;
    }
    for (size_t i = 0; i < order->n_lanes; i++) {
        int width = lane_x(i) + 8 + width_of(order->lanes[i]);
        if (width > most) most = width;
    }
    return most + 16;
}

static void draw_mark(xmlNode *svg, const struct adi_order *order, size_t at) {
    const struct adi_mark *mark = &order->marks[at];
    bool end = at == order->from || at == order->to;
    int x = lane_x(mark->lane), y = mark_y(order, at);
    int texts = lane_x(order->n_lanes - 1) + 28;
    char of[32];
    line(svg, "lead", x + 8, y, texts - 6, y);
    snprintf(of, sizeof of, "mark %s%s", adi_mark_name(mark->kind), end ? " bad" : "");
    dot(svg, of, x, y, mark->kind == ADI_MARK_STEP ? 4 : 6,
        mark->implementation ? "the implementation" : "the harness");
    label(svg,
          end                           ? "bad"
          : mark->kind == ADI_MARK_STEP ? "step"
                                        : NULL,
          texts, y + 4, "start", mark->text);
    if (mark->after != ADI_NO_MARK)
        arrow(svg, "edge", lane_x(order->marks[mark->after].lane), mark_y(order, mark->after), x,
              y);
}

static void draw_order(xmlNode *parent, const struct adi_order *order) {
    char *caption = NULL;
    int height = head_height(order) + (int)order->n_marks * ROW + 6;
    if (order->missing != NULL)
        adi_result_set(&caption, "The edge that is missing, in red: %s.", order->missing);
    else
        adi_result_set(&caption, "What was done before.");
    xmlNode *svg = begin(parent, caption, order_width(order), height);
    free(caption);
    for (size_t i = 0; i < order->n_lanes; i++) {
        int y = 16 + (int)i * 18;
        line(svg, "lane", lane_x(i), y + 4, lane_x(i), height - 6);
        label(svg, "head", lane_x(i) - 4, y, "start", order->lanes[i]);
    }
    for (size_t i = 0; i < order->n_marks; i++) draw_mark(svg, order, i);
    if (order->missing == NULL) return;
    arrow(svg, "missing", lane_x(order->marks[order->from].lane), mark_y(order, order->from),
          lane_x(order->marks[order->to].lane), mark_y(order, order->to));
}

/* ---- a program over the life cycle ---- */

#define STEP  84
#define STATE 30
#define NAMES 128 /* columns of the names of states */

struct chart {
    const struct adi_life_path *path;
    int rows[ADI_LIFE_STATES]; /* of each state that occurs; -1: it does not */
    int n_rows;
    bool used[ADI_PROGRAM_SLOTS];
};

static void find_rows(struct chart *chart) {
    const struct adi_life_path *path = chart->path;
    bool occurs[ADI_LIFE_STATES] = {false};
    for (int slot = 0; slot < ADI_PROGRAM_SLOTS; slot++) {
        for (size_t i = 0; i < path->program.n; i++)
            chart->used[slot] = chart->used[slot] || adi_life_path_touches(path, i, slot);
        for (size_t i = 0; i <= path->program.n && chart->used[slot]; i++)
            occurs[path->states[i][slot]] = true;
    }
    for (int i = 0; i < ADI_LIFE_STATES; i++) chart->rows[i] = occurs[i] ? chart->n_rows++ : -1;
}

static int step_x(size_t step) {
    return NAMES + 20 + (int)step * STEP;
}

/* Slots in the same state stand beside each other. */
static int state_y(const struct chart *chart, size_t step, int slot) {
    return 34 + chart->rows[chart->path->states[step][slot]] * STATE + slot * 5 - 7;
}

static void draw_slot(xmlNode *svg, const struct chart *chart, int slot) {
    const struct adi_life_path *path = chart->path;
    char of[32], title[64];
    for (size_t i = 0; i < path->program.n; i++) {
        bool failed = i == path->failed && adi_life_path_touches(path, i, slot);
        snprintf(of, sizeof of, "slot slot%d%s", slot, failed ? " bad" : "");
        line(svg, of, step_x(i), state_y(chart, i, slot), step_x(i + 1),
             state_y(chart, i + 1, slot));
    }
    for (size_t i = 0; i <= path->program.n; i++) {
        bool failed = i == path->program.n && path->failed == i;
        snprintf(title, sizeof title, "slot %d: %s", slot,
                 adi_life_state_name(path->states[i][slot]));
        snprintf(of, sizeof of, "mark slot%d%s", slot, failed ? " bad" : "");
        dot(svg, of, step_x(i), state_y(chart, i, slot), 4, title);
    }
    snprintf(title, sizeof title, "%d", slot);
    label(svg, NULL, step_x(path->program.n) + 10, state_y(chart, path->program.n, slot) + 4,
          "start", title);
}

static void draw_life(xmlNode *parent, const struct adi_life_path *path) {
    struct chart chart = {.path = path};
    char word[ADI_STEP_TEXT], *caption = NULL;
    find_rows(&chart);
    adi_result_set(&caption, "The program over the life cycle, a line a slot, with its number; %s.",
                   path->failed == SIZE_MAX          ? "in which step it failed is not known"
                   : path->failed == path->program.n ? "it failed at the end"
                                                     : "the step in which it failed is red");
    int width = step_x(path->program.n) + 40, height = 34 + chart.n_rows * STATE;
    xmlNode *svg = begin(parent, caption, width, height);
    free(caption);
    for (int i = 0; i < ADI_LIFE_STATES; i++) {
        int y = 34 + chart.rows[i] * STATE;
        if (chart.rows[i] < 0) continue;
        label(svg, "head", NAMES, y + 4, "end", adi_life_state_name((enum adi_life_state)i));
        line(svg, "lane", NAMES + 8, y, width - 24, y);
    }
    for (size_t i = 0; i < path->program.n; i++)
        label(svg, i == path->failed ? "bad" : "step", (step_x(i) + step_x(i + 1)) / 2, 14,
              "middle", adi_step_text(&path->program.steps[i], word));
    for (int slot = 0; slot < ADI_PROGRAM_SLOTS; slot++)
        if (chart.used[slot]) draw_slot(svg, &chart, slot);
}

bool adi_html_draw(xmlNode *parent, const struct adi_result *result) {
    struct adi_life_path path;
    bool lives = adi_life_path_of(result, &path);
    if (result->order != NULL) draw_order(parent, result->order);
    if (lives) draw_life(parent, &path);
    return lives || result->order != NULL;
}
