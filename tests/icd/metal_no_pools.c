/* SPDX-License-Identifier: Apache-2.0
 *
 * Has the function by which Metal's devices are found, and not the pools that GNU's runtime lacks.
 */
#include <stddef.h>

__attribute__((visibility("default"))) void *MTLCopyAllDevices(void);

void *MTLCopyAllDevices(void) {
    return NULL;
}
