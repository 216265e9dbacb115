/* SPDX-License-Identifier: Apache-2.0
 *
 * The binding of an adapter to an execution: it does what the program asks of the implementation.
 */
#ifndef ADI_BINDING_H
#define ADI_BINDING_H

#include "adapter.h"
#include "execution.h"

struct adi_binding_context {
    struct adi_adapter *adapter;
    struct adi_execution *execution;
    unsigned role;     /* enum adi_role: what it does; all else the harness does itself */
    bool ends;         /* no program comes after it in this process */
    bool refused;      /* it has said no, which is no mistake of ours */
    bool unidentified; /* nobody can say what came out */
    bool closed;       /* it has ended: nothing can be asked of it any more */
};

/* The roles in which an implementation can take part, and their names: "producer". NULL ends them.
 */
const char *adi_role_name_at(size_t index);
unsigned adi_role_at(size_t index);

/* Lets it take part in an open execution; `context` lives as long as that. Errors of the calls
 * are in execution->error. */
void adi_binding_set(struct adi_binding_context *context, unsigned role);

#endif /* ADI_BINDING_H */
