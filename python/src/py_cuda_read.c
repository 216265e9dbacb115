/* SPDX-License-Identifier: Apache-2.0 */
#include "py_arguments.h"
#include "py_cuda.h"

#define DEEPEST ADI_ARRAY_FIELDS_DEPTH

/* What is beyond 64 bits is a wrong value, and not a failure to calculate. */
static int in_range(bool is_read, const char *what, PyObject *object) {
    if (is_read) return 0;
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s: %R has more than 64 bits", what, object);
    }
    return -1;
}

static int read_number(PyObject *object, const char *what, int64_t *out) {
    if (PyLong_Check(object)) return in_range(adi_py_int64(object, out), what, object);
    PyErr_Format(PyExc_TypeError, "%s is an int, and not %R", what, object);
    return -1;
}

static int read_numbers(PyObject *object, const char *what, struct adi_py_block **blocks,
                        const int64_t **out, int32_t *count) {
    if (!PyTuple_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s is a tuple of ints, and not %R", what, object);
        return -1;
    }
    Py_ssize_t length = PyTuple_Size(object);
    int64_t *numbers = adi_py_blocks_take(blocks, (size_t)length * sizeof *numbers);
    if (numbers == NULL) return -1;
    for (Py_ssize_t i = 0; i < length; i++)
        if (read_number(PyTuple_GetItem(object, i), what, &numbers[i]) != 0) return -1;
    *out = numbers;
    *count = length > INT32_MAX ? INT32_MAX : (int32_t)length;
    return 0;
}

/* ---- descr ---- */

static int read_fields(PyObject *list, int depth, struct adi_py_block **blocks,
                       const struct adi_array_field **out, size_t *count);

/* A str, or ('full name', 'basic_name'). */
static int read_name(PyObject *name, struct adi_py_block **blocks, struct adi_array_field *field) {
    if (PyTuple_Check(name) && PyTuple_Size(name) == 2) {
        field->title = adi_py_blocks_text(blocks, PyTuple_GetItem(name, 0), "a title in descr");
        if (field->title == NULL) return -1;
        name = PyTuple_GetItem(name, 1);
    }
    field->name = adi_py_blocks_text(blocks, name, "a name in descr");
    return field->name == NULL ? -1 : 0;
}

static int read_field(PyObject *tuple, int depth, struct adi_py_block **blocks,
                      struct adi_array_field *field) {
    Py_ssize_t length = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : 0;
    if (length != 2 && length != 3) {
        PyErr_Format(PyExc_TypeError, "an entry of descr is a tuple of two or three, and not %R",
                     tuple);
        return -1;
    }
    PyObject *what = PyTuple_GetItem(tuple, 1);
    if (read_name(PyTuple_GetItem(tuple, 0), blocks, field) != 0) return -1;
    if (PyList_Check(what)) {
        if (read_fields(what, depth + 1, blocks, &field->fields, &field->n_fields) != 0) return -1;
    } else {
        field->typestr = adi_py_blocks_text(blocks, what, "a type in descr");
        if (field->typestr == NULL) return -1;
    }
    if (length == 2) return 0;
    return read_numbers(PyTuple_GetItem(tuple, 2), "a shape in descr", blocks, &field->shape,
                        &field->n_dimensions);
}

static int read_fields(PyObject *list, int depth, struct adi_py_block **blocks,
                       const struct adi_array_field **out, size_t *count) {
    if (!PyList_Check(list)) {
        PyErr_Format(PyExc_TypeError, "descr is a list, and not %R", list);
        return -1;
    }
    if (depth > DEEPEST) {
        PyErr_Format(PyExc_NotImplementedError, "descr is deeper than %d levels", DEEPEST);
        return -1;
    }
    Py_ssize_t length = PyList_Size(list);
    struct adi_array_field *fields = adi_py_blocks_take(blocks, (size_t)length * sizeof *fields);
    if (fields == NULL) return -1;
    for (Py_ssize_t i = 0; i < length; i++)
        if (read_field(PyList_GetItem(list, i), depth, blocks, &fields[i]) != 0) return -1;
    *out = fields;
    *count = (size_t)length;
    return 0;
}

/* ---- the entries ---- */

typedef int (*read_entry)(PyObject *, struct adi_py_block **, struct adi_cuda_array *);

static int read_shape(PyObject *object, struct adi_py_block **blocks, struct adi_cuda_array *out) {
    return read_numbers(object, "shape", blocks, &out->shape, &out->n_dimensions);
}

static int read_strides(PyObject *object, struct adi_py_block **blocks,
                        struct adi_cuda_array *out) {
    int32_t count;
    if (read_numbers(object, "strides", blocks, &out->strides, &count) != 0) return -1;
    if (out->has_shape != ADI_ENTRY_GIVEN || count == out->n_dimensions) return 0;
    PyErr_Format(PyExc_ValueError, "strides: %d of them for %d dimensions", (int)count,
                 (int)out->n_dimensions);
    return -1;
}

static int read_typestr(PyObject *object, struct adi_py_block **blocks,
                        struct adi_cuda_array *out) {
    out->typestr = adi_py_blocks_text(blocks, object, "typestr");
    return out->typestr == NULL ? -1 : 0;
}

static int read_data(PyObject *object, struct adi_py_block **blocks, struct adi_cuda_array *out) {
    (void)blocks;
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2 ||
        !PyLong_Check(PyTuple_GetItem(object, 0)) || !PyBool_Check(PyTuple_GetItem(object, 1))) {
        PyErr_Format(PyExc_TypeError, "data is a tuple of an int and a bool, and not %R", object);
        return -1;
    }
    out->data = PyLong_AsUnsignedLongLong(PyTuple_GetItem(object, 0));
    out->read_only = PyTuple_GetItem(object, 1) == Py_True;
    return in_range(out->data != UINT64_MAX || PyErr_Occurred() == NULL, "data", object);
}

static int read_version(PyObject *object, struct adi_py_block **blocks,
                        struct adi_cuda_array *out) {
    (void)blocks;
    return read_number(object, "version", &out->version);
}

static int read_stream(PyObject *object, struct adi_py_block **blocks, struct adi_cuda_array *out) {
    (void)blocks;
    return read_number(object, "stream", &out->stream);
}

static int read_descr(PyObject *object, struct adi_py_block **blocks, struct adi_cuda_array *out) {
    return read_fields(object, 1, blocks, &out->descr, &out->n_descr);
}

static int read_mask(PyObject *object, struct adi_py_block **blocks, struct adi_cuda_array *out) {
    (void)object;
    (void)blocks;
    (void)out;
    PyErr_SetString(PyExc_NotImplementedError, "a mask is not supported");
    return -1;
}

/* The shape before the strides, which are as many. */
static const struct {
    const char *key;
    size_t has;
    read_entry read;
} entries[] = {
    {"shape", offsetof(struct adi_cuda_array, has_shape), read_shape},
    {"typestr", offsetof(struct adi_cuda_array, has_typestr), read_typestr},
    {"data", offsetof(struct adi_cuda_array, has_data), read_data},
    {"version", offsetof(struct adi_cuda_array, has_version), read_version},
    {"strides", offsetof(struct adi_cuda_array, has_strides), read_strides},
    {"descr", offsetof(struct adi_cuda_array, has_descr), read_descr},
    {"mask", offsetof(struct adi_cuda_array, has_mask), read_mask},
    {"stream", offsetof(struct adi_cuda_array, has_stream), read_stream},
};

int adi_py_cuda_read(PyObject *description, struct adi_py_block **blocks,
                     struct adi_cuda_array *out) {
    *out = (struct adi_cuda_array){.size = sizeof *out};
    if (!PyDict_Check(description)) {
        PyErr_Format(PyExc_TypeError, "__cuda_array_interface__ is a dict, and not %R",
                     description);
        return -1;
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        PyObject *value = PyDict_GetItemString(description, entries[i].key);
        uint8_t *has = (uint8_t *)out + entries[i].has;
        if (value == NULL) continue;
        *has = value == Py_None ? ADI_ENTRY_NONE : ADI_ENTRY_GIVEN;
        if (value != Py_None && entries[i].read(value, blocks, out) != 0) return -1;
    }
    return 0;
}
