/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: arrays are windows of one column that begin at an offset, and the rows before that are
 * written behind the event, by whoever has the next turn of the ring. For values of four bytes.
 */
#include <errno.h>

#include "ext_dev/ext_dev.h"

#define ROWS_BEFORE 64
#define GAP         256 /* what they take */
#define BLOCK       (1 << 20)
#define PARTS       8

static char *block, *parts[PARTS];
static size_t used, live, n_parts;

static int alloc_part(struct adi_device *device, int64_t bytes, void **buffer,
                      struct adi_error *error) {
    size_t room = GAP + ((size_t)bytes + GAP - 1) / GAP * GAP;
    if (block == NULL) ADI_TRY(adi_device_ext_dev.alloc(device, BLOCK, (void **)&block, error));
    if (used + room > BLOCK || n_parts == PARTS) return ENOMEM;
    parts[n_parts++] = block + used + GAP;
    *buffer = block + used + GAP;
    used += room;
    live++;
    return 0;
}

static void free_part(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
    if (--live == 0) used = 0;
}

static int go_round(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static const char rows[GAP] = "the next turn";
    ADI_TRY(adi_device_ext_dev.event(device, sync_event, error));
    for (; n_parts > 0; n_parts--)
        ADI_TRY(adi_device_ext_dev.write(device, parts[n_parts - 1] - GAP, 0, rows, GAP, error));
    return 0;
}

static void begin_at_offset(struct ArrowDeviceArray *out) {
    struct ArrowArray *array = &out->array;
    const int64_t bytes[] = {ROWS_BEFORE / 8, GAP};
    if (array->n_buffers < 2 || array->buffers[1] == NULL) return; /* a struct has no values */
    for (int i = 0; i < 2; i++)
        if (array->buffers[i] != NULL)
            array->buffers[i] = (const char *)array->buffers[i] - bytes[i];
    array->offset += ROWS_BEFORE;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_part;
    base.ops.free = free_part;
    base.ops.event = go_round;
    base.exported = begin_at_offset;
}
