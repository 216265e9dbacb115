/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the worker share.
 */
#ifndef ADI_WORKER_INTERNAL_H
#define ADI_WORKER_INTERNAL_H

#include "adapter.h"
#include "device.h"
#include "job.h"
#include "log.h"

/* What an ADI_LOG_INFO record says: its text. */
#define ADI_SAYS_PHASE   "phase"   /* message: "load", "play", "close": what comes now */
#define ADI_SAYS_REFUSAL "refusal" /* message: why the adapter cannot be used; the worker ends */
#define ADI_SAYS_FAILED  "broken"  /* message: the adapter or we failed; the worker ends */
#define ADI_SAYS_NAME    "name"    /* message: the implementation; seen: its version */
#define ADI_SAYS_PROBING                                                                           \
    "probing" /* the runtime of device type `index` is being asked; count: 1 it is the adapter's   \
               */
#define ADI_SAYS_DEVICE                                                                            \
    "device" /* type `index`, id `count`; message: name, seen: runtime, wanted:                    \
                "adapter" if it is the adapter's own */
#define ADI_SAYS_ABSENT "absent" /* type `index`: message: name, seen: runtime, wanted: why */
#define ADI_SAYS_ROLES                                                                             \
    "roles" /* `index`, of the device said last; count: unshown; message: lacks, seen: remark */
#define ADI_SAYS_OUTPUT "output" /* the worker has written `index` bytes so far */
#define ADI_SAYS_CHILD  "child"  /* process `index` is below the worker, and was not before */
#define ADI_SAYS_LOG    "log"    /* errno value `index`: the simulation could not write its log */

static inline void adi_worker_say(struct adi_log *log, const char *what, int64_t index,
                                  int64_t count, const char *message, const char *seen,
                                  const char *wanted) {
    adi_log_write(log, ADI_LOG_INFO, index, ADI_BOTH, count, what, message, seen, wanted);
}

/* The adapter between `open` and `close`. The device is what `adi_host.get` answers for; its `ops`
 * may be NULL: none. */
struct adi_worker_host {
    struct adi_host host; /* first */
    struct adi_log *log;  /* NULL: nobody reads it */
    struct adi_device device;
    void *handed_out; /* a queue of the device that the harness itself puts nothing into; NULL: not
                         yet */
    int losses;       /* of memory, seen so far */
    bool over; /* none of the implementation's code may run any more, exit handlers included */
};
/* Fills in `host->host`: what an adapter is offered. */
void adi_worker_offer(struct adi_worker_host *host);

/* Loads and opens. 0, or it has said why in the log. */
int adi_worker_open(struct adi_worker_host *host, const char *path, struct adi_adapter **out);

/* Opens the device for the harness, whose calls are told from the adapter's from then on. */
int adi_worker_open_device(struct adi_worker_host *host, const struct adi_device_ops *ops,
                           int64_t id, struct adi_error *error);
/* Ends it, if it is open, and the queue that was handed out. */
void adi_worker_close_device(struct adi_worker_host *host);

/* Plays the cases of the job on the device that is open. false: the adapter is not to be closed. */
bool adi_worker_play(struct adi_worker_host *host, const struct adi_job *job,
                     struct adi_adapter *adapter);

/* Says which processes the worker has that it did not have before. */
void adi_worker_say_children(struct adi_log *log);

/* The errno value with which the simulation in this process could not write its log (ADI_SIM_LOG);
 * 0: it is whole, or there is no simulation. */
int adi_worker_sim_log_error(void);

/* The table of a device: built in, or the adapter's. NULL: there is none. */
const struct adi_device_ops *adi_worker_ops(struct adi_adapter *adapter, ArrowDeviceType type,
                                            bool from_adapter);
/* Says what the adapter is, which devices there are, and its roles on each. */
void adi_worker_probe(struct adi_adapter *adapter, const struct adi_job *job, struct adi_log *log);

#endif /* ADI_WORKER_INTERNAL_H */
