/* SPDX-License-Identifier: Apache-2.0
 *
 * A deleter that is called when the interpreter has ended, in a process that is there for that.
 */
#include <stdlib.h>
#include <unistd.h>

#include "check_tensor.h"
#include "py_capsule.h"
#include "py_judge.h"

static void say(int to, char what) {
    ssize_t written = write(to, &what, 1);
    (void)written; /* who reads sees the end of the process, too */
}

/* DLP-22: what is Python's is left alone then. */
PyObject *adi_py_delete_behind_end(PyObject *module, PyObject *arguments) {
    PyObject *capsule;
    struct adi_dlpack tensor;
    int to;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oi", &capsule, &to) ||
        adi_py_capsule_take_dlpack(capsule, &tensor) != 0)
        return NULL;
    if (tensor.versioned != NULL && !adi_tensor_has_version(tensor.versioned)) {
        Py_INCREF(capsule); /* its destructor is not to run with the exception, nor at all */
        return PyErr_Format(PyExc_ValueError, "it has no deleter: it is no such tensor");
    }
    Py_FinalizeEx();
    say(to, '1');
    adi_dlpack_delete(&tensor);
    say(to, '2');
    _exit(0);
}
