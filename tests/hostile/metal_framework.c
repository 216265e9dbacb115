/* SPDX-License-Identifier: Apache-2.0
 *
 * A framework that has the function, and no device behind it: what it does instead says DOES.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) void *MTLCopyAllDevices(void);
__attribute__((visibility("default"))) void *objc_autoreleasePoolPush(void);
__attribute__((visibility("default"))) void objc_autoreleasePoolPop(void *pool);

void *MTLCopyAllDevices(void) {
    static unsigned char garbage[64];
    const char *does = getenv("DOES");
    if (strcmp(does, "crash") == 0) abort();
    while (strcmp(does, "hang") == 0) pause();
    memset(garbage, 0x5A, sizeof garbage);
    return strcmp(does, "garbage") == 0 ? garbage : NULL;
}

void *objc_autoreleasePoolPush(void) {
    return NULL;
}

void objc_autoreleasePoolPop(void *pool) {
    (void)pool;
}
