/* SPDX-License-Identifier: Apache-2.0 */
#include "play_tensor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "devices.h"
#include "dlpack_extent.h"
#include "dlpack_type.h"

/* Bytes: whoever is given a sample has no need of more between the first element and the last. */
#define SPAN_MOST ((int64_t)1 << 30)

/* ---- comparing ---- */

static bool is_same_type(DLDataType one, DLDataType other) {
    return one.code == other.code && one.bits == other.bits && one.lanes == other.lanes;
}

static int compare_description(const DLTensor *seen, const DLTensor *wanted,
                               struct adi_error *why) {
    if (!is_same_type(seen->dtype, wanted->dtype))
        return adi_error_set(why, EILSEQ, "its type is (%d, %d, %d), and (%d, %d, %d) was given",
                             seen->dtype.code, seen->dtype.bits, seen->dtype.lanes,
                             wanted->dtype.code, wanted->dtype.bits, wanted->dtype.lanes);
    if (seen->ndim != wanted->ndim)
        return adi_error_set(why, EILSEQ, "ndim is %" PRId32 ", and %" PRId32 " was given",
                             seen->ndim, wanted->ndim);
    for (int i = 0; i < wanted->ndim; i++)
        if (seen->shape[i] != wanted->shape[i])
            return adi_error_set(why, EILSEQ, "shape[%d] is %" PRId64 ", and %" PRId64 " was given",
                                 i, seen->shape[i], wanted->shape[i]);
    return 0;
}

static int compare_elements(const unsigned char *seen, const unsigned char *wanted, int64_t bytes,
                            int64_t item, struct adi_error *why) {
    for (int64_t i = 0; i < bytes; i++)
        if (seen[i] != wanted[i])
            return adi_error_set(why, EILSEQ,
                                 "element %" PRId64 " differs: byte %" PRId64
                                 " of it is %02x, and was %02x",
                                 i / item, i % item, seen[i], wanted[i]);
    return 0;
}

int adi_tensor_compare(struct adi_device *device, const struct adi_tensor *seen,
                       const struct adi_tensor_sample *wanted, struct adi_error *why) {
    struct adi_dlpack_extent extent;
    void *bytes = NULL;
    ADI_TRY(compare_description(&seen->tensor, wanted->tensor, why));
    if (adi_dlpack_measure(&seen->tensor, (DLPackVersion){0, 0}, seen->flags, &extent, why) != 0)
        return EILSEQ;
    int code = adi_dlpack_read(device, &seen->tensor, &extent, &bytes, why);
    if (code == ENOMEM && extent.high - extent.low > SPAN_MOST)
        return adi_error_set(why, EILSEQ,
                             "strides lead over %" PRId64 " bytes, and there are %" PRId64
                             " of elements",
                             extent.high - extent.low, extent.bytes);
    if (code == ENOMEM) return code;
    if (code != 0) return EILSEQ;
    code = compare_elements(bytes, wanted->compact, wanted->bytes,
                            extent.item == 0 ? 1 : extent.item, why);
    free(bytes);
    return code;
}

/* ---- devices and streams ---- */

struct adi_device *adi_tensor_device(struct adi_test *test, const struct adi_tensor *seen) {
    static struct adi_device cpu = {&adi_device_cpu, -1, NULL};
    int32_t type = (int32_t)seen->tensor.device.device_type;
    if (type == (int32_t)test->device->ops->type) return test->device;
    return adi_device_type_is_cpu(type) ? &cpu : NULL;
}

bool adi_tensor_where(struct adi_test *test, DLDevice *out) {
    struct adi_error why = {""};
    const struct adi_device *device = test->device;
    if (adi_dlpack_device_from_arrow(device->ops->type, device->id, out, &why) == 0) return true;
    adi_play_skip(test, "DLPack has no name for this device");
    return false;
}
