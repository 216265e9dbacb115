/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "order.h"
#include "report_json.h"

static const char *const names[ADI_MARK_KINDS] = {
    [ADI_MARK_STEP] = "step", [ADI_MARK_COMMAND] = "command", [ADI_MARK_RECORD] = "record",
    [ADI_MARK_WAIT] = "wait", [ADI_MARK_TOUCH] = "touch",     [ADI_MARK_FREE] = "free",
};

const char *adi_mark_name(enum adi_mark_kind kind) {
    return names[kind];
}

/* ---- JSON ---- */

static json_t *json_of_mark(const struct adi_mark *mark) {
    struct adi_json object = adi_json_begin();
    adi_json_number(&object, "lane", (int64_t)mark->lane);
    adi_json_text(&object, "kind", adi_mark_name(mark->kind));
    adi_json_text(&object, "text", mark->text);
    if (mark->kind != ADI_MARK_STEP)
        adi_json_text(&object, "party", mark->implementation ? "implementation" : "harness");
    if (mark->after != ADI_NO_MARK) adi_json_number(&object, "after", (int64_t)mark->after);
    return adi_json_end(&object);
}

static json_t *json_of_missing(const struct adi_order *order) {
    struct adi_json object = adi_json_begin();
    adi_json_number(&object, "from", (int64_t)order->from);
    adi_json_number(&object, "to", (int64_t)order->to);
    adi_json_text(&object, "text", order->missing);
    return adi_json_end(&object);
}

json_t *adi_order_json(const struct adi_order *order) {
    struct adi_json object = adi_json_begin();
    json_t *lanes = json_array(), *marks = json_array();
    int failed = 0;
    for (size_t i = 0; i < order->n_lanes; i++)
        failed |= json_array_append_new(lanes, json_string(order->lanes[i]));
    for (size_t i = 0; i < order->n_marks; i++)
        failed |= json_array_append_new(marks, json_of_mark(&order->marks[i]));
    adi_json_value(&object, "lanes", lanes);
    adi_json_value(&object, "marks", marks);
    if (order->missing != NULL) adi_json_value(&object, "missing", json_of_missing(order));
    if (failed != 0) object.failed = 1;
    return adi_json_end(&object);
}

static char *copy_of(const json_t *json) {
    return json_is_string(json) ? strdup(json_string_value(json)) : NULL;
}

/* An index below `n`, or ADI_NO_MARK. */
static size_t index_of(const json_t *object, const char *key, size_t n) {
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= 0 && (uint64_t)number < n ? (size_t)number
                                                                         : ADI_NO_MARK;
}

/* false: this is no mark. */
static bool read_mark(const json_t *json, struct adi_order *order) {
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const char *party = json_string_value(json_object_get(json, "party"));
    struct adi_mark mark = {.kind = ADI_MARK_KINDS,
                            .lane = index_of(json, "lane", order->n_lanes),
                            .after = index_of(json, "after", order->n_marks),
                            .implementation = party != NULL && party[0] == 'i',
                            .text = copy_of(json_object_get(json, "text"))};
    for (unsigned i = 0; kind != NULL && i < ADI_MARK_KINDS; i++)
        if (strcmp(names[i], kind) == 0) mark.kind = (enum adi_mark_kind)i;
    order->marks[order->n_marks++] = mark;
    return mark.kind != ADI_MARK_KINDS && mark.lane != ADI_NO_MARK && mark.text != NULL;
}

struct adi_order *adi_order_read(const json_t *json) {
    const json_t *lanes = json_object_get(json, "lanes"), *marks = json_object_get(json, "marks");
    const json_t *missing = json_object_get(json, "missing");
    size_t n_lanes = json_array_size(lanes), n_marks = json_array_size(marks);
    struct adi_order *order = calloc(1, sizeof *order);
    if (order == NULL) return NULL;
    order->lanes = calloc(n_lanes + 1, sizeof *order->lanes);
    order->marks = calloc(n_marks + 1, sizeof *order->marks);
    bool sound = n_lanes > 0 && order->lanes != NULL && order->marks != NULL;
    for (size_t i = 0; i < n_lanes && sound; i++) {
        order->lanes[order->n_lanes++] = copy_of(json_array_get(lanes, i));
        sound = order->lanes[i] != NULL;
    }
    for (size_t i = 0; i < n_marks && sound; i++)
        sound = read_mark(json_array_get(marks, i), order);
    order->from = index_of(missing, "from", order->n_marks);
    order->to = index_of(missing, "to", order->n_marks);
    order->missing = copy_of(json_object_get(missing, "text"));
    sound = sound && (missing == NULL || (order->from != ADI_NO_MARK && order->to != ADI_NO_MARK &&
                                          order->missing != NULL));
    if (sound) return order;
    adi_order_free(order);
    return NULL;
}

/* ---- with letters ---- */

static const char letters[ADI_MARK_KINDS] = {
    [ADI_MARK_STEP] = '-', [ADI_MARK_COMMAND] = 'o', [ADI_MARK_RECORD] = 'e',
    [ADI_MARK_WAIT] = 'w', [ADI_MARK_TOUCH] = 't',   [ADI_MARK_FREE] = 'x',
};

static void put_mark(const struct adi_order *order, size_t at, const char *indent, FILE *out) {
    const struct adi_mark *mark = &order->marks[at];
    fprintf(out, "%s%3zu  ", indent, at + 1);
    for (size_t lane = 0; lane < order->n_lanes; lane++)
        fprintf(out, " %c", lane != mark->lane ? '|' : letters[mark->kind]);
    fputs("   ", out);
    adi_clean_put(out, mark->text);
    if (mark->after != ADI_NO_MARK) fprintf(out, "  (behind %zu)", mark->after + 1);
    if (at == order->from) fputs("   <-- from here", out);
    if (at == order->to) fputs("   <-- to here", out);
    fputc('\n', out);
}

void adi_order_text(const struct adi_order *order, const char *indent, FILE *out) {
    for (size_t lane = 0; lane < order->n_lanes; lane++) {
        fprintf(out, "%s     ", indent);
        for (size_t before = 0; before < lane; before++) fputs(" |", out);
        fputs(" ", out);
        adi_clean_put(out, order->lanes[lane]);
        fputc('\n', out);
    }
    for (size_t i = 0; i < order->n_marks; i++) put_mark(order, i, indent, out);
    if (order->missing == NULL) return;
    fprintf(out, "%smissing: an edge from %zu to %zu: ", indent, order->from + 1, order->to + 1);
    adi_clean_put(out, order->missing);
    fputc('\n', out);
}
