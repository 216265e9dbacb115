/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays as Python's own tuples, and back: (length, null_count, offset, buffers, children,
 * dictionary), where `buffers` is a tuple of bytes or None, `children` a tuple of such tuples and
 * `dictionary` one or None. values.py makes them of values, and values of them.
 */
#ifndef ADI_PY_TREE_H
#define ADI_PY_TREE_H

#include "py.h"

/* array(schema, tree, device, protocols, cai_version): an adicheck.Array whose buffers are copies
 * of those of the tree. */
PyObject *adi_py_tree_array(PyObject *module, PyObject *arguments);
/* tree(array): of a copy on the host. */
PyObject *adi_py_tree_of(PyObject *module, PyObject *array);
/* copy(array, device, protocols, cai_version): the same array on a device. */
PyObject *adi_py_tree_copy(PyObject *module, PyObject *arguments);

#endif /* ADI_PY_TREE_H */
