/* SPDX-License-Identifier: Apache-2.0
 *
 * Python objects that memory of ours belongs to, and that are given up where the memory is: on any
 * thread, with or without the GIL, and while the interpreter shuts down. All other deleters of this
 * package touch no Python object and never take the GIL. python_spec.rst of DLPack,
 * "Implementation".
 */
#ifndef ADI_PY_OWNER_H
#define ADI_PY_OWNER_H

#include "py.h"

/* Gives up a reference. Takes the GIL for that; once the interpreter has begun to shut down it does
 * nothing, and the object stays as it is to the end of the process. */
void adi_py_owner_drop(PyObject *owner);

/* At import: has Python say when it begins to shut down. 0; -1 with an exception. */
int adi_py_owner_begin(void);

#endif /* ADI_PY_OWNER_H */
