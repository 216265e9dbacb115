/* SPDX-License-Identifier: Apache-2.0
 *
 * ADI_CUDA_VERSION: a program may ask the driver what it is of, and do other things on an older
 * one.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_facade.h"

#define OLDEST 11020
#define NEWEST 13000

static int version = NEWEST;

static void read_version(void) {
    const char *text = getenv("ADI_CUDA_VERSION");
    int major = 0, minor = 0, length = 0;
    if (text == NULL || *text == '\0') return;
    bool read = sscanf(text, "%2d.%1d%n", &major, &minor, &length) == 2 && text[length] == '\0';
    int asked = major * 1000 + minor * 10;
    if (read && asked >= OLDEST && asked <= NEWEST)
        version = asked;
    else
        fprintf(stderr, "adisim: ADI_CUDA_VERSION=%s is not understood and left out\n", text);
}

int cuda_version(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_version);
    return version;
}
