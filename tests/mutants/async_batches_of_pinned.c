/* SPDX-License-Identifier: Apache-2.0
 *
 * async/chunk-of-other-type: the producer says CPU, the batches, which the CPU can reach, pinned
 * memory.
 */
#include "base/async.h"

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (task != NULL) task->array.device_type = ARROW_DEVICE_CUDA_HOST;
    if (task != NULL) task->array.device_id = 0;
    return base_tell_task(stream, task);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
