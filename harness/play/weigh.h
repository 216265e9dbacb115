/* SPDX-License-Identifier: Apache-2.0
 *
 * Is memory lost? Caches fill at the first use, so something is lost only if it is lost each time.
 */
#ifndef ADI_WEIGH_H
#define ADI_WEIGH_H

#include "adapter.h"

/* Bytes that are held: by the allocator of the process, and by the implementation if it tells. */
struct adi_weight {
    int64_t heap, own;
};

struct adi_weight adi_weigh(struct adi_adapter *adapter);
/* Something was done once since `before`; `again` does it again, several times if it must. How many
 * bytes are held afterwards each time; 0: none. */
int64_t adi_weigh_loss(struct adi_adapter *adapter, struct adi_weight before,
                       void (*again)(void *context), void *context);

#endif /* ADI_WEIGH_H */
