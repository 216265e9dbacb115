/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which an implementation is taken along every legal edge of the life cycle: what
 * it exports is moved, parted, read and released in every order, or what it consumes and relays has
 * been. A finding is shrunk to the shortest program that shows it.
 */
#include <string.h>

#include "cover.h"
#include "play.h"
#include "shrink.h"
#include "troupe.h"

#define SLOTS 3

/* Which operations an implementation is judged by; those that it does itself are in all of them. */
#define COMMON                                                                                     \
    (ADI_COVER(export) | ADI_COVER(move) | ADI_COVER(move_child) | ADI_COVER(move_dictionary) |    \
     ADI_COVER(wait) | ADI_COVER(read) | ADI_COVER(release))

static const unsigned operations[] = {
    [ADI_PART_PRODUCER] = COMMON,
    [ADI_PART_CONSUMER] = COMMON | ADI_COVER(consume),
    [ADI_PART_RELAY] = COMMON | ADI_COVER(relay),
};

struct plays {
    struct adi_sink sink; /* first; hears while shrinking */
    struct adi_trial *trial;
    struct adi_performance performance;
    const struct adi_rule *wanted; /* what a shorter program has to show; NULL: hears for real */
    bool heard;
    struct adi_troupe_context troupe;
};

static void hear(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                 const struct adi_sight *sight) {
    struct plays *plays = (struct plays *)(void *)sink;
    if (plays->wanted != NULL) {
        plays->heard = plays->heard || rule == plays->wanted;
        return;
    }
    plays->wanted = rule;
    plays->heard = true;
    plays->trial->sink.broken(&plays->trial->sink, rule, party, sight);
}

/* ---- playing a program ---- */

/* What a crash in it would break. */
static const char *closer(const struct adi_program *program) {
    const char *rule = NULL;
    for (size_t i = 0; i < program->n; i++) {
        enum adi_life_operation operation = program->steps[i].operation;
        if (operation == ADI_DO_move_child || operation == ADI_DO_move_dictionary)
            return "life/child-depends-on-parent";
        if (operation == ADI_DO_move) rule = "life/depends-on-address";
        if (operation == ADI_DO_release_elsewhere && rule == NULL)
            rule = "life/release-on-other-thread";
    }
    return rule;
}

static void say(struct plays *plays, const struct adi_program *program) {
    char text[4 * ADI_PROGRAM_STEPS];
    const struct adi_case *now = plays->trial->now;
    adi_play_program(plays->trial, "%s/%s %s", now->type->name, now->shape->name,
                     adi_program_text(program, text, sizeof text));
}

/* 0, or why it could not be played to its end. */
static int perform(struct plays *plays, const struct adi_program *program) {
    struct adi_performance *performance = &plays->performance;
    ADI_TRY(adi_performance_restart(performance));
    for (size_t i = 0; i < program->n && performance->broken == 0; i++)
        ADI_TRY(adi_performance_step(performance, &program->steps[i]));
    if (performance->broken == 0) adi_performance_finish(performance);
    return 0;
}

/* Is every step of it legal, so that what is found is the implementation's? */
static bool is_legal(const struct plays *plays, const struct adi_program *program) {
    struct adi_model model;
    const char *rule;
    bool elsewhere = false;
    adi_model_init(&model);
    for (size_t i = 0; i < program->n; i++) {
        const struct adi_step *step = &program->steps[i];
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        if (adi_model_step(&model, step, &plays->performance.schema, elsewhere, &rule) !=
            ADI_STEP_LEGAL)
            return false;
    }
    return true;
}

static bool shows(void *context, const struct adi_program *program) {
    struct plays *plays = context;
    if (!is_legal(plays, program)) return false;
    plays->heard = false;
    return perform(plays, program) == 0 && plays->heard;
}

static void shrink(struct plays *plays, const struct adi_program *found) {
    static struct adi_program program;
    program = *found;
    adi_shrink(&program, shows, plays);
    if (shows(plays, &program) && shows(plays, &program)) say(plays, &program);
}

static bool play(void *context, const struct adi_program *program) {
    struct plays *plays = context;
    struct adi_trial *trial = plays->trial;
    say(plays, program);
    adi_play_closer(trial, closer(program));
    plays->wanted = NULL;
    plays->heard = false;
    int code = perform(plays, program);
    adi_play_closer(trial, NULL);
    if (plays->heard)
        shrink(plays, program);
    else if (code != 0)
        adi_play_refused(trial, code);
    else
        trial->judged = true;
    return code == 0 && !plays->heard;
}

static void play_all(struct adi_trial *trial, enum adi_part part) {
    static struct plays plays;
    struct adi_error error = {""};
    struct adi_cover cover;
    memset(&plays, 0, sizeof plays);
    plays.sink.broken = hear;
    plays.trial = trial;
    int code =
        adi_performance_open(&plays.performance, trial->device, trial->now->type, trial->now->shape,
                             trial->seed, &plays.sink, trial->log, &error);
    if (code != 0) {
        adi_play_error(trial, "no sample", &error);
        return;
    }
    plays.performance.party = trial->party;
    plays.troupe = (struct adi_troupe_context){trial->adapter, &plays.performance};
    adi_troupe_cast(&plays.troupe, part);
    code = adi_cover_open(&cover, &plays.performance.schema, SLOTS, operations[part], true);
    if (code == 0) {
        adi_cover_programs(&cover, play, &plays);
        adi_cover_free(&cover);
    }
    if (code != 0) adi_play_error(trial, "no programs", &(struct adi_error){"out of memory"});
    adi_performance_close(&plays.performance);
    adi_guard_start(&trial->sink, trial->log, &trial->party);
}

void adi_play_program_export(struct adi_trial *trial) {
    play_all(trial, ADI_PART_PRODUCER);
}

void adi_play_program_consume(struct adi_trial *trial) {
    play_all(trial, ADI_PART_CONSUMER);
}

void adi_play_program_relay(struct adi_trial *trial) {
    play_all(trial, ADI_PART_RELAY);
}
