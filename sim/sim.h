/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation: devices whose memory the CPU cannot touch, whose queues run late, and which say
 * so when a program breaks the order of things. This header is at once what the simulated vendor
 * runtimes are built on and the interface of the device type EXT_DEV (docs/simulation.md).
 *
 * One engine a process: libadisim.so. It starts with the first call and reads its settings from the
 * environment (adi_sim_set). In a child of fork() every call answers ENOTCONN.
 *
 * Every function returns 0 or an errno value, unless it says otherwise:
 *   EINVAL     an argument makes no sense: NULL where it is not said to be allowed (a handle, or
 * memory that a command uses, has a code of its own), a flag, a number or a size that there is not
 *   EBADF      a handle is none, or not any more
 *   ENODEV     there is no such device
 *   EFAULT     a pointer is no allocation, or the bytes go beyond its end
 *   EXDEV      two devices are mixed where that is not allowed
 *   ENOMEM     the device, or the machine, has no memory left
 *   EAGAIN     what was asked about is not complete
 *   EPERM      called from within a host function or a kernel
 *   EIO        the fault that was asked for (ADI_SIM_FAIL)
 *   EOWNERDEAD the device was lost (ADI_SIM_LOSE), and stays lost
 *   ENOTCONN   this is a child of fork()
 * What a program does wrong is reported as a violation (violations.def) whatever is returned. A
 * call that is refused for its arguments has done nothing. Where a result goes, and what is handed
 * over by address, may lie in pinned or managed memory: it is the program that touches it then.
 *
 * Any thread may call anything, but for what is said of host functions. All host threads together
 * are one party to the order of things: their own races are a thread sanitizer's business.
 */
#ifndef ADI_SIM_H
#define ADI_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ADI_SIM_PUBLIC __attribute__((visibility("default")))
#else
#define ADI_SIM_PUBLIC
#endif

/* Handles: opaque; looking through one is a violation. That of a context is never used again, any
 * other when 65,536 others of its kind have been destroyed after it: until then a use after its
 * end, or a second end, is named. With the policy `random` the handle of an event
 * that was destroyed may be the next one's, as with a driver. */
typedef struct adi_sim_context_object *adi_sim_context;
typedef struct adi_sim_queue_object *adi_sim_queue;
typedef struct adi_sim_event_object *adi_sim_event;
typedef struct adi_sim_pool_object *adi_sim_pool;
typedef struct adi_sim_reference_object *adi_sim_reference;

/* ---- the engine ---- */

/* Settings, each also an environment variable, which is read at the first call. EBUSY: the engine
 * has started; EINVAL: no such setting or value.
 *
 *   ADI_SIM_POLICY  lazy (default): nothing runs before a synchronization demands it; a query lets
 *                   one command run. eager: everything runs when it is queued. random: seeded.
 *                   Whatever the policy, a host function runs on a thread of the engine when a
 *                   synchronization demands it, or after 20 ms without any call.
 *   ADI_SIM_SEED    of `random`; a number, default 1
 *   ADI_SIM_LOG     file to append the log to, JSON Lines; without it violations go to stderr.
 *                   Of violations that differ in numbers alone ten are said in full, and then
 *                   how many there are
 *   ADI_SIM_TOUCH   continue (default): a forbidden touch is reported and let through; its page
 *                   stays open until the next call. stop: it is reported and ends the program
 *   ADI_SIM_LEAKS   1: report at the end of the program what was never given back
 *   ADI_SIM_KERNELS refused (default): a simulated runtime refuses kernels. opaque: it launches
 *                   them as commands that compute nothing, and may read or write what they are
 *                   given
 *   ADI_SIM_MEMORY  bytes that each device has; default 16 GiB
 *   ADI_SIM_FAIL    N: the N-th call fails; NAME:N: the N-th call of that name
 *   ADI_SIM_LOSE    N: the device that runs the N-th command is lost
 */
ADI_SIM_PUBLIC int adi_sim_set(const char *name, const char *value);

/* Names what the program under test is doing from now on ("produce", "consume"); it is in every
 * violation. Copied, cut at 31 bytes, with ? for what a log cannot have; NULL: nothing. No call in
 * the sense of the settings, and a host function may make it. */
ADI_SIM_PUBLIC int adi_sim_phase(const char *phase);

/* How many violations of level ERROR there have been. */
ADI_SIM_PUBLIC uint64_t adi_sim_violations(void);
/* The errno value with which the log (ADI_SIM_LOG) could not be written; 0: it is whole. A program
 * that judges by the log asks for it. What could not be written went to standard error, and so does
 * all from then on. */
ADI_SIM_PUBLIC int adi_sim_log_error(void);

/* Reports what has not been given back, each object as one violation: allocations, queues, events,
 * pools, references. What a runtime keeps of its own (a graph, a module), and memory of the program
 * that is registered, is named only at the end of the program, if ADI_SIM_LEAKS asks for it. */
ADI_SIM_PUBLIC int adi_sim_leaks(void);

/* For a runtime that is built on this one: from `begin` to `end` all calls of this thread are the
 * one call `name` (static text of 1 to 63 bytes, as a remark's) in logs, counts and faults. Begun
 * within another, it is part of that one. If `begin` does not return 0, there is no `end`; an `end`
 * without a `begin` does nothing. */
ADI_SIM_PUBLIC int adi_sim_begin(const char *name);
/* The same for a call that must not fail by request: a free, a destruction, a question. */
ADI_SIM_PUBLIC int adi_sim_begin_surely(const char *name);
/* Either of them, and until its `end` no call of another thread comes in between, but while one of
 * this thread's waits. So it must not wait for another thread by means of its own in between. Where
 * a fault in between goes to a handler of the program's, that is over. */
ADI_SIM_PUBLIC int adi_sim_begin_alone(const char *name, bool surely);
ADI_SIM_PUBLIC void adi_sim_end(void);
/* How often the calling thread has taken the engine's lock: what a call costs while others wait. */
ADI_SIM_PUBLIC uint64_t adi_sim_locks(void);

/* A remark of a runtime in the log: `topic` (1 to 63 bytes) and `text` (1 to 1000) are
 * printable ASCII without quotes and backslashes, else EINVAL. Both are copied. Without a log it
 * goes to standard error, the first time for each topic (32). */
ADI_SIM_PUBLIC int adi_sim_remark(const char *topic, const char *text);

/* Reports as a violation of the present call what the engine cannot see: `violation` is a name of
 * violations.def, `text` as a remark's. What it is about was made by the party `maker`; `is_event`:
 * an event. EINVAL: there is no such violation or party. */
ADI_SIM_PUBLIC int adi_sim_violate(const char *violation, unsigned maker, bool is_event,
                                   const char *text);

/* The object of that handle, of any kind, is a runtime's own, which the program never made: that it
 * is not ended is no leak. An event does not count among what is live either. */
ADI_SIM_PUBLIC int adi_sim_own(const void *handle);

/* For who names by himself what is left of a runtime's at the end of the program: the present call
 * as logs have it, its name static; either may be NULL. And was that asked for (ADI_SIM_LEAKS)? */
ADI_SIM_PUBLIC int adi_sim_site(const char **name, uint64_t *call);
ADI_SIM_PUBLIC int adi_sim_reports_leaks(void);

/* Is this a live handle of any kind? Its label then; `label` may be NULL. What is asked wrongly is
 * no violation; from where nothing may be called the answer is no. */
ADI_SIM_PUBLIC bool adi_sim_is_live(const void *handle, uint64_t *label);

/* ---- a watcher in the same process ---- */

#define ADI_SIM_PARTIES 2

/* Sets the party of the calling thread, whose are its calls, touches and objects from now on: 0 (a
 * thread begins so) is the program, 1 a watcher. Returns the party before; any other number changes
 * nothing. Party 0 may use what party 1 has made, but neither write, give back nor record it: that
 * is a violation. */
ADI_SIM_PUBLIC unsigned adi_sim_party(unsigned party);

struct adi_sim_report {
    const char *violation; /* its name in violations.def; static */
    const char *text, *call, *phase;
    bool is_error;          /* else a note */
    bool is_event, is_open; /* about an event; about memory that the CPU may touch in principle */
    unsigned party;         /* who did it */
    unsigned other;         /* who made what it is about; of a race, who did the earlier half */
    const char *mend;       /* its own in violations.def; static */
};

/* `on_report` is told each violation from now on, on the thread that commits it, in a signal
 * handler if it is a touch; it must not call this interface. Nothing that party 1 does is said on
 * standard error then. NULL: nobody. */
ADI_SIM_PUBLIC int adi_sim_listen(void (*on_report)(void *context,
                                                    const struct adi_sim_report *report),
                                  void *context);
/* `on_line` is told each line of the log from now on, whether there is a file or not, with whose
 * call it is; on the thread that makes it, in a signal handler if it is a touch, and the line of a
 * violation's two halves before the violation. It must not call this interface. NULL: nobody. */
ADI_SIM_PUBLIC int adi_sim_tap(void (*on_line)(void *context, unsigned party, const char *line),
                               void *context);
#define ADI_SIM_LABEL 48
/* What the log calls a live event, or the allocation around a pointer: "event 3". EFAULT: neither.
 */
ADI_SIM_PUBLIC int adi_sim_name_of(const void *object, char out[ADI_SIM_LABEL]);
/* What the party has made last and not given back, and by which call: "event of cuEventCreate".
 * ENOENT: nothing. */
ADI_SIM_PUBLIC int adi_sim_newest(unsigned party, char out[ADI_SIM_LABEL]);
/* How many objects and allocations the party has made and not given back; 0 of a party that there
 * is not. */
ADI_SIM_PUBLIC size_t adi_sim_live(unsigned party);
/* Holds all queues that the party has made and will make, as adi_sim_queue_hold. */
ADI_SIM_PUBLIC int adi_sim_hold(unsigned party, bool held);
/* Is the allocation around the pointer written by queued work of anybody, behind which `event`
 * (NULL: the host, by what it has waited for) does not come? EAGAIN: yes. EFAULT: no allocation.
 * EBADF: no event. What is asked wrongly is no violation. */
ADI_SIM_PUBLIC int adi_sim_written(const void *pointer, adi_sim_event event);
/* The same of `bytes` bytes from the pointer on, whatever is done to the rest of the allocation.
 * EFAULT also where there are fewer. */
ADI_SIM_PUBLIC int adi_sim_written_in(const void *pointer, size_t bytes, adi_sim_event event);
/* Has all that the event stands for run by now? EAGAIN: no. EBADF: no event. Unlike a query it
 * neither runs work nor establishes an order. */
ADI_SIM_PUBLIC int adi_sim_has_run(adi_sim_event event);
/* Is it used by queued work of party 0, behind which no queue of party 1 in its context comes? */
ADI_SIM_PUBLIC int adi_sim_used(const void *pointer);
/* The same of `bytes` bytes from the pointer on, as above. */
ADI_SIM_PUBLIC int adi_sim_used_in(const void *pointer, size_t bytes);

/* ---- devices and contexts ---- */

#define ADI_SIM_DEVICES 2 /* of each family, numbered from 0 */

/* A context on device `index` of the family ("ext_dev", "cuda"): what everything else is made in.
 * The caller owns it until `adi_sim_context_close`. Any word of 1 to 31 lower-case letters, digits
 * and underscores is a family, EINVAL else, and up to eight are there in a process. ENODEV: no such
 * device, or the ninth family. */
ADI_SIM_PUBLIC int adi_sim_context_open(const char *family, int index, adi_sim_context *out);
/* Waits for all its queues, reports as leaks what is left in it, and gives that back. Other threads
 * may be waiting for work of it: they come back as if it were there. */
ADI_SIM_PUBLIC int adi_sim_context_close(adi_sim_context context);
/* The same for an interface whose contexts may be closed with all that is in them: what is left is
 * a leak only with ADI_SIM_LEAKS. */
ADI_SIM_PUBLIC int adi_sim_context_discard(adi_sim_context context);
/* It is a runtime's own, which the program never made: that it is not closed is no leak. */
ADI_SIM_PUBLIC int adi_sim_context_own(adi_sim_context context);
/* Waits for all queues of the context. */
ADI_SIM_PUBLIC int adi_sim_context_sync(adi_sim_context context);
/* Everything that is in the context now comes before what is put into `queue` from now on. */
ADI_SIM_PUBLIC int adi_sim_context_before(adi_sim_context context, adi_sim_queue queue);
/* The other way round: everything that is put into any queue of the context from now on, also into
 * one that is yet to be made, comes behind what is in `queue` now. Of a queue that was put behind
 * the context by the function above. */
ADI_SIM_PUBLIC int adi_sim_context_behind(adi_sim_context context, adi_sim_queue queue);
/* The device's memory in bytes; either may be NULL. */
ADI_SIM_PUBLIC int adi_sim_memory_info(adi_sim_context context, size_t *available, size_t *total);
/* What each device has. */
ADI_SIM_PUBLIC int adi_sim_memory_total(size_t *total);

/* ---- memory ---- */

enum adi_sim_memory {
    ADI_SIM_DEVICE,  /* for queues of its device only: the CPU cannot touch it, and a system call
                        that is given a pointer to it answers EFAULT */
    ADI_SIM_PINNED,  /* for the CPU and for queues of every device */
    ADI_SIM_MANAGED, /* likewise. The CPU may not touch bytes of either that queued work writes, nor
                        write what it reads, until something waited for that work */
};

#define ADI_SIM_ALIGNMENT 256

/* `bytes` (> 0, else EINVAL) aligned to ADI_SIM_ALIGNMENT and filled with 0xDE. The caller owns
 * them until one of the frees, which want the pointer that was handed out. */
ADI_SIM_PUBLIC int adi_sim_alloc(adi_sim_context context, enum adi_sim_memory memory, size_t bytes,
                                 void **out);
/* At once: work that still uses the memory must have been waited for. NULL is allowed. */
ADI_SIM_PUBLIC int adi_sim_free(void *pointer);
/* The same behind a wait for the work that uses it, and for no other. */
ADI_SIM_PUBLIC int adi_sim_free_behind(void *pointer);
/* The same in the order of a queue. The pointer may be used by what is ordered behind the
 * allocation, and before the free. Device memory only; any device memory can be freed so. */
ADI_SIM_PUBLIC int adi_sim_alloc_on(adi_sim_queue queue, size_t bytes, void **out);
ADI_SIM_PUBLIC int adi_sim_free_on(adi_sim_queue queue, void *pointer);
/* adi_sim_alloc_on, of the memory of another context's device, of the same family (EXDEV); it ends
 * with that context. */
ADI_SIM_PUBLIC int adi_sim_alloc_in(adi_sim_context context, adi_sim_queue queue, size_t bytes,
                                    void **out);

/* Memory of the program that a runtime lets devices at: copies with it are in the order of things
 * as with pinned memory, and the CPU is kept from the pages that are all within it, if the program
 * may read and write them. EINVAL: it is not there, or some of it is registered or the engine's. It
 * ends with the context, or by the pointer; work that is under way then goes on. */
ADI_SIM_PUBLIC int adi_sim_register(adi_sim_context context, void *own, size_t bytes);
ADI_SIM_PUBLIC int adi_sim_unregister(void *own);

/* A runtime's pool of memory, of which the engine knows no more than its handle: what is used after
 * its end, destroyed twice or left is named. The label is the runtime's; an `own` pool the program
 * never made. What was allocated is none of its business. */
ADI_SIM_PUBLIC int adi_sim_pool_create(uint64_t label, bool own, adi_sim_pool *out);
ADI_SIM_PUBLIC int adi_sim_pool_destroy(adi_sim_pool pool);
ADI_SIM_PUBLIC int adi_sim_pool_label(adi_sim_pool pool, uint64_t *label);

/* Some other object of a runtime's, likewise: a device, a platform. That party 0 destroys what
 * party 1 has made is a violation. */
ADI_SIM_PUBLIC int adi_sim_reference_create(uint64_t label, adi_sim_reference *out);
ADI_SIM_PUBLIC int adi_sim_reference_destroy(adi_sim_reference reference);
ADI_SIM_PUBLIC int adi_sim_reference_label(adi_sim_reference reference, uint64_t *label);

/* For an interface whose memory is known by handles, which are the pointers that the allocations
 * gave: is it one? EFAULT, and a violation, of anything else, of a pointer into an allocation, of
 * what has been freed, and of what was `given_up` while commands still keep it. */
ADI_SIM_PUBLIC int adi_sim_whole(const void *pointer, bool given_up);

struct adi_sim_found {
    void *start;
    size_t bytes;
    enum adi_sim_memory memory;
    const char *family; /* of the device on which it was made; static */
    int device;
    uint64_t ordinal;        /* the number of the allocation in the log */
    adi_sim_context context; /* in which it was made */
    bool on_queue;           /* made by adi_sim_alloc_on */
};

/* What live allocation the pointer is in. EFAULT: none; that is no violation. */
ADI_SIM_PUBLIC int adi_sim_find(const void *pointer, struct adi_sim_found *out);
/* Can these bytes be read by the CPU now? Asks the machine only, for one byte of each page. */
ADI_SIM_PUBLIC bool adi_sim_readable(const void *pointer, size_t bytes);
/* Can they be written? Of memory of the program, by what it has asked of its pages. */
ADI_SIM_PUBLIC bool adi_sim_writable(const void *pointer, size_t bytes);

/* ---- queues ---- */

enum adi_sim_queue_flags {
    ADI_SIM_BLOCKING_QUEUE = 1, /* ordered with the default queue: each of its commands comes after
                                   what is in that one and the other way round */
    ADI_SIM_DEFAULT_QUEUE = 2,  /* is the default queue; one in a context */
    ADI_SIM_OWN_QUEUE = 4,      /* a runtime's own, which the program never made: not a leak, and
                                   destroyed again no violation */
};

/* A queue runs its commands in their order, and in no order with any other queue but for events.
 * The caller owns it; work that is left at its destruction still runs. */
ADI_SIM_PUBLIC int adi_sim_queue_create(adi_sim_context context, unsigned flags,
                                        adi_sim_queue *out);
ADI_SIM_PUBLIC int adi_sim_queue_destroy(adi_sim_queue queue);
/* Waits until all that is in the queue has run. */
ADI_SIM_PUBLIC int adi_sim_queue_sync(adi_sim_queue queue);
/* 0: all has run, and that is as good as having waited. EAGAIN: not yet. */
ADI_SIM_PUBLIC int adi_sim_queue_query(adi_sim_queue queue);
/* While it is held a queue runs only what a synchronization demands, whatever the policy. */
ADI_SIM_PUBLIC int adi_sim_queue_hold(adi_sim_queue queue, bool held);
/* Number of its device, and its context; either may be NULL. */
ADI_SIM_PUBLIC int adi_sim_queue_info(adi_sim_queue queue, int *device, adi_sim_context *context);
/* Its number in the log, which no other queue ever has. */
ADI_SIM_PUBLIC int adi_sim_queue_ordinal(adi_sim_queue queue, uint64_t *ordinal);
/* A number that a runtime keeps with a queue; 0 at first. It is handed out with the queue's
 * context; either may be NULL. */
ADI_SIM_PUBLIC int adi_sim_queue_set_label(adi_sim_queue queue, uint64_t label);
ADI_SIM_PUBLIC int adi_sim_queue_label(adi_sim_queue queue, adi_sim_context *context,
                                       uint64_t *label);

/* ---- commands ---- */

enum adi_sim_copy_flags {
    ADI_SIM_WAIT = 1,             /* return when it is done; a wait for the queue */
    ADI_SIM_PEERS = 2,            /* memory of another device is meant */
    ADI_SIM_STAGED = 4,           /* waits for what is in the queue, and has copied when it returns;
                                     but nothing has waited for the copy itself */
    ADI_SIM_TO_ALLOCATION = 8,    /* `to` lies in an allocation, else it is `not-allocated` */
    ADI_SIM_FROM_ALLOCATION = 16, /* likewise */
    ADI_SIM_LATE = 32,       /* what it reads of the program it reads when it runs: that must be
                                there until then, and nobody sees whether it stays the same */
    ADI_SIM_LATE_TARGET = 64 /* what it writes of the program it writes when it runs, and waits for
                                nothing: that must be there until then, too */
};

/* Copies `bytes` from `from` to `to`: allocations, or memory of the program. What is read from the
 * latter has been read when the call returns (but for ADI_SIM_LATE), and what is written there has
 * been written: that is, such a copy waits (but for ADI_SIM_LATE_TARGET). Ranges that overlap, and
 * are not the same: EINVAL.
 * EFAULT, and a violation of this call, also where the program's memory turns out not to be there,
 * or not for writing, when the copy runs: what comes before may have been copied, the command
 * counts as done, and the queue goes on. */
ADI_SIM_PUBLIC int adi_sim_copy(adi_sim_queue queue, void *to, const void *from, size_t bytes,
                                unsigned flags);
/* Fills `count` times `width` (1, 2, 4) bytes with the low bytes of `pattern`. */
ADI_SIM_PUBLIC int adi_sim_fill(adi_sim_queue queue, void *to, uint32_t pattern, size_t width,
                                size_t count);
/* The same, and memory of another device is meant. */
ADI_SIM_PUBLIC int adi_sim_fill_peer(adi_sim_queue queue, void *to, uint32_t pattern, size_t width,
                                     size_t count);
/* Could a command of the queue use these bytes? It queues none: what is wrong is reported and
 * answered as of one. Memory of the program is within reach, and memory of another device is meant.
 */
ADI_SIM_PUBLIC int adi_sim_reach(adi_sim_queue queue, const void *pointer, size_t bytes);
/* Reports the use of the allocation around the pointer by a runtime's object that must not use it,
 * as foreign-device: EXDEV. `what` (1 to 63 bytes, as a remark's) says by which: "a queue of
 * another context". */
ADI_SIM_PUBLIC int adi_sim_foreign(const void *pointer, const char *what);
/* Runs `function(data)` on a thread of the engine. It must not call this interface. */
ADI_SIM_PUBLIC int adi_sim_host(adi_sim_queue queue, void (*function)(void *data), void *data);

#define ADI_SIM_CALLBACK_WORDS 3

/* The same with a copy of what `data` points to, ADI_SIM_CALLBACK_WORDS words, and with 0; if the
 * device is lost before its turn, at once, with EOWNERDEAD. A wait for the queue, or for its
 * context, ends after it. */
ADI_SIM_PUBLIC int adi_sim_callback(adi_sim_queue queue,
                                    void (*function)(const uintptr_t *data, int code),
                                    const uintptr_t *data);

/* What a kernel touches. */
struct adi_sim_operand {
    void *pointer; /* in an allocation; for the kernel: where it can be touched while it runs */
    size_t bytes;
    bool writes; /* else it reads */
};

#define ADI_SIM_OPERANDS 8

typedef void (*adi_sim_kernel)(const struct adi_sim_operand *operands, void *state);

/* Runs `kernel(operands, state)` on the operands, which are copied; NULL if `n` is 0. `state` is
 * the caller's, and must be there until the kernel has run. It must not call this interface. */
ADI_SIM_PUBLIC int adi_sim_launch(adi_sim_queue queue, adi_sim_kernel kernel, void *state,
                                  const struct adi_sim_operand *operands, size_t n);

/* A kernel that nobody here can run: it computes nothing, and may read or write all of each live
 * allocation that one of the pointers is in; what is in none is passed over. Not ordered with
 * another command's access, a free or a touch that is `launch-unordered`; with another such it need
 * not be. `pointers` lie in memory of a runtime's own; NULL if `n` is 0. */
ADI_SIM_PUBLIC int adi_sim_opaque(adi_sim_queue queue, void *const *pointers, size_t n);
/* Is ADI_SIM_KERNELS opaque? */
ADI_SIM_PUBLIC int adi_sim_kernels_are_opaque(void);

/* ---- events ---- */

/* The caller owns it. Destroyed while a queue waits for it, it still counts for that wait. */
ADI_SIM_PUBLIC int adi_sim_event_create(adi_sim_context context, adi_sim_event *out);
ADI_SIM_PUBLIC int adi_sim_event_destroy(adi_sim_event event);
/* Stands for all that is in the queue now, instead of what it stood for before. EXDEV: a queue of
 * another context's device. */
ADI_SIM_PUBLIC int adi_sim_event_record(adi_sim_event event, adi_sim_queue queue);
/* Everything that is queued from now on waits for it; the host does not. Any device. An event that
 * was never recorded is complete. */
ADI_SIM_PUBLIC int adi_sim_event_wait(adi_sim_queue queue, adi_sim_event event);
/* The host waits for it. */
ADI_SIM_PUBLIC int adi_sim_event_sync(adi_sim_event event);
/* As adi_sim_queue_query. */
ADI_SIM_PUBLIC int adi_sim_event_query(adi_sim_event event);
/* As those of a queue. */
ADI_SIM_PUBLIC int adi_sim_event_set_label(adi_sim_event event, uint64_t label);
ADI_SIM_PUBLIC int adi_sim_event_label(adi_sim_event event, adi_sim_context *context,
                                       uint64_t *label);
/* Virtual nanoseconds between two events: a microsecond a command, and 16 bytes a nanosecond.
 * EINVAL: never recorded. EAGAIN: not complete; or nothing has waited for it, and it is asked for
 * the first time. From the second time on it is a query of both. */
ADI_SIM_PUBLIC int adi_sim_event_elapsed(adi_sim_event from, adi_sim_event to, int64_t *ns);

#ifdef __cplusplus
}
#endif

#endif /* ADI_SIM_H */
