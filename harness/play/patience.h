/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for what other threads of this process do: an implementation's, a device's. They are
 * given so much time, and on a busy machine more: time in which they wanted a processor and were
 * given none is not counted, up to five times as much in all (watchdog.h).
 */
#ifndef ADI_PATIENCE_H
#define ADI_PATIENCE_H

#include <stdbool.h>

#include "watchdog.h"

struct adi_patience {
    int64_t limit_ns, begun_ns;
    unsigned naps;
    struct adi_watchdog dog;
};

/* It begins with the first nap. */
struct adi_patience adi_patience(int ms);
/* Naps for some milliseconds. false: they have had their time. */
bool adi_patience_nap(struct adi_patience *patience);

#endif /* ADI_PATIENCE_H */
