/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which an implementation takes part in programs: along every legal edge of the
 * life cycle, at random, or in the one that is asked for. What it exports is moved, parted, read
 * and released in every order, or what it consumes and relays has been. The first program that
 * something is found in is the last.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attribution.h"
#include "binding.h"
#include "cover.h"
#include "device_types.h"
#include "devices.h"
#include "model.h"
#include "play.h"
#include "random_program.h"
#include "trace.h"
#include "weigh.h"

#define CALLBACK_MS 5000 /* that one is waited for, where a step has no limit */

/* What an implementation is judged by in a cover, and what is told apart there. */
struct cover_of {
    int slots;        /* 0: that was the last */
    bool pends;       /* something is pending: a queue is paused and resumed each time */
    uint64_t exports; /* how what the programs are about comes about */
    uint64_t own;     /* of its operations, those that it does itself, or is judged at */
    unsigned makers;  /* what it makes */
};

#define ARRAYS                                                                                     \
    (ADI_COVER(move) | ADI_COVER(move_child) | ADI_COVER(move_dictionary) | ADI_COVER(wait) |      \
     ADI_COVER(read) | ADI_COVER(release))
#define READY_STREAMS (ADI_COVER(stream_export) | ADI_COVER(stream_export_failing))
#define CALLS         (ADI_COVER(stream_schema) | ADI_COVER(stream_next) | ADI_COVER(stream_error))
#define STREAMS       (ARRAYS | CALLS | ADI_COVER(schema_read))

/* What may have been done to a stream before somebody takes it over. */
#define TAKEN   (ADI_COVER(move) | ADI_COVER(release) | CALLS)
#define RELAYED (ADI_COVER_MAKER(relay) | ADI_COVER_MAKER(relayed_stream))
#define ASYNCS                                                                                     \
    (ADI_COVER(move) | ADI_COVER(wait) | ADI_COVER(read) | ADI_COVER(release) |                    \
     ADI_COVER(async_request) | ADI_COVER(async_next) | ADI_COVER(task_extract))
#define ENDS (ADI_COVER(async_refuse) | ADI_COVER(async_cancel))

static const struct part {
    unsigned role;
    uint64_t operations;
    struct cover_of covers[4];
} parts[] = {
    {ADI_PRODUCES,
     ARRAYS,
     {{3, false, ADI_COVER(export), ADI_COVER(export), ADI_COVER_MAKER(export)},
      {2, true, ADI_COVER(export_pending),
       ADI_COVER(export_pending) | ADI_COVER(wait) | ADI_COVER(read), 0}}},
    {ADI_CONSUMES,
     ARRAYS | ADI_COVER(consume),
     {{3, false, ADI_COVER(export), ADI_COVER(consume), 0},
      {2, true, ADI_COVER(export_pending), ADI_COVER(consume), 0}}},
    {ADI_RELAYS,
     ARRAYS | ADI_COVER(relay),
     {{3, false, ADI_COVER(export), ADI_COVER(relay), ADI_COVER_MAKER(relay)},
      {2, true, ADI_COVER(export_pending), ADI_COVER(relay), ADI_COVER_MAKER(relay)}}},
    {ADI_PRODUCES_STREAM,
     STREAMS,
     {{2, false, READY_STREAMS, READY_STREAMS | STREAMS, ADI_COVER_MAKER(stream)},
      {3, false, ADI_COVER(stream_export), ADI_COVER(stream_next) | ADI_COVER(read), 0},
      {2, true, ADI_COVER(stream_export_pending),
       ADI_COVER(stream_next) | ADI_COVER(wait) | ADI_COVER(read), 0}}},
    {ADI_CONSUMES_STREAM,
     TAKEN | ADI_COVER(stream_consume),
     {{2, false, READY_STREAMS, ADI_COVER(stream_consume), 0},
      {2, true, ADI_COVER(stream_export_pending), ADI_COVER(stream_consume), 0}}},
    {ADI_RELAYS_STREAM,
     STREAMS | ADI_COVER(stream_relay),
     {{2, false, READY_STREAMS, ADI_COVER(stream_relay), RELAYED},
      {2, true, ADI_COVER(stream_export_pending), ADI_COVER(stream_relay), RELAYED}}},
    {ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS,
     STREAMS,
     {{2, false, READY_STREAMS, READY_STREAMS | STREAMS, ADI_COVER_MAKER(stream)}}},
    {ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS,
     TAKEN | ADI_COVER(stream_consume),
     {{2, false, READY_STREAMS, ADI_COVER(stream_consume), 0}}},
    {ADI_PRODUCES_ASYNC,
     ASYNCS,
     {{2, false, ADI_COVER(async_begin) | ADI_COVER(async_begin_failing) | ENDS,
       ADI_COVER(async_request) | ENDS, 0},
      {3, false, ADI_COVER(async_begin), ADI_COVER(async_next) | ADI_COVER(read), 0},
      {3, false, ADI_COVER(async_begin) | ADI_COVER(async_begin_failing) | ENDS,
       ADI_COVER(task_extract) | ADI_COVER(read), 0},
      {3, true, ADI_COVER(async_begin_pending),
       ADI_COVER(task_extract) | ADI_COVER(wait) | ADI_COVER(read), 0}}},
};
#define COVERS (sizeof parts[0].covers / sizeof *parts[0].covers)

struct plays {
    struct adi_sink sink; /* first: collects what the execution finds */
    struct adi_test *test;
    struct adi_found deferred;          /* a finding that is not told yet; its rule NULL: none */
    const struct adi_rule *deferred_of; /* that it broke at first sight */
    struct adi_execution execution;
    struct adi_binding_context binding;
    const struct part *part;           /* of the implementation; NULL: the harness plays alone */
    const struct adi_program *program; /* the one at hand */
    const char *crash_rule;            /* what a crash in its step would break */
    bool tries;                        /* what comes before the first step */
    size_t played, refused, left_out;
    struct adi_error refusal; /* the first */
};

/* ---- what is found ---- */

static void tell_first(struct adi_sink *test, const struct adi_found *finding) {
    struct adi_found told = *finding;
    snprintf(told.message, sizeof told.message,
             "before the first step, where each task is extracted, or given up, within "
             "on_next_task: %.300s",
             finding->message);
    test->violated(test, &told);
}

/* Whether wrong values were exported or imported cannot be asked before the program is over. */
static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct plays *plays = (struct plays *)(void *)sink;
    struct adi_sink *test = &plays->test->sink;
    if (finding->aside) {
        test->violated(test, finding);
        return;
    }
    bool of_values = plays->execution.differs || adi_play_is_of_values(finding->rule);
    if (of_values && plays->deferred.rule == NULL && plays->part != NULL &&
        plays->part->role == ADI_PRODUCES) {
        const struct adi_rule *before = plays->execution.before;
        plays->deferred = *finding;
        plays->deferred_of = before == NULL ? finding->rule : before;
    } else if (plays->tries) {
        tell_first(test, finding);
    } else {
        test->violated(test, finding);
    }
}

static void on_last(struct adi_sink *sink) {
    adi_sink_last(&((struct plays *)(void *)sink)->test->sink);
}

static void tell_deferred(struct plays *plays) {
    struct adi_sink *sink = &plays->test->sink;
    if (plays->deferred.rule == NULL) return;
    if (adi_play_misreads(plays->test, plays->deferred_of))
        adi_play_report_misread(sink, &plays->deferred);
    else
        sink->violated(sink, &plays->deferred);
    plays->deferred.rule = NULL;
    adi_execution_restart(&plays->execution); /* what was asked has emptied the guard */
}

/* ---- playing a program ---- */

static void set_crash_rule(struct plays *plays, const char *rule) {
    if (rule == plays->crash_rule) return;
    plays->crash_rule = rule;
    adi_play_crash_rule(plays->test, rule);
}

/* Any thread. */
static void on_tell(void *plays_at, const char *rule) {
    struct plays *plays = plays_at;
    adi_play_crash_rule(plays->test, rule != NULL ? rule : plays->crash_rule);
}

/* Is there no such child? Where the harness plays alone its steps may be any. */
static bool does_nothing(const struct plays *plays, struct adi_model *model,
                         const struct adi_step *step) {
    const char *rule;
    return plays->part == NULL &&
           adi_model_step(model, step, &plays->execution.schema, plays->execution.elsewhere,
                          &rule) == ADI_STEP_NOTHING;
}

/* Nothing is left of what was played; answers `code`. */
static int leave(struct plays *plays, int code) {
    struct adi_execution *execution = &plays->execution;
    struct adi_test *test = plays->test;
    test->closed = test->closed || plays->binding.closed;
    /* Who has called when he must not may call again. */
    bool calls = plays->part != NULL && plays->part->role == ADI_PRODUCES_ASYNC;
    bool ends = (plays->binding.closed || calls) && execution->n_findings > 0;
    struct adi_error why = execution->error;
    int restarted = adi_execution_restart(execution);
    execution->error = why;
    test->over = test->over || ends || plays->binding.stays;
    return code != 0 ? code : restarted;
}

/* 0, or why it could not be played to its end. Nothing is left of it. */
static int execute(struct plays *plays) {
    struct adi_execution *execution = &plays->execution;
    struct adi_test *test = plays->test;
    char word[ADI_STEP_TEXT];
    struct adi_model model;
    int code = 0;
    adi_model_init(&model);
    for (size_t i = 0; i < plays->program->n && code == 0 && execution->n_findings == 0; i++) {
        const struct adi_step *step = &plays->program->steps[i];
        if (does_nothing(plays, &model, step)) continue;
        adi_log_stand(test->log, (unsigned)i + 1);
        adi_trace_step(adi_step_text(step, word), adi_life_operation_name(step->operation));
        set_crash_rule(plays, adi_execution_cause(execution, step));
        adi_log_move_on(test->log);
        code = adi_execution_step(execution, step);
    }
    set_crash_rule(plays, NULL);
    if (code == 0 && execution->n_findings == 0) {
        adi_log_stand(test->log, (unsigned)plays->program->n + 1);
        adi_execution_finish(execution);
    }
    return leave(plays, code);
}

static void execute_again(void *plays_at) {
    struct plays *plays = plays_at;
    if (plays->test->closed) return;
    plays->test->muted = plays->test->repeats = true;
    execute(plays);
    plays->test->strays += plays->deferred.rule != NULL;
    plays->deferred.rule = NULL;
    plays->test->muted = plays->test->repeats = false;
}

static int try_within(struct plays *plays) {
    plays->tries = true;
    int code = leave(plays, adi_execution_try_within(&plays->execution));
    plays->tries = false;
    return code;
}

static void try_within_again(void *plays_at) {
    struct plays *plays = plays_at;
    plays->test->muted = plays->test->repeats = true;
    plays->execution.async_within = ADI_ASYNC_UNTRIED;
    try_within(plays);
    plays->test->muted = plays->test->repeats = false;
}

static void tell_first_loss(struct plays *plays, struct adi_weight lost) {
    char what[ADI_WEIGHT_TEXT];
    plays->tries = true;
    if (plays->test->strays == 0 && adi_weight_text(lost, what))
        adi_charge(&plays->sink, ADI_CHARGE_LOSS, false, plays->test->party, NULL, what);
    plays->tries = false;
}

/* Once: what an implementation's tasks are like is no matter of the program at hand. */
static int try_first(struct plays *plays) {
    struct adi_test *test = plays->test;
    const bool is_async = plays->part != NULL && plays->part->role == ADI_PRODUCES_ASYNC;
    if (!is_async || plays->execution.async_within != ADI_ASYNC_UNTRIED) return 0;
    struct adi_weight before = adi_weigh(test->adapter);
    const size_t broken = test->n_findings;
    adi_log_stand(test->log, 0);
    adi_log_move_on(test->log);
    int code = try_within(plays);
    if (code == 0 && test->n_findings == broken && !test->muted && !test->over)
        tell_first_loss(plays, adi_weigh_loss(test->adapter, test->device, before, test->losses,
                                              try_within_again, plays));
    return code;
}

/* false: it was the last. */
static bool play(void *plays_at, const struct adi_program *program) {
    struct plays *plays = plays_at;
    struct adi_test *test = plays->test;
    size_t broken = test->n_findings;
    if (plays->part != NULL && adi_program_is_open(program, &plays->execution.schema)) {
        if (test->program != NULL)
            adi_play_skip(test, "a stream ends before its task is extracted (docs/ambiguities.md, "
                                "18), or there are two asynchronous streams at once: an "
                                "implementation need not put up with that");
        return true;
    }
    if (adi_test_is_long(test)) {
        plays->left_out++;
        return true; /* to know how many there are */
    }
    plays->program = program;
    plays->binding.refused = false;
    adi_play_program(test, program);
    int code = try_first(plays);
    struct adi_weight before = adi_weigh(test->adapter);
    if (code == 0 && test->n_findings == broken && !test->over) code = execute(plays);
    tell_deferred(plays);
    if (test->n_findings > broken) return false;
    if (plays->binding.unidentified) {
        adi_play_unidentified(test, &plays->execution.error);
        return false;
    }
    if (test->skipped) return false;
    if (code != 0 && !plays->binding.refused) {
        adi_play_error(test, test->program != NULL ? "" : "a program", &plays->execution.error);
        return false;
    }
    if (code != 0 && plays->refused == 0) plays->refusal = plays->execution.error;
    plays->refused += code != 0;
    plays->played += code == 0;
    if (test->closed || plays->binding.stays) return false; /* what is left behind is no leak */
    if (!test->muted)
        adi_test_leaks(test, adi_weigh_loss(test->adapter, test->device, before, test->losses,
                                            execute_again, plays));
    return test->n_findings == broken;
}

/* ---- which programs ---- */

static int play_cover(struct plays *plays, const struct cover_of *of) {
    struct adi_cover cover;
    ADI_TRY(adi_cover_open(&cover, &plays->execution.schema, of->slots,
                           plays->part->operations | of->exports, of->makers, true));
    adi_cover_programs(&cover, of->own, play, plays);
    adi_cover_free(&cover);
    return 0;
}

static void play_random(struct plays *plays, uint64_t wanted, int64_t count) {
    struct adi_random random = {.state = plays->test->seed};
    struct adi_program program;
    bool go_on = true;
    adi_random_stir(&random, plays->test->now->name);
    for (int64_t i = 0; i < count && go_on; i++) {
        adi_program_random(&program, &plays->execution.schema, wanted, &random);
        go_on = play(plays, &program);
    }
}

/* What is exported may be pending where there are events, and somebody sees who waits, and what is
 * behind an event. */
static bool may_pend(const struct plays *plays) {
    return adi_interceptor_current() != NULL &&
           adi_device_type_has_event(plays->test->device->ops->type);
}

static int play_all(struct plays *plays) {
    struct adi_test *test = plays->test;
    const struct part *part = plays->part;
    int64_t at_random = test->now->scenario->parameter;
    bool pends = may_pend(plays);
    if (test->program != NULL) {
        play(plays, test->program);
        return 0;
    }
    uint64_t wanted = part->operations;
    for (size_t i = 0; i < COVERS; i++)
        if (pends || !part->covers[i].pends) wanted |= part->covers[i].exports;
    if (at_random > 0) play_random(plays, wanted, at_random);
    if (at_random > 0) return 0;
    for (size_t i = 0; i < COVERS && part->covers[i].slots > 0; i++) {
        if (test->n_findings > 0 || test->skipped || test->closed) break;
        if (pends || !part->covers[i].pends) ADI_TRY(play_cover(plays, &part->covers[i]));
    }
    return 0;
}

/* Not all were played: that is no verdict, and nobody's fault. */
static void say_cut(struct plays *plays) {
    char text[ADI_FINDING_SIZE];
    size_t begun = plays->played + plays->refused;
    snprintf(text, sizeof text,
             "played %zu of %zu programs: each was in time, all of them take too long", begun,
             begun + plays->left_out);
    adi_play_skip(plays->test, text);
}

/* A stream may be cut into other chunks than programs are about: nothing is said of those. */
static bool is_cut_anew(const struct plays *plays) {
    bool in_cover = plays->test->program == NULL && plays->test->now->scenario->parameter == 0;
    const struct adi_binding *binding = &plays->execution.binding;
    bool of_streams =
        binding->produce_stream != NULL || binding->copies || binding->produce_async != NULL;
    return in_cover && of_streams && plays->played > 0 && plays->refused > 0;
}

static void say_refused(struct plays *plays) {
    char text[ADI_FINDING_SIZE];
    snprintf(text, sizeof text, "played %zu programs of %zu: %.400s", plays->played,
             plays->played + plays->refused, plays->refusal.text);
    adi_play_skip(plays->test, text);
}

/* The same: an implementation can end only once. */
static void say_ended(const struct plays *plays) {
    char text[ADI_FINDING_SIZE];
    snprintf(text, sizeof text,
             "played %zu programs, and none after: the implementation releases what it has taken "
             "over when it ends (`close`)",
             plays->played + plays->refused);
    adi_play_skip(plays->test, text);
}

/* That a callback may be waited for: as play_async_trial.c has it. */
static int limit_ms(const struct adi_test *test) {
    return test->step_ns > 0 ? (int)(test->step_ns / 2000000) : CALLBACK_MS;
}

void adi_play_programs(struct adi_test *test) {
    static struct plays plays;
    static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct adi_error error = {""};
    if (test->now->scenario->role == ADI_PRODUCES_ASYNC && !adi_queue_may_overlap(test)) return;
    test->is_weighed = true;
    memset(&plays, 0, sizeof plays);
    plays.sink = (struct adi_sink){.violated = on_finding, .last = on_last};
    plays.test = test;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].role == test->now->scenario->role) plays.part = &parts[i];
    const bool on_host = (test->now->scenario->role & ADI_ARRAY_STREAMS) != 0;
    int code = adi_execution_open(&plays.execution, on_host ? &cpu : test->device, test->now->type,
                                  test->now->shape, test->seed, &plays.sink, test->log, &error);
    if (code != 0) {
        adi_play_error(test, "no sample", &error);
        return;
    }
    plays.execution.party = test->party;
    plays.execution.on_host = on_host;
    plays.binding = (struct adi_binding_context){.adapter = test->adapter,
                                                 .test = test,
                                                 .execution = &plays.execution,
                                                 .limit_ms = limit_ms(test),
                                                 .tell = on_tell,
                                                 .of = &plays,
                                                 .ends = test->last && test->program != NULL};
    if (plays.part != NULL) adi_binding_set(&plays.binding, plays.part->role);
    if (play_all(&plays) != 0)
        adi_play_error(test, "no programs", &plays.execution.error);
    else if (test->closed && test->n_findings == 0 && test->program == NULL)
        say_ended(&plays);
    else if (plays.left_out > 0)
        say_cut(&plays);
    else if (is_cut_anew(&plays))
        say_refused(&plays);
    else if (plays.played > 0)
        test->judged = true;
    else if (plays.refused > 0)
        adi_play_refused(test, ENOTSUP);
    adi_execution_close(&plays.execution);
    test->over = test->over || plays.binding.stays;
    adi_guard_start(&test->sink, test->log, &test->party);
}
