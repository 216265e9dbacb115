/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "binding.h"
#include "case.h"
#include "model.h"
#include "nearest.h"
#include "order.h"
#include "run_internal.h"
#include "run_need.h"

/* Roles that are played, and what only says more of them. */
#define SERVED                                                                                     \
    ((unsigned)(ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS | ADI_PRODUCES_STREAM |                   \
                ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS | ADI_PRODUCES_ASYNC | \
                ADI_CONSUMES_ASYNC | ADI_PRODUCES_DLPACK | ADI_CONSUMES_DLPACK))

/* ---- the line that plays it again ---- */

/* A word as a shell takes it. */
static void print_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    }
    putc('\'', out);
}

static void print_program(FILE *out, const struct adi_run *run, const struct adi_outcome *outcome,
                          const char *option) {
    char text[ADI_OUTCOME_TEXT];
    unsigned role = adi_case((size_t)outcome->index)->scenario->role;
    fprintf(out, "adicheck replay%s", option);
    for (size_t i = 0; adi_role_name_at(i) != NULL; i++)
        if (adi_role_at(i) == role) fprintf(out, " --as %s", adi_role_name_at(i));
    if (run->report->adapter != NULL) {
        fputs(" --adapter ", out);
        print_word(out, run->report->adapter);
    }
    if (run->seed != 1) fprintf(out, " --seed %" PRIu64, run->seed);
    fprintf(out, " '%s %s'", run->device->name,
            adi_outcome_program_text(outcome, text, sizeof text));
}

/* "adicheck run", the adapter, the device. */
static void print_run(FILE *out, const struct adi_run *run) {
    fputs("adicheck run", out);
    if (run->report->adapter != NULL) {
        putc(' ', out);
        print_word(out, run->report->adapter);
    }
    if (run->device->name[0] != '\0') fprintf(out, " --device %s", run->device->name);
}

/* The schedule that was played last, which shows it alone. */
static void print_schedule(FILE *out, const struct adi_outcome *outcome) {
    static const char phase[] = "schedule";
    const char *found = NULL;
    for (size_t i = 0; i < outcome->n_steps; i++)
        if (strncmp(outcome->steps[i], phase, sizeof phase - 1) == 0) found = outcome->steps[i];
    if (found == NULL) return;
    found += sizeof phase - 1;
    found += strspn(found, " ");
    fputs(" --schedule ", out);
    print_word(out, found);
}

static void print_seed(FILE *out, const struct adi_run *run, const struct adi_outcome *outcome) {
    print_schedule(out, outcome);
    if (outcome->index >= 0 && adi_case((size_t)outcome->index)->scenario->robustness)
        fputs(" --robustness", out);
    fprintf(out, " --seed %" PRIu64, run->seed);
}

static void print_replay(FILE *out, const struct adi_run *run, const struct adi_outcome *outcome,
                         const struct adi_result *row) {
    if (row->preceding[0] == '\0' && adi_result_is_finding(row) && outcome->program != NULL) {
        print_program(out, run, outcome, "");
        return;
    }
    print_run(out, run);
    if (row->preceding[0] != '\0')
        fprintf(out, " --jobs 1 --case '@(%s|%s)'", row->preceding,
                adi_outcome_name(outcome->index));
    else if (outcome->index >= 0)
        fprintf(out, " --case '%s'", adi_outcome_name(outcome->index));
    print_seed(out, run, outcome);
}

/* Can `replay --emit-c` write it: for the CPU, without events? */
static bool is_emitted(const struct adi_run *run, const struct adi_outcome *outcome) {
    const struct adi_program *program = outcome->program;
    bool emits =
        program != NULL && run->adapter != NULL && strcmp(run->device->name, "cpu:-1") == 0;
    for (size_t i = 0; emits && i < program->n; i++) emits = !adi_step_pends(&program->steps[i]);
    return emits;
}

/* Its own, or where no rule is closer than that a process ended: the line that shows it in a
 * debugger, as far as there is one. */
static void print_mend(FILE *out, const struct adi_run *run, const struct adi_outcome *outcome,
                       const struct adi_result *row) {
    if (row->mend[0] != '\0') fputs(row->mend, out);
    if (!adi_result_is_death(row) || row->rule == NULL ||
        (row->rule != adi_rule_named("life/crash") && row->rule != adi_rule_named("life/hang")))
        return;
    bool alone = row->preceding[0] == '\0';
    if (alone && outcome->index >= 0 && outcome->index < (int64_t)ADI_CASE_FUZZ) {
        fputs("replay the case in a debugger: gdb --args ", out);
        print_run(out, run);
        fprintf(out, " --in-process --case '%s'", adi_outcome_name(outcome->index));
        print_seed(out, run, outcome);
    } else if (alone && is_emitted(run, outcome)) {
        fputs("run it in a debugger as a program in C: ", out);
        print_program(out, run, outcome, " --emit-c");
        fputs(" > it.c", out);
    } else {
        fputs("look at that call in a debugger", out);
    }
}

typedef void printer(FILE *out, const struct adi_run *run, const struct adi_outcome *outcome,
                     const struct adi_result *row);

static void set_line(char **field, printer *print, const struct adi_run *run,
                     const struct adi_outcome *outcome, const struct adi_result *row) {
    char *text = NULL;
    size_t length;
    FILE *out = adi_need(open_memstream(&text, &length));
    print(out, run, outcome, row);
    if (fclose(out) != 0) adi_need(NULL);
    adi_result_set(field, "%s", text);
    free(text);
}

/* ---- rows ---- */

/* Where the runtime cannot do what it should, it may have been what ended the process. */
static bool may_be_runtime(const struct adi_run *run, const struct adi_result *row) {
    return row->verdict == ADI_CRASH && run->device->lacks[0] != '\0';
}

/* The end of a process is as bad as the mistake that it followed from. */
static enum adi_verdict verdict_of(const struct adi_run *run, const struct adi_result *row) {
    enum adi_verdict violation = ADI_FAIL;
    if (adi_result_is_death(row) && row->rule != NULL)
        violation = adi_verdict_of_violation(row->rule, run->options->strict);
    return violation == ADI_FAIL ? row->verdict : violation;
}

static void report_row(struct adi_run *run, const struct adi_outcome *outcome,
                       const struct adi_result *row) {
    struct adi_result *result = adi_report_add(run->report);
    adi_result_free(result);
    *result = adi_result_copy(row);
    bool finding = adi_result_is_finding(row);
    if (row->verdict == ADI_ERROR)
        adi_result_undecide(result); /* what its rule is about did not happen */
    result->verdict = verdict_of(run, row);
    result->ms = outcome->ms;
    adi_result_set(&result->device, "%s", run->device->name);
    adi_result_set(&result->case_name, "%s", adi_outcome_name(outcome->index));
    if (row->times > 1)
        adi_result_set(&result->message, "%s (and %u more like it)", row->message, row->times - 1);
    if (may_be_runtime(run, row)) {
        result->verdict = ADI_ERROR;
        adi_result_set(&result->message, "%s, and the runtime may have done it: %s", row->message,
                       run->device->lacks);
    }
    set_line(&result->replay, print_replay, run, outcome, row);
    set_line(&result->mend, print_mend, run, outcome, row);
    if (!finding) {
        result->program_step = 0;
        result->step = 0;
        return;
    }
    if (outcome->output != NULL) adi_result_set(&result->stderr_text, "%s", outcome->output);
    for (size_t i = 0; i < outcome->n_steps; i++) adi_result_step(result, "%s", outcome->steps[i]);
    if (outcome->program != NULL) {
        result->program = adi_need(malloc(sizeof *result->program));
        *result->program = *outcome->program;
    }
    if (row->calls[0] != '\0') result->order = adi_order_of(row->calls);
}

void adi_run_report_outcome(struct adi_run *run, const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_run_wants(run, outcome->rows[i].rule)) report_row(run, outcome, &outcome->rows[i]);
}

static bool is_broken(const struct adi_outcome *outcome, const struct adi_rule *rule) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (outcome->rows[i].rule == rule && adi_result_is_finding(&outcome->rows[i])) return true;
    return false;
}

static struct adi_result *report_rule(struct adi_run *run, const struct adi_rule *rule,
                                      enum adi_verdict verdict) {
    struct adi_result *result = adi_report_add(run->report);
    result->rule = rule;
    result->party = rule->party;
    result->verdict = verdict;
    adi_result_set(&result->device, "%s", run->device->name);
    return result;
}

/* A rule that is looked at in every tree passes if no tree of the device broke it. */
static void report_satisfied(struct adi_run *run, const struct adi_rule *rule, uint64_t count) {
    for (size_t i = 0; i < run->n_cases; i++)
        if (is_broken(&run->final[run->cases[i]], rule)) return;
    adi_result_set(&report_rule(run, rule, ADI_PASS)->message, "%" PRIu64 " checked", count);
}

static void report_lack(struct adi_run *run) {
    const struct adi_rule *rule = adi_rule_named("array/data-differs");
    if (run->device->lacks[0] == '\0' || !adi_run_wants(run, rule)) return;
    adi_result_set(&report_rule(run, rule, ADI_SKIP)->message,
                   "not judged: what the device itself has: %s", run->device->lacks);
}

/* Is there a case for the rule among those that are played? */
static bool is_played(const struct adi_run *run, const char *rule) {
    for (size_t i = 0; i < run->n_cases; i++)
        if (strcmp(adi_case(run->cases[i])->scenario->rule, rule) == 0) return true;
    return false;
}

static void report_unobservable(struct adi_run *run) {
    static const struct {
        unsigned kind;
        const char *rule, *shown, *what, *why;
    } rows[] = {
#define UNOBSERVABLE(kind, rule, shown, what, why)                                                 \
    {ADI_UNOBSERVABLE_##kind, rule, shown, what, why},
#include "unobservable.def"
#undef UNOBSERVABLE
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct adi_rule *rule = adi_rule_named(rows[i].rule);
        if ((run->device->unobservable & rows[i].kind) == 0 || !is_played(run, rows[i].shown) ||
            !adi_run_wants(run, rule))
            continue;
        adi_result_set(&report_rule(run, rule, ADI_SKIP)->message, "not judged: %s: %s",
                       rows[i].what, rows[i].why);
    }
}

/* ---- roles that nothing plays ---- */

void adi_run_report_unserved(struct adi_run *run) {
    const struct adi_run_options *options = run->options;
    const struct adi_probed *first = NULL;
    unsigned roles = 0;
    if (options->rule != NULL || options->case_name != NULL) return;
    for (size_t i = 0; i < run->n_devices; i++) {
        const struct adi_probed *device = &run->devices[i];
        unsigned more = device->roles & ~SERVED;
        if (more == 0 || !adi_glob_matches_device(options->device, device->name)) continue;
        if (first == NULL) first = device;
        roles |= more;
    }
    if (first == NULL) return;
    struct adi_result *result = adi_report_add(run->report);
    result->verdict = ADI_SKIP;
    adi_result_set(&result->device, "%s", first->name);
    adi_result_set(&result->message, "declared, and nothing of this version plays it: role %u",
                   roles);
}

void adi_run_report(struct adi_run *run) {
    if (run->n_cases > 0) report_lack(run);
    report_unobservable(run);
    for (size_t i = 0; i < 3; i++) adi_run_report_outcome(run, &run->phases[i]);
    for (size_t i = 0; i < run->n_cases; i++)
        adi_run_report_outcome(run, &run->final[run->cases[i]]);
    const struct adi_rule *rule;
    for (size_t i = 0; i < ADI_RULES && (rule = adi_rule(i)) != NULL; i++)
        if (run->satisfied[i] > 0 && adi_run_wants(run, rule))
            report_satisfied(run, rule, run->satisfied[i]);
}
