/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC     UINT64_C(0x31676f6c2d696461) /* "adi-log1" */
#define ALIGNMENT ((size_t)8)
#define TEXTS     4

struct adi_log {
    uint64_t magic;
    _Atomic uint64_t tail;    /* bytes taken, from the start of the memory */
    _Atomic int64_t moved_ns; /* of adi_log_move_on */
    _Atomic uint32_t step;    /* of a program */
    char padding[36];
};

/* In the log. `seal` is zero until everything else is written; then it is a sum over the rest and
 * over the place, so that neither a torn nor a scribbled nor a copied record passes for one. */
struct record {
    _Atomic uint64_t seal;
    uint32_t bytes; /* of the record, a multiple of ALIGNMENT */
    uint16_t kind, party;
    int64_t index, count, time_ns;
    uint16_t lengths[TEXTS]; /* of the texts that follow, each with its NUL */
};

#define SEALED_FROM offsetof(struct record, bytes)
#define MOST_BYTES  (sizeof(struct record) + (size_t)TEXTS * ADI_LOG_TEXT)

static uint64_t sum_of(const struct record *record, size_t at) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ at;
    const unsigned char *bytes = (const unsigned char *)record;
    for (size_t i = SEALED_FROM; i < record->bytes; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum | 1;
}

/* ---- the worker's side ---- */

int64_t adi_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Takes `bytes` bytes; 0: the log is full. The tail may go past the end, it never comes back. */
static size_t reserve(struct adi_log *log, size_t bytes) {
    uint64_t at = atomic_fetch_add(&log->tail, bytes);
    bool fits = at >= sizeof *log && at <= ADI_LOG_BYTES - bytes && at % ALIGNMENT == 0;
    return fits ? (size_t)at : 0;
}

void adi_log_write(struct adi_log *log, enum adi_log_kind kind, int64_t index, enum adi_party party,
                   int64_t count, const char *text, const char *message, const char *seen,
                   const char *wanted) {
    const char *texts[TEXTS] = {text, message, seen, wanted};
    struct record head = {.kind = (uint16_t)kind,
                          .party = (uint16_t)party,
                          .index = index,
                          .count = count,
                          .time_ns = adi_now_ns()};
    size_t bytes = sizeof head;
    /* Before the reservation: a text that cannot be read faults here and leaves no hole. */
    for (size_t i = 0; i < TEXTS; i++) {
        if (texts[i] == NULL) texts[i] = "";
        head.lengths[i] = (uint16_t)(strnlen(texts[i], ADI_LOG_TEXT - 1) + 1);
        bytes += head.lengths[i];
    }
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    head.bytes = (uint32_t)bytes;

    size_t at = reserve(log, bytes);
    if (at == 0) return;
    struct record *record = (struct record *)((char *)log + at);
    memcpy((char *)record + SEALED_FROM, (const char *)&head + SEALED_FROM,
           sizeof head - SEALED_FROM);
    char *to = (char *)(record + 1);
    for (size_t i = 0; i < TEXTS; i++) {
        memcpy(to, texts[i], head.lengths[i] - 1u);
        to[head.lengths[i] - 1] = '\0';
        to += head.lengths[i];
    }
    atomic_store_explicit(&record->seal, sum_of(record, at), memory_order_release);
}

size_t adi_log_room(const struct adi_log *log) {
    uint64_t tail = atomic_load(&log->tail);
    return tail < ADI_LOG_BYTES ? ADI_LOG_BYTES - (size_t)tail : 0;
}

void adi_log_move_on(struct adi_log *log) {
    atomic_store_explicit(&log->moved_ns, adi_now_ns(), memory_order_relaxed);
}

void adi_log_stand(struct adi_log *log, unsigned step) {
    atomic_store_explicit(&log->step, step, memory_order_relaxed);
}

unsigned adi_log_stood(const struct adi_log *log) {
    return atomic_load_explicit(&log->step, memory_order_relaxed);
}

static void log_violation(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_log *log = ((struct adi_log_sink *)sink)->log;
    adi_log_write(log, ADI_LOG_VIOLATION, (int64_t)adi_rule_index(finding->rule), finding->party,
                  adi_log_stood(log), finding->mend, finding->message, finding->seen,
                  finding->wanted);
}

static void log_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_log_sink *self = (struct adi_log_sink *)sink;
    size_t index = adi_rule_index(rule);
    if (index < sizeof self->satisfied / sizeof *self->satisfied)
        __atomic_fetch_add(&self->satisfied[index], 1, __ATOMIC_RELAXED);
}

void adi_log_sink_init(struct adi_log_sink *sink, struct adi_log *log) {
    *sink = (struct adi_log_sink){.sink = {.violated = log_violation, .satisfied = log_satisfied},
                                  .log = log};
}

void adi_log_sink_flush(struct adi_log_sink *sink) {
    for (size_t i = 0; i < sizeof sink->satisfied / sizeof *sink->satisfied; i++) {
        uint32_t count = __atomic_exchange_n(&sink->satisfied[i], 0, __ATOMIC_RELAXED);
        if (count > 0)
            adi_log_write(sink->log, ADI_LOG_SATISFIED, (int64_t)i, ADI_BOTH, count, NULL, NULL,
                          NULL, NULL);
    }
}

/* ---- the parent's side ---- */

static struct adi_log *map(int fd) {
    void *memory = mmap(NULL, ADI_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct adi_log *adi_log_create(int *fd) {
    int made = memfd_create("adicheck-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (made < 0) return NULL;
    struct adi_log *log = NULL;
    if (ftruncate(made, (off_t)ADI_LOG_BYTES) == 0 &&
        fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        log = map(made);
    if (log == NULL) {
        int code = errno;
        close(made);
        errno = code;
        return NULL;
    }
    log->magic = MAGIC;
    atomic_store(&log->tail, sizeof *log);
    *fd = made;
    return log;
}

struct adi_log *adi_log_attach(int fd) {
    struct adi_log *log = map(fd);
    if (log == NULL) return NULL;
    /* A fork that returns twice would play the rest of the cases twice, into the same log. */
    madvise(log, ADI_LOG_BYTES, MADV_DONTFORK);
    if (log->magic == MAGIC) return log;
    munmap(log, ADI_LOG_BYTES);
    errno = EINVAL;
    return NULL;
}

void adi_log_destroy(struct adi_log *log) {
    if (log != NULL) munmap(log, ADI_LOG_BYTES);
}

int64_t adi_log_moved_ns(const struct adi_log *log) {
    int64_t moved = atomic_load_explicit(&log->moved_ns, memory_order_relaxed);
    return moved > 0 && moved <= adi_now_ns() ? moved : 0; /* anybody can write there */
}

/* Copies the record at `at` and looks whether it is one: the worker may still be writing here. */
static bool copy_record(const struct adi_log *log, size_t at, uint64_t seal, void *to) {
    const struct record *record = (const struct record *)((const char *)log + at);
    uint32_t bytes = record->bytes;
    if (bytes < sizeof *record || bytes > MOST_BYTES || bytes % ALIGNMENT != 0 ||
        bytes > ADI_LOG_BYTES - at)
        return false;
    memcpy(to, record, bytes);
    struct record *copy = to;
    if (copy->bytes != bytes || sum_of(copy, at) != seal) return false;
    size_t texts = 0;
    for (size_t i = 0; i < TEXTS; i++) {
        if (copy->lengths[i] == 0 || copy->lengths[i] > ADI_LOG_TEXT) return false;
        texts += copy->lengths[i];
        if (sizeof *copy + texts > bytes) return false;
        if (((const char *)(copy + 1))[texts - 1] != '\0') return false;
    }
    return copy->kind <= ADI_LOG_END && copy->party <= ADI_BOTH;
}

static uint64_t seal_at(const struct adi_log *log, size_t at) {
    const struct record *record = (const struct record *)((const char *)log + at);
    return atomic_load_explicit(&record->seal, memory_order_acquire);
}

/* Where the first sealed record behind `at` begins, or 0: what lies between was reserved by a
 * thread that died before it had written. */
static size_t pass_over(const struct adi_log *log, size_t at, size_t end, void *buffer) {
    size_t most = at + 16 * MOST_BYTES;
    for (at += ALIGNMENT; at < most && at + sizeof(struct record) <= end; at += ALIGNMENT) {
        uint64_t seal = seal_at(log, at);
        if (seal != 0 && copy_record(log, at, seal, buffer)) return at;
    }
    return 0;
}

bool adi_log_next(struct adi_log_reader *reader, struct adi_log_record *out, bool *damaged) {
    _Alignas(struct record) char buffer[MOST_BYTES];
    struct adi_log *log = reader->log;
    if (*damaged) return false;
    if (reader->at < sizeof *log) reader->at = sizeof *log;
    uint64_t tail = atomic_load(&log->tail);
    if (log->magic != MAGIC || tail < reader->at || tail % ALIGNMENT != 0) *damaged = true;
    size_t end = tail < ADI_LOG_BYTES ? (size_t)tail : ADI_LOG_BYTES;
    if (*damaged || reader->at + sizeof(struct record) > end) return false;

    uint64_t seal = seal_at(log, reader->at);
    if (seal == 0) {
        size_t next = reader->writers_gone ? pass_over(log, reader->at, end, buffer) : 0;
        if (next == 0) return false;
        reader->at = next;
    } else if (!copy_record(log, reader->at, seal, buffer)) {
        *damaged = true;
        return false;
    }

    const struct record *record = (const struct record *)buffer;
    *out = (struct adi_log_record){.kind = (enum adi_log_kind)record->kind,
                                   .index = record->index,
                                   .party = (enum adi_party)record->party,
                                   .count = record->count,
                                   .time_ns = record->time_ns};
    const char **texts[TEXTS] = {&out->text, &out->message, &out->seen, &out->wanted};
    const char *from = (const char *)(record + 1);
    char *to = reader->texts;
    for (size_t i = 0; i < TEXTS; i++) {
        memcpy(to, from, record->lengths[i]);
        *texts[i] = to;
        to += record->lengths[i];
        from += record->lengths[i];
    }
    reader->at += record->bytes;
    return true;
}
