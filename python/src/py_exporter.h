/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the host that a consumer under test is lent by the buffer protocol or as
 * `__array_struct__`, and what it does with it: adicheck._core.Exporter. What was handed out of it
 * stays readable as long as the exporter lives, whoever has released it.
 */
#ifndef ADI_PY_EXPORTER_H
#define ADI_PY_EXPORTER_H

#include "py.h"

/* exporter(bytes, format, itemsize, shape, strides, offset, is_read_only): a new one, which owns a
 * copy of the bytes; `offset` is that of the first item. It has the buffer protocol, and
 *   address, size      where the copy is
 *   data()             what is in it now
 *   asked              the flags of each request, and whether it was granted: a list of pairs
 *   released           how often PyBuffer_Release was called
 *   is_altered         did anybody write to shape, strides or internal of a view? */
PyObject *adi_py_exporter(PyObject *module, PyObject *arguments);

/* array_struct(exporter, owner, typekind, descr): what is in it as a PyArrayInterface, in a capsule
 * whose context is `owner`. ARR_HAS_DESCR is not set, whatever `descr` is. */
PyObject *adi_py_exporter_struct(PyObject *module, PyObject *arguments);

/* buffer_of(object): (address, is_read_only) of what the buffer protocol gives of it; None: it has
 * none. */
PyObject *adi_py_exporter_buffer_of(PyObject *module, PyObject *object);

int adi_py_exporter_begin(PyObject *module);

#endif /* ADI_PY_EXPORTER_H */
