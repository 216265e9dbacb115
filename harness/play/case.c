/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device_types.h"
#include "flaws.h"
#include "guard.h"
#include "heap.h"
#include "play.h"
#include "unwind.h"
#include "whose.h"

#define CASES 8192
#define PAIRS 16384 /* types times shapes */

/* How often a case is played again to see whether it loses memory each time: what the allocator
 * itself wastes grows and shrinks. */
#define REPEATS 12

#define GIVEN_BACK_MS 20 /* how late a device may be with what it gives back */

/* ---- which samples a scenario is worth playing with ---- */

static bool is_one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

#define SAMPLES(name)                                                                              \
    static bool name(const struct adi_scenario *scenario, const struct adi_sample_type *type,      \
                     const struct adi_sample_shape *shape)

SAMPLES(every) {
    (void)scenario, (void)type, (void)shape;
    return true;
}

SAMPLES(plain) {
    (void)scenario, (void)type;
    return strcmp(shape->name, "nulls") == 0 || strcmp(shape->name, "many") == 0;
}

SAMPLES(parents) {
    bool has_children = type->format[0] == '+' && strcmp(type->name, "struct_empty") != 0;
    return has_children && plain(scenario, type, shape);
}

SAMPLES(dictionaries) {
    return strncmp(type->name, "dictionary", 10) == 0 && plain(scenario, type, shape);
}

SAMPLES(few) {
    static const char *const types[] = {"int32", "utf8", "struct", "list_utf8"};
    (void)scenario;
    return is_one_of(type->name, types, sizeof types / sizeof *types) &&
           strcmp(shape->name, "many") == 0;
}

SAMPLES(flawed) {
    const struct adi_flaw *flaw = adi_flaw(scenario->parameter);
    return strcmp(type->name, flaw->type) == 0 && strcmp(shape->name, "many") == 0;
}

/* ---- the list ---- */

#define TEXT(words) #words
#define SCENARIO(name, role, party, rule, applies, play, parameter, what)                          \
    {TEXT(name), role, party, rule, what, parameter, false, false, applies, play},
#define QUEUED(name, role, party, rule, applies, play, parameter, what)                            \
    {TEXT(name), role, party, rule, what, parameter, true, false, applies, play},
#define FLAW(name, type, what, mutation)                                                           \
    {"consume-" TEXT(name),                                                                        \
     ADI_CONSUMES,                                                                                 \
     ADI_CONSUMER,                                                                                 \
     "array/malformed-input-crashes",                                                              \
     what,                                                                                         \
     0,                                                                                            \
     false,                                                                                        \
     true,                                                                                         \
     flawed,                                                                                       \
     adi_play_malformed},
static struct adi_scenario scenarios[] = {
#include "flaws.def"
#include "scenarios.def"
};
#undef SCENARIO
#undef QUEUED
#define SCENARIOS (sizeof scenarios / sizeof scenarios[0])

static struct adi_case cases[CASES];
static size_t n_cases;

static void add(const struct adi_scenario *scenario, const struct adi_sample_type *type,
                const struct adi_sample_shape *shape) {
    if (n_cases == CASES || !scenario->applies(scenario, type, shape)) return;
    struct adi_case *made = &cases[n_cases++];
    *made = (struct adi_case){.scenario = scenario, .type = type, .shape = shape};
    snprintf(made->name, sizeof made->name, "%s/%s/%s", type->name, shape->name, scenario->name);
}

/* Adds the scenario with every sample there is. */
static void add_samples(const struct adi_scenario *scenario, const bool *exists) {
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t h = 0; (shape = adi_sample_shape(h)) != NULL; h++)
            if (*exists++) add(scenario, type, shape);
}

static void make_list(void) {
    static bool exists[PAIRS];
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    size_t n = 0, flaw = 0;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t h = 0; (shape = adi_sample_shape(h)) != NULL; h++)
            exists[n++] = adi_sample_exists(type, shape);
    for (size_t s = 0; s < SCENARIOS; s++) {
        if (scenarios[s].applies == flawed) scenarios[s].parameter = (int64_t)flaw++;
        add_samples(&scenarios[s], exists);
    }
}

size_t adi_case_count(void) {
    if (n_cases == 0) make_list();
    return n_cases;
}

const struct adi_case *adi_case(size_t index) {
    return index < adi_case_count() ? &cases[index] : NULL;
}

const struct adi_scenario *adi_scenario(size_t index) {
    return adi_case_count() > 0 && index < SCENARIOS ? &scenarios[index] : NULL;
}

/* ---- which of them are for a device ---- */

bool adi_case_in_share(const struct adi_case *played, enum adi_share share) {
    static const char *const shapes[] = {"nulls",
                                         "empty",
                                         "offset",
                                         "view-several",
                                         "view-no-variadic",
                                         "sliced-child-of-sliced-parent",
                                         "batch",
                                         "view-empty-variadic",
                                         "batch-root-offset",
                                         "sliced-dictionary",
                                         "batch-zero-columns"};
    bool (*applies)(const struct adi_scenario *, const struct adi_sample_type *,
                    const struct adi_sample_shape *) = played->scenario->applies;
    if (share == ADI_SHARE_ALL || applies == few || applies == flawed) return true;
    if (share == ADI_SHARE_TASTE)
        return applies == every && strcmp(played->shape->name, "nulls") == 0;
    return is_one_of(played->shape->name, shapes, sizeof shapes / sizeof *shapes);
}

/* ---- playing ---- */

/* An oddity of the sample that an implementation may hand on: nobody is blamed for what it was
 * given. */
static bool was_given(const struct adi_trial *trial, const struct adi_rule *rule) {
    static const struct {
        unsigned trait;
        const char *rule;
    } given[] = {
        {ADI_SHAPE_UNALIGNED, "array/buffer-misaligned"},
        {ADI_SHAPE_NULL_OFFSETS, "array/offsets-omitted"},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if ((trial->now->shape->traits & given[i].trait) && strcmp(rule->id, given[i].rule) == 0)
            return true;
    return false;
}

static void hear(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                 const struct adi_sight *sight) {
    struct adi_trial *trial =
        (struct adi_trial *)(void *)((char *)sink - offsetof(struct adi_trial, sink));
    if (trial->muted || was_given(trial, rule)) return;
    trial->broken++;
    trial->log_sink->sink.broken(&trial->log_sink->sink, rule, party, sight);
}

static void hear_held(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_trial *trial =
        (struct adi_trial *)(void *)((char *)sink - offsetof(struct adi_trial, sink));
    if (!trial->muted && trial->log_sink->sink.held != NULL)
        trial->log_sink->sink.held(&trial->log_sink->sink, rule);
}

/* What is held: the process's allocator, and the implementation's own if it tells. */
struct holding {
    int64_t heap, own, objects;
};

static struct holding holding(struct adi_trial *trial) {
    struct adi_adapter *adapter = trial->adapter;
    int64_t own = adapter->bytes_allocated == NULL ? -1 : adapter->bytes_allocated(adapter);
    const struct adi_witness *witness = adi_whose_witness();
    return (struct holding){.heap = adi_heap_bytes(),
                            .own = own < 0 ? 0 : own,
                            .objects = witness == NULL ? 0 : (int64_t)witness->held()};
}

/* How much more is held than before. */
static struct holding more_than(struct adi_trial *trial, struct holding before) {
    struct holding now = holding(trial);
    return (struct holding){now.heap - before.heap, now.own - before.own,
                            now.objects - before.objects};
}

static bool any(struct holding more) {
    return more.heap > 0 || more.own > 0 || more.objects > 0;
}

/* On a device whose queues run by themselves some of it is given back a little later. */
static struct holding settled(struct adi_trial *trial, struct holding before) {
    bool late = adi_device_type_has_event(trial->device->ops->type);
    for (int ms = 0;; ms++) {
        struct holding more = more_than(trial, before);
        if (!any(more) || !late || ms == GIVEN_BACK_MS) return more;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static int64_t lesser(int64_t least, int64_t more) {
    return more < least || least <= 0 ? more : least;
}

/* Memory that stays held may be a cache that was filled for the first time. It is lost if that
 * happens each time that the case is played. */
static void judge_memory(struct adi_trial *trial, struct holding before) {
    struct holding lost = settled(trial, before);
    trial->muted = true;
    for (int i = 0; i < REPEATS && any(lost); i++) {
        before = holding(trial);
        trial->now->scenario->play(trial);
        struct holding more = settled(trial, before);
        lost = (struct holding){lesser(lost.heap, more.heap), lesser(lost.own, more.own),
                                lesser(lost.objects, more.objects)};
    }
    trial->muted = false;
    if (lost.objects > 0)
        adi_report(&trial->sink, "life/memory-leaked", trial->party, NULL, NULL,
                   "%lld references to objects of the device's runtime are still held after "
                   "everything was released, each time",
                   (long long)lost.objects);
    else if (any(lost))
        adi_report(&trial->sink, "life/memory-leaked", trial->party, NULL, NULL,
                   "%lld bytes are still held after everything was released, each time",
                   (long long)(lost.own > lost.heap ? lost.own : lost.heap));
}

static void conclude(struct adi_trial *trial) {
    const struct adi_rule *rule = adi_rule_named(trial->now->scenario->rule);
    if (!trial->judged && !trial->refused && !trial->skipped)
        adi_play_skip(trial, "not reached: an earlier step left nothing to judge");
    else if (trial->judged && !trial->skipped && !trial->refused)
        adi_log_write(trial->log, ADI_LOG_PASS, (int64_t)adi_rule_index(rule), trial->party, 0,
                      NULL, NULL, NULL, NULL);
}

void adi_case_play(struct adi_trial *trial, size_t index) {
    const struct adi_case *now = adi_case(index);
    trial->now = now;
    trial->party = now->scenario->party;
    trial->sink = (struct adi_sink){.broken = hear, .held = hear_held};
    trial->broken = 0;
    trial->muted = trial->refused = trial->skipped = trial->judged = false;
    adi_log_write(trial->log, ADI_LOG_CASE_BEGIN, (int64_t)index, trial->party, 0, now->name, NULL,
                  NULL, NULL);
    adi_guard_start(&trial->sink, trial->log, &trial->party);
    adi_unwind_start(&trial->sink, trial->log);
    adi_queue_listen(trial);
    adi_play_closer(trial, NULL);
    struct holding before = holding(trial);
    now->scenario->play(trial);
    if (trial->broken == 0) judge_memory(trial, before);
    conclude(trial);
    adi_log_sink_flush(trial->log_sink);
    adi_log_write(trial->log, ADI_LOG_CASE_END, (int64_t)index, trial->party, 0, NULL, NULL, NULL,
                  NULL);
}
