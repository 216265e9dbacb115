/* SPDX-License-Identifier: Apache-2.0
 *
 * A second thread that releases arrays, one at a time: a release callback may be called from any.
 */
#ifndef ADI_HELPER_H
#define ADI_HELPER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi.h"

/* Zero it before the first use. */
struct adi_helper {
    pthread_t thread;
    sem_t begin, end;
    bool runs;
    struct ArrowArray *array; /* on which this is called; NULL: it ends */
    void (*callback)(struct ArrowArray *);
};

/* Calls `callback` on the array on the helper's thread, which is started when it is first needed,
 * and returns when it is done. false: there is no thread to be had, and nothing was called. */
bool adi_helper_call(struct adi_helper *helper, struct ArrowArray *array,
                     void (*callback)(struct ArrowArray *));
/* Ends the thread, if there is one. */
void adi_helper_dismiss(struct adi_helper *helper);

/* How many threads the process has beside the one that plays and the helpers: the
 * implementation's, and those of the device's runtime. */
size_t adi_other_threads(void);

#endif /* ADI_HELPER_H */
