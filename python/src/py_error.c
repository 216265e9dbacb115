/* SPDX-License-Identifier: Apache-2.0 */
#include "py_error.h"

#include <errno.h>
#include <string.h>

/* The driver is initialized wherever a device is found: it is not that only where it cannot be. */
static const char *more_of(const char *text) {
    if (strstr(text, "CUDA_ERROR_NOT_INITIALIZED") == NULL) return "";
    return "; this process was forked from one that has used CUDA, or has looked for it (as "
           "devices() does), and so it cannot use it: judge in a process that has not done so "
           "yet, or without isolate";
}

PyObject *adi_py_raise(int code, PyObject *unsupported, const struct adi_error *error) {
    const char *text = error->text;
    switch (code) {
    case ENOMEM:
        return PyErr_NoMemory();
    case ENOTSUP:
        PyErr_SetString(unsupported, text);
        return NULL;
    case EINVAL:
    case EFAULT:
    case EILSEQ:
        PyErr_SetString(PyExc_ValueError, text);
        return NULL;
    default:
        break;
    }
    PyObject *whole = PyUnicode_FromFormat("%s%s", text, more_of(text));
    PyObject *arguments = whole == NULL ? NULL : Py_BuildValue("(iN)", code, whole);
    if (arguments != NULL) PyErr_SetObject(PyExc_OSError, arguments);
    Py_XDECREF(arguments);
    return NULL;
}

void adi_py_drop(PyObject *object) {
    ADI_PY_ASIDE(Py_XDECREF(object));
}
