/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
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
    json_t *object = json_object();
    adi_json_number(&object, "lane", (int64_t)mark->lane);
    adi_json_text(&object, "kind", adi_mark_name(mark->kind));
    adi_json_text(&object, "text", mark->text);
    if (mark->kind != ADI_MARK_STEP)
        adi_json_text(&object, "party", mark->implementation ? "implementation" : "harness");
    if (mark->after != ADI_NO_MARK) adi_json_number(&object, "after", (int64_t)mark->after);
    return object;
}

json_t *adi_order_json(const struct adi_order *order) {
    json_t *object = json_object();
    json_t *lanes = json_array(), *marks = json_array();
    for (size_t i = 0; i < order->n_lanes; i++)
        adi_json_append(&lanes, json_string(order->lanes[i]));
    for (size_t i = 0; i < order->n_marks; i++)
        adi_json_append(&marks, json_of_mark(&order->marks[i]));
    adi_json_value(&object, "lanes", lanes);
    adi_json_value(&object, "marks", marks);
    if (order->missing != NULL)
        adi_json_value(&object, "missing",
                       json_pack("{s:I, s:I, s:o}", "from", (json_int_t)order->from, "to",
                                 (json_int_t)order->to, "text", adi_json_string(order->missing)));
    return object;
}

/* ---- with letters ---- */

static const char letters[ADI_MARK_KINDS] = {
    [ADI_MARK_STEP] = '-', [ADI_MARK_COMMAND] = 'o', [ADI_MARK_RECORD] = 'e',
    [ADI_MARK_WAIT] = 'w', [ADI_MARK_TOUCH] = 't',   [ADI_MARK_FREE] = 'x',
};

static char letter_of(const json_t *mark) {
    for (size_t i = 0; i < ADI_MARK_KINDS; i++)
        if (strcmp(names[i], adi_json_text_of(mark, "kind")) == 0) return letters[i];
    return '?';
}

static void put_mark(const json_t *order, size_t at, const json_t *missing, const char *indent,
                     FILE *out) {
    const json_t *mark = json_array_get(json_object_get(order, "marks"), at);
    size_t n_lanes = json_array_size(json_object_get(order, "lanes"));
    fprintf(out, "%s%3zu  ", indent, at + 1);
    for (size_t lane = 0; lane < n_lanes; lane++)
        fprintf(out, " %c",
                lane != (size_t)adi_json_number_of(mark, "lane") ? '|' : letter_of(mark));
    fputs("   ", out);
    adi_clean_put(out, adi_json_text_of(mark, "text"));
    if (json_object_get(mark, "after") != NULL)
        fprintf(out, "  (behind %" PRId64 ")", adi_json_number_of(mark, "after") + 1);
    if (missing != NULL && at == (size_t)adi_json_number_of(missing, "from"))
        fputs("   <-- from here", out);
    if (missing != NULL && at == (size_t)adi_json_number_of(missing, "to"))
        fputs("   <-- to here", out);
    fputc('\n', out);
}

void adi_order_text(const json_t *order, const char *indent, FILE *out) {
    const json_t *missing = json_object_get(order, "missing"), *value;
    size_t i;
    json_array_foreach(json_object_get(order, "lanes"), i, value) {
        fprintf(out, "%s     ", indent);
        for (size_t before = 0; before < i; before++) fputs(" |", out);
        fputs(" ", out);
        adi_clean_put(out, json_is_string(value) ? json_string_value(value) : "");
        fputc('\n', out);
    }
    json_array_foreach(json_object_get(order, "marks"), i, value)
        put_mark(order, i, missing, indent, out);
    if (missing == NULL) return;
    fprintf(out, "%smissing: an edge from %" PRId64 " to %" PRId64 ": ", indent,
            adi_json_number_of(missing, "from") + 1, adi_json_number_of(missing, "to") + 1);
    adi_clean_put(out, adi_json_text_of(missing, "text"));
    fputc('\n', out);
}
