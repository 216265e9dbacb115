/* SPDX-License-Identifier: Apache-2.0 */
#include "py_host.h"

#include <stdio.h>
#include <stdlib.h>

#include "py_device.h"

/* ---- types ---- */

static const struct type {
    uint8_t code, bits;
    char kind;          /* of a type string */
    const char *format; /* of the module struct; NULL: it has none before Python 3.14 */
} types[] = {
    {kDLInt, 8, 'i', "b"},       {kDLInt, 16, 'i', "h"},       {kDLInt, 32, 'i', "i"},
    {kDLInt, 64, 'i', "q"},      {kDLUInt, 8, 'u', "B"},       {kDLUInt, 16, 'u', "H"},
    {kDLUInt, 32, 'u', "I"},     {kDLUInt, 64, 'u', "Q"},      {kDLFloat, 16, 'f', "e"},
    {kDLFloat, 32, 'f', "f"},    {kDLFloat, 64, 'f', "d"},     {kDLBool, 8, 'b', "?"},
    {kDLComplex, 64, 'c', NULL}, {kDLComplex, 128, 'c', NULL},
};

static const struct type *type_of(DLDataType type) {
    for (size_t i = 0; type.lanes == 1 && i < sizeof types / sizeof *types; i++)
        if (types[i].code == type.code && types[i].bits == type.bits) return &types[i];
    return NULL;
}

bool adi_py_type_string(DLDataType type, char out[ADI_PY_TYPE_STRING]) {
    const struct type *found = type_of(type);
    if (found == NULL) return false;
    bool is_byte = type.bits == 8;
    char order = is_byte ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    snprintf(out, ADI_PY_TYPE_STRING, "%c%c%d", order, found->kind, type.bits / 8);
    return true;
}

static const DLTensor *host_tensor(struct adi_py_array *self) {
    if (!adi_py_is_cpu(self->device) || !adi_py_array_has_source(self)) return NULL;
    const DLTensor *tensor = adi_py_array_view(self, NULL);
    if (tensor == NULL) PyErr_Clear();
    return tensor;
}

bool adi_py_host_has_format(struct adi_py_array *self) {
    const DLTensor *tensor = host_tensor(self);
    const struct type *type = tensor == NULL ? NULL : type_of(tensor->dtype);
    return type != NULL && type->format != NULL;
}

bool adi_py_host_has_type_string(struct adi_py_array *self) {
    const DLTensor *tensor = host_tensor(self);
    return tensor != NULL && type_of(tensor->dtype) != NULL;
}

/* ---- layouts ---- */

/* Of no elements everything is contiguous. */
static bool is_contiguous(const DLTensor *tensor, bool is_fortran) {
    int64_t next = 1;
    for (int i = 0; i < tensor->ndim; i++)
        if (tensor->shape[i] == 0) return true;
    for (int i = 0; i < tensor->ndim; i++) {
        int at = is_fortran ? i : tensor->ndim - 1 - i;
        if (tensor->shape[at] != 1 && tensor->strides[at] != next) return false;
        next *= tensor->shape[at];
    }
    return true;
}

static int64_t count_elements(const DLTensor *tensor) {
    int64_t count = 1;
    for (int i = 0; i < tensor->ndim; i++) count *= tensor->shape[i];
    return count;
}

static void *first_element(const DLTensor *tensor) {
    static char nothing;
    return tensor->data == NULL ? &nothing : (char *)tensor->data + tensor->byte_offset;
}

PyObject *adi_py_numbers(const int64_t *numbers, int count, int64_t factor) {
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i] * factor);
        if (number != NULL && PyTuple_SetItem(all, i, number) == 0) continue;
        Py_CLEAR(all);
    }
    return all;
}

/* ---- the array interface ---- */

PyObject *adi_py_array_interface(PyObject *object, void *unused) {
    (void)unused;
    uint64_t flags;
    char text[ADI_PY_TYPE_STRING];
    const DLTensor *tensor = adi_py_array_view((struct adi_py_array *)object, &flags);
    if (tensor == NULL || !adi_py_type_string(tensor->dtype, text)) {
        PyErr_Clear();
        return PyErr_Format(PyExc_AttributeError, "no __array_interface__: %R", object);
    }
    PyObject *strides = is_contiguous(tensor, false)
                            ? Py_NewRef(Py_None)
                            : adi_py_numbers(tensor->strides, tensor->ndim, tensor->dtype.bits / 8);
    PyObject *shape = adi_py_numbers(tensor->shape, tensor->ndim, 1);
    PyObject *pointer = PyLong_FromVoidPtr(first_element(tensor));
    PyObject *read_only = PyBool_FromLong((flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
    if (strides != NULL && shape != NULL && pointer != NULL && read_only != NULL)
        return Py_BuildValue("{sNsss(NN)sNsi}", "shape", shape, "typestr", text, "data", pointer,
                             read_only, "strides", strides, "version", 3);
    Py_XDECREF(strides);
    Py_XDECREF(shape);
    Py_XDECREF(pointer);
    Py_XDECREF(read_only);
    return NULL;
}

/* ---- the buffer protocol ---- */

/* BUF-18, BUF-21: writable where that is asked for; without strides the memory is C-contiguous. */
static const char *refused(const DLTensor *tensor, const struct type *type, bool is_read_only,
                           int flags) {
    bool c = is_contiguous(tensor, false), fortran = is_contiguous(tensor, true);
    if (type == NULL || type->format == NULL) return "the module struct has no format for its type";
    if ((flags & PyBUF_WRITABLE) != 0 && is_read_only) return "it is read-only";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "it has strides, and they were not asked for";
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c) return "it is not C-contiguous";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !fortran)
        return "it is not Fortran-contiguous";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !fortran)
        return "it is not contiguous";
    return NULL;
}

/* Shape and strides, in bytes; NULL: no memory. */
static Py_ssize_t *describe(const DLTensor *tensor) {
    Py_ssize_t *numbers = malloc(2 * (size_t)tensor->ndim * sizeof *numbers + 1);
    for (int i = 0; numbers != NULL && i < tensor->ndim; i++) {
        numbers[i] = (Py_ssize_t)tensor->shape[i];
        numbers[tensor->ndim + i] = (Py_ssize_t)tensor->strides[i] * (tensor->dtype.bits / 8);
    }
    return numbers;
}

int adi_py_host_get_buffer(PyObject *object, Py_buffer *view, int flags) {
    uint64_t said;
    if (view == NULL) {
        PyErr_SetString(PyExc_BufferError, "there is no view to fill");
        return -1;
    }
    view->obj = NULL;
    const DLTensor *tensor = adi_py_array_view((struct adi_py_array *)object, &said);
    if (tensor == NULL) return -1;
    const struct type *type = type_of(tensor->dtype);
    bool is_read_only = (said & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    const char *why = refused(tensor, type, is_read_only, flags);
    if (why != NULL) {
        PyErr_SetString(PyExc_BufferError, why);
        return -1;
    }
    Py_ssize_t *numbers = describe(tensor);
    if (numbers == NULL) return PyErr_NoMemory() == NULL ? -1 : 0;
    bool has_shape = (flags & PyBUF_ND) == PyBUF_ND && tensor->ndim > 0;
    *view = (Py_buffer){
        .buf = first_element(tensor),
        .obj = Py_NewRef(object),
        .len = (Py_ssize_t)count_elements(tensor) * (tensor->dtype.bits / 8),
        .itemsize = tensor->dtype.bits / 8,
        .readonly = is_read_only,
        .ndim = tensor->ndim,
        .format = (flags & PyBUF_FORMAT) != 0 ? (char *)(uintptr_t)type->format : NULL,
        .shape = has_shape ? numbers : NULL,
        .strides =
            has_shape && (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? numbers + tensor->ndim : NULL,
        .internal = numbers,
    };
    return 0;
}

void adi_py_host_release_buffer(PyObject *self, Py_buffer *view) {
    (void)self;
    free(view->internal);
}
