/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read in a program, and what it has to be: of what was exported whole the values of the
 * sample, of a part that was moved out those that it held in its parent.
 */
#include "execution_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "compare.h"
#include "import.h"
#include "move.h"
#include "play.h"

struct comparison {
    struct adi_execution *p;
    const struct adi_execution_slot *slot;
    struct ArrowDeviceArray now;
    struct ArrowArray *kept; /* the copy, where it is equal; NULL: it is not wanted */
    struct adi_error why;
    int code;
};

static bool is_equal(void *comparison_at) {
    struct comparison *c = comparison_at;
    const struct adi_execution_slot *slot = c->slot;
    struct ArrowArray copy = {.release = NULL};
    c->code = adi_copy_to_host(c->p->device, slot->schema, &c->now, &copy, &c->why);
    if (c->code == 0 && slot->wanted != NULL)
        c->code = adi_array_compare(slot->schema, &copy, slot->schema, slot->wanted, &c->why);
    if (c->code == 0 && c->kept != NULL)
        adi_array_move(&copy, c->kept);
    else
        adi_array_release(&copy);
    return c->code == 0;
}

static int compare(struct adi_execution *p, const struct adi_execution_slot *slot,
                   struct ArrowArray *kept) {
    struct comparison comparison = {.p = p, .slot = slot, .now = *slot->array, .kept = kept};
    comparison.now.sync_event = NULL; /* it has been waited on */
    ADI_TRY(adi_exports_resume(p));
    if (is_equal(&comparison) || p->n_findings > 0) return 0;
    p->error = comparison.why;
    if (slot->exported->watch == NULL) return comparison.code; /* ours: a mistake of the harness */
    bool produced = p->binding.produce != NULL || p->binding.produce_stream != NULL ||
                    p->binding.produce_async != NULL;
    bool is_starved = false;
    if (produced && adi_play_is_late(p->device, slot->array, is_equal, &comparison, &is_starved)) {
        adi_play_report_late(&p->sink, p->error.text);
        return 0;
    }
    if (is_starved) {
        p->binding.wait_in_vain(p->binding.context, true);
        return adi_error_set(&p->error, ETIMEDOUT, "the machine is busy");
    }
    p->differs = !slot->held; /* what was right once has not been misread */
    adi_report(&p->sink, "array/data-differs", ADI_PRODUCER, NULL, NULL, "%s", p->error.text);
    return 0;
}

int adi_execution_compare(struct adi_execution *p, const struct adi_execution_slot *slot) {
    return compare(p, slot, NULL);
}

int adi_execution_hold(struct adi_execution *p, struct adi_execution_slot *slot) {
    if (slot->held) return 0;
    struct adi_held *held = calloc(1, sizeof *held);
    if (held == NULL) return adi_error_set(&p->error, ENOMEM, "out of memory");
    int code = compare(p, slot, &held->array);
    if (code != 0 || p->n_findings > 0 || held->array.release == NULL) {
        adi_array_release(&held->array);
        free(held);
        return code;
    }
    held->next = slot->exported->held;
    slot->exported->held = held;
    slot->wanted = &held->array;
    slot->held = true;
    return 0;
}

int adi_execution_hold_parts(struct adi_execution *p, const struct adi_exported_array *exported) {
    for (size_t i = 0; i < ADI_PROGRAM_SLOTS && p->n_findings == 0; i++) {
        struct adi_execution_slot *slot = &p->slots[i];
        bool parts = slot->lives && slot->exported == exported && slot->part;
        if (parts && slot->array->array.release != NULL) ADI_TRY(adi_execution_hold(p, slot));
    }
    return 0;
}
