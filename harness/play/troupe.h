/* SPDX-License-Identifier: Apache-2.0
 *
 * An implementation in a performance: its adapter does what the program asks of it.
 */
#ifndef ADI_TROUPE_H
#define ADI_TROUPE_H

#include "adapter.h"
#include "perform.h"

/* What the implementation does; all else the harness does itself. */
enum adi_part {
    ADI_PART_NONE,
    ADI_PART_PRODUCER, /* it exports */
    ADI_PART_CONSUMER, /* it consumes */
    ADI_PART_RELAY,    /* it imports and exports again */
};

struct adi_troupe_context {
    struct adi_adapter *adapter;
    struct adi_performance *performance;
    enum adi_part part;
    bool ends;    /* no program comes after it in this process */
    bool refused; /* it has said no, which is no mistake of ours */
    bool untold;  /* nobody can say what came out */
    bool closed;  /* it has ended: nothing can be asked of it any more */
};

/* The part that goes with a role (enum adi_role), and its name: "producer". The names end in NULL.
 */
enum adi_part adi_part_of(unsigned role);
unsigned adi_part_role(enum adi_part part);
const char *adi_part_name_at(size_t index); /* of part 1 + index */

/* Gives it its part in an open performance; `context` lives as long as that. Errors of the calls
 * are in performance->error. */
void adi_troupe_cast(struct adi_troupe_context *context, enum adi_part part);

#endif /* ADI_TROUPE_H */
