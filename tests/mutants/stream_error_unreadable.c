/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-invalid, producer: what get_last_error gives leads nowhere.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    (void)self, (void)out;
    return ENOTSUP;
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return (const char *)8;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = error;
    base_produced.get_next = next;
}
