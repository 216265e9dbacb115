/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the last command is still under way while the array is put together, and done when it is
 * handed out.
 */
#include "vpi/vpi.h"

static bool is_under_way;

static int finish(void) {
    int code = is_under_way ? driver_finish() : 0;
    is_under_way = false;
    return code;
}

static int write_on(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                    int64_t bytes, struct adi_error *error) {
    uint64_t to = base_address(buffer) + (uint64_t)offset;
    ADI_TRY(finish());
    if (to % ADI_VPI_PAGE + (uint64_t)bytes > ADI_VPI_PAGE)
        return driver_ops.write(device, buffer, offset, from, bytes, error);
    driver_start(ADI_VPI_DMA_WRITE, to, from, (uint64_t)bytes);
    is_under_way = true;
    return 0;
}

static int finish_all(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return finish();
}

void mutate(void) {
    base.ops.write = write_on;
    base.ops.event = finish_all;
}
