/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of arrays of one type, and the streams over it. No Python object is within: the callbacks
 * may come from any thread, without the GIL. C device data interface, "Device Stream Interface".
 */
#ifndef ADI_PY_CHUNKS_H
#define ADI_PY_CHUNKS_H

#include <stdatomic.h>

#include "py_memory.h"

struct adi_py_chunks {
    atomic_size_t uses;
    struct adi_device *device;
    struct ArrowSchema schema;
    size_t count, room;
    struct adi_py_memory **chunks;
};

/* An empty list. Moves from `schema`. NULL: ENOMEM, and it is untouched. */
struct adi_py_chunks *adi_py_chunks_new(struct adi_device *device, struct ArrowSchema *schema,
                                        struct adi_error *error);
/* Takes over a use of `chunk`. ENOMEM: it does not. */
int adi_py_chunks_add(struct adi_py_chunks *chunks, struct adi_py_memory *chunk,
                      struct adi_error *error);
void adi_py_chunks_drop(struct adi_py_chunks *chunks);

/* A stream from the first to the last. */
int adi_py_chunks_stream(struct adi_py_chunks *chunks, struct ArrowDeviceArrayStream *out,
                         struct adi_error *error);

#endif /* ADI_PY_CHUNKS_H */
