/* SPDX-License-Identifier: Apache-2.0 */
/* Panics in every call, as a library of another language would: some lines, then an abort. */
#include "everywhere.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void misbehave(void) {
    static int calls;
    fprintf(stderr,
            "thread 'main' panicked at src/export.rs:%d: index out of bounds: the len is 3 but the "
            "index is %d\nnote: run with `RUST_BACKTRACE=1` environment variable to display a "
            "backtrace\n",
            17, ++calls);
    signal(SIGABRT, SIG_DFL); /* a sanitizer would have words */
    abort();
}
