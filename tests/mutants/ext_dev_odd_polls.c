/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event over and over.
 */
#include <errno.h>

#include "ext_dev/ext_dev.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    int code = EAGAIN;
    while (sync_event != NULL && code == EAGAIN)
        code = SIM(event_query)(*(adi_sim_event *)sync_event);
    return code == EAGAIN ? 0 : code;
}

void mutate(void) {
    base.ops.wait = poll;
}
