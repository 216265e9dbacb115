/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks of one type: adicheck.Stream. Each call of its methods makes a stream over all of them,
 * without a copy.
 */
#ifndef ADI_PY_STREAM_H
#define ADI_PY_STREAM_H

#include <stdbool.h>

#include "abi.h"
#include "py.h"

/* stream(schema, arrays, device): chunks that are adicheck.Arrays of that type, on that device. */
PyObject *adi_py_stream(PyObject *module, PyObject *arguments);

/* How much is read of what need not have an end: at most so many chunks, and none behind those that
 * have so many rows, or bytes of the host. */
struct adi_py_stream_bound {
    size_t chunks;
    int64_t rows, bytes;
    bool keeps;   /* what came before a chunk that is unsound is all */
    bool goes_on; /* there was more, */
    bool is_cut;  /* which is unsound */
};
#define ADI_PY_STREAM_BYTES ((int64_t)1 << 28) /* for whoever has no other measure */

/* Reads what a capsule holds to its end, or up to a bound (NULL: none): a new adicheck.Stream. NULL
 * with an exception. */
PyObject *adi_py_stream_from_stream(PyObject *capsule, struct adi_py_stream_bound *bound);
PyObject *adi_py_stream_from_device_stream(PyObject *capsule, struct adi_py_stream_bound *bound);

/* The same of a stream, which stays the caller's, who releases it without the GIL, and may fail:
 * what has come before, and the code that a callback answered, of get_schema with an exception. 0:
 * none failed. */
struct adi_py_stream_failure {
    int code;
    bool of_schema;
};
PyObject *adi_py_stream_collect(struct ArrowDeviceArrayStream *stream,
                                struct adi_py_stream_bound *bound,
                                struct adi_py_stream_failure *failure);
/* What is in such an object, which stays its own; NULL with TypeError: it is none. */
struct adi_py_chunks;
const struct adi_py_chunks *adi_py_stream_chunks(PyObject *object);

int adi_py_stream_begin(PyObject *module);

#endif /* ADI_PY_STREAM_H */
