/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/format-invalid, producer. Planted: a timestamp without a time zone loses its colon:
 * "tss".
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    struct base_texts *texts = schema->private_data;
    if (strcmp(texts->format + 3, ":") == 0) texts->format[3] = '\0';
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
