/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of things before a finding about order: the host and queues as lanes, what was done on
 * them as marks, what makes one come behind another, and the edge that is missing. All of it was
 * seen: it is made from the lines that the worker wrote (harness/watch/trace.h). Part of a result.
 */
#ifndef ADI_ORDER_H
#define ADI_ORDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "error.h"

enum adi_mark_kind {
    ADI_MARK_STEP,    /* of the case, or of a program */
    ADI_MARK_COMMAND, /* queued */
    ADI_MARK_RECORD,  /* an event stands for what the queue has */
    ADI_MARK_WAIT,    /* what follows in the lane comes behind the mark `after` */
    ADI_MARK_TOUCH,   /* the CPU reads or writes */
    ADI_MARK_FREE,    /* memory is given back */
    ADI_MARK_KINDS,   /* how many */
};

#define ADI_NO_MARK SIZE_MAX

struct adi_mark {
    enum adi_mark_kind kind;
    size_t lane;
    bool implementation; /* whose call it was, else the harness's */
    size_t after;        /* the mark in another lane that this one waits for; ADI_NO_MARK */
    char *text;
};

struct adi_order {
    char **lanes;
    struct adi_mark *marks; /* in the order of the calls */
    size_t n_lanes, n_marks;
    size_t from, to; /* nothing makes `to` wait for `from`; both ADI_NO_MARK: not known which */
    char *missing;   /* that in words; NULL with ADI_NO_MARK */
};

/* From the lines; the caller frees it. NULL: they say nothing about order, or there is no memory.
 */
struct adi_order *adi_order_of(const char *lines);
void adi_order_free(struct adi_order *order);

/* "command", as in the record. */
const char *adi_mark_name(enum adi_mark_kind kind);

/* The member `order` of a result in the record. NULL: no memory. */
json_t *adi_order_json(const struct adi_order *order);

/* Draws that member with letters, a line a mark; `indent` is in front of each. What a record lacks
 * is left blank. */
void adi_order_text(const json_t *order, const char *indent, FILE *out);

#endif /* ADI_ORDER_H */
