/* SPDX-License-Identifier: Apache-2.0
 *
 * An object of Python's that is memory of ours: adicheck.Array. It is made of an Arrow array or of
 * a tensor, and the other of the two is derived when it is first asked for. Its class has the
 * attributes of the protocols that it shows, and no others (py_protocols.h).
 *
 * The GIL is held wherever it is not said otherwise.
 */
#ifndef ADI_PY_ARRAY_H
#define ADI_PY_ARRAY_H

#include <stdbool.h>

#include "cuda_array_interface.h"
#include "dlpack.h"
#include "py.h"
#include "py_memory.h"

struct adi_py_array {
    PyObject_HEAD struct adi_device *device;
    struct adi_py_memory *memory;     /* NULL: not asked for yet, or there is none */
    struct adi_dlpack_source *source; /* likewise; one of the two there is */
    bool is_tensor;                   /* made of a tensor */
    bool has_cuda;
    int cuda_version;
    struct adi_cuda_array cuda; /* with `has_cuda`: what __cuda_array_interface__ says */
    unsigned protocols;         /* bits of enum adi_py_protocol */
};

/* What an array is to show. */
struct adi_py_showing {
    PyObject *protocols; /* names; NULL or None: all that there are for it */
    int cuda_version;    /* of __cuda_array_interface__ */
};

/* A new object. Each takes over `memory` or `source`, on failure, too. NULL with an exception. */
PyObject *adi_py_array_of_memory(struct adi_py_memory *memory,
                                 const struct adi_py_showing *showing);
PyObject *adi_py_array_of_source(struct adi_device *device, struct adi_dlpack_source *source,
                                 const struct adi_py_showing *showing);
/* Of an array that is moved from, with its schema; on failure both are released. */
PyObject *adi_py_array_of_arrow(struct adi_device *device, struct ArrowSchema *schema,
                                struct ArrowDeviceArray *array,
                                const struct adi_py_showing *showing);

/* What the object is, derived if need be; the object's. NULL with an exception: it is not that. */
struct adi_py_memory *adi_py_array_memory(struct adi_py_array *self);
struct adi_dlpack_source *adi_py_array_source(struct adi_py_array *self);
/* The tensor where it lies, for protocols that know no order of work: of the host. */
const DLTensor *adi_py_array_view(struct adi_py_array *self, uint64_t *flags);

/* Are there such? Without an exception, and without a look at memory. */
bool adi_py_array_has_memory(struct adi_py_array *self);
bool adi_py_array_has_source(struct adi_py_array *self);

/* Is it one? */
bool adi_py_array_check(PyObject *object);
/* The class that all are of. -1 with an exception. */
int adi_py_array_begin(PyObject *module);
PyObject *adi_py_array_type(void);

/* The values of an array or a stream, as a list. */
PyObject *adi_py_to_pylist(PyObject *self, PyObject *unused);

/* The stream that we name as a consumer, and order our work by, on devices of such a type. */
int64_t adi_py_stream_of(const struct adi_device *device);

#endif /* ADI_PY_ARRAY_H */
