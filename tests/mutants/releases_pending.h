/* SPDX-License-Identifier: Apache-2.0
 *
 * A consumer, over the base of any device, that reads arrays with children only and hands the
 * others to another thread, which releases them whether their event is complete or not.
 */
#ifndef RELEASES_PENDING_H
#define RELEASES_PENDING_H

#include <errno.h>
#include <pthread.h>

#include "move.h"

static void *release(void *in) {
    adi_device_array_release(in);
    return NULL;
}

static int read_parents(struct adi_device *device, const struct ArrowSchema *schema,
                        struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    pthread_t thread;
    if (in->array.n_children > 0) return base_read(device, schema, in, host_out);
    if (pthread_create(&thread, NULL, release, in) != 0) return EAGAIN;
    pthread_join(thread, NULL);
    return ENOTSUP;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_parents;
}

#endif /* RELEASES_PENDING_H */
