/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: pinned buffers that host functions fill, in the order of the stream whose event goes out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rocm/rocm.h"

struct job {
    char *to;
    size_t bytes;
    char from[];
};

static void fill(void *data) {
    struct job *job = data;
    memcpy(job->to, job->from, job->bytes);
    free(job);
}

static int by_function(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    struct job *job = malloc(sizeof *job + (size_t)bytes);
    if (job == NULL) return adi_error_set(error, ENOMEM, "no memory for a job");
    job->to = base_at(buffer, offset);
    job->bytes = (size_t)bytes;
    memcpy(job->from, from, job->bytes);
    return HIP(hipLaunchHostFunc)(base_stream(device), fill, job) == hipSuccess ? 0 : EIO;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(PINNED);
    base.ops.write = by_function;
}
