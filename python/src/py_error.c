/* SPDX-License-Identifier: Apache-2.0 */
#include "py_error.h"

#include <errno.h>

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
    PyObject *arguments = Py_BuildValue("(is)", code, text);
    if (arguments != NULL) PyErr_SetObject(PyExc_OSError, arguments);
    Py_XDECREF(arguments);
    return NULL;
}

void adi_py_drop(PyObject *object) {
    ADI_PY_ASIDE(Py_XDECREF(object));
}
