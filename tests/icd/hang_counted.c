/* SPDX-License-Identifier: Apache-2.0
 *
 * A runtime whose library never finishes loading, and says in a file how often it was tried: a
 * letter each.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void hang(void) {
    int file = open(getenv("ADI_TEST_LOADS"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(file, "x", 1) != 1) abort();
    if (getenv("ADI_TEST_SPINS") == NULL)
        for (;;) pause();
    for (volatile unsigned turns = 0;; turns++) continue;
}
