/* SPDX-License-Identifier: Apache-2.0
 *
 * The protocols that an object may show. A consumer looks for their attributes, on the object or on
 * its class, and takes the one it likes best: so that it can be seen what it falls back to, there
 * is a class for each set of protocols, with the attributes of that set and no others. Classes are
 * made when they are first needed, and stay.
 */
#ifndef ADI_PY_PROTOCOLS_H
#define ADI_PY_PROTOCOLS_H

#include "py.h"
#include "py_array.h"

/* The names are those of the attributes, without underscores. */
enum adi_py_protocol {
    ADI_PY_ARROW_SCHEMA = 1,
    ADI_PY_ARROW_ARRAY = 2,
    ADI_PY_ARROW_DEVICE_ARRAY = 4,
    ADI_PY_DLPACK = 8, /* and __dlpack_device__ */
    ADI_PY_CUDA_ARRAY_INTERFACE = 16,
    ADI_PY_ARRAY_INTERFACE = 32,
    ADI_PY_BUFFER = 64,
    ADI_PY_EXCHANGE = 128, /* DLPack's table of functions, on the class */
};

/* The class for an array that is described by `seen`, in whose `protocols` it puts what it shows.
 * `names` NULL or None: all that the data has, but for memory that is not the host's
 * __arrow_c_array__, as the PyCapsule interface recommends in "Device support". What is named is
 * shown, and refuses where the data does not have it. A new reference; NULL with an exception. */
PyTypeObject *adi_py_protocols_class(struct adi_py_array *seen, PyObject *names);
/* A tuple of names. */
PyObject *adi_py_protocols_names(unsigned protocols);

#endif /* ADI_PY_PROTOCOLS_H */
