/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "run_internal.h"

#define BETWEEN_NS INT64_C(100000000)

void adi_run_show(void *context) {
    struct adi_run *run = context;
    int64_t now = adi_now_ns();
    if (run->options->beside != NULL) run->options->beside();
    if (!run->options->progress || run->device == NULL || now - run->shown_ns < BETWEEN_NS) return;
    run->shown_ns = now;
    run->shown = true;
    double seconds = (double)(now - run->device_ns) / 1e9;
    double left = (double)(run->fuzz_end_ns - now) / 1e9;
    if (run->options->fuzz > 0)
        fprintf(stderr, "\r%s  %" PRIu64 " programs  %.0f s left\x1b[K", run->device->name,
                run->programs, left > 0 ? left : 0.0);
    else
        fprintf(stderr, "\r%s  %zu of %zu cases  %.0f/s  %s\x1b[K", run->device->name, run->n_done,
                run->n_cases, seconds > 0 ? (double)run->n_done / seconds : 0.0,
                run->pool.playing < 0 ? "" : adi_outcome_name(run->pool.playing));
    fflush(stderr);
}

void adi_run_unshow(struct adi_run *run) {
    if (run->shown) fputs("\r\x1b[K", stderr);
    run->shown = false;
}
