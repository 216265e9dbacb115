/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference's table.
 */
#include "py_exchange.h"

#include <errno.h>
#include <stdlib.h>

#include "dlpack_extent.h"
#include "dlpack_stream.h"
#include "dlpack_type.h"
#include "py_device.h"
#include "py_error.h"

/* ---- streams ---- */

static bool has_work_stream(struct adi_device *device) {
    return adi_dlpack_numbers(device->ops->type) == ADI_DLPACK_STREAMLESS ||
           adi_dlpack_own_stream(device) != ADI_DLPACK_NONE;
}

bool adi_py_exchange_is_had(struct adi_py_array *self) {
    return has_work_stream(self->device) && adi_py_array_has_source(self);
}

static struct adi_device *device_of(DLDevice where, struct adi_error *error) {
    ArrowDeviceType type;
    int64_t id;
    if (adi_dlpack_device_to_arrow(where, &type, &id, error) != 0) return NULL;
    struct adi_device *device = adi_py_device(type, id, error);
    if (device == NULL || has_work_stream(device)) return device;
    adi_error_set(error, ENOTSUP, "streams of %s have no numbers", device->ops->name);
    return NULL;
}

/* DLH-66, DLH-67: our own work's; the CPU has none. */
static int current_work_stream(DLDeviceType type, int32_t id, void **out) {
    struct adi_error error = {""};
    struct adi_device *device = device_of((DLDevice){type, id}, &error);
    if (device == NULL) {
        adi_py_raise(ENOTSUP, PyExc_BufferError, &error);
        return -1;
    }
    int64_t stream = adi_dlpack_own_stream(device);
    *out = stream == ADI_DLPACK_NONE ? NULL : (void *)(uintptr_t)stream;
    return 0;
}

/* ---- from objects ---- */

/* DLH-61: who calls has the table from the object's class. */
static struct adi_dlpack_source *source_of(void *object, struct adi_device **device) {
    if (!adi_py_array_check(object)) {
        PyErr_Format(PyExc_TypeError, "the table is of adicheck.Array, and %R is none",
                     (PyObject *)object);
        return NULL;
    }
    struct adi_py_array *self = object;
    *device = self->device;
    if (has_work_stream(self->device)) return adi_py_array_source(self);
    PyErr_Format(PyExc_BufferError, "streams of %s have no numbers", self->device->ops->name);
    return NULL;
}

/* DLH-59, DLH-62: our work stream waits, and the caller does not. */
static int managed_tensor_from_py_object(void *object, struct DLManagedTensorVersioned **out) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack tensor = {NULL, NULL};
    struct adi_error error = {""};
    struct adi_device *device;
    int code;
    struct adi_dlpack_source *source = source_of(object, &device);
    if (source == NULL) return -1;
    arguments.stream = adi_dlpack_own_stream(device);
    ADI_PY_WITH(device, code = adi_dlpack_ask(source, &arguments, &tensor, &error));
    if (code != 0) {
        adi_py_raise(code, PyExc_BufferError, &error);
        return -1;
    }
    *out = tensor.versioned;
    return 0;
}

/* DLH-63, DLH-65: shape and strides are the array's. */
static int dltensor_from_py_object(void *object, DLTensor *out) {
    struct adi_error error = {""};
    struct adi_device *device;
    int code;
    struct adi_dlpack_source *source = source_of(object, &device);
    if (source == NULL) return -1;
    int64_t stream = adi_dlpack_own_stream(device);
    ADI_PY_WITH(device, code = adi_dlpack_borrow(source, stream, out, &error));
    if (code == 0) return 0;
    adi_py_raise(code, PyExc_BufferError, &error);
    return -1;
}

/* ---- to objects ---- */

/* DLH-68: the tensor is the object's; where none is made it stays the caller's. */
static int managed_tensor_to_py_object(struct DLManagedTensorVersioned *tensor, void **out) {
    static const struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack in = {.versioned = tensor};
    struct adi_dlpack_source *source = NULL;
    struct adi_device *device = NULL;
    const DLTensor *within;
    struct adi_error error = {""};
    int code = adi_dlpack_look(&in, &within, NULL, NULL, &error);
    if (code == 0) {
        device = device_of(within->device, &error);
        code = device == NULL ? ENOTSUP : 0;
    }
    if (code == 0) {
        arguments.stream = adi_dlpack_own_stream(device);
        ADI_PY_WITH(device, code = adi_dlpack_relay(device, &in, &arguments, &source, &error));
    }
    if (code != 0) {
        adi_py_raise(code, PyExc_BufferError, &error);
        return -1;
    }
    *out = adi_py_array_of_source(device, source, &showing);
    return *out == NULL ? -1 : 0;
}

/* ---- new ones ---- */

/* DLH-55: of the prototype type, shape and device count. */
static int allocate(const DLTensor *prototype, struct adi_dlpack *out, struct adi_error *error) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    DLTensor tensor = {.data = (void *)(uintptr_t)prototype, /* until there is memory */
                       .device = {kDLCPU, 0},
                       .ndim = prototype->ndim,
                       .dtype = prototype->dtype,
                       .shape = prototype->shape};
    struct adi_dlpack_extent extent;
    struct adi_dlpack host = {NULL, NULL};
    struct adi_dlpack_source *source = NULL;
    ADI_TRY(adi_dlpack_measure(&tensor, (DLPackVersion){1, 1}, 0, &extent, error));
    struct adi_device *device = device_of(prototype->device, error);
    if (device == NULL) return ENOTSUP;
    tensor.data = calloc(1, extent.bytes == 0 ? 1 : (size_t)extent.bytes);
    if (tensor.data == NULL)
        return adi_error_set(error, ENOMEM, "no memory for %lld bytes", (long long)extent.bytes);
    int code = adi_dlpack_wrap(&tensor, (DLPackVersion){1, 3}, 0, (struct adi_owner){NULL, NULL},
                               &host, error);
    if (code == 0)
        ADI_PY_WITH(device,
                    code = adi_dlpack_produce(device, &host, ADI_DLPACK_WRITABLE, &source, error));
    adi_dlpack_delete(&host);
    free(tensor.data);
    ADI_TRY(code);
    arguments.stream = adi_dlpack_own_stream(device);
    ADI_PY_WITH(device, code = adi_dlpack_ask(source, &arguments, out, error));
    adi_dlpack_close(source);
    return code;
}

/* DLH-56: it may be called without the GIL, which our devices are opened under. */
static int managed_tensor_allocator(DLTensor *prototype, struct DLManagedTensorVersioned **out,
                                    void *error_ctx,
                                    void (*SetError)(void *error_ctx, const char *kind,
                                                     const char *message)) {
    struct adi_error error = {""};
    struct adi_dlpack tensor = {NULL, NULL};
    PyGILState_STATE state = PyGILState_Ensure();
    int code = allocate(prototype, &tensor, &error);
    PyGILState_Release(state);
    *out = tensor.versioned;
    if (code == 0) return 0;
    SetError(error_ctx,
             code == ENOMEM    ? "MemoryError"
             : code == ENOTSUP ? "BufferError"
                               : "ValueError",
             error.text);
    return -1;
}

/* ---- the table ---- */

/* DLH-70, DLH-74, DLH-75, DLH-76, DLH-77, DLH-79: it is static, complete, and the only one. */
static const DLPackExchangeAPI table = {
    .header = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, .prev_api = NULL},
    .managed_tensor_allocator = managed_tensor_allocator,
    .managed_tensor_from_py_object_no_sync = managed_tensor_from_py_object,
    .managed_tensor_to_py_object_no_sync = managed_tensor_to_py_object,
    .dltensor_from_py_object_no_sync = dltensor_from_py_object,
    .current_work_stream = current_work_stream,
};

const DLPackExchangeAPI *adi_py_exchange_api(void) {
    return &table;
}

PyObject *adi_py_exchange_capsule(void) {
    return PyCapsule_New((void *)(uintptr_t)&table, ADI_PY_EXCHANGE_NAME, NULL);
}

PyObject *adi_py_exchange_address(void) {
    return PyLong_FromVoidPtr((void *)(uintptr_t)&table);
}
