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
#include "move.h"

/* ---- samples ---- */

static int fill(struct adi_tensor_sample *out, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    out->tensor = &out->host.versioned->dl_tensor;
    ADI_TRY(adi_dlpack_measure(out->tensor, out->host.versioned->version, 0, &extent, error));
    out->bytes = extent.bytes;
    return adi_dlpack_read(NULL, out->tensor, &extent, &out->compact, error);
}

int adi_tensor_sample_of(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                         uint64_t seed, struct adi_tensor_sample *out, struct adi_error *error) {
    static const struct adi_dlpack_arguments defaults = ADI_DLPACK_DEFAULTS;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array = {.device_id = -1, .device_type = adi_device_cpu.type};
    memset(out, 0, sizeof *out);
    ADI_TRY(adi_sample(type, shape, seed, &schema, &array.array, error));
    int code = adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &defaults, &out->host,
                                 error);
    if (code == 0) code = fill(out, error);
    if (code != 0) adi_tensor_sample_free(out);
    adi_schema_release(&schema);
    adi_device_array_release(&array);
    return code;
}

bool adi_tensor_sample_make(struct adi_test *test, uint64_t more, struct adi_tensor_sample *out) {
    struct adi_error error = {""};
    const struct adi_case *now = test->now;
    if (adi_tensor_sample_of(now->type, now->shape, test->seed + more, out, &error) == 0)
        return true;
    adi_play_error(test, "no sample", &error);
    return false;
}

/* What is left of it is a description whose memory is gone: none of it is looked at but numbers. */
void adi_tensor_sample_spoil(struct adi_tensor_sample *sample) {
    struct adi_dlpack_extent extent;
    const DLTensor *tensor = sample->tensor;
    if (adi_dlpack_measure(tensor, (DLPackVersion){1, 0}, 0, &extent, NULL) == 0 &&
        extent.count > 0)
        memset((char *)tensor->data + tensor->byte_offset + extent.low, ADI_POISON_BYTE,
               (size_t)(extent.high - extent.low));
}

void adi_tensor_sample_free(struct adi_tensor_sample *sample) {
    adi_dlpack_delete(&sample->host);
    free(sample->compact);
    memset(sample, 0, sizeof *sample);
}

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
        return adi_error_set(why, EILSEQ, "ndim is %" PRId32 ", and was %" PRId32, seen->ndim,
                             wanted->ndim);
    for (int i = 0; i < wanted->ndim; i++)
        if (seen->shape[i] != wanted->shape[i])
            return adi_error_set(why, EILSEQ, "shape[%d] is %" PRId64 ", and was %" PRId64, i,
                                 seen->shape[i], wanted->shape[i]);
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
