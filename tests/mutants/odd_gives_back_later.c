/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What a relay stands on is given back by a thread of its own, so that of
 * several relays over one another the lower ones are released when the upper ones are long gone.
 */
#include <stdlib.h>

#include "base/implementation.h"

/* Its private_data is what it stands on. */
static void give_back(struct ArrowArray *array) {
    struct ArrowArray *original = array->private_data;
    array->release = NULL;
    base_release_late(original, 500000);
    free(original);
}

/* The import below gets a structure that stands for the one that came in. */
static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct ArrowArray *original = malloc(sizeof *original);
    struct ArrowDeviceArray stand_in = *in;
    if (original == NULL || in->array.release == NULL) {
        free(original);
        return base_relay(self, schema, in, schema_out, out);
    }
    *original = in->array;
    stand_in.array.private_data = original;
    stand_in.array.release = give_back;
    int code = base_relay(self, schema, &stand_in, schema_out, out);
    if (code == 0)
        in->array.release = NULL;
    else
        free(original);
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
