/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-text-short-lived, producer: the text of an error is part of a block that was freed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

#define HEAD 32 /* bytes before the text, of which the allocator makes its own */

static const char *text(struct ArrowDeviceArrayStream *self) {
    const char *from = base_produced_error(self);
    if (from == NULL) return NULL;
    char *volatile made = malloc(HEAD + strlen(from) + 1);
    if (made == NULL) return NULL;
    strcpy(made + HEAD, from);
    volatile uintptr_t given = (uintptr_t)made + HEAD;
    free(made);
    return (const char *)given;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = text;
}
