/* SPDX-License-Identifier: Apache-2.0 */
#include "py_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "layout.h"
#include "move.h"
#include "py_array.h"
#include "py_blocks.h"
#include "py_device.h"
#include "py_error.h"
#include "py_schema.h"
#include "schema.h"
#include "shape.h"

/* ---- to an array ---- */

static int read_tree(PyObject *tree, struct adi_py_block **blocks, struct ArrowArray *out);

static int read_buffers(PyObject *buffers, struct adi_py_block **blocks, struct ArrowArray *out) {
    Py_ssize_t count = PyTuple_Size(buffers);
    out->n_buffers = count;
    out->buffers = adi_py_blocks_take(blocks, (size_t)count * sizeof *out->buffers);
    if (out->buffers == NULL) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *buffer = PyTuple_GetItem(buffers, i);
        char *bytes;
        Py_ssize_t length;
        if (buffer == Py_None) continue;
        if (PyBytes_AsStringAndSize(buffer, &bytes, &length) != 0) return -1;
        void *copy = adi_py_blocks_take(blocks, (size_t)length);
        if (copy == NULL) return -1;
        memcpy(copy, bytes, (size_t)length);
        out->buffers[i] = copy;
    }
    return 0;
}

static int read_children(PyObject *children, struct adi_py_block **blocks, struct ArrowArray *out) {
    Py_ssize_t count = PyTuple_Size(children);
    struct ArrowArray *arrays = adi_py_blocks_take(blocks, (size_t)count * sizeof *arrays);
    out->n_children = count;
    out->children = adi_py_blocks_take(blocks, (size_t)count * sizeof *out->children);
    if (arrays == NULL || out->children == NULL) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        out->children[i] = &arrays[i];
        if (read_tree(PyTuple_GetItem(children, i), blocks, &arrays[i]) != 0) return -1;
    }
    return 0;
}

static void release_nothing(struct ArrowArray *array) {
    array->release = NULL;
}

static int read_tree(PyObject *tree, struct adi_py_block **blocks, struct ArrowArray *out) {
    PyObject *buffers, *children, *dictionary;
    long long length, null_count, offset;
    if (!PyArg_ParseTuple(tree, "LLLO!O!O", &length, &null_count, &offset, &PyTuple_Type, &buffers,
                          &PyTuple_Type, &children, &dictionary))
        return -1;
    *out = (struct ArrowArray){
        .length = length, .null_count = null_count, .offset = offset, .release = release_nothing};
    if (read_buffers(buffers, blocks, out) != 0) return -1;
    if (read_children(children, blocks, out) != 0) return -1;
    if (dictionary == Py_None) return 0;
    out->dictionary = adi_py_blocks_take(blocks, sizeof *out->dictionary);
    return out->dictionary == NULL ? -1 : read_tree(dictionary, blocks, out->dictionary);
}

/* Moves from `host`, on failure, too. */
static PyObject *bring(struct adi_device *device, const struct ArrowSchema *schema,
                       struct ArrowArray *host, const struct adi_py_showing *showing) {
    struct ArrowSchema copy;
    struct ArrowDeviceArray array;
    struct adi_error error = {""};
    int code = adi_schema_export(schema, &copy, &error);
    if (code == 0) {
        if (adi_py_is_cpu(device))
            code = adi_export_host(host, &array, &error);
        else
            ADI_PY_WITH(device, code = adi_produce(device, schema, host, &array, &error));
        if (code == 0) return adi_py_array_of_arrow(device, &copy, &array, showing);
        adi_schema_release(&copy);
    }
    adi_array_release(host);
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

PyObject *adi_py_tree_array(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *schema_object, *tree, *name;
    struct adi_py_showing showing;
    struct adi_py_block *blocks = NULL;
    struct ArrowArray array, host;
    struct adi_error error = {""};
    if (!PyArg_ParseTuple(arguments, "OOOOi", &schema_object, &tree, &name, &showing.protocols,
                          &showing.cuda_version))
        return NULL;
    const struct ArrowSchema *schema = adi_py_schema_get(schema_object);
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    if (schema == NULL) return PyErr_Format(PyExc_TypeError, "%R is no Schema", schema_object);
    if (read_tree(tree, &blocks, &array) != 0) {
        adi_py_blocks_free(blocks);
        return NULL;
    }
    int code = adi_shape_check(schema, &array, &error);
    if (code == 0)
        code = adi_export(&array, (struct adi_owner){adi_py_blocks_free, blocks}, &host, &error);
    if (code == 0) return bring(device, schema, &host, &showing);
    adi_py_blocks_free(blocks);
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

PyObject *adi_py_tree_copy(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *from, *name;
    struct adi_py_showing showing;
    struct ArrowArray host;
    struct adi_error error = {""};
    int code;
    if (!PyArg_ParseTuple(arguments, "OOOi", &from, &name, &showing.protocols,
                          &showing.cuda_version))
        return NULL;
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    if (!adi_py_array_check(from)) return PyErr_Format(PyExc_TypeError, "%R is no Array", from);
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)from);
    if (memory == NULL) return NULL;
    ADI_PY_WITH(memory->device, code = adi_py_memory_to_host(memory, &host, &error));
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return bring(device, &memory->schema, &host, &showing);
}

/* ---- from an array ---- */

static PyObject *write_tree(const struct ArrowSchema *schema, const struct ArrowArray *array);

static PyObject *write_buffers(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    struct adi_type type;
    struct adi_error error = {""};
    int code = adi_type_parse(schema->format, &type, &error);
    PyObject *all = code == 0 ? PyTuple_New((Py_ssize_t)array->n_buffers) : NULL;
    for (int64_t i = 0; all != NULL && i < array->n_buffers; i++) {
        int64_t bytes = 0;
        PyObject *buffer = Py_NewRef(Py_None);
        if (array->buffers[i] != NULL) {
            Py_DECREF(buffer);
            code = adi_type_buffer_bytes(&type, array, i, NULL, &bytes, &error);
            buffer =
                code != 0 ? NULL : PyBytes_FromStringAndSize(array->buffers[i], (Py_ssize_t)bytes);
        }
        if (buffer != NULL && PyTuple_SetItem(all, (Py_ssize_t)i, buffer) == 0) continue;
        Py_CLEAR(all);
    }
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return all;
}

static PyObject *write_children(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    PyObject *all = PyTuple_New((Py_ssize_t)array->n_children);
    for (int64_t i = 0; all != NULL && i < array->n_children; i++) {
        PyObject *child = write_tree(schema->children[i], array->children[i]);
        if (child != NULL && PyTuple_SetItem(all, (Py_ssize_t)i, child) == 0) continue;
        Py_CLEAR(all);
    }
    return all;
}

static PyObject *write_tree(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    PyObject *buffers = write_buffers(schema, array), *children, *dictionary;
    if (buffers == NULL) return NULL;
    children = write_children(schema, array);
    dictionary = array->dictionary == NULL ? Py_NewRef(Py_None)
                                           : write_tree(schema->dictionary, array->dictionary);
    if (children != NULL && dictionary != NULL)
        return Py_BuildValue("(LLLNNN)", (long long)array->length, (long long)array->null_count,
                             (long long)array->offset, buffers, children, dictionary);
    Py_DECREF(buffers);
    Py_XDECREF(children);
    Py_XDECREF(dictionary);
    return NULL;
}

PyObject *adi_py_tree_of(PyObject *module, PyObject *array) {
    (void)module;
    struct ArrowArray host;
    struct adi_error error = {""};
    int code;
    if (!adi_py_array_check(array)) return PyErr_Format(PyExc_TypeError, "%R is no Array", array);
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)array);
    if (memory == NULL) return NULL;
    ADI_PY_WITH(memory->device, code = adi_py_memory_to_host(memory, &host, &error));
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    PyObject *tree = write_tree(&memory->schema, &host);
    adi_array_release(&host);
    return tree;
}
