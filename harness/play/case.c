/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include <assert.h>
#include <string.h>

#include "async_feed.h"
#include "attribution.h"
#include "case_samples.h"
#include "charge.h"
#include "device_types.h"
#include "dlpack_stream.h"
#include "guard.h"
#include "guarded_tensor.h"
#include "malformations.h"
#include "play_stream.h"
#include "play_tensor.h"
#include "sample_own.h"
#include "trace.h"
#include "tree.h"
#include "unwind.h"

#define CASES       16384
#define SHAPES_MOST 256 /* of a type */

/* ---- the list ---- */

#define TEXT(words) #words
#define SCENARIO(name, role, party, rule, applies, play, parameter, what)                          \
    {TEXT(name), role, party, rule, what, parameter, ADI_ON_ALL, false, adi_samples_##applies,     \
     play},
#define QUEUED(name, role, party, rule, applies, play, parameter, what)                            \
    {TEXT(name), role, party, rule, what, parameter, ADI_ON_QUEUED, false, adi_samples_##applies,  \
     play},
#define NUMBERED(name, role, party, rule, applies, play, parameter, what)                          \
    {                                                                                              \
        TEXT(name),                                                                                \
        role,                                                                                      \
        party,                                                                                     \
        rule,                                                                                      \
        what,                                                                                      \
        parameter,                                                                                 \
        ADI_ON_NUMBERED,                                                                           \
        false,                                                                                     \
        adi_samples_##applies,                                                                     \
        play},
#define STREAMLESS(name, role, party, rule, applies, play, parameter, what)                        \
    {TEXT(name),                                                                                   \
     role,                                                                                         \
     party,                                                                                        \
     rule,                                                                                         \
     what,                                                                                         \
     parameter,                                                                                    \
     ADI_ON_STREAMLESS,                                                                            \
     false,                                                                                        \
     adi_samples_##applies,                                                                        \
     play},
#define ROBUST(name, role, party, rule, applies, play, parameter, what)                            \
    {TEXT(name), role, party, rule, what, parameter, ADI_ON_ALL, true, adi_samples_##applies, play},
#define MALFORMATION(name, type, what, mutation)                                                   \
    {"consume-" TEXT(name),                                                                        \
     ADI_CONSUMES,                                                                                 \
     ADI_CONSUMER,                                                                                 \
     "array/malformed-input-crashes",                                                              \
     what,                                                                                         \
     0,                                                                                            \
     ADI_ON_ALL,                                                                                   \
     true,                                                                                         \
     adi_samples_flawed,                                                                           \
     adi_play_malformed},
static struct adi_scenario scenarios[] = {
#include "malformations.def"
#include "scenarios.def"
};
#define SCENARIOS (sizeof scenarios / sizeof scenarios[0])

unsigned adi_case_role(const char *name) {
    const char *slash = strrchr(name, '/'), *scenario = slash == NULL ? name : slash + 1;
    for (size_t i = 0; i < SCENARIOS; i++)
        if (strcmp(scenarios[i].name, scenario) == 0) return scenarios[i].role;
    return 0;
}

static struct adi_case cases[CASES], fuzz_cases[CASES];
static size_t n_cases, n_fuzz_cases;

/* TYPE/SHAPE/SCENARIO, cut; by hand, as each process names thousands. */
static void name_case(struct adi_case *made) {
    const char *const words[] = {made->type->name, "/", made->shape->name, "/",
                                 made->scenario->name};
    char *at = made->name, *end = at + sizeof made->name - 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *word = words[i]; *word != '\0' && at < end;) *at++ = *word++;
    *at = '\0';
}

static void append(const struct adi_scenario *scenario, const struct adi_sample_type *type,
                   const struct adi_sample_shape *shape) {
    bool fuzz = scenario->applies == adi_samples_fuzzed;
    size_t *n = fuzz ? &n_fuzz_cases : &n_cases;
    assert(*n < CASES);
    struct adi_case *made = &(fuzz ? fuzz_cases : cases)[(*n)++];
    made->scenario = scenario;
    made->type = type;
    made->shape = shape;
    name_case(made);
}

static void make_list(void) {
    static struct adi_sample_named samples[ADI_SAMPLES_MOST];
    const struct adi_sample_shape *shapes[SHAPES_MOST];
    const struct adi_sample_type *type;
    size_t n = 0, malformation = 0;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++) {
        size_t n_shapes = adi_sample_shapes(type, shapes, SHAPES_MOST);
        for (size_t i = 0; i < n_shapes && i < SHAPES_MOST && n < ADI_SAMPLES_MOST; i++)
            samples[n++] = (struct adi_sample_named){type, shapes[i]};
    }
    for (size_t s = 0; s < SCENARIOS; s++) {
        if (scenarios[s].applies == adi_samples_flawed)
            scenarios[s].parameter = (int64_t)malformation++;
        const bool *holds = adi_samples_select(&scenarios[s], samples, n);
        for (size_t i = 0; i < n; i++)
            if (holds[i]) append(&scenarios[s], samples[i].type, samples[i].shape);
    }
}

size_t adi_case_count(void) {
    if (n_cases == 0) make_list();
    return n_cases;
}

/* What is made of a sample that is handed over, and of nothing else; of streams what has an end. */
static bool is_of_own(const struct adi_scenario *of) {
    const unsigned roles = ADI_PRODUCES | ADI_PRODUCES_DLPACK | ADI_PRODUCES_STREAM;
    return (of->role & ~roles) == 0 && of->applies != adi_samples_fuzzed &&
           of->play != adi_play_programs && of->play != adi_play_stream_fails &&
           adi_tensor_kind_of(of) == 0 && (of->play != adi_play_stream || of->parameter == 1);
}

void adi_case_list_own(bool is_listed) {
    static size_t n_others;
    if (n_others == 0) n_others = adi_case_count();
    n_cases = n_others;
    for (size_t s = 0; is_listed && s < SCENARIOS; s++)
        if (is_of_own(&scenarios[s]))
            append(&scenarios[s], adi_sample_own_type(), adi_sample_own_shape());
}

size_t adi_case_fuzz_count(void) {
    return adi_case_count() == 0 ? 0 : n_fuzz_cases;
}

size_t adi_case_of_programs(const struct adi_sample_type *type,
                            const struct adi_sample_shape *shape, unsigned role) {
    size_t i = 0;
    while (i < adi_case_fuzz_count() &&
           (fuzz_cases[i].type != type || fuzz_cases[i].shape != shape ||
            fuzz_cases[i].scenario->role != role))
        i++;
    return ADI_CASE_FUZZ + i;
}

const struct adi_case *adi_case(size_t index) {
    if (index < adi_case_count()) return &cases[index];
    if (index < ADI_CASE_FUZZ || index - ADI_CASE_FUZZ >= n_fuzz_cases) return NULL;
    return &fuzz_cases[index - ADI_CASE_FUZZ];
}

/* ---- which of them are for a device ---- */

enum adi_pace adi_case_pace(const struct adi_case *played) {
    if (played->scenario->role & (unsigned)ADI_ASYNC_ROLES) return ADI_PACE_WAITS;
    return played->scenario->play == adi_play_programs ? ADI_PACE_LONG : ADI_PACE_BRISK;
}

bool adi_case_goes_on(const struct adi_case *played, ArrowDeviceType type) {
    const bool goes[] = {
        [ADI_ON_ALL] = true,
        [ADI_ON_QUEUED] = adi_device_type_has_event(type),
        [ADI_ON_NUMBERED] = adi_dlpack_numbers(type) == ADI_DLPACK_NUMBERED,
        [ADI_ON_STREAMLESS] = adi_dlpack_numbers(type) == ADI_DLPACK_STREAMLESS,
    };
    return goes[played->scenario->devices];
}

/* ---- playing ---- */

static struct adi_sink *playing;

struct adi_sink *adi_case_sink(void) {
    return playing;
}

const struct adi_scenario *adi_case_scenario(void) {
    return playing == NULL ? NULL : adi_trial_of(playing)->now->scenario;
}

void adi_case_leave_values(void) {
    if (playing != NULL) adi_trial_of(playing)->leaves_values = true;
}

/* An oddity of the sample that an implementation may hand on: nobody is blamed for what it was
 * given. */
static bool was_given(const struct adi_test *test, const struct adi_rule *rule) {
    static const struct {
        unsigned trait;
        const char *rule;
    } given[] = {
        {ADI_SHAPE_UNALIGNED, "array/buffer-misaligned"},
        {ADI_SHAPE_NULL_OFFSETS, "array/offsets-omitted"},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if ((test->now->shape->traits & given[i].trait) && strcmp(rule->id, given[i].rule) == 0)
            return true;
    return false;
}

static const char prelude[] = "not played further: the plainer case that this one adds "
                              "something to fails, and is told on its own";

static void tell_aside(struct adi_test *test, const struct adi_found *finding) {
    if (test->muted || test->is_prelude || test->has_aside) return;
    test->has_aside = true;
    test->log_sink->sink.violated(&test->log_sink->sink, finding);
}

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_test *test = adi_trial_of(sink);
    if (adi_play_device_is_lost(test)) return;
    if (finding->aside) {
        tell_aside(test, finding);
        return;
    }
    if (was_given(test, finding->rule)) return;
    if (test->is_told) {
        test->strays++; /* it may have to be let be */
        return;
    }
    test->strays += test->muted;
    struct adi_found told = *finding;
    if (adi_role_is_of_tensors(test->now->scenario->role)) adi_charge_tensor(&told);
    if (test->muted || !adi_mistake_takes(&test->mistake, &told)) return;
    test->n_findings++;
    if (test->is_prelude) {
        if (!test->skipped) adi_play_skip(test, prelude);
        return;
    }
    adi_trace_write(test->log, told.rule->id);
    test->log_sink->sink.violated(&test->log_sink->sink, &told);
}

/* What ends the process is told in a repeat, and in what comes before a case: else that would be a
 * death without a cause. */
static void on_last(struct adi_sink *sink) {
    struct adi_test *test = adi_trial_of(sink);
    if (test->repeats) test->muted = false;
    test->is_told = false;
}

static void on_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    struct adi_test *test = adi_trial_of(sink);
    if (!test->muted && test->log_sink->sink.satisfied != NULL)
        test->log_sink->sink.satisfied(&test->log_sink->sink, rule);
}

/* The verdict is that of the first time. */
static void play_again(void *test_at) {
    struct adi_test *test = test_at;
    bool refused = test->refused, skipped = test->skipped, judged = test->judged;
    if (test->closed) return;
    test->muted = test->repeats = true;
    test->now->scenario->play(test);
    test->muted = test->repeats = false;
    test->refused = refused;
    test->skipped = skipped;
    test->judged = judged;
}

static void conclude(struct adi_test *test) {
    const struct adi_rule *rule = adi_rule_named(test->now->scenario->rule);
    if (adi_play_device_is_lost(test)) return;
    if (!test->judged && !test->refused && !test->skipped)
        adi_play_skip(test, "not reached: an earlier step left nothing to judge");
    else if (test->judged && !test->skipped && !test->refused)
        adi_log_write(test->log, ADI_LOG_PASS, (int64_t)adi_rule_index(rule), test->party, 0, NULL,
                      NULL, NULL, NULL);
}

/* Without its handlers the harness would see less, and be blind to its own mistakes. */
static bool keep_watch(struct adi_test *test) {
    struct adi_error why;
    int code = adi_guard_start(&test->sink, test->log, &test->party);
    if (code == 0) code = adi_unwind_start(&test->sink, test->log);
    if (code == 0) return true;
    adi_error_set(&why, code, "%s", strerror(code));
    adi_play_error(test, "no watch over memory", &why);
    return false;
}

void adi_case_play(struct adi_test *test, size_t index) {
    const struct adi_case *now = adi_case(index);
    test->now = now;
    test->party = now->scenario->party;
    test->sink =
        (struct adi_sink){.violated = on_finding, .satisfied = on_satisfied, .last = on_last};
    test->begun_ns = adi_now_ns();
    test->n_findings = test->strays = 0;
    test->mistake = adi_mistake(NULL, false), test->leaves_values = test->has_stream = false;
    test->muted = test->repeats = test->is_prelude = test->is_told = test->nested = false;
    test->refused = test->skipped = test->judged = test->is_weighed = test->has_aside = false;
    adi_log_write(test->log, ADI_LOG_CASE_BEGIN, (int64_t)index, test->party, 0, now->name, NULL,
                  NULL, NULL);
    adi_log_stand(test->log, 0);
    adi_play_crash_rule(test, NULL);
    adi_tree_wait_anew();
    playing = &test->sink;
    if (keep_watch(test)) {
        adi_queue_subscribe(test);
        adi_trace_start(adi_interceptor_current());
        struct adi_weight before = adi_weigh(test->adapter);
        now->scenario->play(test);
        if (test->n_findings == 0 && !test->skipped && !test->closed && !test->is_weighed)
            adi_test_leaks(test, adi_weigh_loss(test->adapter, test->device, before, test->losses,
                                                play_again, test));
    }
    adi_queue_end();
    playing = NULL;
    conclude(test);
    adi_log_sink_flush(test->log_sink);
    adi_log_write(test->log, ADI_LOG_CASE_END, (int64_t)index, test->party, 0, NULL, NULL, NULL,
                  NULL);
}
