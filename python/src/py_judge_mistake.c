/* SPDX-License-Identifier: Apache-2.0
 *
 * What is raised and can be no refusal, in whichever call it comes: it names what is not there, or
 * is no Exception, as Ctrl-C is none.
 */
#include "py_judge.h"
#include "run.h"

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
    return !PyErr_GivenExceptionMatches(type, PyExc_Exception) ||
           (type == PyExc_AttributeError && is_of_module(error));
}

void adi_py_judge_keep_mistake(PyObject *type, PyObject *error) {
    if (kept != NULL || error == NULL || !is_mistake(type, error)) return;
    kept = Py_NewRef(error);
    if (adi_py_subject.is_within) adi_run_interrupt(); /* what is played then comes to nothing */
}

void adi_py_judge_overlook(void) {
    PyObject *type = NULL, *error = NULL, *trace = NULL;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    adi_py_judge_keep_mistake(type, error);
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
