/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers on a device, where no page can be closed: whether a consumer wrote to them is seen by
 * what they hold before and after.
 */
#ifndef ADI_UNCHANGED_H
#define ADI_UNCHANGED_H

#include "finding.h"
#include "tree.h"

/* What the buffers of the array hold; NULL where that cannot be known without changing what is
 * judged (on the CPU pages are closed; where there are events, queues are still to run), or for
 * want of memory. The caller frees the tree. The device's thread. */
struct adi_node *adi_unchanged_begin(struct adi_device *device, const struct ArrowSchema *schema,
                                     const struct ArrowDeviceArray *array);
/* Reads them again; the first difference is a finding. `before` may be NULL. */
void adi_unchanged_judge(struct adi_device *device, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *array, const struct adi_node *before,
                         struct adi_sink *sink);

#endif /* ADI_UNCHANGED_H */
