/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the chunks of a stream share the event of the first, which is
 * behind the first alone.
 */
#include "ext_dev/event_of_first.h"

void mutate(void) {
    base.roles = ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS;
    share_first_event();
}
