/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the thread that it was called on. */
#include "hostile.h"

#include <pthread.h>

static void misbehave(void) {
    pthread_exit(NULL);
}
