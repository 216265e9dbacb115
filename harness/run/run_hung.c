/* SPDX-License-Identifier: Apache-2.0 */
#include "run_hung.h"

#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "case.h"
#include "run_internal.h"
#include "run_need.h"

#define HANGS   3  /* of one cause on one device; with them the rest is left out */
#define CAUSES  4  /* that a hang is put down to */
#define CRASHES 64 /* of one operation on one device, and nothing else */
#define SPREAD                                                                                     \
    61 /* then one in so many cases is played: prime, so that all types and shapes are             \
        */

enum state {
    FREE,
    SUSPECTED, /* its first hang is being confirmed */
    CONFIRMED,
    CLOSED,
    TRIED, /* closed on an earlier device: one case is being played */
};

/* What may hang, by what its cases have in common: an operation (a role or a scenario), an
 * operation with one type or one shape, a sample, or the load, which every case needs (nothing is
 * set). */
struct adi_cause {
    unsigned role;
    const struct adi_scenario *scenario;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;

    enum state state;      /* on the device at hand */
    int64_t hung[HANGS];   /* cases, each unlike the others */
    size_t n_hung;         /* of them */
    int64_t tried_case;    /* the case that is tried; -1: none */
    size_t crashed, ended; /* how many of its cases did, on the device at hand */
    bool spread;           /* all crashed so far: a few are played */
    bool takes_memory;     /* seen once at least */

    bool was_closed, was_spread; /* on an earlier device */
    const char *did;             /* "hung" */
    char what[64], first[128], device[40];
};

/* ---- causes ---- */

static bool has(const struct adi_cause *cause, const struct adi_case *played) {
    return (cause->role == 0 || cause->role == played->scenario->role) &&
           (cause->scenario == NULL || cause->scenario == played->scenario) &&
           (cause->type == NULL || cause->type == played->type) &&
           (cause->shape == NULL || cause->shape == played->shape);
}

static bool is_load(const struct adi_cause *cause) {
    return cause->role == 0 && cause->scenario == NULL && cause->type == NULL;
}

/* Its first hang says nothing yet of one type or one shape alone. */
static bool is_narrow(const struct adi_cause *cause) {
    return cause->role != 0 && (cause->type != NULL || cause->shape != NULL);
}

static struct adi_cause *cause_of(struct adi_run *run, const struct adi_cause *like) {
    struct adi_hung *hung = &run->hung;
    for (size_t i = 0; i < hung->n_causes; i++) {
        struct adi_cause *cause = &hung->causes[i];
        if (cause->role == like->role && cause->scenario == like->scenario &&
            cause->type == like->type && cause->shape == like->shape)
            return cause;
    }
    hung->causes = adi_need(reallocarray(hung->causes, hung->n_causes + 1, sizeof *hung->causes));
    struct adi_cause *made = &hung->causes[hung->n_causes++];
    *made = *like;
    made->tried_case = -1;
    return made;
}

static const struct adi_result *row_at_limit(const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (outcome->rows[i].at_limit) return &outcome->rows[i];
    return NULL;
}

bool adi_outcome_at_limit(const struct adi_outcome *outcome) {
    return row_at_limit(outcome) != NULL;
}

/* The rule of the case that it broke; none if it may happen anywhere. */
static bool is_of_the_case(const struct adi_result *row) {
    return row != NULL && row->rule != NULL && strcmp(row->rule->id, "life/hang") != 0 &&
           strcmp(row->rule->id, "life/crash") != 0;
}

/* Nobody died of it. */
static bool was_waited_for(const struct adi_result *row) {
    return row != NULL && !adi_result_is_death(row);
}

/* A recommendation that is not kept leaves nothing undecided: what others it may hide is played. */
static bool counts(const struct adi_result *row) {
    return row == NULL || (row->verdict != ADI_WARN && row->verdict != ADI_NOTE);
}

static const char *what_came(const struct adi_result *row) {
    if (was_waited_for(row)) return "was waited for in vain";
    return row != NULL && row->verdict == ADI_CRASH ? "used too much memory" : "hung";
}

const char *adi_outcome_limit_text(const struct adi_outcome *outcome) {
    return what_came(row_at_limit(outcome));
}

/* A program does more than its role's operation does in any case: it is what hangs, once another
 * case of the role has come to its end. */
static bool is_of_the_program(struct adi_run *run, const struct adi_outcome *outcome) {
    const struct adi_cause role = {.role = adi_case((size_t)outcome->index)->scenario->role};
    return outcome->program != NULL && cause_of(run, &role)->ended > 0;
}

/* What an outcome that hangs is put down to, the operation first. Pointers into the table: until
 * the next call. */
static size_t causes_of(struct adi_run *run, const struct adi_outcome *outcome,
                        struct adi_cause *out[CAUSES]) {
    struct adi_cause likes[CAUSES] = {{0}};
    size_t n = 1;
    if (outcome->index >= 0) {
        const struct adi_case *played = adi_case((size_t)outcome->index);
        if (is_of_the_case(row_at_limit(outcome)) || is_of_the_program(run, outcome))
            likes[0].scenario = played->scenario;
        else
            likes[0].role = played->scenario->role;
        if (!was_waited_for(row_at_limit(outcome))) {
            likes[n++] = (struct adi_cause){.role = played->scenario->role, .type = played->type};
            likes[n++] = (struct adi_cause){.role = played->scenario->role, .shape = played->shape};
            likes[n++] = (struct adi_cause){.type = played->type, .shape = played->shape};
        }
    }
    for (size_t i = 0; i < n; i++) cause_of(run, &likes[i]); /* may move the table */
    for (size_t i = 0; i < n; i++) out[i] = cause_of(run, &likes[i]);
    return n;
}

static bool took_memory(const struct adi_outcome *outcome) {
    const struct adi_result *row = row_at_limit(outcome);
    return row != NULL && row->verdict == ADI_CRASH;
}

/* What the sentence calls it: what was waited for, or the last step, which is the call that did
 * not return. On a busy machine what takes memory may first be seen as late. */
static void name(struct adi_cause *cause, const struct adi_outcome *outcome, const char *device) {
    const char *step = outcome->n_steps == 0 ? "" : outcome->steps[outcome->n_steps - 1];
    const struct adi_result *row = row_at_limit(outcome);
    if (cause->did != NULL && (cause->takes_memory || !took_memory(outcome))) return;
    cause->takes_memory = took_memory(outcome);
    if (outcome->index < 0)
        snprintf(cause->what, sizeof cause->what, "%s", adi_outcome_name(outcome->index));
    else if (was_waited_for(row) && row->wanted[0] != '\0')
        snprintf(cause->what, sizeof cause->what, "%s", row->wanted);
    else
        snprintf(cause->what, sizeof cause->what, "%.*s", (int)strcspn(step, " "), step);
    cause->did = adi_outcome_limit_text(outcome);
    snprintf(cause->first, sizeof cause->first, "%s", adi_outcome_name(outcome->index));
    snprintf(cause->device, sizeof cause->device, "%s", device);
}

/* Do two cases that hung tell more of their cause than one? */
static bool is_unlike(const struct adi_cause *cause, const struct adi_case *a,
                      const struct adi_case *b) {
    bool type = a->type != b->type, shape = a->shape != b->shape;
    if (cause->type != NULL) return cause->shape != NULL ? a->scenario != b->scenario : shape;
    if (cause->shape != NULL) return type;
    return cause->scenario != NULL ? type || shape : type && shape;
}

static bool is_new(const struct adi_cause *cause, int64_t index) {
    for (size_t i = 0; i < cause->n_hung; i++)
        if (index < 0 ||
            !is_unlike(cause, adi_case((size_t)cause->hung[i]), adi_case((size_t)index)))
            return false;
    return true;
}

static void count_hang(struct adi_cause *cause, const struct adi_outcome *outcome) {
    int64_t index = outcome->index;
    if (cause->state == CLOSED) return;
    cause->state = is_narrow(cause) ? FREE : CONFIRMED;
    if (!counts(row_at_limit(outcome))) return;
    if (cause->n_hung < HANGS && is_new(cause, index)) cause->hung[cause->n_hung++] = index;
    if (cause->n_hung < HANGS && !is_load(cause)) return;
    cause->state = CLOSED;
    cause->was_closed = true;
}

/* ---- a device, a round ---- */

void adi_hung_free(struct adi_hung *hung) {
    free(hung->causes);
    free(hung->cases);
}

bool adi_hung_is_calm(const struct adi_hung *hung) {
    for (size_t i = 0; i < hung->n_causes; i++) {
        const struct adi_cause *cause = &hung->causes[i];
        if (cause->state != FREE || cause->n_hung > 0 || cause->spread || cause->was_closed ||
            cause->was_spread)
            return false;
    }
    return true;
}

/* The case that is tried on a further device: one that hung, if there is one. */
static int64_t find_tried_case(const struct adi_run *run, const struct adi_cause *cause) {
    int64_t found = -1;
    for (size_t i = 0; i < run->n_cases; i++) {
        if (!has(cause, adi_case(run->cases[i]))) continue;
        if (run->hung.cases[run->cases[i]]) return (int64_t)run->cases[i];
        if (found < 0) found = (int64_t)run->cases[i];
    }
    return found;
}

/* Is there an operation with all or some of its cases that is tried for it? */
static bool is_within_closed(const struct adi_run *run, const struct adi_cause *cause) {
    for (size_t i = 0; i < run->hung.n_causes; i++) {
        const struct adi_cause *wide = &run->hung.causes[i];
        bool is_role = wide->role != 0 && wide->type == NULL && wide->shape == NULL;
        bool overlaps = cause->role == 0 ? cause->scenario == NULL && cause->type != NULL
                                         : cause->role == wide->role;
        if (cause->scenario != NULL) overlaps = cause->scenario->role == wide->role;
        if (wide != cause && is_role && wide->was_closed && overlaps) return true;
    }
    return false;
}

void adi_hung_begin_device(struct adi_run *run) {
    struct adi_hung *hung = &run->hung;
    if (hung->cases == NULL)
        hung->cases = adi_need(calloc(adi_case_count() + 1, sizeof *hung->cases));
    for (size_t i = 0; i < hung->n_causes; i++) {
        struct adi_cause *cause = &hung->causes[i];
        cause->state = FREE;
        cause->n_hung = cause->crashed = cause->ended = 0;
        cause->spread = cause->was_spread;
        cause->tried_case =
            cause->was_closed && !is_within_closed(run, cause) ? find_tried_case(run, cause) : -1;
        if (cause->tried_case >= 0) cause->state = TRIED;
    }
}

void adi_hung_begin_round(struct adi_run *run) {
    for (size_t i = 0; i < run->hung.n_causes; i++) {
        struct adi_cause *cause = &run->hung.causes[i];
        bool tried = cause->tried_case >= 0 && run->final[cause->tried_case].rows != NULL;
        if (cause->state == SUSPECTED || (cause->state == TRIED && tried)) cause->state = FREE;
        if (cause->spread && cause->ended > 0) cause->spread = false;
        if (!cause->spread || cause->crashed == 0) continue;
        cause->state = CLOSED;
        cause->was_spread = true;
    }
}

void adi_hung_resume(struct adi_run *run) {
    for (size_t i = 0; i < run->hung.n_causes; i++) {
        struct adi_cause *cause = &run->hung.causes[i];
        if (cause->state == SUSPECTED || cause->state == TRIED) cause->state = FREE;
        if (cause->state == FREE) cause->spread = false;
    }
}

/* ---- what becomes of a case ---- */

static enum adi_standing standing_by(const struct adi_cause *cause, size_t index) {
    switch (cause->state) {
    case SUSPECTED:
        return ADI_STANDING_WAIT;
    case CONFIRMED:
        return ADI_STANDING_BRIEF;
    case CLOSED:
        return ADI_STANDING_SKIP;
    case TRIED:
        return (int64_t)index == cause->tried_case ? ADI_STANDING_BRIEF : ADI_STANDING_WAIT;
    case FREE:
        break;
    }
    return cause->spread && index % SPREAD != 0 ? ADI_STANDING_WAIT : ADI_STANDING_PLAY;
}

/* A crash is counted by role alone. */
static const char *role_name(unsigned role) {
    static const struct {
        unsigned role;
        const char *name;
    } names[] = {
        {ADI_PRODUCES, "produce"},
        {ADI_CONSUMES, "consume"},
        {ADI_RELAYS, "relay"},
        {ADI_PRODUCES_STREAM, "produce_stream"},
        {ADI_CONSUMES_STREAM, "consume_stream"},
        {ADI_RELAYS_STREAM, "relay_stream"},
        {ADI_PRODUCES_ASYNC, "produce_async"},
        {ADI_CONSUMES_ASYNC, "consume_async"},
        {ADI_PRODUCES_DLPACK, "produce_dlpack"},
        {ADI_CONSUMES_DLPACK, "consume_dlpack"},
    };
    size_t i = 0;
    while (names[i].role != adi_role_slot(role)) i++;
    return names[i].name;
}

static void say_why(const struct adi_cause *cause, struct adi_error *why) {
    if (why == NULL) return;
    if (cause->spread)
        adi_error_set(why, 0,
                      "not played: all cases with %s that were played ended in a crash (%zu)",
                      role_name(cause->role), cause->crashed);
    else
        adi_error_set(why, 0, "not played: %s %s (%s on %s)", cause->what, cause->did, cause->first,
                      cause->device);
}

enum adi_standing adi_hung_standing(const struct adi_run *run, size_t index,
                                    struct adi_error *why) {
    const struct adi_case *played = adi_case(index);
    enum adi_standing worst = run->hung.cases[index] ? ADI_STANDING_BRIEF : ADI_STANDING_PLAY;
    for (size_t i = 0; i < run->hung.n_causes; i++) {
        const struct adi_cause *cause = &run->hung.causes[i];
        enum adi_standing standing =
            has(cause, played) ? standing_by(cause, index) : ADI_STANDING_PLAY;
        /* Two trials must not wait for each other. */
        if (cause->state == TRIED && (int64_t)index == cause->tried_case) return standing;
        if (standing <= worst) continue;
        worst = standing;
        if (standing == ADI_STANDING_SKIP) say_why(cause, why);
    }
    return worst;
}

bool adi_hung_load_is_tried(const struct adi_run *run) {
    for (size_t i = 0; i < run->hung.n_causes; i++)
        if (is_load(&run->hung.causes[i]) && run->hung.causes[i].state == TRIED) return true;
    return false;
}

/* ---- what happens ---- */

static bool is_known(const struct adi_cause *cause) {
    return cause->state == SUSPECTED || cause->state == CONFIRMED || cause->state == CLOSED;
}

bool adi_hung_suspect(struct adi_run *run, const struct adi_outcome *outcome) {
    struct adi_cause *causes[CAUSES];
    size_t n = causes_of(run, outcome, causes);
    for (size_t i = 0; i < run->hung.n_causes && outcome->index >= 0; i++)
        if (has(&run->hung.causes[i], adi_case((size_t)outcome->index)) &&
            is_known(&run->hung.causes[i]))
            return false;
    if (is_known(causes[0])) return false;
    for (size_t i = 0; i < n; i++) {
        if (!is_narrow(causes[i])) causes[i]->state = SUSPECTED;
        name(causes[i], outcome, run->device->name);
    }
    return true;
}

void adi_hung_excuse(struct adi_run *run, struct adi_outcome *outcome) {
    struct adi_cause *causes[CAUSES];
    struct adi_error text;
    const struct adi_result *row = row_at_limit(outcome);
    bool late = row == NULL || row->verdict == ADI_TIMEOUT || was_waited_for(row);
    size_t n = causes_of(run, outcome, causes);
    /* What was tried may be another cause than those that the hang is put down to. */
    for (size_t i = 0; i < run->hung.n_causes; i++) {
        struct adi_cause *cause = &run->hung.causes[i];
        bool tried = cause->tried_case == outcome->index || (is_load(cause) && outcome->index < 0);
        if (cause->state == TRIED && tried) cause->state = CLOSED;
    }
    for (size_t i = 0; i < n; i++) {
        name(causes[i], outcome, run->device->name);
        count_hang(causes[i], outcome);
    }
    adi_error_set(&text, 0, "not played to its end: it %s, and %s %s (%s on %s)",
                  late ? "did not end within a second" : what_came(row), causes[0]->what,
                  causes[0]->did, causes[0]->first, causes[0]->device);
    if (outcome->index >= 0) run->hung.cases[outcome->index] = true;
    for (size_t i = 0; i < outcome->n_rows; i++) {
        struct adi_result *at = &outcome->rows[i];
        if (!at->at_limit && at->doubt != ADI_DOUBT_STARVED) {
            at->confirmed = at->confirmed && !adi_result_is_finding(at);
            continue;
        }
        at->unplayed = counts(at);
        at->verdict = ADI_SKIP;
        at->at_limit = false;
        at->doubt = ADI_NO_DOUBT;
        adi_result_set(&at->message, "%s", text.text);
    }
}

/* Is it a crash that was the operation's, whatever came before? */
static bool crashes(const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (outcome->rows[i].verdict == ADI_CRASH) return true;
    return false;
}

void adi_hung_count(struct adi_run *run, const struct adi_outcome *outcome) {
    if (outcome->index < 0 || adi_outcome_at_limit(outcome)) return;
    const struct adi_cause like = {.role = adi_case((size_t)outcome->index)->scenario->role};
    struct adi_cause *cause = cause_of(run, &like);
    if (crashes(outcome) && !outcome->ended)
        cause->crashed++;
    else
        cause->ended++;
    if (cause->crashed >= CRASHES && cause->ended == 0) cause->spread = true;
}

void adi_hung_conclude(struct adi_run *run, const struct adi_outcome *outcome) {
    struct adi_cause *causes[CAUSES];
    int64_t index = outcome->index;
    if (index < ADI_PHASE_LOAD || !adi_outcome_at_limit(outcome)) return;
    size_t n = causes_of(run, outcome, causes);
    for (size_t i = 0; i < n; i++) {
        name(causes[i], outcome, run->device->name);
        count_hang(causes[i], outcome);
    }
    if (index >= 0) run->hung.cases[index] = true;
}
