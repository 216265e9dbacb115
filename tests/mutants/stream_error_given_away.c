/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-short-lived, producer: the text of an error is freed before it is handed out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

static const char *text(struct ArrowDeviceArrayStream *self) {
    const char *of_source = base_produced_error(self);
    char *volatile copy = of_source == NULL ? NULL : strdup(of_source);
    const char *given = copy;
    free(copy);
    return given;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = text;
}
