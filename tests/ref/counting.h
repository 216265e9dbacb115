/* SPDX-License-Identifier: Apache-2.0
 *
 * A device for tests: host memory under another type, with events. It counts what it hands out and
 * fails when told to.
 */
#ifndef ADI_TESTS_COUNTING_H
#define ADI_TESTS_COUNTING_H

#include "device.h"

struct counting {
    struct adi_device device; /* EXT_DEV, id 3 */
    int buffers, events;      /* not given back yet */
    int batches;              /* 0: it is off */
    int waits;
    int calls,
        fail_at; /* alloc, write, read, event, wait, gather; the fail_at-th (from 1) is EIO */
};

/* Fills `*out`, which must stay where it is. */
void counting_open(struct counting *out);

#endif /* ADI_TESTS_COUNTING_H */
