/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: what is not read is released on another thread, whether its event is complete or not.
 */
#include <errno.h>
#include <pthread.h>

#include "../device/device_base.h"
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
