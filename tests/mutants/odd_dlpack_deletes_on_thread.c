/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The deleter is called by a thread of its own.
 */
#include <pthread.h>

#include "base/dlpack.h"

static void *end_here(void *tensor) {
    base_tensor_end((const struct adi_dlpack_tensor *)tensor);
    return NULL;
}

static void end(const struct adi_dlpack_tensor *tensor) {
    struct adi_dlpack_tensor gone = *tensor;
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_here, &gone) == 0)
        pthread_join(thread, NULL);
    else
        base_tensor_end(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
