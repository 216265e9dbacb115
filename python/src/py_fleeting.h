/* SPDX-License-Identifier: Apache-2.0
 *
 * Capsules that a consumer under test is given and that are odd: one that is named as something
 * else, and one of which it shows whether what it held is imported when it has gone.
 */
#ifndef ADI_PY_FLEETING_H
#define ADI_PY_FLEETING_H

#include "py.h"

/* disguise(capsule, is_disguised): renames it, or gives it back its name. */
PyObject *adi_py_disguise(PyObject *module, PyObject *arguments);

/* fleeting(capsule): (capsule, handle): the array of the first, which is consumed, in another one,
 * and what fleeting_used(handle) asks: was the structure imported after its capsule had gone? It
 * stays readable as long as the handle is there; no values are in it then. */
PyObject *adi_py_fleeting(PyObject *module, PyObject *capsule);
PyObject *adi_py_fleeting_used(PyObject *module, PyObject *handle);

/* holds_schema(object): is it a capsule "arrow_schema" whose schema is not released? */
PyObject *adi_py_holds_schema(PyObject *module, PyObject *object);

#endif /* ADI_PY_FLEETING_H */
