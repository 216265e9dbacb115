/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reference needs of a device: one table of functions. A backend is one file that ends in
 * such a table (devices/cpu.c is the shortest); a vendor hands one over through its adapter
 * (`device` in adapter.h).
 *
 * Every function returns 0 or an errno value with a sentence in `error`, unless it says otherwise.
 * All calls come from one thread, but for `free` and `event_free`, which may come from any: an
 * Arrow array may be released anywhere. The harness keeps to that with the device of an adapter;
 * who makes streams of a device (stream.h, async.h) has others come from other threads, too. A slot
 * whose comment begins "(optional)" may be NULL. Sizes and offsets are in bytes.
 *
 * What a buffer value is differs by type (a pointer, a cl_mem, a VkBuffer, an address of a memory
 * map): docs/devices.md. Nobody but the backend may look through it.
 */
#ifndef ADI_DEVICE_H
#define ADI_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct adi_device_ops;

/* An open device. The backend keeps what it needs behind `state`. */
struct adi_device {
    const struct adi_device_ops *ops;
    int64_t id; /* the runtime's own number: ArrowDeviceArray.device_id */
    void *state;
};

#define ADI_DEVICE_IDS 8 /* more devices of one type than this are not used */

/* What is there of one type. */
struct adi_device_probe {
    int64_t ids[ADI_DEVICE_IDS];
    int count;           /* 0: none, and `why` says why; else `why` may be a remark on them */
    const char *runtime; /* static text: "native", "real", "simulated", or the runtime's name */
    struct adi_error why;
    struct adi_error lacks; /* "", or what cannot be judged on those that are there, and why */
};

/* Why a defect of an implementation does not show on a device. */
enum adi_unobservable {
    ADI_UNOBSERVABLE_QUEUES =
        1, /* an implementation has one queue: nothing passes anything else there */
    ADI_UNOBSERVABLE_CACHES =
        2, /* all memory is coherent: a barrier that is missing is not missed */
    ADI_UNOBSERVABLE_THREADS =
        4, /* an implementation that writes on a thread of its own while the harness reads is not
              played: they share what one thread at a time may use, and no lock for it */
    ADI_UNOBSERVABLE_PENDING =
        8, /* (of a type without events) whoever reads comes behind all that is queued, and nothing
              sees what is: work that nobody has waited for is not missed */
};

/* What an implementation does to objects of the runtime that it must not do. */
enum adi_misuse {
    ADI_MISUSE_EARLY, /* a command uses a buffer without waiting for what writes it */
    ADI_MISUSE_DEAD,  /* an object is used, or released, after its last reference was given up */
    ADI_MISUSE_NOT_OWNED,    /* a reference is given up that somebody else holds */
    ADI_MISUSE_UNORDERED,    /* two of its own uses of the same memory are not ordered, or memory is
                                freed while a command uses it */
    ADI_MISUSE_DEREFERENCED, /* the CPU touches memory that is a device's alone */
    ADI_MISUSE_RELEASED,     /* a buffer is used that was given to it, and has been released */
    ADI_MISUSE_BEYOND,       /* a buffer is used beyond its end */
    ADI_MISUSE_MUTATED,      /* a buffer is written that was given to it */
    ADI_MISUSE_UNMAPPED, /* the runtime calls it wrong, and it is none of these: nobody is charged
                            with it, and the case comes to no verdict */
    ADI_MISUSE_ADDRESS,  /* the address of a handle is given for the handle: of an event that came
                            with an array: sync_event itself */
};

#define ADI_INTERCEPTOR_HELD 64 /* bytes of such a name */

/* What sees every call of this process to the runtime. One thread calls its functions, but for what
 * says otherwise; `on_misuse` is called on the thread of the misuse. */
struct adi_interceptor {
    uint32_t size; /* slots beyond it count as NULL */

    /* Says whether the calling thread runs code of the implementation from now on, or of the
     * harness; a thread begins with the implementation's. Returns what was said before. Any thread.
     */
    bool (*enter)(bool implementation);
    /* Sets the function that is called with each misuse, and a sentence that begins with the call;
     * NULL: none. A call that would be dangerous does not reach the runtime. */
    void (*subscribe)(void (*on_misuse)(void *context, enum adi_misuse misuse, bool is_event,
                                        const char *text),
                      void *context);

    /* Stops the queues of the harness, or of the implementation, before their next command.
     * They go on when a caller blocks on, or keeps asking for, what is paused; after a second or
     * two; or with `resume`. Where there is `has_pending_work`, and the harness waits for an event
     * of the implementation, only the commands go on that the event needs. */
    void (*pause)(bool implementation);
    void (*resume)(void);
    /* Is the buffer going to be written by, or does the event stand for, a command that is paused?
     */
    bool (*pending)(const void *object);
    /* Is there a command of the implementation that uses the buffer and is paused? */
    bool (*used)(const void *buffer);

    /* How many references the implementation holds to objects of the runtime. */
    size_t (*references)(void);
    /* (optional) Can a buffer value point there, where the host has no memory? Any thread, and
     * signal handlers. */
    bool (*closed)(const void *address);

    /* (optional) Does the runtime allocate for its own records on the heap, so that leaks cannot be
     * measured? NULL counts as no. */
    bool (*keeps_books)(void);

    /* Will all that is paused and writes the buffer have run when the event, of a command that is
     * paused, is complete? True also where that is not known. */
    bool (*covers)(const void *event, const void *buffer);

    /* (optional) Names what the implementation is asked to do from now on ("produce"), for logs of
     * the runtime. */
    void (*phase)(const char *name);

    /* (optional) Did the last pause go on until its time was up? What came later was not paused. */
    bool (*expired)(void);

    /* (optional) Has the implementation submitted a command that writes the buffer? */
    bool (*written)(const void *buffer);

    /* (optional; for runtimes where work runs on its own) Is work of the implementation queued? */
    bool (*has_pending_work)(void);
    /* (optional; with it) Lets all queues go and blocks until they are empty. */
    void (*drain)(void);

    /* (optional) Sets the function that is called with each call from now on, as a line of JSON as
     * in the log of the simulation (docs/simulation.md), and whose call it is; NULL: none. Any
     * thread, and signal handlers. */
    void (*trace)(void (*on_line)(bool implementation, const char *line));
    /* (optional) The name in these lines of an event, or of what a buffer lies in; false: none. */
    bool (*name_of)(const void *object, char out[48]);

    /* (all optional) The same as `pending`, `covers`, `used` and `written`, asked of `bytes` bytes
     * (> 0) from `offset` on, counted from where the buffer value points: what is done to another
     * part of the same allocation does not count. Of a command that is not known to stay within
     * some part (a kernel, a shader) counts what can touch nothing outside these bytes. */
    bool (*pending_in)(const void *buffer, int64_t offset, int64_t bytes);
    bool (*covers_in)(const void *event, const void *buffer, int64_t offset, int64_t bytes);
    bool (*used_in)(const void *buffer, int64_t offset, int64_t bytes);
    bool (*written_in)(const void *buffer, int64_t offset, int64_t bytes);

    /* (optional) Has the harness made the buffer and given it up since, so that it lives only
     * because the implementation holds a reference? */
    bool (*given_up)(const void *buffer);

    /* (optional) Within `on_misuse`: how to mend what it is told, in the runtime's own words;
     * static. Asked of what is unmapped. */
    const char *(*mend)(void);

    /* (optional) Names the newest object that the implementation holds a reference to, and the call
     * that made it: "event of cuEventCreate". false: it holds none. */
    bool (*newest_held)(char out[ADI_INTERCEPTOR_HELD]);

    /* (optional) Gives up what was freed on threads that may not do so themselves. Called before
     * memory is weighed, on the thread that opened the device. */
    void (*settle)(void);
};

/* What a runtime knows of a pointer. */
struct adi_pointer_attributes {
    /* The same place as commands of the device reach it, and as the CPU does; NULL: not at all. */
    const void *device_pointer, *host_pointer;
    const void *start;   /* of the allocation that it lies in, as `device_pointer` counts */
    uint64_t bytes;      /* of that allocation */
    const void *context; /* that owns it, by the runtime's own handle; NULL: none does, or the
                            runtime does not say */
    int64_t device_id;   /* where it was allocated, or of the context in which it was */
    bool is_managed;     /* it moves between the devices and the CPU */
    bool is_host;        /* host memory that was allocated for the device or registered with it:
                            mapped, or pinned */
};

struct adi_device_ops {
    uint32_t size; /* sizeof(struct adi_device_ops) as the backend knows it; slots beyond it count
                      as NULL */
    ArrowDeviceType type;
    const char *name; /* "cpu", "opencl", ...: what stands before the colon in "opencl:0" */

    /* Looks what is there. Must survive a machine without the runtime. */
    void (*probe)(struct adi_device_probe *out);

    /* Opens the device `id`; the caller owns `*out` until it calls `close` on it. */
    int (*open)(int64_t id, struct adi_device *out, struct adi_error *error);
    void (*close)(struct adi_device *device);

    /* A buffer of `bytes` (> 0) on the device, aligned to 64 bytes where the runtime lets one
     * choose. The caller owns it until `free`, which may be called while queued work on it is still
     * running: the backend keeps it as long as it must. */
    int (*alloc)(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error);
    void (*free)(struct adi_device *device, void *buffer);

    /* Queues a copy from the host. `from` is not needed any more when the call returns. */
    int (*write)(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                 int64_t bytes, struct adi_error *error);
    /* Queues a copy to the host and ends when it is done. Does not wait for another party's event:
     * `wait` does. EFAULT: there are no `bytes` readable bytes there. */
    int (*read)(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error);

    /* In `*sync_event` what goes into ArrowDeviceArray.sync_event, by the type's row in
     * device_types.def (the address of a handle, not the handle; or that of an event object): an
     * event that is complete once all that was queued so far has run. NULL where the type has no
     * event; then all has run when this returns. The caller owns it until `event_free`. */
    int (*event)(struct adi_device *device, void **sync_event, struct adi_error *error);
    /* Lets everything queued from now on wait for another party's event: on the device where the
     * API can, else by blocking. `sync_event` may be NULL: nothing to wait for. The event stays its
     * owner's. */
    int (*wait)(struct adi_device *device, void *sync_event, struct adi_error *error);
    /* Blocks the host until the event is complete. */
    int (*wait_host)(struct adi_device *device, void *sync_event, struct adi_error *error);
    void (*event_free)(struct adi_device *device, void *sync_event);

    /* (optional) A further queue of the device, and recording and waiting on a queue of one's
     * choice, another party's included: DLPack and the CUDA array interface name queues. */
    int (*queue_open)(struct adi_device *device, void **queue, struct adi_error *error);
    void (*queue_close)(struct adi_device *device, void *queue);
    int (*record_on)(struct adi_device *device, void *queue, void **sync_event,
                     struct adi_error *error);
    int (*wait_on)(struct adi_device *device, void *queue, void *sync_event,
                   struct adi_error *error);

    /* (optional) Stops the queue before what is queued next, and resumes it. */
    int (*pause)(struct adi_device *device, struct adi_error *error);
    int (*resume)(struct adi_device *device, struct adi_error *error);

    /* (optional) Makes a buffer that somebody else allocated readable by `read`. */
    int (*adopt)(struct adi_device *device, const void *buffer, struct adi_error *error);
    /* (optional) Can this device reach this buffer? NULL counts as yes. */
    bool (*accessible)(struct adi_device *device, const void *buffer, struct adi_error *why);
    /* (optional) A checksum of the bytes, computed on the device: the 64-bit sum of its bytes. */
    int (*checksum)(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *error);
    /* (optional) A native handle by name ("opencl.context"), for `adi_host.get`; NULL if it has
     * none. */
    const void *(*native_handle)(struct adi_device *device, const char *what);

    /* (optional) Static text: what a person can look at when the runtime crashes or hangs as soon
     * as it is asked for devices. */
    const char *remedy;

    /* (optional) The interceptor of the runtime's calls, static; NULL: there is none in this
     * process. May be asked for before a device is opened. */
    const struct adi_interceptor *(*interceptor)(void);

    /* (optional) For runtimes with something current on each thread, as CUDA has a context: makes
     * the device's context current before code of an implementation runs. */
    void (*push_context)(struct adi_device *device, void **before);
    /* (optional; with it) On the same thread afterwards: makes `before` current again. false: what
     * is current is not what `push_context` has left. */
    bool (*restore_context)(struct adi_device *device, void *before);

    /* (optional) An implementation was linked with a vendor's library that the loader does not
     * find: loads what stands in for it, if anything does, so that the next attempt finds it. */
    void (*stand_in)(void);

    /* (optional) Between `on` and off writes need not be submitted one by one: the next `event`,
     * `wait`, `read` or `pause` submits them together, and so does off. */
    int (*batch_submissions)(struct adi_device *device, bool on, struct adi_error *error);

    /* (optional) A set of adi_unobservable: what does not show on the device `id`, which has been
     * found. NULL counts as nothing. */
    unsigned (*unobservable)(int64_t id);

    /* (optional) Can the device tell whether this value, which may be anything, is a buffer? false:
     * it may be one that the device does not know, and `why` says what to do about it; then nobody
     * is judged by an array that has it. NULL counts as yes. */
    bool (*can_identify_buffer)(struct adi_device *device, const void *buffer,
                                struct adi_error *why);
    /* (optional) The same of what a sync_event that is not NULL points to. NULL counts as yes. */
    bool (*can_identify_event)(struct adi_device *device, const void *sync_event,
                               struct adi_error *why);

    /* (optional) Is this buffer, which is one, an address of memory, and so aligned or not? NULL:
     * as the documents have it of the type. */
    bool (*is_address)(struct adi_device *device, const void *buffer);

    /* (optional) Records an event of `event` again, for all that was queued so far, with the same
     * handle at the same place. Nobody uses it any more, and no queue still waits for it. */
    int (*record_again)(struct adi_device *device, void *sync_event, struct adi_error *error);

    /* (both optional) `bytes` (> 0) that the CPU may read and write at once, and that commands of
     * the device can read by the same pointer: pinned memory. The caller owns them until
     * `free_visible`; no command uses them then. */
    int (*alloc_visible)(struct adi_device *device, int64_t bytes, void **buffer,
                         struct adi_error *error);
    void (*free_visible)(struct adi_device *device, void *buffer);

    /* (optional) What the runtime knows of a pointer of somebody else's, asked for the device: its
     * context is made current for that, and what was current before is current afterwards. EFAULT:
     * it knows nothing of it. CUDA Array Interface, "Pointer Attributes". */
    int (*pointer_attributes)(struct adi_device *device, const void *pointer,
                              struct adi_pointer_attributes *out, struct adi_error *error);

    /* (optional) Has the device gone since it was opened (it has ended, hangs, or was taken away)?
     * `why` then says how. What is seen from then on is nobody's doing. Any thread. NULL counts as
     * no. */
    bool (*is_lost)(struct adi_device *device, struct adi_error *why);

    /* (optional; of a runtime that has no interceptor) As `keeps_books` of that. */
    bool (*runtime_keeps_books)(void);
};

/* Is the slot there: known where the table was compiled, and not NULL? */
#define ADI_HAS_SLOT(type, table, slot)                                                            \
    (offsetof(type, slot) + sizeof((table)->slot) <= (table)->size && (table)->slot != NULL)
#define ADI_DEVICE_HAS(ops, slot) ADI_HAS_SLOT(struct adi_device_ops, ops, slot)
#define ADI_INTERCEPTOR_HAS(interceptor, slot)                                                     \
    ADI_HAS_SLOT(struct adi_interceptor, interceptor, slot)

#ifdef __cplusplus
}
#endif

#endif /* ADI_DEVICE_H */
