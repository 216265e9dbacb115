/* SPDX-License-Identifier: Apache-2.0 */
#include "py_arguments.h"
#include "py_array.h"
#include "py_capsule.h"
#include "py_device.h"
#include "py_dlpack.h"
#include "py_error.h"

/* A pair that will be the same numbers the next time, too. */
static bool is_plain(PyObject *pair) {
    return PyTuple_CheckExact(pair) && PyLong_CheckExact(PyTuple_GetItem(pair, 0)) &&
           PyLong_CheckExact(PyTuple_GetItem(pair, 1));
}

static bool read_version(PyObject *object, struct adi_dlpack_arguments *out) {
    int64_t version[2] = {0, 0};
    /* A consumer has one tuple for all of its calls. */
    static PyObject *seen;
    static uint32_t numbers[2];
    out->max_major = out->max_minor = 0;
    if (object == NULL || object == Py_None) return true;
    if (object == seen) {
        out->max_major = numbers[0];
        out->max_minor = numbers[1];
        return true;
    }
    if (!adi_py_pair(object, "max_version", version)) return false;
    if (version[0] < 0 || version[1] < 0) {
        PyErr_Format(PyExc_ValueError, "max_version is %R", object);
        return false;
    }
    out->max_major = (uint32_t)version[0];
    out->max_minor = (uint32_t)version[1];
    if (is_plain(object)) {
        PyObject *before = seen;
        seen = Py_NewRef(object);
        numbers[0] = out->max_major;
        numbers[1] = out->max_minor;
        Py_XDECREF(before);
    }
    return true;
}

static bool read_device(PyObject *object, struct adi_dlpack_arguments *out) {
    int64_t device[2] = {0, 0};
    if (object != NULL && object != Py_None && !adi_py_pair(object, "dl_device", device))
        return false;
    out->device_type = (int32_t)device[0];
    out->device_id = (int32_t)device[1];
    return true;
}

static bool read_copy(PyObject *object, struct adi_dlpack_arguments *out) {
    out->copy = object == Py_True ? 1 : object == Py_False ? 0 : -1;
    if (object == NULL || object == Py_None || out->copy >= 0) return true;
    PyErr_Format(PyExc_TypeError, "copy is True, False or None, and not %R", object);
    return false;
}

static bool read_stream(PyObject *object, struct adi_dlpack_arguments *out) {
    out->stream = ADI_DLPACK_NONE;
    if (object == NULL || object == Py_None) return true;
    if (!adi_py_int64(object, &out->stream)) return false;
    if (out->stream != ADI_DLPACK_NONE) return true;
    PyErr_Format(PyExc_ValueError, "stream is %R", object);
    return false;
}

PyObject *adi_py_dlpack(PyObject *object, PyObject *const *arguments, Py_ssize_t n_arguments,
                        PyObject *names) {
    struct adi_py_array *self = (struct adi_py_array *)object;
    PyObject *stream = NULL, *version = NULL, *device = NULL, *copy = NULL;
    static struct adi_py_function function = {.name = "__dlpack__"};
    const struct adi_py_parameter parameters[] = {
        {"stream", &stream}, {"max_version", &version}, {"dl_device", &device}, {"copy", &copy}};
    struct adi_dlpack_arguments asked;
    struct adi_dlpack tensor = {NULL, NULL};
    struct adi_error error;
    int code;
    if (!adi_py_arguments(&function, parameters, 4, 0, ADI_PY_REFUSED, arguments, n_arguments,
                          names) ||
        !read_version(version, &asked) || !read_device(device, &asked) ||
        !read_copy(copy, &asked) || !read_stream(stream, &asked))
        return NULL;
    struct adi_dlpack_source *source = adi_py_array_source(self);
    if (source == NULL) return NULL;
    ADI_PY_WITH(self->device, code = adi_dlpack_ask(source, &asked, &tensor, &error));
    if (code != 0) return adi_py_raise(code, PyExc_BufferError, &error);
    return adi_py_capsule_dlpack(&tensor);
}

PyObject *adi_py_dlpack_device(PyObject *self, PyObject *unused) {
    (void)unused;
    struct adi_dlpack_source *source = adi_py_array_source((struct adi_py_array *)self);
    if (source == NULL) return NULL;
    DLDevice device = adi_dlpack_device(source);
    return Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
}
