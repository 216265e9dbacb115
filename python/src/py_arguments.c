/* SPDX-License-Identifier: Apache-2.0 */
#include "py_arguments.h"

/* Names in calls are interned: the same object each time. */
static bool is_named(struct adi_py_function *function, size_t index,
                     const struct adi_py_parameter *parameter, PyObject *name) {
    PyObject **interned = &function->names[index];
    if (*interned == NULL) *interned = PyUnicode_InternFromString(parameter->name);
    return *interned == name;
}

static size_t find(struct adi_py_function *function, const struct adi_py_parameter *parameters,
                   size_t count, PyObject *name) {
    for (size_t i = 0; i < count; i++)
        if (is_named(function, i, &parameters[i], name)) return i;
    /* What comes out of a dict of keywords need not be interned. */
    for (size_t i = 0; i < count; i++)
        if (PyUnicode_CompareWithASCIIString(name, parameters[i].name) == 0) return i;
    return count;
}

static bool take_keyword(struct adi_py_function *function,
                         const struct adi_py_parameter *parameters, size_t count, size_t n_taken,
                         enum adi_py_others others, PyObject *name, PyObject *value,
                         size_t *found) {
    size_t index = find(function, parameters, count, name);
    *found = index;
    if (index < n_taken) {
        PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", function->name,
                     name);
        return false;
    }
    if (index < count) {
        *parameters[index].value = value;
        return true;
    }
    if (others == ADI_PY_MAY_BE_NONE && value == Py_None) return true;
    if (others == ADI_PY_MAY_BE_NONE)
        PyErr_Format(PyExc_NotImplementedError, "%s() does not know the argument '%U'",
                     function->name, name);
    else
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                     function->name, name);
    return false;
}

/* A place in a program calls with the same tuple of names each time. */
static bool take_as_before(const struct adi_py_function *function,
                           const struct adi_py_parameter *parameters, size_t n_taken,
                           PyObject *const *values, Py_ssize_t n_names) {
    for (Py_ssize_t i = 0; i < n_names; i++)
        if (function->order[i] < n_taken) return false;
    for (Py_ssize_t i = 0; i < n_names; i++) *parameters[function->order[i]].value = values[i];
    return true;
}

static void keep_order(struct adi_py_function *function, PyObject *names, const size_t *order,
                       Py_ssize_t n_names) {
    PyObject *before = function->seen;
    for (Py_ssize_t i = 0; i < n_names; i++) function->order[i] = order[i];
    function->seen = Py_NewRef(names);
    Py_XDECREF(before);
}

bool adi_py_arguments(struct adi_py_function *function, const struct adi_py_parameter *parameters,
                      size_t count, size_t n_positional, enum adi_py_others others,
                      PyObject *const *arguments, Py_ssize_t n_arguments, PyObject *names) {
    size_t n_taken = (size_t)n_arguments;
    if (n_taken > n_positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %zu positional arguments at most, and got %zd",
                     function->name, n_positional, n_arguments);
        return false;
    }
    for (size_t i = 0; i < n_taken; i++) *parameters[i].value = arguments[i];
    Py_ssize_t n_names = names == NULL ? 0 : PyTuple_Size(names);
    if (n_names == 0 ||
        (names == function->seen &&
         take_as_before(function, parameters, n_taken, arguments + n_arguments, n_names)))
        return true;
    size_t order[ADI_PY_PARAMETERS], found;
    bool is_known = n_names <= ADI_PY_PARAMETERS;
    for (Py_ssize_t i = 0; i < n_names; i++) {
        if (!take_keyword(function, parameters, count, n_taken, others, PyTuple_GetItem(names, i),
                          arguments[n_arguments + i], &found))
            return false;
        is_known = is_known && found < count;
        if (is_known) order[i] = found;
    }
    if (is_known) keep_order(function, names, order, n_names);
    return true;
}

bool adi_py_int64(PyObject *object, int64_t *out) {
    *out = PyLong_AsLongLong(object);
    return *out != -1 || PyErr_Occurred() == NULL;
}

bool adi_py_pair(PyObject *object, const char *what, int64_t out[2]) {
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2) {
        PyErr_Format(PyExc_TypeError, "%s is a tuple of two integers, and not %R", what, object);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (!adi_py_int64(PyTuple_GetItem(object, i), &out[i])) return false;
        if (out[i] == (int32_t)out[i]) continue;
        PyErr_Format(PyExc_ValueError, "%s is a tuple of two integers of 32 bits, and not %R", what,
                     object);
        return false;
    }
    return true;
}
