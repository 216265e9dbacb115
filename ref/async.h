/* SPDX-License-Identifier: Apache-2.0
 *
 * What the asynchronous producer (async_producer.h) and consumer (async_consumer.h) have in common:
 * who may call what, where a scheduler may step in, and the two layouts of ArrowAsyncProducer.
 * C device data interface, "Async Device Stream Interface".
 *
 *   callback            of        may be called
 *   on_schema           handler   by the producer's step, first and once
 *   on_next_task        handler   by the producer's step, one at a time
 *   on_error            handler   by the producer's step, once; then release alone
 *   release             handler   by the producer's step, last and once
 *   request, cancel     producer  on any thread and within on_schema and on_next_task, from the
 *                                 start of on_schema to the start of release; never within on_error
 *                                 or release
 *   extract_data        task      on any thread, once, at any time: within on_next_task, after it,
 *                                 and when both parties have ended
 *
 * Nothing tells a consumer's other thread that release is about to begin: a request or cancel that
 * was begun before it may overlap with it (docs/ambiguities.md, 28). The consumer's release waits
 * until its own have returned, and the producer stays valid until it is closed.
 *
 * No callback of the handler is called within request, cancel or extract_data. Neither party holds
 * a lock while it calls the other one. Neither has threads of its own: `step` does the next thing
 * and returns, whoever calls it; `run` and `wait` block until there is nothing left to do.
 *
 * The devices' functions are called on the thread that steps the producer, and on those that
 * extract. A device that several of them use, or several streams at once, has to allow calls that
 * overlap, which is more than device.h asks for.
 */
#ifndef ADI_ASYNC_H
#define ADI_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

/* ---- schedules ---- */

/* Where it makes a difference who goes on. */
enum adi_async_point {
    ADI_ASYNC_BEFORE_LOCK,
    ADI_ASYNC_AFTER_UNLOCK,
    ADI_ASYNC_BEFORE_CALLBACK, /* of the other party: "on_schema", "request", ... */
    ADI_ASYNC_AFTER_CALLBACK,
    ADI_ASYNC_WAITS, /* only with `drives`: it cannot go on until somebody else has; it looks again
                        when `point` returns */
};

/* Is called at each point, on the thread that is there, with no lock held: to delay that thread, or
 * to let another one go first. Both parties may have the same one. It lives as long as they and
 * their tasks do. */
struct adi_async_schedule {
    void (*point)(struct adi_async_schedule *, enum adi_async_point, const char *what);
    bool drives; /* one thread goes at a time, and none blocks: where it would, there is a point.
                    To run others within `point` on its own stack is not enough, since these may
                    wait for what it has interrupted: give each a stack that can be returned to. */
};

/* ---- the two layouts of ArrowAsyncProducer: docs/ambiguities.md, 27 ---- */

enum adi_async_layout {
    ADI_ASYNC_SHIPPED,      /* as the headers in use have it */
    ADI_ASYNC_WITH_RELEASE, /* as the document prints it; nobody calls that `release` */
};

struct adi_shipped_producer {
    ArrowDeviceType device_type;
    void (*request)(struct ArrowAsyncProducer *self, int64_t n);
    void (*cancel)(struct ArrowAsyncProducer *self);
    const char *additional_metadata;
    void *private_data;
};

struct adi_published_producer {
    ArrowDeviceType device_type;
    void (*request)(struct ArrowAsyncProducer *self, int64_t n);
    void (*cancel)(struct ArrowAsyncProducer *self);
    void (*release)(struct ArrowAsyncProducer *self);
    const char *additional_metadata;
    void *private_data;
};

/* All begin alike; `producer` is what goes into a handler. */
union adi_any_producer {
    struct ArrowAsyncProducer producer;
    struct adi_shipped_producer shipped;
    struct adi_published_producer published;
};

/* The layout in which additional_metadata is at this offset, as `async_layout` of adapter.h has it.
 * False: neither. */
bool adi_async_layout_at(size_t metadata_offset, enum adi_async_layout *out);

/* Fills `*out` in, as the layout has it. `release`, where there is one, does nothing. */
void adi_async_fill(enum adi_async_layout layout, const struct adi_shipped_producer *from,
                    union adi_any_producer *out);
/* A member of somebody's producer, whose layout that is. */
const char *adi_async_metadata(const struct ArrowAsyncProducer *producer,
                               enum adi_async_layout layout);
void *adi_async_private_data(const struct ArrowAsyncProducer *producer,
                             enum adi_async_layout layout);

#endif /* ADI_ASYNC_H */
