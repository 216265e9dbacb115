/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the queue that the harness lends waits for the event, and reads.
 */
#include "../device/device_base.h"

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = base_wait_on_lent;
    base.ops.read = base_read_on_lent;
}
