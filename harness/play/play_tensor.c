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

/* ---- comparing ---- */

static bool is_same_type(DLDataType one, DLDataType other) {
    return one.code == other.code && one.bits == other.bits && one.lanes == other.lanes;
}

static int compare_description(const DLTensor *seen, const struct adi_tensor_sample *sample,
                               struct adi_error *why) {
    const DLTensor *wanted = sample->tensor;
    const char *was = sample->is_own ? "was " : "", *given = sample->is_own ? "" : " was given";
    if (!is_same_type(seen->dtype, wanted->dtype))
        return adi_error_set(why, EILSEQ, "its type is (%d, %d, %d), and %s(%d, %d, %d)%s",
                             seen->dtype.code, seen->dtype.bits, seen->dtype.lanes, was,
                             wanted->dtype.code, wanted->dtype.bits, wanted->dtype.lanes, given);
    if (seen->ndim != wanted->ndim)
        return adi_error_set(why, EILSEQ, "ndim is %" PRId32 ", and %s%" PRId32 "%s", seen->ndim,
                             was, wanted->ndim, given);
    for (int i = 0; i < wanted->ndim; i++)
        if (seen->shape[i] != wanted->shape[i])
            return adi_error_set(why, EILSEQ, "shape[%d] is %" PRId64 ", and %s%" PRId64 "%s", i,
                                 seen->shape[i], was, wanted->shape[i], given);
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
    if (!wanted->stands_in) ADI_TRY(compare_description(&seen->tensor, wanted, why));
    if (adi_dlpack_measure(&seen->tensor, (DLPackVersion){0, 0}, seen->flags, &extent, why) != 0)
        return EILSEQ;
    int code = adi_dlpack_read(device, &seen->tensor, &extent, &bytes, why);
    if (code == ENOMEM && extent.high - extent.low > ADI_TENSOR_SPAN_MOST)
        return adi_error_set(why, EILSEQ,
                             "strides lead over %" PRId64 " bytes, and there are %" PRId64
                             " of elements",
                             extent.high - extent.low, extent.bytes);
    if (code == ENOMEM) return code;
    if (code != 0) return EILSEQ;
    if (wanted->stands_in) {
        free(bytes);
        return adi_error_set(
            why, EILSEQ, "all elements can be read now, and could not be when it was asked first");
    }
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

/* Does the memory of one tensor begin where that of the other does? Only where it is an address. */
static bool is_shared(const struct adi_tensor *one, const struct adi_tensor *other) {
    int32_t type = (int32_t)one->tensor.device.device_type;
    const char *first = one->tensor.data, *second = other->tensor.data;
    if (adi_device_type_of(type)->buffer != ADI_BUFFER_IS_ADDRESS || first == NULL ||
        second == NULL)
        return false;
    return first + one->tensor.byte_offset == second + other->tensor.byte_offset;
}

/* DLH-49, AAX-22: what is a copy is its consumer's alone. */
void adi_tensor_judge_sharing(struct adi_test *test, const struct adi_dlpack_request *request,
                              const struct adi_tensor *first, const struct adi_tensor *second) {
    bool flagged = ((first->flags | second->flags) & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
    if (!is_shared(first, second)) return;
    if (request->copy == 1)
        adi_report(&test->sink, "dlpack/copy-not-made", ADI_PRODUCER, "the same memory",
                   "memory of its own", "copy was True, and another tensor has the same memory");
    else if (flagged)
        adi_report(&test->sink, "dlpack/flag-of-shared", ADI_PRODUCER,
                   "DLPACK_FLAG_BITMASK_IS_COPIED", "no such flag",
                   "two tensors have the same memory, and one says that it is a copy");
}
