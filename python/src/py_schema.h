/* SPDX-License-Identifier: Apache-2.0
 *
 * A type of Arrow's as an object: adicheck.Schema. It shows __arrow_c_schema__.
 */
#ifndef ADI_PY_SCHEMA_H
#define ADI_PY_SCHEMA_H

#include <stdbool.h>

#include "abi.h"
#include "error.h"
#include "py.h"

/* A new object with a copy of it, which is well-formed. */
PyObject *adi_py_schema_copy(const struct ArrowSchema *schema);
/* A new object that takes `schema` over, on failure, too. */
PyObject *adi_py_schema_move(struct ArrowSchema *schema);
/* What the object has; the object's. NULL: it is none, and there is no exception. */
const struct ArrowSchema *adi_py_schema_get(PyObject *object);

/* Is it well-formed, as far as can be said without a look behind texts that do not end? Nothing is
 * trusted but that pointers are valid or NULL. EINVAL. */
int adi_py_schema_check(const struct ArrowSchema *schema, struct adi_error *error);

/* schema(format, name, flags, metadata, children, dictionary): `metadata` is a dict of bytes or
 * None, `children` a tuple of Schemas, `dictionary` a Schema or None. */
PyObject *adi_py_schema(PyObject *module, PyObject *arguments);
/* take_schema(capsule): what the capsule holds, moved out of it. */
PyObject *adi_py_schema_take(PyObject *module, PyObject *capsule);
/* copy_schema(capsule): a copy; the capsule stays as it is. */
PyObject *adi_py_schema_of(PyObject *module, PyObject *capsule);

int adi_py_schema_begin(PyObject *module);

#endif /* ADI_PY_SCHEMA_H */
