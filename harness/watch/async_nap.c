/* SPDX-License-Identifier: Apache-2.0 */
#include "async_nap.h"

#include <unistd.h>

#include "grace_period.h"

#define STAY_MS 4

void adi_async_nap(struct adi_async_handler *handler) {
    if (handler->conduct.turns != NULL) {
        adi_turns_point(handler->conduct.turns, false);
        return;
    }
    if (handler->conduct.is_quick) return;
    pthread_mutex_lock(&handler->lock);
    handler->random = handler->random * 6364136223846793005u + 1442695040888963407u;
    unsigned long long some = handler->random >> 33;
    bool is_long = handler->calls <= 2;
    pthread_mutex_unlock(&handler->lock);
    usleep(is_long ? 1500 : (useconds_t)(some % 4 == 0 ? 200 : 20));
}

void adi_async_stay(struct adi_async_handler *handler) {
    struct adi_grace_period grace = adi_grace_period(STAY_MS);
    bool alone = !handler->conduct.is_quick && !pthread_equal(pthread_self(), handler->main_thread);
    while (alone && adi_grace_period_sleep(&grace)) {
        pthread_mutex_lock(&handler->lock);
        alone = handler->within == 1;
        pthread_mutex_unlock(&handler->lock);
    }
}
