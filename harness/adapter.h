/* SPDX-License-Identifier: Apache-2.0
 *
 * The adapter: how adicheck reaches an implementation of the Arrow C Device data interface.
 *
 * Write a shared library that exports the one symbol `adi_adapter`, fill in the roles that the
 * implementation plays, leave the other slots NULL, and run `adicheck run ./libmine.so`. The
 * library links with nothing of adicheck's; this header and abi.h are all that it needs, as C99 or
 * C++11. `adicheck new NAME` writes one to start from, in C, C++, Rust or Go.
 *
 * Every function returns 0 or an errno value. On success the inputs are moved from: their `release`
 * is NULL (the structure was moved away, or released in place). On failure an input is either
 * untouched or released exactly once, and nothing is in the outputs. A non-zero return for a type,
 * shape or device that the implementation does not have is a clean refusal and counts as
 * `unsupported`, never as a fault.
 *
 * All calls come from one thread of a worker process. A release callback may be called from any
 * thread. Inputs may be odd: `consume`, `relay` and `consume_stream` are also called with arrays
 * and streams of device types and ids that `roles` said nothing of, and with structures that are
 * released already; both are to be refused. `sync_event` points to the handle of an event and is
 * not the handle (docs/devices.md says which, for each type).
 */
#ifndef ADI_ADAPTER_H
#define ADI_ADAPTER_H

#include <stdint.h>

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ADI_ADAPTER_VERSION 1

/* What an implementation can do on a device: bits of `roles`. */
enum adi_role {
    ADI_PRODUCES = 1,
    ADI_CONSUMES = 2,
    ADI_PRODUCES_STREAM = 4,
    ADI_CONSUMES_STREAM = 8,
    ADI_PRODUCES_ASYNC = 16,
    ADI_CONSUMES_ASYNC = 32,
    ADI_RELAYS = 64,
    ADI_PRODUCES_DLPACK = 128,
    ADI_CONSUMES_DLPACK = 256,
    /* The ArrowArrayStreams that the stream slots take and give are the implementation's own, and
     * it is judged on them; without this they are the adapter's. */
    ADI_ARRAY_STREAMS = 512,
    ADI_RELAYS_STREAM = 1024
};

/* dlpack.h's own. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

#define ADI_DLPACK_NONE INT64_MIN /* `stream` where None is passed */

/* The arguments of __dlpack__, by which a consumer asks for a tensor. */
struct adi_dlpack_request {
    uint32_t size, max_major, max_minor; /* 0, 0: None */
    int32_t device_type, device_id;      /* 0: None */
    int32_t copy;                        /* -1: None */
    int64_t stream;
};

/* The answer: exactly one is not NULL. */
struct adi_dlpack_tensor {
    struct DLManagedTensor *legacy;
    struct DLManagedTensorVersioned *versioned;
};

/* What shows a tensor: the consumer asks it for one, as often as it likes, until `release`. */
struct adi_dlpack_array {
    uint32_t size;
    int32_t device_type, device_id; /* DLPack's ids: the CPU is 0 */
    int (*dlpack)(struct adi_dlpack_array *, const struct adi_dlpack_request *,
                  struct adi_dlpack_tensor *out);
    void (*release)(struct adi_dlpack_array *);
    void *private_data;
};

struct adi_device_ops; /* device.h */

/* What the harness offers to an adapter; valid from `open` until `close`. */
struct adi_host {
    uint32_t size, version;
    /* A native handle of the harness's own context on a device, or NULL: "opencl.context",
     * "opencl.queue", "vulkan.instance", "vulkan.physical_device", "vulkan.device", "vulkan.queue",
     * "vulkan.queue_family", ... docs/devices.md lists them. The handle stays the harness's. A
     * queue is not the one that its arrays are written on, but where there is only one. It is NULL
     * for every other device, or id, than the worker judges: arrays and chunks of another id of the
     * same type may come all the same, and who takes them has a context and a queue of its own
     * there, or refuses them.
     * "async.schedule", of any device, within produce_async or consume_async: { void (*point)(self,
     * int, const char *what); bool drives; }. Who asks for it calls `point` before and behind its
     * locks and the callbacks, with 0 before and 1 behind them, and with 4 in place of blocking
     * until another thread has changed something; threads go one at a time then. NULL, or not asked
     * for: they run. */
    const void *(*get)(const struct adi_host *, ArrowDeviceType, int64_t device_id,
                       const char *what);
    /* A line for the report of the case at hand. The text is copied. */
    void (*log)(const struct adi_host *, const char *text);
    /* (if `size` reaches to here) Around what `produce` does to import the host array, where it has
     * to import before it can export: `begins` 1, then 0. A crash or hang in between is charged to
     * the importer, and not to the exporter. */
    void (*imports)(const struct adi_host *, int begins);
};

struct adi_adapter {
    uint32_t
        size; /* sizeof(struct adi_adapter) as the adapter knows it; slots beyond count as NULL */
    uint32_t version;         /* ADI_ADAPTER_VERSION */
    const char *name;         /* of the implementation: "nanoarrow" */
    const char *release_name; /* its version: "0.9.0" */
    void *state;              /* the adapter's own */
    uint32_t async_layout;    /* offsetof(struct ArrowAsyncProducer, additional_metadata) in the
                                 headers that the implementation uses; 0: no async */

    /* The roles, as bits of enum adi_role, on this device; 0 where there are none. */
    unsigned (*roles)(struct adi_adapter *, ArrowDeviceType, int64_t device_id);
    /* (optional) Called before and after everything else, in each worker; `close` comes early where
     * something that was imported is not released yet. */
    int (*open)(struct adi_adapter *, const struct adi_host *);
    void (*close)(struct adi_adapter *);

    /* ADI_PRODUCES. Copies host data to the device and exports it. Moves from `schema` and `host`.
     * Up to five exports are live at once. An implementation that can have fewer refuses one
     * (ENOMEM), and does not wait for the release of another. */
    int (*produce)(struct adi_adapter *, ArrowDeviceType, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out);
    /* ADI_CONSUMES. Imports (moves from) `schema` and `in`, reads as the interface demands, gives a
     * host copy. What was imported may be released then, with the next import or, at the latest, in
     * `close`; what is released may be freed some 100 ms later by a thread. */
    int (*consume)(struct adi_adapter *, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct ArrowSchema *schema_out, struct ArrowArray *host_out);
    /* ADI_RELAYS. Imports and exports again without copying. */
    int (*relay)(struct adi_adapter *, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out);
    /* ADI_PRODUCES_STREAM, ADI_CONSUMES_STREAM. The first makes a stream on the device of the host
     * arrays that `host` gives; the second imports one, and `host_out` gives host copies of its
     * chunks. Both move from their input, which may fail, and chunks may be cut anew. What comes
     * out is called on any thread, one call at a time, and may be released before its end. */
    int (*produce_stream)(struct adi_adapter *, ArrowDeviceType, int64_t device_id,
                          struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out);
    int (*consume_stream)(struct adi_adapter *, struct ArrowDeviceArrayStream *in,
                          struct ArrowArrayStream *host_out);
    /* ADI_PRODUCES_ASYNC. Drives `handler`, maybe from a thread of its own: on the device, what
     * `host` gives, which may fail. Batches may be cut anew, as chunks of streams may. */
    int (*produce_async)(struct adi_adapter *, ArrowDeviceType, int64_t device_id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler);
    /* ADI_CONSUMES_ASYNC. Fills `handler` for one producer to drive; `consume_async_finish` blocks
     * until that has released it, and `host_out` gives host copies of the batches, which may be cut
     * anew. One handler at a time. The document has no deadline for tasks
     * that are kept: they may be extracted, or given up, as what was imported may be released, some
     * 100 ms later by a thread. */
    int (*consume_async)(struct adi_adapter *, struct ArrowAsyncDeviceStreamHandler *handler,
                         int64_t batches_at_once);
    int (*consume_async_finish)(struct adi_adapter *, struct ArrowArrayStream *host_out);

    /* (optional) The bytes that the implementation holds right now; -1: unknown. */
    int64_t (*bytes_allocated)(struct adi_adapter *);
    /* (optional) Why the last call failed; valid until the next call. */
    const char *(*last_error)(struct adi_adapter *);
    /* (optional) A device that adicheck does not have; NULL for those that it has. */
    const struct adi_device_ops *(*device)(struct adi_adapter *, ArrowDeviceType);

    /* ADI_RELAYS_STREAM. Imports a stream and exports it again without copying its chunks. Moves
     * from `in`. */
    int (*relay_stream)(struct adi_adapter *, struct ArrowDeviceArrayStream *in,
                        struct ArrowDeviceArrayStream *out);
    /* ADI_PRODUCES_DLPACK. Copies the tensor `host`, which stays the caller's, to the device and
     * shows it. It is of any type, bool and complex among them, of any strides, and may have no
     * dimension: ENOTSUP where the implementation has no such thing. */
    int (*produce_dlpack)(struct adi_adapter *, int32_t device_type, int32_t device_id,
                          const struct DLManagedTensorVersioned *host,
                          struct adi_dlpack_array *out);
    /* ADI_CONSUMES_DLPACK. Asks `in` for a tensor on a stream of its own, reads it and gives a host
     * copy. Moves from `in`. */
    int (*consume_dlpack)(struct adi_adapter *, struct adi_dlpack_array *in,
                          struct adi_dlpack_tensor *host_out);
};

/* The one exported symbol. The structure stays the library's and lives as long as it is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
struct adi_adapter *
adi_adapter(void);

#ifdef __cplusplus
}
#endif

#endif /* ADI_ADAPTER_H */
