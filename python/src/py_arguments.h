/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of functions that are called by METH_FASTCALL | METH_KEYWORDS.
 */
#ifndef ADI_PY_ARGUMENTS_H
#define ADI_PY_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "py.h"

/* A parameter, and where its argument goes: a borrowed reference; untouched if there is none. */
struct adi_py_parameter {
    const char *name;
    PyObject **value;
};

/* What becomes of a keyword that is none of the parameters. */
enum adi_py_others {
    ADI_PY_REFUSED,     /* TypeError, as everywhere in Python */
    ADI_PY_MAY_BE_NONE, /* NotImplementedError unless it is None: PyCapsule interface, "Device
                           support" */
};

#define ADI_PY_PARAMETERS 4

/* A function with named parameters: static, since names are found again by their address. */
struct adi_py_function {
    const char *name;
    PyObject *names[ADI_PY_PARAMETERS]; /* of the parameters, interned; NULL: not asked for yet */
    PyObject *seen;                     /* the names that it was called with last; NULL: none */
    size_t order[ADI_PY_PARAMETERS];    /* and which parameters those are */
};

/* Distributes the arguments over `parameters`, of which the first `n_positional` may come without
 * their names; `count` <= 4. False, with an exception: they do not fit. */
bool adi_py_arguments(struct adi_py_function *function, const struct adi_py_parameter *parameters,
                      size_t count, size_t n_positional, enum adi_py_others others,
                      PyObject *const *arguments, Py_ssize_t n_arguments, PyObject *names);

/* An integer, or what has __index__. False with an exception. */
bool adi_py_int64(PyObject *object, int64_t *out);
/* A tuple of two integers of `what`, of 32 bits. TypeError, ValueError. */
bool adi_py_pair(PyObject *object, const char *what, int64_t out[2]);

#endif /* ADI_PY_ARGUMENTS_H */
