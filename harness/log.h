/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker tells its parent: records in shared memory, written in order and valid at every
 * moment, so that nothing that was said is lost when the worker dies. The parent believes nothing
 * it cannot check: a record that was overwritten ends the log.
 */
#ifndef ADI_LOG_H
#define ADI_LOG_H

#include <stdint.h>

#include "finding.h"

int64_t adi_now_ns(void); /* CLOCK_MONOTONIC, as all times here are */

#define ADI_LOG_BYTES ((size_t)256 << 20) /* reserved; only what is written takes memory */

enum adi_log_kind {
    ADI_LOG_CASE_BEGIN, /* `index` of the case */
    ADI_LOG_CASE_END,   /* `index`; it ran to its end */
    ADI_LOG_STEP,       /* a step of the case: `text` "export", `message` "event not complete" */
    ADI_LOG_PROGRAM,    /* a program is played, instead of all steps before it: `message` has its
                           words (adi_program_pack) */
    ADI_LOG_VIOLATION,  /* rule `index` was violated by `party`: message, seen, wanted; `count`: in
                        which step of a program; `text`: a mend of its own, or "" */
    ADI_LOG_SATISFIED, /* rule `index` was satisfied `count` times (for every tree of the device) */
    ADI_LOG_PASS,      /* the case was there for rule `index`, and that is satisfied */
    ADI_LOG_SKIP,      /* ... could not be judged: `message` says why */
    ADI_LOG_REFUSED,   /* ... the implementation refused cleanly: `message` is its error */
    ADI_LOG_ERROR,     /* harness or adapter broke: `message`; how to mend it: `text` */
    ADI_LOG_CRASH_RULE, /* from here a crash or hang is a violation of rule `index`; -1: no such
                         * rule
                         */
    ADI_LOG_WAITED,     /* the violation that comes next was waited for until a time limit: each is
                           dear,     and within a shorter limit it is none */
    ADI_LOG_FATAL, /* the worker ends itself on purpose after a finding: no crash is to be reported
                    */
    ADI_LOG_NOTE,  /* a line that the adapter wrote to adi_host.log */
    ADI_LOG_CALL,  /* what was done before the finding that comes next, a line: `text`; `index` is
                      its number, 0 the first */
    ADI_LOG_INFO,  /* before any case: `text` names it, `message` is the value (probe answers) */
    ADI_LOG_END,   /* the worker has done all it was asked */
};

/* A record as the reader gives it out; the texts are the reader's until its next call. */
struct adi_log_record {
    enum adi_log_kind kind;
    int64_t index;
    enum adi_party party;
    int64_t count;
    int64_t time_ns;                            /* when it was written, CLOCK_MONOTONIC */
    const char *text, *message, *seen, *wanted; /* never NULL */
};

/* ---- the worker's side: any thread, and signal handlers; never allocates ---- */

struct adi_log; /* at the start of the shared memory */

#define ADI_LOG_TEXT 1024 /* a text is cut to this, its NUL included */

/* Appends a record; texts may be NULL. What does not fit any more is dropped, and the log says so.
 */
void adi_log_write(struct adi_log *log, enum adi_log_kind kind, int64_t index, enum adi_party party,
                   int64_t count, const char *text, const char *message, const char *seen,
                   const char *wanted);
/* Bytes that are still free. */
size_t adi_log_room(const struct adi_log *log);
/* The worker moves on, and need not say where: a time limit begins anew. */
void adi_log_move_on(struct adi_log *log);
/* The worker is at the `step`th step of a program, from 1 on; 0: at none. It is the `count` of what
 * is broken there. */
void adi_log_stand(struct adi_log *log, unsigned step);

/* A sink that writes findings to the log. */
struct adi_log_sink {
    struct adi_sink sink; /* first */
    struct adi_log *log;
    uint32_t satisfied[512]; /* per rule since the last flush */
};
void adi_log_sink_init(struct adi_log_sink *sink, struct adi_log *log);
/* Writes what is satisfied as ADI_LOG_SATISFIED records. */
void adi_log_sink_flush(struct adi_log_sink *sink);

/* ---- the parent's side ---- */

/* Makes the shared memory: maps it and gives a descriptor to hand down (close-on-exec). NULL: errno
 * says why. The size is sealed: no holder of the descriptor can shrink it under the reader. */
struct adi_log *adi_log_create(int *fd);
/* Maps it in the worker; processes that the worker forks do not have it. NULL: errno says why. */
struct adi_log *adi_log_attach(int fd);
void adi_log_destroy(struct adi_log *log);
/* When the worker last moved on, CLOCK_MONOTONIC; 0: not yet. */
int64_t adi_log_moved_ns(const struct adi_log *log);
/* The step that the worker was last at. */
unsigned adi_log_stood(const struct adi_log *log);

struct adi_log_reader {
    struct adi_log *log;
    size_t at;         /* 0: the first record */
    bool writers_gone; /* the worker has ended: what it left half written is passed over */
    char texts[4 * ADI_LOG_TEXT];
};
/* The next record that is completely written; false: none yet, or the log is damaged from here on
 * (`*damaged`, which is false before the first call and then kept by the caller). */
bool adi_log_next(struct adi_log_reader *reader, struct adi_log_record *out, bool *damaged);

#endif /* ADI_LOG_H */
