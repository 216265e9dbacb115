/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The release callback wipes the structure that it is called with, wherever
 * that was moved to.
 */
#include <string.h>

#include "base/implementation.h"

static void release_array(struct ArrowArray *array) {
    base_array_release(array);
    memset(array, 0, sizeof *array);
}

static void release_schema(struct ArrowSchema *schema) {
    base_schema_release(schema);
    memset(schema, 0, sizeof *schema);
}

void mutate(void) {
    base.release_array = release_array;
    base.release_schema = release_schema;
}
