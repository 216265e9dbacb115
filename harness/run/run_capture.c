/* SPDX-License-Identifier: Apache-2.0 */
#include "run_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_need.h"

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

static size_t read_at(const struct adi_capture *capture, int64_t at, char *to, size_t bytes) {
    size_t got = 0;
    ssize_t more;
    while (got < bytes &&
           (more = pread(capture->fd, to + got, bytes - got, (off_t)at + (off_t)got)) > 0)
        got += (size_t)more;
    return got;
}

static size_t read_last(const struct adi_capture *capture, int64_t size, char *to) {
    int64_t at = size > ADI_CAPTURE_KEPT ? size - ADI_CAPTURE_KEPT : 0;
    return read_at(capture, at, to, ADI_CAPTURE_KEPT);
}

void adi_capture_cut(struct adi_capture *capture) {
    int64_t size = size_of(capture);
    if (size <= ADI_CAPTURE_MOST) return;
    if (capture->dropped == 0)
        capture->n_first = read_at(capture, 0, capture->first, ADI_CAPTURE_KEPT);
    capture->n_last = read_last(capture, size, capture->last);
    if (ftruncate(capture->fd, 0) == 0) capture->dropped += size;
}

/* The end of all that was written: of what was dropped as much as the file lacks. */
static void take_last(struct adi_capture *capture, int64_t size) {
    char now[ADI_CAPTURE_KEPT];
    size_t n_now = read_last(capture, size, now), older = ADI_CAPTURE_KEPT - n_now;
    if (older > capture->n_last) older = capture->n_last;
    memmove(capture->last, capture->last + capture->n_last - older, older);
    memcpy(capture->last + older, now, n_now);
    capture->n_last = older + n_now;
}

char *adi_capture_text(struct adi_capture *capture) {
    int64_t size = size_of(capture), all = size + capture->dropped;
    char *text = adi_need(malloc(2 * ADI_CAPTURE_KEPT + 128));
    size_t length;
    if (all <= 2 * ADI_CAPTURE_KEPT) {
        length = read_at(capture, 0, text, 2 * ADI_CAPTURE_KEPT);
    } else {
        if (capture->dropped == 0)
            capture->n_first = read_at(capture, 0, capture->first, ADI_CAPTURE_KEPT);
        take_last(capture, size);
        memcpy(text, capture->first, capture->n_first);
        length = capture->n_first;
        length += (size_t)sprintf(text + length, "\n[... %" PRId64 " bytes left out ...]\n",
                                  all - (int64_t)capture->n_first - (int64_t)capture->n_last);
        memcpy(text + length, capture->last, capture->n_last);
        length += capture->n_last;
    }
    /* NULs would end the text for every reader. */
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0') text[i] = ' ';
    while (length > 0 && text[length - 1] == '\n') length--;
    text[length] = '\0';
    return text;
}
