/* SPDX-License-Identifier: Apache-2.0 */
#include "py_tensor.h"

#include <errno.h>

#include "dlpack_extent.h"
#include "py_arguments.h"
#include "py_array.h"
#include "py_device.h"
#include "py_error.h"

static int read_numbers(PyObject *tuple, int count, int64_t *out) {
    if (PyTuple_Size(tuple) != count) {
        PyErr_SetString(PyExc_ValueError, "there are as many strides as dimensions");
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (!adi_py_int64(PyTuple_GetItem(tuple, i), &out[i])) return -1;
    return 0;
}

/* All elements lie within the bytes that were given. */
static int check_extent(const DLTensor *tensor, Py_ssize_t bytes, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    ADI_TRY(adi_dlpack_measure(tensor, (DLPackVersion){1, 3}, 0, &extent, error));
    int64_t first = (int64_t)tensor->byte_offset;
    if (extent.count == 0 || (first + extent.low >= 0 && first + extent.high <= bytes)) return 0;
    return adi_error_set(error, EINVAL, "elements lie from byte %lld to %lld of %zd",
                         (long long)(first + extent.low), (long long)(first + extent.high), bytes);
}

static int produce(struct adi_device *device, const DLTensor *tensor, Py_ssize_t bytes,
                   struct adi_dlpack_source **out, struct adi_error *error) {
    struct adi_dlpack host;
    int code;
    ADI_TRY(check_extent(tensor, bytes, error));
    ADI_TRY(adi_dlpack_wrap(tensor, (DLPackVersion){1, 3}, 0, (struct adi_owner){NULL, NULL}, &host,
                            error));
    ADI_PY_WITH(device, code = adi_dlpack_produce(device, &host, ADI_DLPACK_WRITABLE, out, error));
    adi_dlpack_delete(&host);
    return code;
}

PyObject *adi_py_tensor(PyObject *module, PyObject *arguments) {
    (void)module;
    char *bytes;
    Py_ssize_t length;
    unsigned char code, bits;
    unsigned short lanes;
    unsigned long long offset;
    PyObject *shape, *strides, *name;
    int64_t numbers[2 * ADI_DLPACK_DIMS];
    struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct adi_dlpack_source *source;
    struct adi_error error = {""};
    if (!PyArg_ParseTuple(arguments, "y#(bbH)O!O!KOO", &bytes, &length, &code, &bits, &lanes,
                          &PyTuple_Type, &shape, &PyTuple_Type, &strides, &offset, &name,
                          &showing.protocols))
        return NULL;
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    if (PyTuple_Size(shape) > ADI_DLPACK_DIMS)
        return PyErr_Format(PyExc_ValueError, "%d dimensions at most", ADI_DLPACK_DIMS);
    int ndim = (int)PyTuple_Size(shape);
    if (read_numbers(shape, ndim, numbers) != 0 || read_numbers(strides, ndim, numbers + ndim) != 0)
        return NULL;
    DLTensor tensor = {.data = bytes,
                       .device = {kDLCPU, 0},
                       .ndim = ndim,
                       .dtype = {code, bits, lanes},
                       .shape = numbers,
                       .strides = numbers + ndim,
                       .byte_offset = offset};
    int failed = produce(device, &tensor, length, &source, &error);
    if (failed != 0) return adi_py_raise(failed, PyExc_BufferError, &error);
    return adi_py_array_of_source(device, source, &showing);
}
