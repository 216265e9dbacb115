/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/callback-missing, producer: get_last_error is NULL, since nothing ever fails.
 */
#include "base/stream.h"

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = NULL;
}
