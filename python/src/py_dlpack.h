/* SPDX-License-Identifier: Apache-2.0
 *
 * DLPack in Python. Array API, "__dlpack__", "__dlpack_device__", "from_dlpack"; python_spec.rst.
 */
#ifndef ADI_PY_DLPACK_H
#define ADI_PY_DLPACK_H

#include "py.h"

/* (*, stream=None, max_version=None, dl_device=None, copy=None) */
PyObject *adi_py_dlpack(PyObject *self, PyObject *const *arguments, Py_ssize_t n_arguments,
                        PyObject *names);
PyObject *adi_py_dlpack_device(PyObject *self, PyObject *unused);

/* from_dlpack(x, /, *, device=None, copy=None): the tensor of somebody else, without a copy unless
 * one is asked for or needed to bring it to `device`. */
PyObject *adi_py_from_dlpack(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                             PyObject *names);

#endif /* ADI_PY_DLPACK_H */
