/* SPDX-License-Identifier: Apache-2.0 */
#include "safe_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "host.h"
#include "tree.h"

#define METADATA_MOST ((size_t)16 << 20)
#define PAGE_BYTES    4096 /* no page is smaller; a step that ends early is no mistake */
#define FIRST_STEP    ((size_t)64)

/* A pipe takes what is readable and says EFAULT for the rest. */
int adi_safe_read_by_pipe(void *into, const void *address, size_t bytes) {
    char *to = into;
    const char *from = address;
    int ends[2], code = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    while (code == 0 && bytes > 0) {
        ssize_t written = write(ends[1], from, bytes < PIPE_BUF ? bytes : PIPE_BUF);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0 || read(ends[0], to, (size_t)written) != written) {
            code = EFAULT;
            break;
        }
        to += written;
        from += written;
        bytes -= (size_t)written;
    }
    close(ends[0]);
    close(ends[1]);
    return code;
}

int adi_safe_read(void *to, const void *from, size_t bytes) {
    if (bytes == 0) return 0;
    struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
    ssize_t seen = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (seen == (ssize_t)bytes) return 0;
    if (seen >= 0 || errno == EFAULT) return EFAULT;
    return adi_safe_read_by_pipe(to, from, bytes);
}

#define SMALL ((size_t)256) /* what is larger is copied by the kernel */

/* The newest first. */
static bool knows(const struct adi_safe_reader *reader, uintptr_t page) {
    size_t kept = reader->n < ADI_SAFE_PAGES ? reader->n : ADI_SAFE_PAGES;
    for (size_t i = 1; i <= kept; i++)
        if (reader->pages[(reader->n - i) % ADI_SAFE_PAGES] == page) return true;
    return false;
}

static bool can_read(struct adi_safe_reader *reader, uintptr_t at, size_t bytes) {
    uintptr_t last = at + bytes - 1;
    for (uintptr_t page = at - at % PAGE_BYTES;; page += PAGE_BYTES) {
        if (!knows(reader, page)) {
            if (!adi_host_is_readable((const void *)(page < at ? at : page), 1)) return false;
            reader->pages[reader->n++ % ADI_SAFE_PAGES] = page;
        }
        if (last - page < PAGE_BYTES) return true;
    }
}

/* As memcpy, of what a sanitizer holds for nobody's, or for another thread's: what it holds is the
 * rules' business. */
__attribute__((no_sanitize("address", "thread"))) static void copy(void *to, const void *from,
                                                                   size_t bytes) {
    typedef uint64_t __attribute__((may_alias, aligned(1))) word;
    size_t done = 0;
    for (; done + sizeof(word) <= bytes; done += sizeof(word))
        *(volatile word *)((char *)to + done) = *(const volatile word *)((const char *)from + done);
    for (; done < bytes; done++) ((volatile char *)to)[done] = ((const volatile char *)from)[done];
}

int adi_safe_reader_read(struct adi_safe_reader *reader, void *to, const void *from, size_t bytes) {
    uintptr_t end;
    if (reader == NULL || bytes > SMALL) return adi_safe_read(to, from, bytes);
    if (__builtin_add_overflow((uintptr_t)from, bytes, &end)) return EFAULT;
    if (bytes == 0) return 0;
    if (!reader->trusts && !can_read(reader, (uintptr_t)from, bytes)) return EFAULT;
    copy(to, from, bytes);
    return 0;
}

/* A copy that grows towards the end of what is readable: a step lies within one page, and doubles
 * what there is. */
struct stretch {
    struct adi_safe_reader *reader;
    const char *from;
    uint8_t *data;
    size_t have, capacity;
};

static int stretch_to(struct stretch *s, size_t bytes, size_t most) {
    if (bytes > most) return E2BIG;
    while (s->have < bytes) {
        size_t step = PAGE_BYTES - ((uintptr_t)s->from + s->have) % PAGE_BYTES;
        size_t most_now = s->have < FIRST_STEP ? FIRST_STEP : s->have;
        if (step > most_now) step = most_now;
        if (s->have + step > s->capacity) {
            size_t capacity = 2 * s->capacity + step;
            uint8_t *data = realloc(s->data, capacity);
            if (data == NULL) return ENOMEM;
            s->data = data;
            s->capacity = capacity;
        }
        if (adi_safe_reader_read(s->reader, s->data + s->have, s->from + s->have, step) != 0)
            return EFAULT;
        s->have += step;
    }
    return 0;
}

int adi_safe_reader_string(struct adi_safe_reader *reader, const char *from, size_t most,
                           char **out) {
    struct stretch s = {.reader = reader, .from = from};
    for (size_t looked = 0;; looked = s.have) {
        int code = stretch_to(&s, looked + 1, most);
        if (code != 0) {
            free(s.data);
            return code;
        }
        if (memchr(s.data + looked, 0, s.have - looked) == NULL) continue;
        *out = (char *)s.data;
        return 0;
    }
}

static int take_int32(struct stretch *s, size_t *at, int32_t *out) {
    if (s->have < *at + sizeof *out) ADI_TRY(stretch_to(s, *at + sizeof *out, METADATA_MOST));
    memcpy(out, s->data + *at, sizeof *out);
    *at += sizeof *out;
    return 0;
}

/* Moves behind the next `bytes` bytes. E2BIG: they seem to be there, but are not looked at. */
static int take_bytes(struct stretch *s, size_t *at, size_t bytes) {
    char last;
    *at += bytes;
    int code = stretch_to(s, *at, METADATA_MOST);
    return code == E2BIG && adi_safe_read(&last, s->from + *at - 1, 1) != 0 ? EFAULT : code;
}

/* `text` 0 is the key of the first pair, 1 its value, 2 the key of the second pair. */
static int take_text(struct stretch *s, size_t *at, int64_t text, struct adi_error *error) {
    const char *what = text % 2 == 0 ? "key" : "value";
    int32_t bytes = 0;
    int code = take_int32(s, at, &bytes);
    if (code == EFAULT)
        return adi_error_set(error, code, "the length of %s %" PRId64 " is not readable", what,
                             text / 2);
    if (code == 0 && bytes < 0)
        return adi_error_set(error, EINVAL, "the length of %s %" PRId64 " is %" PRId32, what,
                             text / 2, bytes);
    if (code != 0 || bytes == 0) return code;
    code = take_bytes(s, at, (size_t)bytes);
    if (code != EFAULT) return code;
    return adi_error_set(error, EFAULT,
                         "%s %" PRId64 " is said to have %" PRId32 " bytes, which are not there",
                         what, text / 2, bytes);
}

static int take_metadata(struct stretch *s, size_t *at, struct adi_error *error) {
    int32_t pairs;
    int code = take_int32(s, at, &pairs);
    if (code != 0) return adi_error_set(error, code, "the count of pairs is not readable");
    if (pairs < 0) return adi_error_set(error, EINVAL, "the count of pairs is %" PRId32, pairs);
    for (int64_t text = 0; text < 2 * (int64_t)pairs; text++)
        ADI_TRY(take_text(s, at, text, error));
    return 0;
}

int adi_safe_reader_metadata(struct adi_safe_reader *reader, const char *from, uint8_t **out,
                             int64_t *size, struct adi_error *error) {
    struct stretch s = {.reader = reader, .from = from};
    size_t at = 0;
    int code = take_metadata(&s, &at, error);
    if (code != 0) {
        free(s.data);
        return code;
    }
    *out = s.data;
    *size = (int64_t)at;
    return 0;
}
