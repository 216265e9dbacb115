/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher in the same process may ask the simulated Metal. No question is a call, and any
 * value may be asked about.
 */
#ifndef METAL_WATCH_H
#define METAL_WATCH_H

#include "sim.h"

struct adi_metal_found {
    const void *object;  /* the MTLBuffer, or the MTLEvent */
    const void *memory;  /* of the engine; NULL: it is no buffer */
    adi_sim_event event; /* of the engine, behind the last signal; NULL: it is no event */
    int device;          /* whose it is; -1: a shared event, which is for all */
    bool is_signaled;    /* by a command buffer that was committed */
    unsigned maker;      /* party */
    bool given_up;       /* its maker does not hold it any more */
};

/* Is it a live buffer or event, or an address in the contents of a buffer in shared storage? */
ADI_SIM_PUBLIC bool adi_metal_find(const void *value, struct adi_metal_found *out);

enum adi_metal_encoded {
    ADI_METAL_NOT_ENCODED,
    ADI_METAL_BLOCKED,   /* committed, behind a wait for what nobody has signaled yet */
    ADI_METAL_UNRUNNABLE /* not committed */
};

/* Do commands of the party that the engine does not have yet use these bytes (< 0: any) from there
 * on, or write them? The worst of them. */
ADI_SIM_PUBLIC enum adi_metal_encoded adi_metal_encoded(unsigned party, const void *value,
                                                        int64_t offset, int64_t bytes,
                                                        bool writes_only);
/* How many references the party holds. */
ADI_SIM_PUBLIC size_t adi_metal_references(unsigned party);
/* Names the newest object that the party holds: "MTLBuffer 3". */
ADI_SIM_PUBLIC bool adi_metal_newest(unsigned party, char out[ADI_SIM_LABEL]);

#endif /* METAL_WATCH_H */
