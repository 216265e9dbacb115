/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a host function behind the event tells the thread that reads, and nothing else waits.
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
    ADI_TRY(device->ops->wait_on(device, base_second_queue(device), sync_event, error));
    CU(cuLaunchHostFunc)(base_second_queue(device), tell, NULL);
    sem_wait(&told);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = until_told;
}
