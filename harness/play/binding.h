/* SPDX-License-Identifier: Apache-2.0
 *
 * The binding of an adapter to an execution: it does what the program asks of the implementation.
 */
#ifndef ADI_BINDING_H
#define ADI_BINDING_H

#include "adapter.h"
#include "execution.h"

struct adi_stream_input;
struct adi_test;

struct adi_binding_context {
    struct adi_adapter *adapter;
    struct adi_execution *execution;
    struct adi_test *test; /* that the programs belong to */
    /* enum adi_role: what it does; all else the harness does itself. With ADI_ARRAY_STREAMS the
     * streams are ArrowArrayStreams, which it gives as a consumer of streams, and takes over as a
     * producer of them. */
    unsigned role;
    bool ends;                      /* no program comes after it in this process */
    bool refused;                   /* it has said no, which is no mistake of ours */
    bool unidentified;              /* nobody can say what came out */
    bool closed;                    /* it has ended: nothing can be asked of it any more */
    struct adi_stream_input *input; /* that it consumes at the moment; NULL: none */
    _Atomic bool is_told; /* that it must not overlook something: has been said to the log */
    bool stays;           /* a callback of its may still come */
    int limit_ms;         /* that one may be waited for */
    /* What a crash would break; NULL: what the step says. Any thread. */
    void (*tell)(void *of, const char *rule);
    void *of;
};

/* The roles in which an implementation can take part, and their names: "producer". NULL ends them.
 */
const char *adi_role_name_at(size_t index);
unsigned adi_role_at(size_t index);

/* Lets it take part in an open execution; `context` lives as long as that. Errors of the calls
 * are in execution->error. */
void adi_binding_set(struct adi_binding_context *context, unsigned role);

#endif /* ADI_BINDING_H */
