/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers by which a consumer names its stream to a producer, and how work is ordered by them.
 * Array API, "__dlpack__", `stream`.
 *
 *   CUDA  None and 1: the legacy default stream; 2: that of the thread; above 2: a handle
 *   ROCm  None and 0: the default stream; above 2: a handle
 *   both  -1: the producer must not order anything
 *   CPU, and other types without streams: None
 *
 * Pinned and managed memory follow their family. Of the other types, which do have queues, the
 * document says that libraries are to agree. Ours: None: all has run when the call returns; -1 as
 * above; above 2: the handle of a queue, as docs/devices.md names it (docs/ambiguities.md, 47).
 */
#ifndef ADI_DLPACK_STREAM_H
#define ADI_DLPACK_STREAM_H

#include <stdint.h>

#include "device.h"
#include "error.h"

/* What a number asks for. */
enum adi_dlpack_order {
    ADI_DLPACK_BY_NOBODY, /* -1 */
    ADI_DLPACK_BY_HOST,   /* all has run when the producer returns */
    ADI_DLPACK_BY_QUEUE,  /* the queue waits, and not the host */
};

struct adi_dlpack_queue {
    enum adi_dlpack_order order;
    void *handle; /* as the runtime takes it; of BY_QUEUE only */
};

/* Which numbers the streams of DLPack's `device_type` have. */
enum adi_dlpack_numbers {
    ADI_DLPACK_STREAMLESS, /* there are no streams */
    ADI_DLPACK_NUMBERED,   /* those that the document says */
    ADI_DLPACK_UNSAID,     /* ours, as above */
};
enum adi_dlpack_numbers adi_dlpack_numbers(int32_t device_type);
/* A number that the document says is none of the type's; where it says nothing: 0. */
int64_t adi_dlpack_no_stream(int32_t device_type);
/* The number of the stream that the device's own commands are put on; ADI_DLPACK_NONE: the document
 * has no numbers there. */
int64_t adi_dlpack_own_stream(struct adi_device *device);

/* What `stream` (ADI_DLPACK_NONE of dlpack.h: None) is on a device of DLPack's `device_type`.
 * EINVAL: that type has no such stream. */
int adi_dlpack_stream(int32_t device_type, int64_t stream, struct adi_dlpack_queue *out,
                      struct adi_error *error);

/* The producer's half: what is put into the queue from now on comes behind `sync_event`; the host
 * waits where the queue cannot. NULL: nothing to wait for, and `device` may be NULL, too. ENOTSUP:
 * no device to wait by; or what the device says. */
int adi_dlpack_wait(struct adi_device *device, struct adi_dlpack_queue queue, void *sync_event,
                    struct adi_error *error);

/* The consumer's half: an event for all that is in the queue now, or NULL where there is nothing to
 * wait for. The caller owns it until event_free. ENOTSUP: no device, or one that cannot record on a
 * queue of others. */
int adi_dlpack_record(struct adi_device *device, struct adi_dlpack_queue queue, void **sync_event,
                      struct adi_error *error);

#endif /* ADI_DLPACK_STREAM_H */
