/* SPDX-License-Identifier: Apache-2.0
 *
 * life/children-not-released, producer. apache/arrow-rs#595: release forgets the dictionary.
 */
#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    array->dictionary = NULL;
    base_array_release(array);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
