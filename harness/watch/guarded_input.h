/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as producer: a tree laid out in guarded memory, for a consumer under test. Its
 * structures, strings, arrays of pointers and (on the CPU) buffers lie in regions of their own
 * (guard.h); private_data points where nobody may look; released structures are filled with poison
 * and closed. Its release callback does what the documents ask of a producer, so every finding is
 * the consumer's. What is released when its input has been closed is late, and that is all.
 */
#ifndef ADI_GUARDED_INPUT_H
#define ADI_GUARDED_INPUT_H

#include <pthread.h>
#include <stdatomic.h>

#include "guard.h"
#include "monitor.h"
#include "unchanged.h"
#include "view_lengths.h"

#define ADI_GUARDED_KEY                                                                            \
    16 /* bytes of private_data a structure; and in front, where free(3) looks */

struct adi_guarded {
    struct adi_monitor monitor; /* array's records first, then the schema's */
    struct adi_device device, producing;
    struct ArrowDeviceArray
        real;         /* what the guarded array stands for; it owns the buffers and the event */
    void *event;      /* the handle that its sync_event points to; NULL: to none */
    void **handle_at; /* guarded: where the consumer finds that handle */
    struct adi_device_ops ops; /* of `producing`: the device's, but an event is freed once */
    void (*free_event)(struct adi_device *device, void *sync_event);
    _Atomic bool event_ended;  /* it is freed with the base structure: children have none */
    struct ArrowSchema schema; /* and the schema */
    struct adi_node *before;   /* what its buffers held; NULL: not kept */
    struct adi_view_lengths lengths;
    pthread_t thread;           /* the device's */
    _Atomic size_t live_arrays; /* the last release gives `real` back */
    struct adi_guarded *next;   /* of those that are open */
    bool whole;                 /* it was laid out; else there is nothing to release */
    size_t n;                   /* structures */
    char *private_data;         /* closed memory, ADI_GUARDED_KEY bytes a record: which one it is */
    void *poison;               /* closed memory: what a released structure points to */
    void **arrays;              /* a record's arrays of pointers, and a copy of them */
};

/* What a consumer under test is given. The base structures stay the guarded input's memory. */
struct adi_guarded_pair {
    struct ArrowSchema *schema;
    struct ArrowDeviceArray *array;
};

/* What may be odd about a guarded array. */
enum adi_guarded_oddity {
    ADI_GUARDED_UNALIGNED = 1, /* buffers aligned to nothing (CPU) */
    ADI_GUARDED_FOREIGN = 2,   /* buffers that the CPU cannot reach, whatever the device is */
    ADI_GUARDED_NO_SCHEMA = 4, /* the schema is only read, and stays the caller's */
};

/* Opens an input on an open device; `sink` is told what the consumer breaks. The guard has been
 * started. Several may be open; one thread opens and closes them. */
void adi_guarded_open(struct adi_guarded *input, const struct adi_device *device,
                      struct adi_sink *sink);

/* Produces `host` on the device and puts it into guarded memory, once an input. Moves from both
 * inputs. */
int adi_guarded_put(struct adi_guarded *input, struct ArrowSchema *schema, struct ArrowArray *host,
                    unsigned oddities, struct adi_guarded_pair *out, struct adi_error *error);

/* Puts a copy of the schema alone into guarded memory, once an input. */
int adi_guarded_put_schema(struct adi_guarded *input, const struct ArrowSchema *schema,
                           struct ArrowSchema **out, struct adi_error *error);

/* Ends it: reports what the consumer never released and gives everything back. The last one empties
 * the arena. */
void adi_guarded_close(struct adi_guarded *input);
/* Is any open? (guarded_list.c) */
bool adi_guarded_any(void);

#endif /* ADI_GUARDED_INPUT_H */
