/* SPDX-License-Identifier: Apache-2.0
 *
 * A run in progress: what the files run_*.c share.
 */
#ifndef ADI_RUN_INTERNAL_H
#define ADI_RUN_INTERNAL_H

#include "run.h"
#include "run_hung.h"
#include "run_outcome.h"
#include "run_pool.h"
#include "run_sample.h"

/* A device that is there. */
struct adi_probed {
    char name[40]; /* "cpu:-1" */
    ArrowDeviceType type;
    int64_t id;
    unsigned roles;
    unsigned unobservable; /* a set of adi_unobservable */
    bool from_adapter;
    char lacks[ADI_ERROR_SIZE]; /* what cannot be judged there, and why; "": nothing */
};

struct adi_suspect;

struct adi_run {
    const struct adi_run_options *options;
    struct adi_report *report;
    const char *adapter; /* absolute path; NULL: the reference */
    char preload[512];
    uint64_t seed; /* of the sample data at hand */
    struct adi_pool pool;

    ArrowDeviceType probing; /* whose runtime is being looked for; 0: none */
    char probing_name[32];
    bool probing_adapters; /* it is the adapter's */
    struct adi_probed *devices;
    size_t n_devices;

    const struct adi_probed *next; /* the device that comes next; NULL: none */
    bool ahead;                    /* its cases are submitted already */

    /* Of the device at hand. */
    const struct adi_probed *device;
    size_t *cases; /* indices, in the order of the list */
    size_t n_cases, n_done;
    struct adi_outcome *final;    /* by index of the case; `rows` NULL: not known yet */
    struct adi_outcome phases[3]; /* by -1 - adi_phase */
    bool phase_suspected[3];
    bool *outstanding; /* by index: its findings are being confirmed, or wait for it */
    struct adi_hung hung;
    struct adi_samples samples;
    char close_hung[40];   /* the device where `close` or the exit hung first; "": none */
    const char *close_did; /* there: "hung", "used too much memory" */
    uint64_t satisfied[ADI_RULES];
    struct adi_suspect *suspects;

    uint64_t programs; /* that were made up */
    int64_t started_ns, shown_ns, device_ns;
    int64_t fuzz_end_ns; /* of the device's share of `options->fuzz` */
    bool shown;          /* a progress line stands on the terminal */
};

/* ---- run_probe.c ---- */

/* Takes what a probing worker says (adi_outcomes.info; the context is the run). */
void adi_run_take_probe(void *run, const struct adi_log_record *record);
/* Asks a worker what the adapter is and which devices there are. EINVAL: the adapter cannot be
 * used. A worker that dies leaves a row "load" and no devices. */
int adi_run_probe(struct adi_run *run, struct adi_error *error);

/* ---- run_choose.c ---- */

/* The cases to play on the device at hand: by role, globs, version and robustness. The second one
 * gives their indices in an array of the caller's. */
void adi_run_choose(struct adi_run *run);
size_t *adi_run_chosen(const struct adi_run *run, size_t *n_cases);
/* Is a row of this rule wanted? NULL: always. */
bool adi_run_wants(const struct adi_run *run, const struct adi_rule *rule);
void adi_run_forget_device(struct adi_run *run);
/* A task on the device at hand. */
struct adi_task *adi_run_task(struct adi_run *run, const size_t *cases, size_t n_cases);
/* Settles a case or phase; takes the outcome over. */
void adi_run_conclude(struct adi_run *run, int64_t index, struct adi_outcome *outcome);

/* ---- run_cases.c ---- */

/* Plays them all and confirms what was found. */
int adi_run_device(struct adi_run *run, struct adi_error *error);
/* Workers are idle: the cases of the device that comes next are submitted, as early tasks, if
 * nothing of the device at hand waits to be confirmed (adi_pool.idles). */
void adi_run_begin_ahead(void *run);

/* ---- run_confirm.c ---- */

/* Has the findings of an outcome confirmed; takes the outcome over. `before` are the cases that
 * were played before it in the same worker. */
void adi_run_suspect(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                     size_t n_before);
/* Concludes what is not confirmed yet as it was first seen: the run was interrupted. */
void adi_run_give_up(struct adi_run *run);
/* A round is over: what was parked is concluded or confirmed. `all`: concluded as it is. Returns
 * whether anything was. */
bool adi_run_settle(struct adi_run *run, bool all);

/* ---- run_shrink.c ---- */

/* Makes the program that a finding was made in as short as it can be, and plays that twice more:
 * what is seen then is the outcome. An outcome without a program stays as it is. false: what was
 * found does not show when its program is played alone. */
bool adi_run_shrink(struct adi_run *run, struct adi_outcome *outcome);

/* ---- run_fuzz.c ---- */

/* Plays programs made up at random on the device at hand until `fuzz_end_ns`, one round at least,
 * and reports what was found, each as its shortest program. */
int adi_run_fuzz(struct adi_run *run, struct adi_error *error);

/* ---- run_program.c ---- */

/* Plays `options->program` on the first device that is meant, and reports what it shows,
 * unconfirmed. EINVAL: there is no such device. */
int adi_run_one_program(struct adi_run *run, struct adi_error *error);

/* ---- run_results.c, run_progress.c, run_in_process.c ---- */

/* Writes the rows of the device at hand into the report. */
void adi_run_report(struct adi_run *run);
/* A row that says which roles are declared on a device that is wanted and not played at all. */
void adi_run_report_unserved(struct adi_run *run);
/* The rows of one outcome. */
void adi_run_report_outcome(struct adi_run *run, const struct adi_outcome *outcome);

void adi_run_show(void *run); /* at most ten times a second; adi_pool.tick */
void adi_run_unshow(struct adi_run *run);

/* One case; with `options->within` all that are chosen, on each device. */
int adi_run_in_process(struct adi_run *run, struct adi_error *error);

#endif /* ADI_RUN_INTERNAL_H */
