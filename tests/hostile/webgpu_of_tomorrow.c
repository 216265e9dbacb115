/* SPDX-License-Identifier: Apache-2.0
 *
 * A wgpu-native of a version whose header nobody knows: to call anything else of it ends the
 * program.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC uint32_t wgpuGetVersion(void);
PUBLIC void *wgpuCreateInstance(const void *descriptor);

uint32_t wgpuGetVersion(void) {
    return (uint32_t)31 << 24 | 2 << 16 | 3 << 8 | 4;
}

void *wgpuCreateInstance(const void *descriptor) {
    (void)descriptor;
    abort();
}
