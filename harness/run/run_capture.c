/* SPDX-License-Identifier: Apache-2.0 */
#include "run_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"
#include "run_need.h"

/* Bytes at the end that are left alone: a mark may be in them that is not known yet. */
#define RECENT (INT64_C(16) * ADI_CAPTURE_KEPT)

int adi_capture_begin(struct adi_capture *capture) {
    *capture = (struct adi_capture){.fd = memfd_create("adicheck-output", MFD_CLOEXEC)};
    if (capture->fd < 0) return errno;
    return fcntl(capture->fd, F_SETFL, O_APPEND) == 0 ? 0 : errno;
}

void adi_capture_end(struct adi_capture *capture) {
    if (capture->fd >= 0) close(capture->fd);
    capture->fd = -1;
}

static int64_t size_of(const struct adi_capture *capture) {
    struct stat status;
    return fstat(capture->fd, &status) == 0 ? (int64_t)status.st_size : 0;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

bool adi_capture_is_large(const struct adi_capture *capture) {
    return size_of(capture) - capture->cut > ADI_CAPTURE_MOST;
}

void adi_capture_cut(struct adi_capture *capture, const int64_t *marks, size_t n_marks) {
    int64_t size = size_of(capture), end = size - RECENT;
    if (size - capture->cut <= ADI_CAPTURE_MOST) return;
    for (size_t i = 0; i < n_marks; i++) {
        int64_t until = i + 1 < n_marks ? marks[i + 1] - ADI_CAPTURE_KEPT : end;
        int64_t from = most(marks[i] + ADI_CAPTURE_KEPT, capture->cut);
        int64_t bytes = least(until, end) - from;
        if (bytes > 0)
            fallocate(capture->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, bytes);
    }
    capture->cut = end;
}

static size_t read_at(const struct adi_capture *capture, int64_t at, char *to, int64_t bytes) {
    int64_t got = 0;
    ssize_t more;
    while (got < bytes &&
           (more = pread(capture->fd, to + got, (size_t)(bytes - got), (off_t)(at + got))) > 0)
        got += more;
    return (size_t)got;
}

char *adi_capture_text(const struct adi_capture *capture, int64_t from, int64_t to) {
    char *text = adi_need(malloc(2 * ADI_CAPTURE_KEPT + 128));
    to = least(to, size_of(capture));
    int64_t all = most(to - from, 0), left_out = all - 2 * ADI_CAPTURE_KEPT;
    size_t length = read_at(capture, from, text, left_out > 0 ? ADI_CAPTURE_KEPT : all);
    if (left_out > 0) {
        length += (size_t)sprintf(text + length, "\n[... %" PRId64 ADI_CAPTURE_CUT "\n", left_out);
        length += read_at(capture, to - ADI_CAPTURE_KEPT, text + length, ADI_CAPTURE_KEPT);
    }
    /* NULs would end the text for every reader. */
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0') text[i] = ' ';
    while (length > 0 && text[length - 1] == '\n') length--;
    text[length] = '\0';
    return text;
}
