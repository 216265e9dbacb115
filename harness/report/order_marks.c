/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks and lanes that a line adds to or finds.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "order_internal.h"

size_t adi_order_lane(struct reading *reading, const char *name) {
    struct adi_order *order = reading->order;
    bool host = strcmp(name, "the host") == 0 || name[0] == '\0';
    if (host) return 0;
    for (size_t i = 1; i < order->n_lanes; i++)
        if (strcmp(order->lanes[i], name) == 0) return i;
    char **lanes = reallocarray(order->lanes, order->n_lanes + 1, sizeof *lanes);
    if (lanes != NULL) order->lanes = lanes;
    char *text = strdup(name);
    if (lanes == NULL || text == NULL) {
        reading->failed = true;
        free(text);
        return 0;
    }
    lanes[order->n_lanes] = text;
    return order->n_lanes++;
}

struct adi_mark *adi_order_add(struct reading *reading, enum adi_mark_kind kind, size_t lane,
                               const json_t *line, char *text) {
    struct adi_order *order = reading->order;
    size_t n = order->n_marks + 1;
    struct adi_mark *marks = reallocarray(order->marks, n, sizeof *marks);
    if (marks != NULL) order->marks = marks;
    struct trait *traits = reallocarray(reading->traits, n, sizeof *traits);
    if (traits != NULL) reading->traits = traits;
    if (marks == NULL || traits == NULL || text == NULL) {
        reading->failed = true;
        free(text);
        return NULL;
    }
    traits[n - 1] = (struct trait){.call = adi_json_number_of(line, "call"),
                                   .seq = adi_json_number_of(line, "seq")};
    marks[n - 1] = (struct adi_mark){.kind = kind,
                                     .lane = lane,
                                     .implementation = adi_json_number_of(line, "whose") == 1,
                                     .after = ADI_NO_MARK,
                                     .text = text};
    order->n_marks = n;
    return &marks[n - 1];
}

char *adi_order_print(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

size_t adi_order_last(const struct reading *reading, size_t lane,
                      bool (*fits)(const struct trait *, const void *), const void *wanted) {
    for (size_t i = reading->order->n_marks; i-- > 0;)
        if ((lane == SIZE_MAX || reading->order->marks[i].lane == lane) &&
            fits(&reading->traits[i], wanted))
            return i;
    return ADI_NO_MARK;
}

bool adi_order_is_event(const struct trait *trait, const void *name) {
    return trait->event != NULL && strcmp(trait->event, name) == 0;
}
