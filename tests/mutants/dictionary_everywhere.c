/* SPDX-License-Identifier: Apache-2.0
 *
 * array/dictionary-unexpected, producer. Planted: integers come with a dictionary that their
 * schema does not have.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    static struct ArrowArray empty = {.release = base_array_release};
    out->array.dictionary = &empty;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
