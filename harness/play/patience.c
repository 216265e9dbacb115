/* SPDX-License-Identifier: Apache-2.0 */
#include "patience.h"

#include <time.h>

#include "log.h"
#include "process.h"
#include "processors.h"

#define MS        INT64_C(1000000)
#define SHORT     8 /* naps of a millisecond; then longer ones, since each wakes somebody up */
#define LONGER_MS 5

static bool look(struct adi_patience *patience) {
    return adi_watchdog_look(&patience->dog, patience->begun_ns, adi_now_ns(),
                             adi_process_time_beside(), patience->limit_ns,
                             adi_processors()) == ADI_IN_TIME;
}

struct adi_patience adi_patience(int ms) {
    return (struct adi_patience){.limit_ns = ms * MS};
}

bool adi_patience_nap(struct adi_patience *patience) {
    if (patience->limit_ns == 0) return false;
    if (patience->naps == 0) {
        patience->begun_ns = adi_now_ns();
        look(patience);
    }
    int64_t left = patience->begun_ns + patience->limit_ns - adi_now_ns();
    int64_t nap = patience->naps++ < SHORT ? MS : LONGER_MS * MS;
    if (left > 0 && left < nap) nap = left;
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    bool is_early =
        patience->naps < SHORT && adi_now_ns() - patience->begun_ns < patience->limit_ns;
    return is_early || look(patience);
}
