/* SPDX-License-Identifier: Apache-2.0
 *
 * What a producer raises and can be no refusal, where it is asked for what is odd: it names what is
 * not there. See MISTAKES in _use.py.
 */
#include "py_judge.h"

static PyObject *kept; /* the first one; NULL: none */

static bool is_of_module(PyObject *error) {
    PyObject *object = PyObject_GetAttrString(error, "obj");
    bool is_module = object != NULL && PyModule_Check(object);
    Py_XDECREF(object);
    PyErr_Clear();
    return is_module;
}

static bool is_mistake(PyObject *type, PyObject *error) {
    PyObject *const kinds[] = {PyExc_NameError, PyExc_UnboundLocalError, PyExc_SyntaxError,
                               PyExc_IndentationError, PyExc_TabError};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (type == kinds[i]) return true;
    return type == PyExc_AttributeError && is_of_module(error);
}

void adi_py_judge_overlook(void) {
    PyObject *type = NULL, *error = NULL, *trace = NULL;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (kept == NULL && error != NULL && is_mistake(type, error)) kept = Py_NewRef(error);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
}

bool adi_py_judge_was_mistaken(void) {
    if (kept == NULL) return false;
    PyErr_SetObject((PyObject *)Py_TYPE(kept), kept);
    Py_CLEAR(kept);
    return true;
}
