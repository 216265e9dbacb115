/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A relay that has no nested types, and gives back what it stands on from a
 * thread of its own: when it refuses the next array, the one before is still to be released.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/implementation.h"

/* Its private_data is what it stands on. */
static void give_back(struct ArrowArray *array) {
    struct ArrowArray *original = array->private_data;
    array->release = NULL;
    base_release_late(original, 2000000);
    free(original);
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (schema->release == NULL || in->array.release == NULL) return EINVAL;
    if (in->device_type != ARROW_DEVICE_CPU || in->array.n_children > 0 ||
        in->array.dictionary != NULL)
        return ENOTSUP;
    struct ArrowArray *original = malloc(sizeof *original);
    if (original == NULL) return ENOMEM;
    *original = in->array;
    *schema_out = *schema;
    *out = *in;
    out->array.private_data = original;
    out->array.release = give_back;
    schema->release = NULL;
    in->array.release = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
