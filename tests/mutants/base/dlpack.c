/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 256

/* ---- elements ---- */

static size_t item_bytes(const DLTensor *tensor) {
    return (size_t)(tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
}

size_t base_tensor_bytes(const DLTensor *tensor) {
    size_t bytes = item_bytes(tensor);
    for (int i = 0; i < tensor->ndim; i++) bytes *= (size_t)tensor->shape[i];
    return bytes;
}

static int64_t stride(const DLTensor *tensor, int dimension) {
    int64_t next = 1;
    if (tensor->strides != NULL) return tensor->strides[dimension];
    for (int i = tensor->ndim - 1; i > dimension; i--) next *= tensor->shape[i];
    return next;
}

static char *copy_from(const DLTensor *tensor, int dimension, const char *from, char *to) {
    const size_t item = item_bytes(tensor);
    if (dimension == tensor->ndim) {
        memcpy(to, from, item);
        return to + item;
    }
    for (int64_t i = 0; i < tensor->shape[dimension]; i++)
        to = copy_from(tensor, dimension + 1, from + i * stride(tensor, dimension) * (int64_t)item,
                       to);
    return to;
}

int base_tensor_read(const DLTensor *tensor, char *to) {
    if (base_tensor_bytes(tensor) > 0)
        copy_from(tensor, 0, (const char *)tensor->data + tensor->byte_offset, to);
    return 0;
}

struct base_memory *base_memory_new(const void *from, size_t bytes) {
    struct base_memory *memory = malloc(sizeof *memory);
    if (memory == NULL) return NULL;
    memory->users = 1;
    memory->bytes = bytes;
    memory->data = NULL;
    if (bytes > 0 && posix_memalign(&memory->data, ALIGNMENT, bytes) != 0) {
        free(memory);
        return NULL;
    }
    if (bytes > 0) memcpy(memory->data, from, bytes);
    return memory;
}

void base_memory_let(struct base_memory *memory) {
    if (atomic_fetch_sub(&memory->users, 1) != 1) return;
    free(memory->data);
    free(memory);
}

/* ---- the producer's half ---- */

void base_tensor_delete(struct base_tensor *tensor) {
    base_dlpack.memory_let(tensor->memory);
    free(tensor);
}

static void delete_legacy(struct DLManagedTensor *self) {
    base_dlpack.delete_tensor(self->manager_ctx);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    base_dlpack.delete_tensor(self->manager_ctx);
}

/* What it is asked for and can be had. */
static int look_at_request(const struct adi_dlpack_request *request) {
    bool is_here =
        request->device_type == 0 || (request->device_type == kDLCPU && request->device_id == 0);
    if (!is_here) return ENOTSUP;
    return request->stream == ADI_DLPACK_NONE ? 0 : EINVAL;
}

static struct base_memory *memory_for(const struct base_array *array, bool is_copied) {
    struct base_memory *memory = array->memory;
    if (is_copied) return base_dlpack.memory_new(memory->data, memory->bytes);
    atomic_fetch_add(&memory->users, 1);
    return memory;
}

static void fill(const struct base_array *array, struct base_tensor *tensor, DLTensor *out) {
    *out = array->tensor;
    out->data = tensor->memory->data;
    memcpy(tensor->numbers, array->numbers, sizeof tensor->numbers);
    out->shape = tensor->numbers;
    out->strides = tensor->numbers + BASE_DIMS;
}

int base_tensor_ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
                    struct adi_dlpack_tensor *out) {
    const struct base_array *array = self->private_data;
    bool is_copied = request->copy == 1;
    int code = look_at_request(request);
    if (code != 0) return code;
    struct base_tensor *tensor = calloc(1, sizeof *tensor);
    if (tensor == NULL) return ENOMEM;
    tensor->memory = memory_for(array, is_copied);
    if (tensor->memory == NULL) {
        free(tensor);
        return ENOMEM;
    }
    tensor->is_versioned = request->max_major > 0;
    if (tensor->is_versioned) {
        struct DLManagedTensorVersioned *made = &tensor->managed.versioned;
        made->version = (DLPackVersion){1, 1};
        made->manager_ctx = tensor;
        made->deleter = delete_versioned;
        made->flags = is_copied ? DLPACK_FLAG_BITMASK_IS_COPIED : DLPACK_FLAG_BITMASK_READ_ONLY;
        fill(array, tensor, &made->dl_tensor);
        *out = (struct adi_dlpack_tensor){NULL, made};
    } else {
        struct DLManagedTensor *made = &tensor->managed.legacy;
        made->manager_ctx = tensor;
        made->deleter = delete_legacy;
        fill(array, tensor, &made->dl_tensor);
        *out = (struct adi_dlpack_tensor){made, NULL};
    }
    if (base_dlpack.handed_out != NULL) base_dlpack.handed_out(request, out);
    return 0;
}

void base_tensors_release(struct adi_dlpack_array *self) {
    struct base_array *array = self->private_data;
    base_dlpack.memory_let(array->memory);
    free(array);
    self->release = NULL;
}

static int call_ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
                    struct adi_dlpack_tensor *out) {
    return base_dlpack.ask(self, request, out);
}

static void call_release(struct adi_dlpack_array *self) {
    base_dlpack.release(self);
}

static int copy_in(const DLTensor *host, struct base_array *array) {
    size_t bytes = base_tensor_bytes(host);
    char *elements = malloc(bytes + 1);
    if (elements == NULL) return ENOMEM;
    base_dlpack.read(host, elements);
    array->memory = base_dlpack.memory_new(elements, bytes);
    free(elements);
    return array->memory == NULL ? ENOMEM : 0;
}

static int produce(struct adi_adapter *adapter, int32_t device_type, int32_t device_id,
                   const struct DLManagedTensorVersioned *host, struct adi_dlpack_array *out) {
    (void)adapter;
    const DLTensor *tensor = &host->dl_tensor;
    if (device_type != kDLCPU || device_id != 0 || tensor->ndim > BASE_DIMS) return ENOTSUP;
    struct base_array *array = calloc(1, sizeof *array);
    if (array == NULL) return ENOMEM;
    int code = copy_in(tensor, array);
    if (code != 0) {
        free(array);
        return code;
    }
    array->tensor = *tensor;
    array->tensor.byte_offset = 0;
    array->tensor.device = (DLDevice){kDLCPU, 0};
    for (int i = tensor->ndim - 1, next = 1; i >= 0; i--) {
        array->numbers[i] = tensor->shape[i];
        array->numbers[BASE_DIMS + i] = next;
        next *= (int)tensor->shape[i];
    }
    *out = (struct adi_dlpack_array){sizeof *out, kDLCPU, 0, call_ask, call_release, array};
    if (base_dlpack.shown != NULL) base_dlpack.shown(out);
    return 0;
}

/* ---- the consumer's half ---- */

const DLTensor *base_within(const struct adi_dlpack_tensor *tensor) {
    return tensor->versioned != NULL ? &tensor->versioned->dl_tensor : &tensor->legacy->dl_tensor;
}

DLTensor *base_within_out(struct adi_dlpack_tensor *tensor) {
    return tensor->versioned != NULL ? &tensor->versioned->dl_tensor : &tensor->legacy->dl_tensor;
}

static bool is_known(DLDataType type) {
    static const uint8_t bits[] = {
        [kDLBool] = 8,          [kDLFloat8_e3m4] = 8,   [kDLFloat8_e4m3] = 8,
        [kDLFloat6_e2m3fn] = 6, [kDLFloat4_e2m1fn] = 4,
    };
    if (type.lanes != 1 || type.code == kDLOpaqueHandle || type.code > kDLFloat4_e2m1fn)
        return false;
    return bits[type.code] == 0 || bits[type.code] == type.bits;
}

int base_tensor_look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    (void)in;
    if (tensor->versioned != NULL && tensor->versioned->version.major != 1) return ENOTSUP;
    const DLTensor *within = base_within(tensor);
    if ((int)within->device.device_type != kDLCPU) return ENOTSUP;
    return is_known(within->dtype) && within->ndim <= BASE_DIMS ? 0 : ENOTSUP;
}

void base_tensor_end(const struct adi_dlpack_tensor *tensor) {
    struct DLManagedTensor *legacy = tensor->legacy;
    struct DLManagedTensorVersioned *versioned = tensor->versioned;
    if (legacy != NULL && legacy->deleter != NULL) legacy->deleter(legacy);
    if (versioned != NULL && versioned->deleter != NULL) versioned->deleter(versioned);
}

static void delete_copy(struct DLManagedTensorVersioned *self) {
    free(self->manager_ctx);
    free(self);
}

static int copy_out(const DLTensor *from, struct adi_dlpack_tensor *out) {
    struct copy {
        struct DLManagedTensorVersioned managed;
        int64_t numbers[2 * BASE_DIMS];
    } *copy = calloc(1, sizeof *copy);
    char *elements = calloc(1, base_tensor_bytes(from) + 1);
    if (copy == NULL || elements == NULL) {
        free(copy);
        free(elements);
        return ENOMEM;
    }
    DLTensor *made = &copy->managed.dl_tensor;
    copy->managed.version = (DLPackVersion){1, 3};
    copy->managed.manager_ctx = elements;
    copy->managed.deleter = delete_copy;
    base_dlpack.read(from, elements);
    *made = *from;
    made->data = base_tensor_bytes(from) == 0 ? NULL : elements;
    made->byte_offset = 0;
    made->shape = copy->numbers;
    made->strides = copy->numbers + BASE_DIMS;
    for (int i = from->ndim - 1, next = 1; i >= 0; i--) {
        made->shape[i] = from->shape[i];
        made->strides[i] = next;
        next *= (int)from->shape[i];
    }
    *out = (struct adi_dlpack_tensor){NULL, &copy->managed};
    return 0;
}

static int consume(struct adi_adapter *adapter, struct adi_dlpack_array *in,
                   struct adi_dlpack_tensor *host_out) {
    struct adi_dlpack_tensor tensor = {NULL, NULL};
    (void)adapter;
    int code = in->dlpack(in, &base_dlpack.request, &tensor);
    if (code != 0 && !base_dlpack.overlooks_error) return code;
    code = base_dlpack.look(&tensor, in);
    if (code == 0) code = copy_out(base_within(&tensor), host_out);
    if (code == 0 && base_dlpack.was_read != NULL) base_dlpack.was_read(&tensor);
    base_dlpack.end(&tensor);
    if (code == 0 && base_dlpack.was_ended != NULL) base_dlpack.was_ended(&tensor);
    if (code == 0 && !base_dlpack.keeps_array) in->release(in);
    return code;
}

/* ---- the adapter ---- */

struct base_dlpack base_dlpack = {
    .ask = base_tensor_ask,
    .release = base_tensors_release,
    .delete_tensor = base_tensor_delete,
    .memory_new = base_memory_new,
    .memory_let = base_memory_let,
    .request = {sizeof(struct adi_dlpack_request), 1, 3, 0, 0, -1, ADI_DLPACK_NONE},
    .read = base_tensor_read,
    .look = base_tensor_look,
    .end = base_tensor_end,
};

void base_plays_tensors(unsigned roles) {
    base.roles = roles;
    base.adapter.produce_dlpack = produce;
    base.adapter.consume_dlpack = consume;
}
