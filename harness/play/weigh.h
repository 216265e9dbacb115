/* SPDX-License-Identifier: Apache-2.0
 *
 * Does memory leak? Caches fill at the first use, so something is lost only if it is lost each
 * time.
 */
#ifndef ADI_WEIGH_H
#define ADI_WEIGH_H

#include <stdbool.h>

#include "adapter.h"
#include "device.h"

/* What is held: bytes by the allocator of the process, and by the implementation if it tells;
 * references to objects of the device's runtime, where somebody counts them. */
struct adi_weight {
    int64_t heap, own, objects;
    bool is_starved; /* of a loss: whoever may still give it back had no processor to do so */
};

struct adi_weight adi_weigh(struct adi_adapter *adapter);
/* Something was done once since `before`; `again` does it again, several times if it must. What is
 * held more afterwards, each time. Waits a moment where queues of the device run by themselves, or
 * threads of the implementation; if these are starved meanwhile, it is not known whether anything
 * is lost. `losses` counts what the implementation has lost so far in this process. */
struct adi_weight adi_weigh_loss(struct adi_adapter *adapter, const struct adi_device *device,
                                 struct adi_weight before, int *losses,
                                 void (*again)(void *context), void *context);

/* That as a sentence; false: nothing is lost. */
#define ADI_WEIGHT_TEXT 160
bool adi_weight_text(struct adi_weight leaked, char text[ADI_WEIGHT_TEXT]);

#endif /* ADI_WEIGH_H */
