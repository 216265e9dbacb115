/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching what a consumer does with the buffers of somebody's object: adicheck._core.Lender, a
 * base for an object whose `_obj` they are of. Each request is handed on; what is lent is the same
 * memory, under a shape and strides of the lender's own. Buffer protocol, "Buffer structure".
 */
#ifndef ADI_PY_WATCH_BUFFER_H
#define ADI_PY_WATCH_BUFFER_H

#include "py.h"

/* has_buffer(object): does its class have the buffer protocol? It is not asked for one. */
PyObject *adi_py_watch_has_buffer(PyObject *module, PyObject *object);

/* lent(lender): (how many buffers it has granted, how often PyBuffer_Release was called, whether
 * anybody wrote to shape, strides or internal); None: it has granted none. */
PyObject *adi_py_watch_lent(PyObject *module, PyObject *lender);

/* Puts the class into the module. 0; -1 with an exception. */
int adi_py_watch_buffer_begin(PyObject *module);

#endif /* ADI_PY_WATCH_BUFFER_H */
