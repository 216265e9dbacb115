/* SPDX-License-Identifier: Apache-2.0
 *
 * PyGILState_Ensure never returns to a thread that calls it after the interpreter has begun to
 * finalize. So from `atexit` on nobody calls it any more, and `atexit` ends only when nobody does.
 */
#include "py_owner.h"

#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static int dropping;
static bool is_over;

static bool enter(void) {
    pthread_mutex_lock(&lock);
    bool may = !is_over;
    if (may) dropping++;
    pthread_mutex_unlock(&lock);
    return may;
}

static void leave(void) {
    pthread_mutex_lock(&lock);
    if (--dropping == 0) pthread_cond_signal(&left);
    pthread_mutex_unlock(&lock);
}

void adi_py_owner_drop(PyObject *owner) {
    if (!enter()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(owner);
    PyGILState_Release(state);
    leave();
}

static PyObject *finish(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS;
    pthread_mutex_lock(&lock);
    is_over = true;
    while (dropping > 0) pthread_cond_wait(&left, &lock);
    pthread_mutex_unlock(&lock);
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}

int adi_py_owner_begin(void) {
    static PyMethodDef method = {"finish", finish, METH_NOARGS, NULL};
    PyObject *function = PyCFunction_NewEx(&method, NULL, NULL);
    PyObject *module = function == NULL ? NULL : PyImport_ImportModule("atexit");
    PyObject *done = module == NULL ? NULL : PyObject_CallMethod(module, "register", "O", function);
    Py_XDECREF(function);
    Py_XDECREF(module);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}
