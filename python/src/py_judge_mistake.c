/* SPDX-License-Identifier: Apache-2.0
 *
 * What a producer raises and can be no refusal, where it is asked for what is odd: it names what is
 * not there.
 */
#include "py_judge.h"

static PyObject *mistakes; /* a tuple */
static PyObject *kept;     /* the first one; NULL: none */

/* Those of libraries are derived from others. */
int adi_py_judge_mistake_begin(PyObject *module) {
    mistakes = PyTuple_Pack(5, PyExc_NameError, PyExc_UnboundLocalError, PyExc_SyntaxError,
                            PyExc_IndentationError, PyExc_TabError);
    return mistakes == NULL ? -1 : PyModule_AddObjectRef(module, "MISTAKES", mistakes);
}

static bool is_of_module(PyObject *error) {
    PyObject *object = PyObject_GetAttrString(error, "obj");
    bool is_module = object != NULL && PyModule_Check(object);
    Py_XDECREF(object);
    PyErr_Clear();
    return is_module;
}

static bool is_mistake(PyObject *type, PyObject *error) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(mistakes); i++)
        if (type == PyTuple_GetItem(mistakes, i)) return true;
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
