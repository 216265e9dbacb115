/* SPDX-License-Identifier: Apache-2.0
 *
 * The contexts of the engine that a sycl::context stands for: one for each of its devices.
 */
#include <stdlib.h>

#include "oneapi.h"

static struct oneapi_context standard = {.has = {true, true}, .is_default = true, .refs = 1};
static struct oneapi_context *contexts = &standard;

struct oneapi_context *oneapi_default(void) {
    return &standard;
}

/* No program makes the default one, whoever first asks for it. */
static int open_engine(struct oneapi_context *context, int device) {
    adi_sim_context *engine = &context->engine[device];
    unsigned before = context->is_default ? adi_sim_party(1) : 0;
    int code = adi_sim_context_open("oneapi", device, engine);
    if (context->is_default) adi_sim_party(before);
    if (code != 0)
        *engine = NULL;
    else if (context->is_default)
        adi_sim_context_own(*engine);
    return code;
}

int oneapi_engine(struct oneapi_context *context, int device, adi_sim_context *out) {
    if (!context->has[device]) return ENODEV;
    if (context->engine[device] == NULL) SIM_TRY(open_engine(context, device));
    *out = context->engine[device];
    return 0;
}

struct oneapi_context *oneapi_owner(adi_sim_context engine) {
    for (struct oneapi_context *at = contexts; at != NULL; at = at->next)
        for (int i = 0; i < ADI_SIM_DEVICES; i++)
            if (at->engine[i] == engine) return at;
    return NULL;
}

void oneapi_context_release(struct oneapi_context *context) {
    if (--context->refs > 0) return;
    struct oneapi_context **at = &contexts;
    while (*at != context) at = &(*at)->next;
    *at = context->next;
    for (int i = 0; i < ADI_SIM_DEVICES; i++)
        if (context->engine[i] != NULL) adi_sim_context_discard(context->engine[i]);
    free(context);
}

void oneapi_context_add(struct oneapi_context *context) {
    context->next = contexts;
    contexts = context;
}
