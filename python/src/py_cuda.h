/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA Array Interface in Python: the dictionary, as a producer writes it and as a consumer
 * reads it. Version 3 is NVIDIA/numba-cuda, docs/source/user/cuda_array_interface.rst at
 * b18b944b2f88.
 */
#ifndef ADI_PY_CUDA_H
#define ADI_PY_CUDA_H

#include "py.h"
#include "py_array.h"
#include "py_blocks.h"

/* ---- as a producer ---- */

bool adi_py_cuda_is_had(struct adi_py_array *self);
/* __cuda_array_interface__: what it describes lives as long as the object. In version 3 the stream
 * is the legacy default one, which all pending work comes before; in others it has been waited for.
 */
PyObject *adi_py_cuda_array_interface(PyObject *self, void *unused);

/* ---- as a consumer ---- */

/* from_cuda_array_interface(desc, owner=None, sync=True): `owner` is kept while the memory is used.
 * Without one, user code sees to it. */
PyObject *adi_py_from_cuda_array_interface(PyObject *module, PyObject *const *arguments,
                                           Py_ssize_t n_arguments, PyObject *names);
/* as_cuda_array(obj, sync=True) */
PyObject *adi_py_as_cuda_array(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                               PyObject *names);

/* Reads the dictionary into `out`, whose memory is taken from `blocks`. Only types are looked at
 * here; what is not there says so. TypeError, ValueError; NotImplementedError: a mask. */
int adi_py_cuda_read(PyObject *description, struct adi_py_block **blocks,
                     struct adi_cuda_array *out);

/* The device that a checked description is on. EFAULT: none; ENODEV: there is no CUDA here. */
int adi_py_cuda_device(const struct adi_cuda_array *array, struct adi_device **out,
                       struct adi_error *error);

#endif /* ADI_PY_CUDA_H */
