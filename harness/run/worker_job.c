/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

#define MAGIC UINT64_C(0x34626f6a2d696461) /* "adi-job4" */

/* The fixed part; the program, the numbers and the texts, each with its NUL, follow. Both ends are
 * the same build. */
struct fixed {
    uint64_t magic;
    uint64_t seed;
    int64_t id;
    int64_t parent;
    int64_t step_ns;
    uint64_t n_numbers;
    uint64_t program_bytes, adapter_bytes, device_bytes; /* 0: NULL */
    int32_t type;
    uint8_t mode, from_adapter;
};

static int write_all(int fd, const void *from, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(fd, from, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        from = (const char *)from + written;
        bytes -= (size_t)written;
    }
    return 0;
}

static int read_all(int fd, void *to, size_t bytes) {
    for (size_t at = 0; at < bytes;) {
        ssize_t got = pread(fd, (char *)to + at, bytes - at, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : EINVAL;
        at += (size_t)got;
    }
    return 0;
}

static size_t size_of_text(const char *text) {
    return text == NULL ? 0 : strlen(text) + 1;
}

int adi_job_write(const struct adi_job *job, int *fd, struct adi_error *error) {
    struct fixed fixed = {.magic = MAGIC,
                          .seed = job->seed,
                          .id = job->id,
                          .parent = job->parent,
                          .step_ns = job->step_ns,
                          .n_numbers = job->n_numbers,
                          .adapter_bytes = size_of_text(job->adapter),
                          .device_bytes = size_of_text(job->device),
                          .program_bytes = job->program == NULL ? 0 : sizeof *job->program,
                          .type = job->type,
                          .mode = (uint8_t)job->mode,
                          .from_adapter = job->from_adapter};
    int made = memfd_create("adicheck-job", MFD_CLOEXEC);
    if (made < 0) return adi_error_set(error, errno, "no memfd for a worker: %s", strerror(errno));
    int code = write_all(made, &fixed, sizeof fixed);
    if (code == 0 && job->program != NULL)
        code = write_all(made, job->program, sizeof *job->program);
    if (code == 0 && job->n_numbers > 0)
        code = write_all(made, job->numbers, job->n_numbers * sizeof *job->numbers);
    if (code == 0 && job->adapter != NULL)
        code = write_all(made, job->adapter, fixed.adapter_bytes);
    if (code == 0 && job->device != NULL) code = write_all(made, job->device, fixed.device_bytes);
    if (code != 0) {
        close(made);
        return adi_error_set(error, code, "cannot write a worker's job: %s", strerror(code));
    }
    *fd = made;
    return 0;
}

static bool is_job(const struct fixed *fixed, size_t bytes) {
    bool programs = fixed->program_bytes == 0 || fixed->program_bytes == sizeof(struct adi_program);
    return fixed->magic == MAGIC && programs &&
           bytes == sizeof *fixed + fixed->program_bytes + fixed->n_numbers * sizeof(size_t) +
                        fixed->adapter_bytes + fixed->device_bytes;
}

int adi_job_read(int fd, struct adi_job *out, void **memory, struct adi_error *error) {
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size < (off_t)sizeof(struct fixed))
        return adi_error_set(error, EINVAL, "descriptor %d is no job", fd);
    size_t bytes = (size_t)status.st_size;
    struct fixed *fixed = malloc(bytes);
    if (fixed == NULL) return adi_error_set(error, ENOMEM, "no memory for a job");
    int code = read_all(fd, fixed, bytes);
    if (code == 0 && !is_job(fixed, bytes)) code = EINVAL;
    if (code != 0) {
        free(fixed);
        return adi_error_set(error, code, "descriptor %d is no job", fd);
    }
    const struct adi_program *program = (const struct adi_program *)(fixed + 1);
    const size_t *numbers = (const size_t *)((const char *)program + (size_t)fixed->program_bytes);
    const char *texts = (const char *)(numbers + fixed->n_numbers);
    *out = (struct adi_job){
        .mode = (enum adi_job_mode)fixed->mode,
        .parent = (pid_t)fixed->parent,
        .adapter = fixed->adapter_bytes > 0 ? texts : NULL,
        .seed = fixed->seed,
        .type = fixed->type,
        .id = fixed->id,
        .from_adapter = fixed->from_adapter != 0,
        .device = fixed->device_bytes > 0 ? texts + fixed->adapter_bytes : NULL,
        .program = fixed->program_bytes > 0 ? program : NULL,
        .step_ns = fixed->step_ns,
        .numbers = numbers,
        .n_numbers = fixed->n_numbers,
    };
    *memory = fixed;
    return 0;
}
