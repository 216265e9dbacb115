/* SPDX-License-Identifier: Apache-2.0
 *
 * A run: finds the devices, plays the cases in workers, confirms findings, fills a report.
 */
#ifndef ADI_RUN_H
#define ADI_RUN_H

#include "report.h"

/* What the command line asks for. Globs may be NULL: everything. */
struct adi_run_options {
    const char *device, *rule, *case_name; /* globs (fnmatch) */
    int64_t jobs; /* workers at once; 0: as many as there are processors, and some more for cases
                     that wait for most of their time */
    uint64_t seed;
    double timeout;    /* seconds a case */
    double time_limit; /* seconds the run; what is not played by then is skip. 0: none */
    double fuzz;       /* seconds to make programs up for, on all devices together; 0: the cases
                          are played */
    int64_t memory_mb; /* resident, a worker */
    bool strict, robustness, in_process;
    /* All that is chosen is played in this process, one case after the other: what ends it says the
     * finding on standard error. Nothing is confirmed, and the adapter's `close` ends nothing: what
     * it leaves behind is all that ends a case. */
    bool within;
    const char *hint; /* is said where such a finding ends the process; NULL: nothing */
    bool own;         /* the implementation makes its data itself, and has but the cases of that */
    const char *schedule; /* of asynchronous streams: one, or "all"; NULL: a sample */
    const char *rules;    /* version of the rule set */
    const char *profile;  /* "cpu": what a library without devices needs; NULL: all */
    const char *require;  /* device types or names, separated by commas */
    /* The one program that is played instead of the cases, on one device; NULL: none. */
    const struct adi_program *program;
    size_t program_case;  /* adi_case_of_programs: with which sample, in which role */
    bool progress;        /* a line on standard error while running */
    void (*beside)(void); /* called every few milliseconds while workers play; NULL: nothing is */
};

/* Judges `adapter` (a path; NULL: the reference) and fills `report`. 0; EINVAL: the adapter cannot
 * be used
 * (`error` says why in one line: missing, no shared library, lacks the symbol, another version, too
 * small); another errno value: a failure of our own. */
int adi_run(const char *adapter, const struct adi_run_options *options, struct adi_report *report,
            struct adi_error *error);

/* Looks for the devices alone: appends a row to `report->devices` for each one that is there, and
 * one for each type with a backend that has none. A worker asks, so that a runtime that crashes or
 * hangs costs its own type only. 0 or an errno value: no worker could be started. */
int adi_run_find_devices(struct adi_report *report, struct adi_error *error);

/* Asks the running workers to stop: called from the handler of SIGINT and SIGTERM. */
void adi_run_interrupt(void);
/* A run that was asked to stop is over: the next one is not. */
void adi_run_interrupt_no_more(void);

/* For a handler (crash_word.h): names on standard error the case that is played in this process
 * (`within`), and what its end breaks. false: none is. */
bool adi_run_say_crash(int number);

#endif /* ADI_RUN_H */
