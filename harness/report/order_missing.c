/* SPDX-License-Identifier: Apache-2.0
 *
 * Between which two marks an edge is missing. What the lines do not tell is not made up.
 */
#include "order_internal.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_call(const struct trait *trait, const void *call) {
    return trait->call == *(const int64_t *)call;
}

static bool has_word(const char *words, const char *name) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%.48s;", name);
    return words != NULL && strstr(words, wanted) != NULL;
}

/* Where nothing stands for it; unless that may have been before the first line. */
static size_t add_unrecorded(struct reading *reading, const json_t *line, const char *event) {
    if (reading->cut) return ADI_NO_MARK;
    char *text = adi_order_print("%s: not recorded since the case began", event);
    if (adi_order_add(reading, ADI_MARK_RECORD, 0, line, text) == NULL) return ADI_NO_MARK;
    return reading->order->n_marks - 1;
}

/* Where the host hands something out, or gives it back: a step, or a call that frees. */
static size_t last_of_host(const struct adi_order *order) {
    for (size_t i = order->n_marks; i-- > 0;)
        if (order->marks[i].kind == ADI_MARK_STEP || order->marks[i].kind == ADI_MARK_FREE)
            return i;
    return ADI_NO_MARK;
}

/* ---- an access against an earlier one: the simulation names both calls ---- */

static void find_race(struct reading *reading, const json_t *line) {
    struct adi_order *order = reading->order;
    const char *present = adi_json_text_of(line, "unordered"),
               *past = adi_json_text_of(line, "behind");
    int64_t call = adi_json_number_of(line, "call"), earlier = adi_json_number_of(line, "earlier");
    size_t lane = adi_order_lane(reading, present);
    order->from = adi_order_last(reading, adi_order_lane(reading, past), is_of_call, &earlier);
    order->to = adi_order_last(reading, lane, is_of_call, &call);
    if (order->to == ADI_NO_MARK && lane == 0 &&
        adi_order_add(reading, ADI_MARK_TOUCH, 0, line,
                      adi_order_print("the CPU touches the memory")) != NULL)
        order->to = order->n_marks - 1;
    order->missing = adi_order_print("nothing lets %s wait for %s", present, past);
}

/* ---- what is handed out, or given back, or used, against what uses it ---- */

/* The last mark that has the buffer among these words (offsetof in a trait); `before`: of those
 * before that mark; `not_behind`: none that the event recorded there stands for, as lanes tell. */
static size_t last_use(const struct reading *reading, size_t words, const char *buffer,
                       size_t before, size_t not_behind) {
    const struct adi_order *order = reading->order;
    for (size_t i = order->n_marks; i-- > 0;) {
        const char *const *used = (const void *)((const char *)&reading->traits[i] + words);
        bool covered = not_behind != ADI_NO_MARK && i < not_behind &&
                       order->marks[i].lane == order->marks[not_behind].lane;
        if (has_word(*used, buffer) && i < before && !covered) return i;
    }
    return ADI_NO_MARK;
}

static void find_late(struct reading *reading, const json_t *line) {
    struct adi_order *order = reading->order;
    const char *present = adi_json_text_of(line, "unordered"),
               *buffer = adi_json_text_of(line, "of"), *use = adi_json_text_of(line, "not_behind");
    bool host = strcmp(present, "the host") == 0, event = strncmp(present, "event ", 6) == 0;
    size_t words = use[0] == 'w' ? offsetof(struct trait, writes) : offsetof(struct trait, uses);
    int64_t call = adi_json_number_of(line, "call");
    order->to = host ? last_of_host(order)
                : event
                    ? adi_order_last(reading, SIZE_MAX, adi_order_is_event, present)
                    : adi_order_last(reading, adi_order_lane(reading, present), is_of_call, &call);
    bool recorded = event && order->to != ADI_NO_MARK;
    size_t before = host || event ? SIZE_MAX : order->to,
           not_behind = recorded ? order->to : ADI_NO_MARK;
    order->from = last_use(reading, words, buffer, before, not_behind);
    if (order->from == ADI_NO_MARK) /* a shader, which may have written it */
        order->from = last_use(reading, offsetof(struct trait, may), buffer, before, not_behind);
    if (order->from == ADI_NO_MARK) /* behind it in its lane, but not in its stages */
        order->from = last_use(reading, words, buffer, before, ADI_NO_MARK);
    if (event && !recorded && order->from != ADI_NO_MARK)
        order->to = add_unrecorded(reading, line, present);
    order->missing =
        host    ? adi_order_print("nothing waits for what %s %s", use, buffer)
        : event ? adi_order_print("%s does not come behind what %s %s", present, use, buffer)
                : adi_order_print("nothing lets %s wait for what %s %s", present, use, buffer);
}

void adi_order_find_missing(struct reading *reading) {
    struct adi_order *order = reading->order;
    order->from = order->to = ADI_NO_MARK;
    if (reading->unordered == NULL) return;
    if (json_object_get(reading->unordered, "behind") != NULL)
        find_race(reading, reading->unordered);
    else
        find_late(reading, reading->unordered);
    if (order->from != ADI_NO_MARK && order->to != ADI_NO_MARK && order->missing != NULL) return;
    order->from = order->to = ADI_NO_MARK;
    free(order->missing);
    order->missing = NULL;
}
