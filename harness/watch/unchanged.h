/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers on a device, where no page can be closed: whether a consumer wrote to them is seen by
 * what they hold before and after.
 */
#ifndef ADI_UNCHANGED_H
#define ADI_UNCHANGED_H

#include "finding.h"
#include "monitor.h"
#include "tree.h"

/* Where the second of two copies of a tree differs from the first in what its values are in; false:
 * nowhere. */
struct adi_difference {
    const struct adi_node *node; /* of the second */
    int64_t buffer, byte;
    unsigned was, is;
};
bool adi_unchanged_differ(const struct adi_node *before, const struct adi_node *after,
                          struct adi_difference *out);
/* The first buffer of the node, an array of the CPU, that does not hold any more what the copy
 * holds; false: each does. Any thread. */
bool adi_unchanged_node_differs(const struct adi_node *before, struct adi_difference *out);
/* What was recorded as `node`, in a copy of the tree from before. NULL: it was not kept. */
const struct adi_node *adi_unchanged_node(const struct adi_node *before,
                                          const struct adi_watched *node);
/* That difference is a finding. */
void adi_unchanged_report(const struct adi_difference *at, struct adi_sink *sink);
/* Waits for the event and reads the buffers; the first difference is a finding. Not while queues
 * are paused, or a queued command of the implementation uses a buffer: reading would change what is
 * judged. `before` may be NULL. The device's thread. */
void adi_unchanged_judge(struct adi_device *device, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *array, const struct adi_node *before,
                         struct adi_sink *sink);

#endif /* ADI_UNCHANGED_H */
