/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/extension-without-name, producer. Planted: the key of the extension name is written in
 * lower case.
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    static const char key[] = "ARROW:extension:name";
    struct base_texts *texts = schema->private_data;
    char *at = memmem(texts->metadata, base_metadata_bytes(texts->metadata), key, sizeof key - 1);
    if (at != NULL) memcpy(at, "arrow", 5);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
