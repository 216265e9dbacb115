/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck replay: one program of operations, played as `adicheck run` plays it, on the harness's
 * own arrays or with an implementation in it, and told step by step.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "clean.h"
#include "cmd_environment.h"
#include "cmd_signals.h"
#include "move.h"
#include "replay.h"
#include "run.h"

/* ---- telling it ---- */

/* "0 pending, 2 child": what is in use. */
static const char *states(const struct adi_model *model, char text[256]) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (model->slots[i].state != ADI_IS_empty)
            used += (size_t)snprintf(text + used, 256 - used, "%s%d %s", used > 0 ? ", " : "", i,
                                     adi_life_state_name(model->slots[i].state));
    return text;
}

/* The steps, up to the one that something was found in (0: all were played), which led nowhere if
 * the process died there. Returns how many did nothing. */
static size_t tell_steps(const struct adi_replay *replay, size_t last, bool died) {
    const struct adi_program *program = &replay->program;
    struct adi_model model;
    bool elsewhere = false;
    size_t idle = 0;
    adi_model_init(&model);
    for (size_t i = 0; i < program->n && (last == 0 || i < last); i++) {
        const struct adi_step *step = &program->steps[i];
        char word[ADI_STEP_TEXT], text[256];
        const char *rule;
        bool has_child = adi_step_has(step, 'C') || step->operation == ADI_DO_move_dictionary;
        bool nothing =
            adi_model_step(&model, step, &replay->schema, elsewhere, &rule) == ADI_STEP_NOTHING;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        idle += nothing;
        printf("  step %-3zu %-7s %-18s %s\n", i + 1, adi_step_text(step, word),
               adi_life_operation_name(step->operation),
               nothing && has_child    ? "there is no such child: nothing is done"
               : nothing               ? "there is nothing to do it to: nothing is done"
               : died && i + 1 == last ? ""
                                       : states(&model, text));
    }
    if (last == 0 || last > program->n) printf("  end      all slots are forgotten\n");
    return idle;
}

static void tell_why_not(const struct adi_result *result) {
    printf("error  it cannot be played here: ");
    adi_clean_put(stdout, result->message);
    putchar('\n');
}

/* The exit status. */
static int tell(const struct adi_replay *replay, const struct adi_report *report) {
    size_t last = 0, findings = 0, passes = 0, idle = 0;
    bool died = false, began = false;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        findings += adi_result_is_violation(result);
        passes += result->verdict == ADI_PASS;
        began = began || strchr(result->case_name, '/') != NULL;
        died = died || adi_result_is_death(result);
        if (result->program_step > last) last = result->program_step;
    }
    if (report->interrupted)
        printf("  interrupted: the program was not played to its end\n");
    else if (findings + passes == 0)
        printf("  nothing was played to its end\n");
    else if (began && (findings == 0 || last > 0))
        idle = tell_steps(replay, last, died);
    else
        printf("  before the first step\n");
    putchar('\n');
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (adi_result_is_violation(result))
            adi_report_text_result(result, stdout);
        else if (findings == 0 && result->verdict != ADI_PASS)
            tell_why_not(result);
    }
    if (findings == 0 && passes > 0 && idle == 0) printf("pass  every step was legal\n");
    if (findings == 0 && passes > 0 && idle > 0)
        printf("pass  every step was legal, and %zu did nothing\n", idle);
    return findings + passes > 0 ? adi_report_exit(report) : ADI_EXIT_UNDECIDED;
}

/* ---- playing it ---- */

static int play(const struct adi_command *command, const struct adi_replay *replay) {
    struct adi_error error = {""};
    ADI_TRY(adi_cmd_environment_check(command));
    const struct adi_run_options options = {
        .device = replay->device,
        .seed = replay->seed,
        .jobs = 1,
        .timeout = replay->timeout,
        .program = &replay->program,
        .program_case = adi_case_of_programs(replay->type, replay->shape, replay->role)};
    struct adi_report *report = adi_report_new();
    adi_signals_catch(adi_run_interrupt);
    int code = adi_run(replay->adapter, &options, report, &error);
    int status = code == 0 ? tell(replay, report) : adi_usage(command, "%s", error.text);
    if (report->sim_log_error != 0)
        fprintf(stderr, "adicheck replay: ADI_SIM_LOG: %s could not be written to its end: %s\n",
                getenv("ADI_SIM_LOG"), strerror(report->sim_log_error));
    adi_report_free(report);
    return code == 0 || code == EINVAL ? status : ADI_EXIT_UNDECIDED;
}

static int replay_wanted(const struct adi_command *command, const struct adi_options *options,
                         void *replay_at) {
    struct adi_replay *replay = replay_at;
    ADI_TRY(adi_replay_read(replay, command, options));
    int status = (replay->emit_c ? adi_replay_emit : play)(command, replay);
    adi_schema_release(&replay->schema);
    return status;
}

int adi_cmd_replay(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option table[] = {
        {"as", "PART",
         "what it does: producer, consumer or relay; stream-producer, async-producer, ...",
         adi_take_text, offsetof(struct adi_replay, as)},
        {"adapter", "FILE", "the implementation (the reference)", adi_take_text,
         offsetof(struct adi_replay, adapter)},
        {"seed", "S", "of the sample data (1)", adi_take_seed, offsetof(struct adi_replay, seed)},
        {"timeout", "SEC", "seconds a step may take (10)", adi_take_seconds,
         offsetof(struct adi_replay, timeout)},
        {"emit-c", NULL, "write it as a program in C, and play nothing", adi_take_flag,
         offsetof(struct adi_replay, emit_c)},
        {0},
    };
    static struct adi_replay replay = {.seed = 1};
    return adi_options_act(command, table, argc, argv, &replay, replay_wanted);
}
