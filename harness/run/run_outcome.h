/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of a worker: its log, record by record, as rows for each case that it began.
 */
#ifndef ADI_RUN_OUTCOME_H
#define ADI_RUN_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "log.h"
#include "program.h"
#include "report.h"

/* What a worker does besides cases; shown where a case's name is: "load", "close", "exit". */
enum adi_phase {
    ADI_PHASE_LOAD = -1,  /* loading the adapter, its `open`, its `roles` */
    ADI_PHASE_CLOSE = -2, /* its `close` */
    ADI_PHASE_EXIT = -3,  /* exit handlers and destructors */
};

#define ADI_STEPS    64  /* of a case; more are not kept */
#define ADI_RULES    512 /* rules that can be counted */
#define ADI_CHILDREN 64  /* processes that are remembered with the case that made them */

struct adi_outcome {
    int64_t index; /* of the case, or an adi_phase */
    struct adi_result *rows;
    size_t n_rows;
    char **steps;
    size_t n_steps;
    struct adi_program *program; /* the last one that was played, which is steps[0]; NULL: none */
    int64_t begun_ns, ms;
    bool ended;          /* it came to its end */
    bool fatal;          /* the worker ended itself after a finding */
    bool waited;         /* the violation that comes next was waited for until a time limit */
    int64_t output_from; /* where in all that the worker wrote this one's begins; it ends where the
                            next one's does */
    char *output;        /* what was written meanwhile; NULL: nothing */
    char *calls;         /* the lines of the finding that comes next; NULL: none yet */
};

bool adi_outcome_has_finding(const struct adi_outcome *outcome);
bool adi_outcome_has_doubt(const struct adi_outcome *outcome, enum adi_doubt doubt);
/* The row that is like it; NULL: none. */
const struct adi_result *adi_outcome_find(const struct adi_outcome *outcome,
                                          const struct adi_result *like);
/* Appends a row; the texts, which may be NULL, are copied. */
struct adi_result *adi_outcome_add(struct adi_outcome *outcome, const struct adi_rule *rule,
                                   enum adi_party party, enum adi_verdict verdict,
                                   const char *message, const char *seen, const char *wanted);
/* Copies a row. */
void adi_outcome_copy_row(struct adi_outcome *to, const struct adi_result *row);
/* Removes consequences of other rows, and what contradicts a finding. */
void adi_outcome_settle(struct adi_outcome *outcome);
/* Gives the texts back and leaves it empty. */
void adi_outcome_clear(struct adi_outcome *outcome);
/* "struct/many e0 x0": the sample and the program of an outcome that has one. Returns `text`. */
#define ADI_OUTCOME_TEXT (ADI_PROGRAM_TEXT + 128)
const char *adi_outcome_program_text(const struct adi_outcome *outcome, char *text, size_t size);
/* Who is under test in it; ADI_BOTH: whoever it is. */
enum adi_party adi_outcome_party(const struct adi_outcome *outcome);
/* "int32/nulls/export", "load": static text. */
const char *adi_outcome_name(int64_t index);

/* All of a worker. */
struct adi_outcomes {
    bool strict;
    const size_t *expected; /* the cases that it was given */
    size_t n_expected, n_begun;
    void (*info)(void *context, const struct adi_log_record *record); /* may be NULL */
    void *context;

    struct adi_outcome *list;
    size_t count;
    bool finished;              /* the worker did all that it was asked */
    bool damaged;               /* what the log says cannot be */
    int64_t mark_ns;            /* when something last began or ended; 0: nothing yet */
    int64_t output_at;          /* bytes that the worker had written when it last said so */
    int64_t crash_rule;         /* rule that a death breaks; -1: none */
    enum adi_party crash_party; /* whose a death is; ADI_BOTH: the scenario's */
    int sim_log_error;          /* with which the simulation's log could not be written */
    char *refusal;              /* the adapter cannot be used; NULL: it can */
    uint64_t satisfied[ADI_RULES];
    struct adi_child {
        pid_t pid;
        int64_t index; /* of the case in which it appeared */
    } children[ADI_CHILDREN];
    size_t n_children;
};

/* Takes the next record; takes all that a log has by now. */
void adi_outcomes_take(struct adi_outcomes *outcomes, const struct adi_log_record *record);
void adi_outcomes_read(struct adi_outcomes *outcomes, struct adi_log_reader *reader);
/* What the worker is at: never NULL once a record was taken. */
struct adi_outcome *adi_outcomes_now(struct adi_outcomes *outcomes);
/* The outcome of a case or phase; NULL: it was not begun. */
struct adi_outcome *adi_outcomes_find(const struct adi_outcomes *outcomes, int64_t index);
/* Begins one. */
struct adi_outcome *adi_outcomes_begin(struct adi_outcomes *outcomes, int64_t index,
                                       int64_t time_ns);
void adi_outcomes_clear(struct adi_outcomes *outcomes);

#endif /* ADI_RUN_OUTCOME_H */
