/* SPDX-License-Identifier: Apache-2.0
 *
 * Laying out: the elements, and the structures that describe them, in guarded memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dlpack_extent.h"
#include "dlpack_type.h"
#include "guarded_tensor_internal.h"

#define ALIGNMENT 256 /* what dlpack.h asks of data */
#define PRIVATE   16  /* bytes that manager_ctx points to */
#define GAPS      0x5A

/* Where the elements lie: compact, or column by column, and one alone every second one. */
static void place_elements(struct adi_guarded_tensor *guarded, int64_t item) {
    DLTensor *tensor = &guarded->tensor;
    bool is_strided = adi_tensor_is_odd(guarded, ADI_TENSOR_STRIDED);
    int64_t next = is_strided && tensor->ndim == 1 ? 2 : 1;
    for (int n = 0; n < tensor->ndim; n++) {
        int i = is_strided ? n : tensor->ndim - 1 - n;
        guarded->strides[i] = next;
        next *= tensor->shape[i];
    }
    int64_t bytes = next * item, rest = bytes % ALIGNMENT;
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_OFFSET))
        guarded->first = ALIGNMENT + (ALIGNMENT - rest);
    tensor->byte_offset = (uint64_t)guarded->first;
    guarded->memory = guarded->first + bytes;
}

/* The memory as it is to be; the caller frees it. */
static int make_image(const struct adi_guarded_tensor *guarded, const DLTensor *host,
                      const struct adi_dlpack_extent *extent, char **out, struct adi_error *error) {
    void *compact;
    ADI_TRY(adi_dlpack_read(NULL, host, extent, &compact, error));
    char *image = malloc((size_t)guarded->memory + 1);
    if (image == NULL) {
        free(compact);
        return adi_error_set(error, ENOMEM, "no memory for a tensor");
    }
    memset(image, GAPS, (size_t)guarded->memory);
    for (int64_t i = 0; i < extent->count; i++) {
        int64_t at = 0, rest = i;
        for (int n = host->ndim - 1; n >= 0; n--) {
            at += rest % host->shape[n] * guarded->strides[n];
            rest /= host->shape[n];
        }
        memcpy(image + guarded->first + at * extent->item, (const char *)compact + i * extent->item,
               (size_t)extent->item);
    }
    free(compact);
    *out = image;
    return 0;
}

static void *room(enum adi_region_kind kind, size_t bytes, size_t align, const char *place,
                  struct adi_error *error) {
    void *start = adi_guard_alloc(kind, bytes, align, place);
    if (start == NULL) adi_error_set(error, ENOMEM, "the guarded memory is full");
    return start;
}

static int put_on_device(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor,
                         const char *image, struct adi_error *error) {
    struct adi_device *device = guarded->device;
    ADI_TRY(device->ops->alloc(device, guarded->memory, &tensor->data, error));
    ADI_TRY(device->ops->write(device, tensor->data, 0, image, guarded->memory, error));
    return device->ops->event(device, &tensor->event, error);
}

/* Who may write to a tensor is not told by a fault. */
static int put_data(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor,
                    const char *image, struct adi_error *error) {
    size_t bytes = (size_t)guarded->memory;
    if (guarded->memory == guarded->first) return 0;
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_TRN)) {
        tensor->data = room(ADI_REGION_FOREIGN, bytes, ALIGNMENT, "data", error);
        return tensor->data == NULL ? ENOMEM : 0;
    }
    if (!adi_tensor_is_on_cpu(guarded)) return put_on_device(guarded, tensor, image, error);
    tensor->data = room(tensor->form == ADI_FORM_SHARED ? ADI_REGION_BUFFER : ADI_REGION_STRUCTURE,
                        bytes, ALIGNMENT, "data", error);
    if (tensor->data == NULL) return ENOMEM;
    memcpy(tensor->data, image, bytes);
    return 0;
}

static int put_numbers(int32_t n, const int64_t *from, const char *place, int64_t **out,
                       struct adi_error *error) {
    if (n == 0) return 0;
    size_t bytes = (size_t)n * sizeof *from;
    *out = room(ADI_REGION_STRING, bytes, sizeof *from, place, error);
    if (*out == NULL) return ENOMEM;
    memcpy(*out, from, bytes);
    return 0;
}

static DLPackVersion version_of(const struct adi_guarded_tensor *guarded) {
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_MAJOR_2)) return (DLPackVersion){2, 0};
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_NO_STRIDES)) return (DLPackVersion){1, 1};
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_CODE_99)) return (DLPackVersion){1, 99};
    return (DLPackVersion){1, 3};
}

static void describe(const struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor,
                     void *key) {
    bool has_deleter = !adi_tensor_is_odd(guarded, ADI_TENSOR_NO_DELETER);
    DLTensor within = guarded->tensor;
    within.data = tensor->data;
    within.shape = tensor->shape;
    within.strides = adi_tensor_is_odd(guarded, ADI_TENSOR_NO_STRIDES) ? NULL : tensor->strides;
    if (tensor->form == ADI_FORM_LEGACY) {
        tensor->original.legacy = (struct DLManagedTensor){
            within, key, has_deleter ? guarded->callbacks->delete_legacy : NULL};
        return;
    }
    tensor->original.versioned = (struct DLManagedTensorVersioned){
        version_of(guarded), key, has_deleter ? guarded->callbacks->delete_versioned : NULL,
        tensor->form == ADI_FORM_COPY ? DLPACK_FLAG_BITMASK_IS_COPIED
                                      : DLPACK_FLAG_BITMASK_READ_ONLY,
        within};
}

/* Of another major version nothing is there but what all versions have. */
static int put_structure(struct adi_guarded_tensor *guarded, struct adi_tensor_given *tensor,
                         struct adi_error *error) {
    bool is_cut = adi_tensor_is_odd(guarded, ADI_TENSOR_MAJOR_2) && tensor->form != ADI_FORM_LEGACY;
    tensor->bytes = is_cut ? offsetof(struct DLManagedTensorVersioned, dl_tensor)
                    : tensor->form == ADI_FORM_LEGACY ? sizeof tensor->original.legacy
                                                      : sizeof tensor->original.versioned;
    void *key = room(ADI_REGION_PRIVATE, PRIVATE, 1, "manager_ctx", error);
    tensor->at = room(is_cut ? ADI_REGION_BUFFER : ADI_REGION_STRUCTURE, tensor->bytes,
                      sizeof(void *), "the tensor", error);
    if (tensor->at == NULL || key == NULL) return ENOMEM;
    describe(guarded, tensor, key);
    memcpy(tensor->at, &tensor->original, tensor->bytes);
    return 0;
}

static int put_tensors(struct adi_guarded_tensor *guarded, const char *image,
                       struct adi_error *error) {
    const DLTensor *like = &guarded->tensor;
    for (int i = 0; i < ADI_TENSORS_GIVEN; i++) {
        struct adi_tensor_given *tensor = &guarded->tensors[i];
        tensor->form = (enum adi_tensor_form)(i / ADI_TENSOR_EACH);
        ADI_TRY(put_data(guarded, tensor, image, error));
        ADI_TRY(put_numbers(like->ndim, guarded->shape, "shape", &tensor->shape, error));
        ADI_TRY(put_numbers(like->ndim, guarded->strides, "strides", &tensor->strides, error));
        ADI_TRY(put_structure(guarded, tensor, error));
    }
    return 0;
}

static int describe_all(struct adi_guarded_tensor *guarded, const DLTensor *host,
                        struct adi_error *error) {
    DLTensor *tensor = &guarded->tensor;
    const struct adi_device *device = guarded->device;
    *tensor = *host;
    ADI_TRY(adi_dlpack_device_from_arrow(device->ops->type, device->id, &tensor->device, error));
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_TRN)) tensor->device = (DLDevice){kDLTrn, 0};
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_CODE_99)) tensor->dtype.code = 99;
    if (adi_tensor_is_odd(guarded, ADI_TENSOR_FLOAT6))
        tensor->dtype = (DLDataType){kDLFloat6_e2m3fn, 8, 1};
    for (int i = 0; i < host->ndim; i++) guarded->shape[i] = host->shape[i];
    return 0;
}

int adi_guarded_tensor_put(struct adi_guarded_tensor *guarded, const DLTensor *host,
                           const struct adi_tensor_callbacks *callbacks, struct adi_error *error) {
    guarded->callbacks = callbacks;
    struct adi_dlpack_extent extent;
    char *image = NULL;
    ADI_TRY(adi_dlpack_measure(host, (DLPackVersion){0, 0}, 0, &extent, error));
    ADI_TRY(describe_all(guarded, host, error));
    guarded->tensor.shape = guarded->shape;
    place_elements(guarded, extent.item);
    guarded->array =
        room(ADI_REGION_STRUCTURE, sizeof *guarded->array, sizeof(void *), "the array", error);
    if (guarded->array == NULL) return ENOMEM;
    *guarded->array =
        (struct adi_dlpack_array){.size = sizeof *guarded->array,
                                  .device_type = (int32_t)guarded->tensor.device.device_type,
                                  .device_id = guarded->tensor.device.device_id,
                                  .dlpack = callbacks->ask,
                                  .release = callbacks->release};
    ADI_TRY(make_image(guarded, host, &extent, &image, error));
    int code = put_tensors(guarded, image, error);
    free(image);
    adi_guard_seal();
    return code;
}
