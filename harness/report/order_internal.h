/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to order*.c: the lines while they are read, and what each mark is known again by.
 */
#ifndef ADI_ORDER_INTERNAL_H
#define ADI_ORDER_INTERNAL_H

#include "order.h"
#include "report_json.h"

struct trait {
    int64_t call, seq;
    char *event;               /* "event 3" */
    char *writes, *uses, *may; /* "allocation 1;allocation 2;"; it may write those */
};

struct reading {
    struct adi_order *order;
    struct trait *traits; /* a mark each */
    json_t *unordered;    /* the last line that says what lacks */
    bool cut;             /* there were lines before the first one */
    bool failed;          /* no memory */
};

/* The lane of that name: "queue 2", "the host". */
size_t adi_order_lane(struct reading *reading, const char *name);
/* One mark more; takes over `text`. NULL: no memory. */
struct adi_mark *adi_order_add(struct reading *reading, enum adi_mark_kind kind, size_t lane,
                               const json_t *line, char *text);
/* In new memory; NULL: there is none. */
char *adi_order_print(const char *format, ...) ADI_PRINTF(1, 2);
/* The last mark of a lane (SIZE_MAX: of any) that `fits`; ADI_NO_MARK: none. */
size_t adi_order_last(const struct reading *reading, size_t lane,
                      bool (*fits)(const struct trait *, const void *), const void *wanted);
bool adi_order_is_event(const struct trait *trait, const void *name);

/* Finds the ends of the edge that is missing, as the last such line says. */
void adi_order_find_missing(struct reading *reading);

#endif /* ADI_ORDER_INTERNAL_H */
