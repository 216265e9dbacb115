/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck replay: a program of operations, told step by step. It is played on the harness's own
 * arrays, or an implementation takes part, in a process of its own: that it crashes there is an
 * answer, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter_load.h"
#include "clean.h"
#include "cmd_options.h"
#include "device_types.h"
#include "devices.h"
#include "emit.h"
#include "model.h"
#include "move.h"
#include "nearest.h"
#include "perform.h"
#include "play.h"
#include "replay_process.h"
#include "report.h"
#include "troupe.h"
#include "weigh.h"
#include "whose.h"
#include "worker_part.h"

#define TEXT_SIZE 2048

/* What is to be played. */
struct wish {
    const char *as, *adapter; /* NULL: nobody takes part; the reference */
    enum adi_part part;
    uint64_t seed;
    bool emit_c;
    char text[TEXT_SIZE];
    const struct adi_device_ops *ops;
    struct adi_device_probe probe;
    int64_t id;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    struct adi_program program;
};

/* ---- reading the wish ---- */

static const char *type_name_at(size_t index) {
    const struct adi_sample_type *type = adi_sample_type(index);
    return type == NULL ? NULL : type->name;
}

static const char *shape_name_at(size_t index) {
    const struct adi_sample_shape *shape = adi_sample_shape(index);
    return shape == NULL ? NULL : shape->name;
}

static int unknown(const struct adi_command *command, const char *what, const char *word,
                   adi_name_at *names) {
    struct adi_error near;
    adi_nearest_text(word, names, &near);
    return adi_usage(command, "no %s is named %s%s", what, word, near.text);
}

static int read_device(const struct adi_command *command, char *word, struct wish *wish) {
    char *colon = strchr(word, ':'), *end = NULL;
    if (colon != NULL) *colon = '\0';
    wish->ops = adi_device_named(word);
    if (wish->ops == NULL && adi_device_type_named(word) != NULL)
        return adi_usage(command, "this build has no device %s; `adicheck devices` lists them",
                         word);
    if (wish->ops == NULL) return unknown(command, "device type", word, adi_device_type_name_at);
    wish->ops->probe(&wish->probe);
    if (wish->probe.count == 0)
        return adi_usage(command, "%s is not there: %s", word, wish->probe.why.text);
    wish->id = wish->probe.ids[0];
    if (colon == NULL) return 0;
    wish->id = strtoll(colon + 1, &end, 10);
    for (int i = 0; i < wish->probe.count; i++)
        if (end != colon + 1 && *end == '\0' && wish->probe.ids[i] == wish->id) return 0;
    return adi_usage(command, "there is no device %s:%s", word, colon + 1);
}

static int read_sample(const struct adi_command *command, char *word, struct wish *wish) {
    char *slash = strchr(word, '/');
    if (slash != NULL) *slash = '\0';
    const char *shape = slash == NULL ? "many" : slash + 1;
    wish->type = adi_sample_type_named(word);
    wish->shape = adi_sample_shape_named(shape);
    if (wish->type == NULL) return unknown(command, "type", word, type_name_at);
    if (wish->shape == NULL) return unknown(command, "shape", shape, shape_name_at);
    if (adi_sample_exists(wish->type, wish->shape)) return 0;
    return adi_usage(command, "there is no sample %s/%s", word, shape);
}

/* All arguments are one text, so that quotes may be left out. */
static int join(const struct adi_command *command, const struct adi_options *options,
                struct wish *wish) {
    size_t used = 0;
    for (size_t i = 0; i < options->n_arguments; i++) {
        int length = snprintf(wish->text + used, TEXT_SIZE - used, "%s%s", i > 0 ? " " : "",
                              options->arguments[i]);
        used += (size_t)length;
        if (used >= TEXT_SIZE)
            return adi_usage(command, "the program has more than %d characters", TEXT_SIZE - 1);
    }
    return 0;
}

static int read_part(const struct adi_command *command, struct wish *wish) {
    struct adi_error error;
    if (wish->adapter != NULL && wish->as == NULL)
        return adi_usage(command, "--adapter: say --as what: producer, consumer or relay");
    if (wish->adapter != NULL && adi_adapter_look(wish->adapter, &error) != 0)
        return adi_usage(command, "--adapter: %s", error.text);
    if (wish->as == NULL) return 0;
    if (wish->emit_c)
        return adi_usage(command, "--emit-c writes a program without an implementation; leave out "
                                  "--as and --adapter");
    for (size_t i = 0; adi_part_name_at(i) != NULL; i++)
        if (strcmp(adi_part_name_at(i), wish->as) == 0)
            wish->part = (enum adi_part)(ADI_PART_PRODUCER + i);
    return wish->part == ADI_PART_NONE ? unknown(command, "part", wish->as, adi_part_name_at) : 0;
}

/* An implementation is not to be blamed for what others break. */
static int expect_legal(const struct adi_command *command, const struct wish *wish) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct adi_error error;
    const char *rule;
    size_t at;
    char word[ADI_STEP_TEXT];
    if (adi_sample(wish->type, wish->shape, wish->seed, &schema, &array, &error) != 0)
        return adi_usage(command, "%s", error.text);
    bool legal = adi_program_is_legal(&wish->program, &schema, &at, &rule);
    adi_array_release(&array);
    adi_schema_release(&schema);
    if (legal) return 0;
    if (at == wish->program.n)
        return adi_usage(command, "--as: something is left at the end of the program (%s)", rule);
    return adi_usage(command, "--as: step %zu, %s, is not legal there (%s)", at + 1,
                     adi_step_text(&wish->program.steps[at], word),
                     rule == NULL ? "there is no such child" : rule);
}

static int read_wish(const struct adi_command *command, const struct adi_options *options,
                     struct wish *wish) {
    struct adi_error error;
    char device[64], sample[128];
    int at = 0;
    ADI_TRY(read_part(command, wish));
    ADI_TRY(join(command, options, wish));
    if (sscanf(wish->text, "%63s %127s %n", device, sample, &at) != 2 || at == 0)
        return adi_usage(command, "wanted a device, a type and steps: 'cpu struct e0 m01 x1'");
    ADI_TRY(read_device(command, device, wish));
    ADI_TRY(read_sample(command, sample, wish));
    if (adi_program_parse(wish->text + at, &wish->program, &error) != 0)
        return adi_usage(command, "in the steps \"%s\": %s", wish->text + at, error.text);
    return wish->part == ADI_PART_NONE ? 0 : expect_legal(command, wish);
}

/* ---- telling it ---- */

#define HEARD 8 /* findings, each of a rule of its own */

struct heard {
    const struct adi_rule *rule;
    enum adi_party party;
    struct adi_sight sight;
};

struct ear {
    struct adi_sink sink; /* first */
    struct heard heard[HEARD];
    size_t n;
};

static void hear(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                 const struct adi_sight *sight) {
    struct ear *ear = (struct ear *)(void *)sink;
    for (size_t i = 0; i < ear->n; i++)
        if (ear->heard[i].rule == rule) return;
    if (ear->n < HEARD) ear->heard[ear->n++] = (struct heard){rule, party, *sight};
}

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

/* Before it is done: it may be the last that is told. */
static void tell_step(size_t number, const struct adi_step *step) {
    char word[ADI_STEP_TEXT];
    printf("  step %-3zu %-7s %-18s ", number, adi_step_text(step, word),
           adi_life_operation_name(step->operation));
    fflush(stdout);
}

/* What came of it. */
static void tell_states(enum adi_model_verdict verdict, const struct adi_model *model) {
    char text[256];
    bool nothing = verdict == ADI_STEP_NOTHING;
    puts(nothing ? "there is no such child: nothing is done" : states(model, text));
    fflush(stdout);
}

static void tell_finding(const struct heard *heard) {
    const struct adi_rule *rule = heard->rule;
    printf("\n%s  %s  %s  %s\n      ", adi_verdict_name(adi_verdict_of_breach(rule, false)),
           rule->id, adi_level_name(rule->level), adi_party_name(heard->party));
    adi_clean_put(stdout, heard->sight.message);
    if (heard->sight.seen[0] != '\0') {
        printf("\n      saw ");
        adi_clean_put(stdout, heard->sight.seen);
        printf("   wanted ");
        adi_clean_put(stdout, heard->sight.wanted);
    }
    printf("\n      %s, \"%s\"\n      mend: %s\n", rule->document, rule->section, rule->mend);
}

static bool follows(const struct ear *ear, const struct adi_rule *rule) {
    for (size_t i = 0; i < ear->n; i++)
        if (ear->heard[i].rule != rule && adi_rule_implies(ear->heard[i].rule, rule)) return true;
    return false;
}

/* Tells what does not follow from something else. The exit status. */
static int tell_findings(const struct ear *ear) {
    int status = ADI_EXIT_OK;
    for (size_t i = 0; i < ear->n; i++) {
        if (follows(ear, ear->heard[i].rule)) continue;
        tell_finding(&ear->heard[i]);
        if (adi_verdict_of_breach(ear->heard[i].rule, false) == ADI_FAIL) status = ADI_EXIT_BROKEN;
    }
    return status;
}

/* ---- playing it ---- */

/* Plays the steps until one breaks a rule. An errno value: it cannot be played here. */
static int play_steps(const struct wish *wish, struct adi_performance *performance) {
    struct adi_model model;
    bool elsewhere = false;
    adi_model_init(&model);
    for (size_t i = 0; i < wish->program.n && performance->broken == 0; i++) {
        const struct adi_step *step = &wish->program.steps[i];
        const char *rule;
        enum adi_model_verdict verdict =
            adi_model_step(&model, step, &performance->schema, elsewhere, &rule);
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        tell_step(i + 1, step);
        int code = verdict == ADI_STEP_NOTHING ? 0 : adi_performance_step(performance, step);
        tell_states(verdict, &model);
        ADI_TRY(code);
    }
    if (performance->broken == 0) printf("  end      all slots are forgotten\n");
    adi_performance_finish(performance);
    return 0;
}

/* ---- an implementation's part ---- */

struct rehearsal {
    const struct wish *wish;
    struct adi_performance *performance;
};

static void play_again(void *rehearsal_at) {
    struct rehearsal *rehearsal = rehearsal_at;
    struct adi_performance *performance = rehearsal->performance;
    const struct adi_program *program = &rehearsal->wish->program;
    int code = 0;
    for (size_t i = 0; i < program->n && code == 0 && performance->broken == 0; i++)
        code = adi_performance_step(performance, &program->steps[i]);
    if (code == 0) adi_performance_finish(performance);
    adi_performance_restart(performance);
}

/* Is memory lost each time that it is played? */
static void weigh(const struct wish *wish, struct adi_performance *performance,
                  struct adi_adapter *adapter, struct ear *ear) {
    struct rehearsal rehearsal = {wish, performance};
    if (performance->broken > 0 || adi_performance_restart(performance) != 0) return;
    struct adi_weight before = adi_weigh(adapter);
    play_again(&rehearsal);
    char lost[ADI_WEIGHT_TEXT];
    if (adi_weight_text(
            adi_weigh_loss(adapter, performance->device, before, play_again, &rehearsal), lost))
        adi_report(&ear->sink, "life/memory-leaked",
                   wish->part == ADI_PART_CONSUMER ? ADI_CONSUMER : ADI_PRODUCER, NULL, NULL, "%s",
                   lost);
}

/* Who hears what the witness of the device says. */
struct listener {
    struct ear *ear;
    enum adi_part part;
    enum adi_party party;
};

static void hear_misuse(void *listener_at, enum adi_misuse misuse, bool is_event,
                        const char *text) {
    const struct listener *listener = listener_at;
    adi_queue_report(&listener->ear->sink, listener->party, listener->part != ADI_PART_PRODUCER,
                     misuse, is_event, text);
}

/* The implementation's part, if it has one. */
static int cast(const struct wish *wish, struct adi_worker_host *host,
                struct adi_troupe_context *context, struct listener *listener,
                struct adi_error *error) {
    const struct adi_witness *witness = adi_whose_witness();
    if (wish->part == ADI_PART_NONE) return 0;
    ADI_TRY(adi_adapter_load(wish->adapter, &context->adapter, error));
    bool before = adi_whose_enter(true);
    int code =
        context->adapter->open == NULL ? 0 : context->adapter->open(context->adapter, &host->host);
    adi_whose_enter(before);
    if (code == 0) adi_troupe_cast(context, wish->part);
    listener->part = wish->part;
    listener->party = wish->part == ADI_PART_CONSUMER ? ADI_CONSUMER : ADI_PRODUCER;
    adi_queue_begin(&host->device, &listener->ear->sink, &listener->party);
    if (witness != NULL) witness->listen(hear_misuse, listener);
    return code;
}

static int replay(const struct adi_command *command, const struct wish *wish) {
    (void)command;
    static struct adi_performance performance;
    static struct ear ear = {.sink = {.broken = hear}};
    static struct adi_worker_host host;
    struct adi_error error = {""};
    static struct listener listener = {.ear = &ear};
    struct adi_troupe_context context = {.performance = &performance};
    adi_worker_offer(&host);
    int code = adi_worker_open_device(&host, wish->ops, wish->id, &error);
    if (code == 0) {
        code = adi_performance_open(&performance, &host.device, wish->type, wish->shape, wish->seed,
                                    &ear.sink, NULL, &error);
        if (code == 0) {
            code = cast(wish, &host, &context, &listener, &error);
            if (code == 0) code = play_steps(wish, &performance);
            if (error.text[0] == '\0') error = performance.error;
            if ((code == 0 && context.adapter != NULL) || context.refused)
                weigh(wish, &performance, context.adapter, &ear);
            adi_performance_close(&performance);
            adi_queue_end();
        }
        adi_worker_close_device(&host);
    }
    if (ear.n == 0 && code != 0) {
        printf("\nerror  it cannot be played here: ");
        adi_clean_put(stdout, error.text[0] == '\0' ? strerror(code) : error.text);
        putchar('\n');
        return ADI_EXIT_UNDECIDED;
    }
    int log_error = adi_worker_sim_log_error();
    if (log_error != 0)
        fprintf(stderr, "adicheck replay: ADI_SIM_LOG: %s could not be written to its end: %s\n",
                getenv("ADI_SIM_LOG"), strerror(log_error));
    if (ear.n == 0 && log_error != 0) return ADI_EXIT_UNDECIDED;
    if (ear.n == 0) {
        printf("\npass  every step was legal\n");
        return ADI_EXIT_OK;
    }
    return tell_findings(&ear);
}

/* ---- as a program in C ---- */

static int emit(const struct adi_command *command, const struct wish *wish) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct adi_error error;
    char words[TEXT_SIZE + 32];
    if (adi_sample(wish->type, wish->shape, wish->seed, &schema, &array, &error) != 0) {
        fprintf(stderr, "adicheck replay: %s\n", error.text);
        return ADI_EXIT_UNDECIDED;
    }
    char steps[TEXT_SIZE];
    adi_program_text(&wish->program, steps, sizeof steps);
    snprintf(words, sizeof words, "adicheck replay '%s %s %s'", wish->ops->name, wish->type->name,
             steps);
    int code = adi_emit_c(&wish->program, &schema, words, stdout);
    adi_array_release(&array);
    adi_schema_release(&schema);
    if (code == E2BIG)
        return adi_usage(command, "--emit-c: the program does not fit into %d lines",
                         ADI_EMIT_LINES);
    return code == 0 && fflush(stdout) == 0 ? ADI_EXIT_OK : ADI_EXIT_UNDECIDED;
}

int adi_cmd_replay(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option table[] = {
        {"as", "PART", "what an implementation does: producer, consumer or relay", adi_take_text,
         offsetof(struct wish, as)},
        {"adapter", "FILE", "the implementation (the reference)", adi_take_text,
         offsetof(struct wish, adapter)},
        {"seed", "S", "of the sample data (1)", adi_take_seed, offsetof(struct wish, seed)},
        {"emit-c", NULL, "write it as a program in C, and play nothing", adi_take_flag,
         offsetof(struct wish, emit_c)},
        {0},
    };
    static struct wish wish = {.seed = 1};
    struct adi_options options;
    int status = adi_options_read(&options, command, table, argc, argv, &wish);
    if (status == 0) status = read_wish(command, &options, &wish);
    if (status == 0 && wish.part != ADI_PART_NONE && !adi_replay_is_apart())
        status = adi_replay_apart(argc, argv, wish.adapter);
    else if (status == 0)
        status = (wish.emit_c ? emit : replay)(command, &wish);
    adi_options_free(&options);
    return status < 0 ? ADI_EXIT_OK : status;
}
