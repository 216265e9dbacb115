/* SPDX-License-Identifier: Apache-2.0
 *
 * What `__array_struct__` holds, as NumPy's page of the array interface protocol declares it.
 */
#ifndef ADI_PY_ARRAY_STRUCT_H
#define ADI_PY_ARRAY_STRUCT_H

#include "py.h"

struct adi_py_array_struct {
    int two;
    int nd;
    char typekind;
    int itemsize;
    int flags;
    Py_ssize_t *shape, *strides; /* `nd` of each */
    void *data;
    PyObject *descr; /* with ADI_PY_HAS_DESCR */
};

#define ADI_PY_C_CONTIGUOUS 0x1
#define ADI_PY_ALIGNED      0x100
#define ADI_PY_NOTSWAPPED   0x200
#define ADI_PY_WRITEABLE    0x400
#define ADI_PY_HAS_DESCR    0x800

#endif /* ADI_PY_ARRAY_STRUCT_H */
