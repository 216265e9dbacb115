/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends a hold that nobody ends: who is held may wait in a way that is not seen. Both layers have
 * one.
 */
#ifndef ADI_LAYERS_WATCHDOG_H
#define ADI_LAYERS_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

struct watchdog {
    bool (*is_over)(uint64_t number);
    void (*end)(uint64_t number); /* its time is up */
};

/* From now on this hold is watched, and no other. Both functions are called on a thread of the
 * watchdog's. Any thread. */
void watchdog_watch(const struct watchdog *watchdog, uint64_t number);

#endif /* ADI_LAYERS_WATCHDOG_H */
