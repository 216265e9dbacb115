/* SPDX-License-Identifier: Apache-2.0
 *
 * An implementation in a performance: its adapter does what the program asks of it.
 */
#ifndef ADI_TROUPE_H
#define ADI_TROUPE_H

#include "adapter.h"
#include "perform.h"

struct adi_troupe_context {
    struct adi_adapter *adapter;
    struct adi_performance *performance;
    unsigned role; /* enum adi_role: what it does; all else the harness does itself */
    bool ends;     /* no program comes after it in this process */
    bool refused;  /* it has said no, which is no mistake of ours */
    bool untold;   /* nobody can say what came out */
    bool closed;   /* it has ended: nothing can be asked of it any more */
};

/* The roles in which an implementation can take part, and their names: "producer". NULL ends them.
 */
const char *adi_role_name_at(size_t index);
unsigned adi_role_at(size_t index);

/* Lets it take part in an open performance; `context` lives as long as that. Errors of the calls
 * are in performance->error. */
void adi_troupe_cast(struct adi_troupe_context *context, unsigned role);

#endif /* ADI_TROUPE_H */
