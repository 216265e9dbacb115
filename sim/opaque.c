/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as opaque commands: what they do nobody here knows, but when they may do it.
 */
#include <errno.h>

#include "public.h"

static const struct sim_command opaque_command = {.name = "launch"};

/* What is no allocation may be any number, or one past the end of one. What has been freed the
 * kernel may have no use for, as it may for what is there. */
static int note_pointer(struct sim_queue *queue, const void *pointer) {
    char text[160];
    struct sim_allocation *found = sim_memory_around(pointer, NULL);
    if (found == NULL) found = sim_own_around(pointer, 1);
    if (found == NULL) return 0;
    size_t offset = (size_t)((const char *)pointer - sim_view(found));
    if (offset >= found->bytes) return 0;
    if (found->life == SIM_LIVE) return sim_note_may(queue, found, "launch");
    sim_allocation_about(found);
    sim_violate(SIM_LAUNCH_UNORDERED, "a launch is given %s%s", sim_allocation_text(found, text),
                SIM_OPAQUE_TEXT);
    return 0;
}

int sim_opaque(adi_sim_queue handle, void *const *pointers, size_t n) {
    struct sim_queue *queue;
    if (pointers == NULL && n > 0) return EINVAL;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    SIM_TRY(sim_queue_prepare(queue));
    for (size_t i = 0; i < n; i++) SIM_TRY(note_pointer(queue, pointers[i]));
    sim_queue_push(queue, (struct sim_op){.command = &opaque_command});
    return 0;
}
