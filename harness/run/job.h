/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker is asked to do. The parent writes it into a memfd and hands that down, so that
 * nothing is left behind, whatever becomes of either.
 */
#ifndef ADI_JOB_H
#define ADI_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi.h"
#include "error.h"
#include "program.h"

enum adi_job_mode {
    ADI_JOB_PROBE, /* say what the adapter is and which devices there are */
    ADI_JOB_PLAY,  /* play cases on one device */
};

#define ADI_WORKER_VARIABLE "ADICHECK_WORKER" /* in a worker's environment: its number */

struct adi_job {
    enum adi_job_mode mode;
    pid_t parent;        /* a worker whose parent is another one by now ends itself */
    const char *adapter; /* absolute path; NULL: the reference */
    uint64_t seed;

    /* To play. */
    ArrowDeviceType type;
    int64_t id;
    bool from_adapter;                 /* the device is the adapter's own */
    const struct adi_program *program; /* of all the programs of a case the only one; NULL: all */
    int64_t step_ns;                   /* that a step may take; 0: as long as it likes */
    char schedule[64];                 /* as adi_test has it */

    /* To probe. */
    const char *device; /* glob over device names; NULL: all */

    /* Indices of cases, in the order in which they are played; when probing, device types whose
     * runtime is left alone. */
    const size_t *numbers;
    size_t n_numbers;
};

/* Writes the job. The descriptor is the caller's and close-on-exec. */
int adi_job_write(const struct adi_job *job, int *fd, struct adi_error *error);

/* Reads it; what `*out` points to is freed with `free(*memory)`. EINVAL: this is no job. */
int adi_job_read(int fd, struct adi_job *out, void **memory, struct adi_error *error);

#endif /* ADI_JOB_H */
