/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: a host function tells the thread that reads, but it is in the
 * stream before that waits for the event.
 */
#include <semaphore.h>

#include "cuda/cuda.h"

static sem_t told;

static void tell(void *unused) {
    (void)unused;
    sem_post(&told);
}

static int until_told(struct adi_device *device, void *sync_event, struct adi_error *error) {
    sem_init(&told, 0, 0);
    CU(cuLaunchHostFunc)(base_second_queue(device), tell, NULL);
    ADI_TRY(device->ops->wait_on(device, base_second_queue(device), sync_event, error));
    sem_wait(&told);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = until_told;
}
