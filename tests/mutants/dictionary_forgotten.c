/* SPDX-License-Identifier: Apache-2.0
 *
 * array/dictionary-missing, producer. apache/arrow-rs#595 forgot the dictionary: here the export
 * does.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.dictionary = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
