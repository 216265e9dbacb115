/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

#define MAGIC UINT64_C(0x35626f6a2d696461) /* "adi-job5" */

/* What comes first; the program, the numbers and the texts, each with its NUL, follow. Both ends
 * are the same build; the pointers of the job are set anew. */
struct fixed {
    uint64_t magic;
    struct adi_job job;
    size_t program_bytes, adapter_bytes, device_bytes; /* 0: NULL */
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
    const struct fixed fixed = {.magic = MAGIC,
                                .job = *job,
                                .program_bytes = job->program == NULL ? 0 : sizeof *job->program,
                                .adapter_bytes = size_of_text(job->adapter),
                                .device_bytes = size_of_text(job->device)};
    const struct {
        const void *at;
        size_t bytes;
    } parts[] = {{&fixed, sizeof fixed},
                 {job->program, fixed.program_bytes},
                 {job->numbers, job->n_numbers * sizeof *job->numbers},
                 {job->adapter, fixed.adapter_bytes},
                 {job->device, fixed.device_bytes}};
    int made = memfd_create("adicheck-job", MFD_CLOEXEC), code = 0;
    if (made < 0) return adi_error_set(error, errno, "no memfd for a worker: %s", strerror(errno));
    for (size_t i = 0; i < sizeof parts / sizeof *parts && code == 0; i++)
        code = write_all(made, parts[i].at, parts[i].bytes);
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
           bytes == sizeof *fixed + fixed->program_bytes +
                        fixed->job.n_numbers * sizeof *fixed->job.numbers + fixed->adapter_bytes +
                        fixed->device_bytes;
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
    const char *program = (const char *)(fixed + 1);
    const char *numbers = program + fixed->program_bytes;
    const char *texts = numbers + fixed->job.n_numbers * sizeof *out->numbers;
    *out = fixed->job;
    out->program = fixed->program_bytes > 0 ? (const void *)program : NULL;
    out->numbers = (const void *)numbers;
    out->adapter = fixed->adapter_bytes > 0 ? texts : NULL;
    out->device = fixed->device_bytes > 0 ? texts + fixed->adapter_bytes : NULL;
    *memory = fixed;
    return 0;
}
