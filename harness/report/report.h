/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of a run, from which every report is written.
 */
#ifndef ADI_REPORT_H
#define ADI_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "device.h"
#include "rule.h"

enum adi_verdict {
    ADI_PASS,
    ADI_FAIL,
    ADI_WARN,
    ADI_NOTE,
    ADI_SKIP,
    ADI_UNSUPPORTED,
    ADI_CRASH,
    ADI_TIMEOUT,
    ADI_XFAIL,
    ADI_XPASS,
    ADI_ERROR,
    ADI_VERDICTS, /* how many */
};

struct adi_order;   /* order.h */
struct adi_program; /* program.h */

/* Stands in what is attached of standard error behind the number of bytes that are not. */
#define ADI_CAPTURE_CUT " bytes left out ...]"

/* What may have been nobody's doing. */
enum adi_doubt {
    ADI_NO_DOUBT,
    ADI_DOUBT_STARVED, /* the worker got no processor */
    ADI_DOUBT_KILLED,  /* it was ended by a signal that others send */
};

/* One row: a finding, or what else a case has come to, from the log of a worker to the reports.
 * Strings are its own, never NULL. */
struct adi_result {
    const struct adi_rule *rule; /* NULL for an ADI_ERROR, which is no word on a rule, and for an
                                    ADI_SKIP of what no rule is about yet: shown as "" */
    enum adi_party party;
    enum adi_verdict verdict;
    char *device;    /* "cpu:-1" */
    char *case_name; /* "int32/nulls/export"; "" for a row that counts every tree of a device */
    char *message, *seen, *wanted, *replay, *stderr_text;
    char *mend;   /* of this very finding; "": the rule's */
    char **steps; /* n_steps texts */
    size_t n_steps;
    int64_t ms;
    unsigned times; /* it was seen in its case */
    enum adi_doubt doubt;
    bool at_limit;   /* a death at the end of a limit, of time or of memory, or a finding that was
                        waited for that long: each is dear */
    bool unplayed;   /* an ADI_SKIP of a case that was left out since others hung or died; false
                        where the list of known deviations names the case, and where no more than a
                        recommendation was not kept */
    bool confirmed;  /* a finding was seen again alone in a fresh worker; true of all else */
    bool flaky;      /* it was played again alone, and did not show there */
    char *preceding; /* cases without which it does not show, "a|b"; "": none */
    char *calls;     /* what was done with the device before, a line each; "": that is not known */
    struct adi_program *program; /* that it was seen in, which is steps[0]; NULL: in none */
    struct adi_order
        *order;            /* what was done before a finding about order; NULL: that is not known */
    size_t step;           /* of `steps`, in which it was seen, from 1 on; 0: that is not known */
    unsigned program_step; /* of the program that it was seen in, from 1 on, one more: at its end;
                              0: that is not known */
};

struct adi_report_device {
    char name[40]; /* "cpu:-1"; the bare type name where there is none */
    ArrowDeviceType type;
    char runtime[32]; /* "native", "real", "simulated"; "" none */
    bool available;
    bool idle;                   /* there, and the implementation plays no role on it */
    char why[ADI_ERROR_SIZE];    /* why not; of one that is there, what cannot be judged on it */
    char remark[ADI_ERROR_SIZE]; /* of one that is there: what else is to be known of it */
};

/* What a worker was at when the run was cut. Strings are the report's, never NULL. */
struct adi_report_in_play {
    char *device, *case_name;
    char *operation; /* "consume"; "": none had begun */
    int64_t ms;      /* for so long nothing had moved on */
};

struct adi_report {
    char *implementation, *implementation_version;
    char *adapter; /* the path as typed; NULL: the reference */
    char *source;  /* what --source names; NULL: nothing */
    time_t begun;  /* 0: that is not known */
    uint64_t seed;
    const char *rules; /* version of the rule set */
    struct adi_report_device *devices;
    size_t n_devices;
    struct adi_result *results;
    size_t n_results, capacity;
    bool strict; /* --strict: warnings and notes were asked to count */
    bool interrupted;
    bool out_of_time;  /* the time limit of the run was over before all was played */
    int sim_log_error; /* with which the log of the simulation could not be written; 0: it is
                          whole, or nobody asked for one */
    bool counted;      /* `n_unplayed` is known */
    size_t n_unplayed; /* cases that a run that was cut did not come to, or to the end of */
    struct adi_report_in_play *in_play; /* in a run that was cut */
    size_t n_in_play;
    char *missing; /* devices of --require that are not there, and why; NULL: all are */
    double seconds;
};

struct adi_report *adi_report_new(void);
void adi_report_free(struct adi_report *report);
/* Appends a row with everything empty; valid until the next call. */
struct adi_result *adi_report_add(struct adi_report *report);
/* Appends a device with everything empty; valid until the next call. */
struct adi_report_device *adi_report_add_device(struct adi_report *report);
/* Appends what was in play, with everything empty; valid until the next call. */
struct adi_report_in_play *adi_report_add_in_play(struct adi_report *report);
/* A row by itself: everything empty; a copy; freed. */
struct adi_result adi_result_new(void);
struct adi_result adi_result_copy(const struct adi_result *row);
void adi_result_free(struct adi_result *row);
/* Does it say that something is wrong, so that it has to be confirmed? */
bool adi_result_is_finding(const struct adi_result *row);
/* ... of what was judged, and no failure of the harness or the adapter? */
bool adi_result_is_violation(const struct adi_result *row);
/* Is it the end of a process? */
bool adi_result_is_death(const struct adi_result *row);
/* Does it say that something did not come within a time limit? */
bool adi_result_rests_on_time(const struct adi_result *row);
/* Nobody is charged with it any more: it leaves the run undecided. */
void adi_result_undecide(struct adi_result *row);
/* Rows of the same rule and kind (a violation, a death, an error), which can be compared between
 * runs of one case. */
bool adi_result_is_like(const struct adi_result *a, const struct adi_result *b);
/* Replaces a string of a row by a copy (printf). */
void adi_result_set(char **field, const char *format, ...) ADI_PRINTF(2, 3);
/* Adds to a string that may be NULL; `between` comes before it where there is something already. */
void adi_result_append(char **field, const char *between, const char *more);
void adi_result_step(struct adi_result *result, const char *format, ...) ADI_PRINTF(2, 3);

/* The id of its rule and the name of its party; "": it is about no rule. */
const char *adi_result_rule(const struct adi_result *result);
const char *adi_result_party(const struct adi_result *result);
/* What to do about it: its own mend, or the rule's; "": nothing. */
const char *adi_result_mend(const struct adi_result *result);

const char *adi_verdict_name(enum adi_verdict verdict);
/* What a violation of the rule is shown as: MUST of text or implied is a fail, SHOULD a warn, the
 * rest a note; under `strict` all but MAY are fails. */
enum adi_verdict adi_verdict_of_violation(const struct adi_rule *rule, bool strict);
/* Rows of a verdict. */
size_t adi_report_count(const struct adi_report *report, enum adi_verdict verdict);
/* 0, 1 or 2, as design says: 1 conformance broken (or an xpass); else 2 undecided; else 0. */
int adi_report_exit(const struct adi_report *report);
/* The same in words: "conformant", "not conformant: 1 MUST broken (...)", "undecided: ...". */
void adi_report_sentence(const struct adi_report *report, struct adi_error *out);
/* Why the run was cut: "interrupted", "time limit"; NULL: it was not. */
const char *adi_report_cut(const struct adi_report *report);
/* The same as a sentence, with how many cases were not played and what was in play. The caller
 * frees it; NULL: the run was not cut. */
char *adi_report_cut_sentence(const struct adi_report *report);
/* Does the row turn the run red: conformance broken, or an xpass? */
bool adi_result_is_red(const struct adi_result *result, const struct adi_report *report);

/* Of rows of one cause that wrote the same to standard error but for numbers, the first one that is
 * shown (group.h) keeps it, and the others say which that is: "as in CASE on DEVICE". ENOMEM. */
int adi_report_fold(struct adi_report *report);

/* Writers; each returns 0 or an errno value. Several reports make one document each kind: JSON
 * becomes an array when there is more than one. */
int adi_report_text(struct adi_report *const *reports, size_t n, FILE *out, bool colour);
/* One row as that tells it, without colour, without the case and how it is played again. */
void adi_report_text_result(const struct adi_result *result, FILE *out);
int adi_report_json(struct adi_report *const *reports, size_t n, FILE *out);
int adi_report_junit(struct adi_report *const *reports, size_t n, FILE *out);
int adi_report_tap(struct adi_report *const *reports, size_t n, FILE *out);
int adi_report_sarif(struct adi_report *const *reports, size_t n, FILE *out);
int adi_report_html(struct adi_report *const *reports, size_t n, FILE *out);

#endif /* ADI_REPORT_H */
