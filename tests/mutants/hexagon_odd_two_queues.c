/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: buffers are written by two queues in turns, and both are waited for before the array is
 * handed out.
 */
#include <stddef.h>

#include "hexagon/hexagon.h"

static const struct adi_hexagon_driver *seconds[ADI_HEXAGON_DSPS];
static unsigned writes;

static int in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                    int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device), **second = &seconds[driver->id];
    if (++writes % 2 == 0) return base_write_unwaited(device, buffer, offset, from, bytes, error);
    if (*second == NULL) ADI_TRY(driver->open(driver, driver->id, second));
    return (*second)->copy_in(*second, base_address(buffer) + (uint32_t)offset, from, bytes);
}

static int both(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const struct adi_hexagon_driver *second = seconds[base_driver(device)->id];
    if (second != NULL) ADI_TRY(second->wait(second));
    return base.right.event(device, sync_event, error);
}

static void close_seconds(void) {
    for (int id = 0; id < ADI_HEXAGON_DSPS; id++)
        if (seconds[id] != NULL) seconds[id]->close(seconds[id]);
}

void mutate(void) {
    base.ops.write = in_turns;
    base.ops.event = both;
    base.ends = close_seconds;
}
