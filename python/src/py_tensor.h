/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors made of bytes.
 */
#ifndef ADI_PY_TENSOR_H
#define ADI_PY_TENSOR_H

#include "py.h"

/* tensor(bytes, (code, bits, lanes), shape, strides, byte_offset, device, protocols): an
 * adicheck.Array over a copy on the device. `shape` and `strides`, in elements, are tuples; the
 * first element is at `byte_offset`. */
PyObject *adi_py_tensor(PyObject *module, PyObject *arguments);

#endif /* ADI_PY_TENSOR_H */
