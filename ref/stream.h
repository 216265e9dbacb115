/* SPDX-License-Identifier: Apache-2.0
 *
 * Producing, consuming and relaying ArrowDeviceArrayStreams. All of it pulls: a chunk is made when
 * it is asked for. C device data interface, "Device Stream Interface"; C stream interface.
 *
 * Each function makes a stream over another one, which it moves from: `in` is released with
 * `*out`. On failure `in` and `*out` are untouched. The callbacks may come from any thread, one at
 * a time, and call those of `in` and the devices' functions on it: such a device has to allow calls
 * from any thread, which is more than device.h asks for. Chunks and schemas outlive the
 * stream, but not their device. Of the streams made here
 *  - `release` clears itself and frees all but what was given out;
 *  - get_schema can be called at any time, repeatedly, after the end and after an error;
 *  - get_next at the end gives a released array, again and again; after a failure it fails again,
 *    in the same way: no chunk is left out;
 *  - get_last_error gives the text of `in` where `in` has failed, of any length, or NULL; it is the
 *    same text until the next call of another callback, and ends then;
 *  - a failing callback leaves its `out` as it is.
 * An `in` that is released, or has not all callbacks, is EINVAL.
 */
#ifndef ADI_STREAM_H
#define ADI_STREAM_H

#include <stddef.h>

#include "abi.h"
#include "device.h"
#include "error.h"

/* What is known of a chunk's event when the chunk is given out. */
enum adi_chunk_event {
    ADI_CHUNK_PENDING,       /* nothing: its copies were queued before it */
    ADI_CHUNK_COMPLETE,      /* it was waited for */
    ADI_CHUNK_WITHOUT_EVENT, /* the same, and sync_event is NULL */
};

/* How a chunk is produced. */
struct adi_chunk_plan {
    size_t device; /* an index into the devices */
    enum adi_chunk_event event;
};

/* Where the chunks of a stream are produced. Chunk k follows row k modulo n_chunks. */
struct adi_stream_plan {
    struct adi_device *const *devices; /* of one type; open until the last chunk is released */
    size_t n_devices;                  /* > 0 */
    const struct adi_chunk_plan *chunks;
    size_t n_chunks; /* 0: all on the first device, pending */
};

/* The producer: copies each chunk of the host to its device (queued), records an event of its own
 * behind the copies and exports it: adi_produce of export.h. The plan is copied, the devices are
 * not. A chunk of `in` that has not the shape of its schema is EINVAL. ENOMEM; EINVAL: devices of
 * different types, or a row that names none. */
int adi_stream_produce(const struct adi_stream_plan *plan, struct ArrowArrayStream *in,
                       struct ArrowDeviceArrayStream *out, struct adi_error *error);

/* The consumer, chunk by chunk: each is imported, waited on, copied to the host and released, on
 * the device that it names: adi_consume of import.h. `devices` are of the stream's type, or of
 * others that its chunks may name; they must be open until `*out` is released. A chunk without
 * buffers is taken wherever it says that it is. In get_next, ENOTSUP: a chunk of another device.
 * ENOMEM; ENOTSUP: no device is of the stream's type. */
int adi_stream_copy_to_host(struct adi_device *const *devices, size_t n_devices,
                            struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                            struct adi_error *error);

/* The same to the end or the first error, before it returns: `in` is released then, and `*out`
 * gives what was read, and that error where it came. `devices` may be closed. Unlike above, `in`
 * is released too if memory for `*out` runs out. */
int adi_stream_consume(struct adi_device *const *devices, size_t n_devices,
                       struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                       struct adi_error *error);

/* A stream on the CPU as the device stream that it is, and back, without copying or allocating a
 * chunk: their release callbacks, and the text of get_last_error, are those of `in`. Back: a chunk
 * that is not on the CPU is ENOTSUP in get_next, and released; an event on the CPU says nothing,
 * and is ignored. ENOMEM; ENOTSUP: it is not of the CPU. */
int adi_stream_wrap(struct ArrowArrayStream *in, struct ArrowDeviceArrayStream *out,
                    struct adi_error *error);
int adi_stream_unwrap(struct ArrowDeviceArrayStream *in, struct ArrowArrayStream *out,
                      struct adi_error *error);

#endif /* ADI_STREAM_H */
