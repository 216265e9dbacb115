/* SPDX-License-Identifier: Apache-2.0
 *
 * The PyCapsule interface of Arrow: what objects show, and what is made of the objects of others.
 */
#ifndef ADI_PY_ARROW_H
#define ADI_PY_ARROW_H

#include "py.h"
#include "py_array.h"

/* ---- as a producer ---- */

bool adi_py_arrow_is_on_host(struct adi_py_array *self);

PyObject *adi_py_arrow_c_schema(PyObject *self, PyObject *unused);
/* (requested_schema=None). Data of a device is copied to the host. */
PyObject *adi_py_arrow_c_array(PyObject *self, PyObject *const *arguments, Py_ssize_t n_arguments,
                               PyObject *names);
/* (requested_schema=None, **kwargs). Nothing is copied. */
PyObject *adi_py_arrow_c_device_array(PyObject *self, PyObject *const *arguments,
                                      Py_ssize_t n_arguments, PyObject *names);

/* `self`, or the same values in the representation that a consumer asks for: a new reference. None:
 * `self`. ValueError: the data cannot have that schema. "Schema Requests". */
PyObject *adi_py_arrow_represent(PyObject *self, PyObject *requested);

/* ---- as a consumer ---- */

/* from_arrow(obj, requested_schema=None) */
PyObject *adi_py_from_arrow(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                            PyObject *names);

/* read_some(obj, chunks, rows): the same up to so many chunks, or rows, of a stream, and whether it
 * goes on. */
PyObject *adi_py_read_some(PyObject *module, PyObject *arguments);

/* Are the structures there that an array claims to hold? As many as the schema has, which is
 * checked. What is in them is looked at when it is imported. EINVAL. */
int adi_py_arrow_check_parts(const struct ArrowSchema *schema, const struct ArrowArray *array,
                             struct adi_error *error);

/* Takes what the two capsules hold, which `whose` has given. -1 with an exception. */
int adi_py_arrow_take(PyObject *pair, bool is_device, const char *whose, struct ArrowSchema *schema,
                      struct ArrowDeviceArray *array, struct adi_device **device);

#endif /* ADI_PY_ARROW_H */
