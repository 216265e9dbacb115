/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the host as the buffer protocol and the array interface protocol show it.
 * CPython, Doc/c-api/buffer.rst; numpy, doc/source/reference/arrays.interface.rst.
 */
#ifndef ADI_PY_HOST_H
#define ADI_PY_HOST_H

#include <stdbool.h>

#include "py.h"
#include "py_array.h"

/* Is it on the host, and of a type that struct, or NumPy, has a text for? */
bool adi_py_host_has_format(struct adi_py_array *self);
bool adi_py_host_has_type_string(struct adi_py_array *self);

/* __array_interface__, version 3. */
PyObject *adi_py_array_interface(PyObject *self, void *unused);

int adi_py_host_get_buffer(PyObject *self, Py_buffer *view, int flags);
void adi_py_host_release_buffer(PyObject *self, Py_buffer *view);

#define ADI_PY_TYPE_STRING 16
/* The type string of such elements, in the order of bytes of this machine. False: there is none. */
bool adi_py_type_string(DLDataType type, char out[ADI_PY_TYPE_STRING]);
/* A tuple of `count` numbers, each times `factor`. */
PyObject *adi_py_numbers(const int64_t *numbers, int count, int64_t factor);

#endif /* ADI_PY_HOST_H */
