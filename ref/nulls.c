/* SPDX-License-Identifier: Apache-2.0 */
#include "nulls.h"

#include <errno.h>
#include <inttypes.h>

#include "device_types.h"
#include "layout.h"

#define BYTES_AT_ONCE 4096

static int64_t count_zeros(const unsigned char *bytes, int64_t first, int64_t count) {
    int64_t zeros = 0;
    for (int64_t i = first; i < first + count; i++) zeros += (bytes[i / 8] >> i % 8 & 1) == 0;
    return zeros;
}

static int read_bitmap(struct adi_device *device, const void *bitmap, int64_t first, int64_t count,
                       int64_t *nulls, struct adi_error *error) {
    unsigned char bytes[BYTES_AT_ONCE];
    while (count > 0) {
        int64_t bit = first % 8, most = BYTES_AT_ONCE * 8 - bit;
        int64_t now = count < most ? count : most;
        ADI_TRY(adi_read_buffer(device, ADI_BUFFER_VALIDITY, bitmap, first / 8, bytes,
                                (bit + now + 7) / 8, error));
        *nulls += count_zeros(bytes, bit, now);
        first += now;
        count -= now;
    }
    return 0;
}

int adi_nulls_count(struct adi_device *device, const struct ArrowDeviceArray *in,
                    const struct ArrowArray *array, int64_t first, int64_t count, int64_t *nulls,
                    struct adi_error *error) {
    const void *bitmap = array->n_buffers > 0 ? array->buffers[0] : NULL;
    *nulls = 0;
    if (array->null_count == 0 || count == 0) return 0;
    if (bitmap == NULL && array->null_count > 0)
        return adi_error_set(error, EINVAL, "null_count is %" PRId64 ", and there is no bitmap",
                             array->null_count);
    if (bitmap == NULL) return 0;
    if (device == NULL && !adi_device_type_is_cpu(in->device_type))
        return adi_error_set(error, ENOTSUP, "no device to look for nulls by");
    if (device != NULL) ADI_TRY(device->ops->wait(device, in->sync_event, error));
    return read_bitmap(device, bitmap, first, count, nulls, error);
}
