/* SPDX-License-Identifier: Apache-2.0
 *
 * The capsules of the PyCapsule interface and of DLPack: each holds a structure on the heap. Nobody
 * took an unconsumed one over, so its destructor releases what is within. Arrow's keep the
 * structure for the capsule's life; a consumer moves out of it. The tensor of DLPack goes with its
 * name, which a consumer replaces. PyCapsule interface, "Lifetime"; python_spec.rst,
 * "Implementation".
 */
#ifndef ADI_PY_CAPSULE_H
#define ADI_PY_CAPSULE_H

#include "abi.h"
#include "dlpack.h"
#include "py.h"

/* Each moves from its structure, on failure, too: then it was released. NULL with an exception. */
PyObject *adi_py_capsule_schema(struct ArrowSchema *schema);
PyObject *adi_py_capsule_array(struct ArrowArray *array);
PyObject *adi_py_capsule_device_array(struct ArrowDeviceArray *array);
PyObject *adi_py_capsule_stream(struct ArrowArrayStream *stream);
PyObject *adi_py_capsule_device_stream(struct ArrowDeviceArrayStream *stream);
PyObject *adi_py_capsule_dlpack(struct adi_dlpack *tensor);

/* What is within a capsule of Arrow's that `whose` has handed out: the capsule's, to be moved from.
 * NULL with an exception. TypeError: not a capsule; ValueError: not of that name, or consumed. */
void *adi_py_capsule_get(PyObject *capsule, const char *name, const char *whose);
/* Takes a tensor over: the capsule has the name of a consumed one then. -1 with an exception, and
 * the capsule is as it was. */
int adi_py_capsule_take_dlpack(PyObject *capsule, struct adi_dlpack *out);

#endif /* ADI_PY_CAPSULE_H */
