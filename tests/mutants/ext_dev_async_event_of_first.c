/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the batches of an asynchronous stream share the event of the
 * first, which is behind the first alone.
 */
#include "ext_dev/event_of_first.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC;
    share_first_event();
}
