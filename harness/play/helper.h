/* SPDX-License-Identifier: Apache-2.0
 *
 * A second thread that calls callbacks, one at a time: those that release may be called from any.
 */
#ifndef ADI_HELPER_H
#define ADI_HELPER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero it before the first use. */
struct adi_helper {
    pthread_t thread;
    sem_t begin, end;
    bool runs;
    void (*code)(void *context); /* NULL: it ends */
    void *context;
};

/* Calls `code` on the helper's thread, which is started when it is first needed, and returns when
 * it is done. false: there is no thread to be had, and nothing was called. */
bool adi_helper_call(struct adi_helper *helper, void (*code)(void *context), void *context);
/* Ends the thread, if there is one. */
void adi_helper_dismiss(struct adi_helper *helper);

/* How many threads the process has beside the one that plays and the helpers: the
 * implementation's, and those of the device's runtime. */
size_t adi_other_threads(void);

#endif /* ADI_HELPER_H */
