/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "device_types.h"
#include "dlpack_stream.h"
#include "move.h"
#include "py_cuda.h"
#include "py_device.h"
#include "py_error.h"
#include "py_host.h"

#define LEGACY_STREAM 1

static bool is_of_cuda(const struct adi_device *device) {
    return adi_device_type_of(device->ops->type)->family == ARROW_DEVICE_CUDA;
}

bool adi_py_cuda_is_had(struct adi_py_array *self) {
    char text[ADI_TYPE_STRING_SIZE + ADI_PY_TYPE_STRING];
    unsigned needs;
    if (!is_of_cuda(self->device)) return false;
    if (self->is_tensor)
        return adi_py_type_string(adi_dlpack_describe(self->source, NULL)->dtype, text);
    const struct ArrowSchema *schema = &self->memory->schema;
    if (self->memory->array.array.null_count != 0 || schema->dictionary != NULL) return false;
    return adi_py_array_has_source(self) ||
           adi_type_string_from_arrow(schema->format, text, &needs, NULL) == 0;
}

/* ---- of a tensor ---- */

struct tensor {
    struct adi_dlpack dlpack;
    struct adi_device *device;
    char typestr[ADI_PY_TYPE_STRING];
    int64_t strides[ADI_DLPACK_DIMS];
};

/* Whoever reads it does so on the stream: that comes before the memory is given back. */
static void release_tensor(struct adi_cuda_array *array) {
    struct tensor *tensor = array->private_data;
    struct adi_dlpack_queue queue;
    void *event = NULL;
    array->release = NULL;
    if (adi_dlpack_stream(kDLCUDA, LEGACY_STREAM, &queue, NULL) == 0 &&
        adi_dlpack_record(tensor->device, queue, &event, NULL) == 0 && event != NULL) {
        tensor->device->ops->wait_host(tensor->device, event, NULL);
        tensor->device->ops->event_free(tensor->device, event);
    }
    adi_dlpack_delete(&tensor->dlpack);
    free(tensor);
}

static int ask_tensor(struct adi_py_array *self, struct adi_dlpack *out, struct adi_error *error) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    arguments.stream = LEGACY_STREAM;
    return adi_dlpack_ask(self->source, &arguments, out, error);
}

/* MAP-18: the flag of the tensor is that of the dictionary. */
static int describe_tensor(struct adi_py_array *self, struct adi_cuda_array *out,
                           struct adi_error *error) {
    const DLTensor *within;
    uint64_t flags;
    struct tensor *tensor = calloc(1, sizeof *tensor);
    if (tensor == NULL) return adi_error_set(error, ENOMEM, "no memory for a description");
    int code = ask_tensor(self, &tensor->dlpack, error);
    if (code == 0) code = adi_dlpack_look(&tensor->dlpack, &within, NULL, &flags, error);
    if (code == 0 && !adi_py_type_string(within->dtype, tensor->typestr))
        code = adi_error_set(error, ENOTSUP, "no type string says what its elements are");
    if (code != 0) {
        adi_dlpack_delete(&tensor->dlpack);
        free(tensor);
        return code;
    }
    for (int i = 0; i < within->ndim; i++)
        tensor->strides[i] = within->strides[i] * (within->dtype.bits / 8);
    tensor->device = self->device;
    *out = (struct adi_cuda_array){
        .size = sizeof *out,
        .has_shape = ADI_ENTRY_GIVEN,
        .has_typestr = ADI_ENTRY_GIVEN,
        .has_data = ADI_ENTRY_GIVEN,
        .has_version = ADI_ENTRY_GIVEN,
        .has_strides = ADI_ENTRY_GIVEN,
        .has_stream = ADI_ENTRY_GIVEN,
        .n_dimensions = within->ndim,
        .shape = within->shape,
        .strides = tensor->strides,
        .typestr = tensor->typestr,
        .data = within->data == NULL ? 0 : (uint64_t)(uintptr_t)within->data + within->byte_offset,
        .read_only = (flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
        .version = ADI_CUDA_ARRAY_VERSION,
        .stream = LEGACY_STREAM,
        .release = release_tensor,
        .private_data = tensor,
    };
    return 0;
}

/* ---- of an array ---- */

static int describe_array(struct adi_py_array *self, struct adi_cuda_array *out,
                          struct adi_error *error) {
    struct ArrowDeviceArray shared;
    struct adi_cuda_array_options options = {.version = self->cuda_version,
                                             .copy = ADI_COPY_IF_NEEDED};
    if (options.version == 3) {
        options.has_stream = ADI_ENTRY_GIVEN;
        options.stream = LEGACY_STREAM;
    }
    ADI_TRY(adi_py_memory_share(self->memory, &shared, error));
    int code = adi_cuda_array_from_arrow(self->device, &self->memory->schema, &shared, &options,
                                         out, error);
    if (code != 0) adi_device_array_release(&shared);
    return code;
}

static int describe(struct adi_py_array *self, struct adi_error *error) {
    struct adi_cuda_array made = {.size = 0};
    int code;
    if (self->has_cuda) return 0;
    if (!is_of_cuda(self->device)) return adi_error_set(error, ENOTSUP, "it is not on CUDA");
    ADI_PY_WITH(self->device, code = self->is_tensor ? describe_tensor(self, &made, error)
                                                     : describe_array(self, &made, error));
    if (code != 0) return code;
    if (self->has_cuda) {
        ADI_PY_WITH(self->device, adi_cuda_array_release(&made));
        return 0;
    }
    adi_cuda_array_move(&made, &self->cuda);
    self->has_cuda = true;
    return 0;
}

/* ---- the dictionary ---- */

static int put(PyObject *dictionary, const char *key, uint8_t has, PyObject *value) {
    if (has == ADI_ENTRY_NONE) {
        Py_XDECREF(value);
        value = Py_NewRef(Py_None);
    }
    int code = value == NULL ? -1 : 0;
    if (code == 0 && has != ADI_ENTRY_ABSENT) code = PyDict_SetItemString(dictionary, key, value);
    Py_XDECREF(value);
    return code;
}

static PyObject *numbers(const struct adi_cuda_array *array, const int64_t *from, uint8_t has) {
    return adi_py_numbers(from, has == ADI_ENTRY_GIVEN ? array->n_dimensions : 0, 1);
}

static PyObject *dictionary_of(const struct adi_cuda_array *array) {
    PyObject *all = PyDict_New();
    if (all == NULL) return NULL;
    PyObject *data =
        Py_BuildValue("(KN)", (unsigned long long)array->data, PyBool_FromLong(array->read_only));
    if (put(all, "shape", array->has_shape, numbers(array, array->shape, array->has_shape)) == 0 &&
        put(all, "typestr", array->has_typestr, PyUnicode_FromString(array->typestr)) == 0 &&
        put(all, "data", array->has_data, Py_XNewRef(data)) == 0 &&
        put(all, "version", array->has_version, PyLong_FromLongLong(array->version)) == 0 &&
        put(all, "strides", array->has_strides,
            numbers(array, array->strides, array->has_strides)) == 0 &&
        put(all, "stream", array->has_stream, PyLong_FromLongLong(array->stream)) == 0) {
        Py_XDECREF(data);
        return all;
    }
    Py_XDECREF(data);
    Py_DECREF(all);
    return NULL;
}

/* An attribute that there is not is AttributeError: hasattr() says so then. */
PyObject *adi_py_cuda_array_interface(PyObject *object, void *unused) {
    (void)unused;
    struct adi_py_array *self = (struct adi_py_array *)object;
    struct adi_error error = {""};
    int code = describe(self, &error);
    if (code == 0) return dictionary_of(&self->cuda);
    return adi_py_raise(code, PyExc_AttributeError, &error);
}
