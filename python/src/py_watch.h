/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching what a consumer does with somebody's capsules: the library's watch is put over the
 * structures in them, where they lie, and tensors are handed on in a wrapper that counts.
 */
#ifndef ADI_PY_WATCH_H
#define ADI_PY_WATCH_H

#include "py.h"

/* watch_arrow(pair, is_device, is_ours): a watch over what both capsules hold, which stay as they
 * are. `is_ours`: this package has exported it, and nobody has to make sure that it can be read.
 * ValueError: it is not sound, and whoever took it would not be to blame. */
PyObject *adi_py_watch_arrow(PyObject *module, PyObject *const *arguments, Py_ssize_t n);
/* watch_stream(capsule, is_device): the same of a stream, and of all that comes out of it. */
PyObject *adi_py_watch_stream(PyObject *module, PyObject *arguments);
/* watch_tensor(capsule): (capsule, watch): the tensor in a new capsule; the old one is consumed. */
PyObject *adi_py_watch_tensor(PyObject *module, PyObject *capsule);
/* watch_end(watch): what was done wrong, a sequence of (rule, message, seen, wanted, party). What
 * is not released by now never will be. Once. */
PyObject *adi_py_watch_end(PyObject *module, PyObject *watch);

#endif /* ADI_PY_WATCH_H */
