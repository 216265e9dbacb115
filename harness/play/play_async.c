/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios in which the harness is the consumer of an asynchronous stream.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "play_async.h"

#define MANY      ((int64_t)1 << 32) /* batches, which may well be too many */
#define CANCELLED 100                /* times */

static const struct scenario {
    struct adi_async_conduct conduct;
    struct adi_async_design design;
    enum adi_async_hold hold;
    int64_t first;
} scenarios[] = {
#define ASKS(n)   .asks = true, .at_schema = n
#define NO_CANCEL .cancels_at = ADI_NEVER, .cancels = 1
    {{ASKS(1000), NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(1), .at_task = 1, NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(3), NO_CANCEL, .extraction = ADI_EXTRACT_LATER, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(2), .at_task = 1, NO_CANCEL, .extraction = ADI_EXTRACT_ELSEWHERE, .holds = true},
     {4, 0, 0, 0},
     0,
     0},
    {{ASKS(1000), NO_CANCEL, .gives_up = true}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(1), NO_CANCEL}, {0, 0, 0, 0}, 0, 0},
    {{.cancels_at = 0, .cancels = 1}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(3), .cancels_at = 1, .cancels = 1}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(2), .cancels_at = 1, .cancels = 4}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(1), .cancels_at = 1, .cancels = 1, .after_cancel = 1000}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(0), NO_CANCEL}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(-1), NO_CANCEL}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(INT64_MIN), NO_CANCEL}, {3, 0, 0, 0}, 0, 0},
    {{NO_CANCEL, .schema_refusal = EINVAL}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(3), NO_CANCEL, .task_refusal = EIO}, {3, 0, 0, 0}, 0, 0},
    {{ASKS(2), NO_CANCEL, .source_fails = true}, {0, EIO, 0, 0}, 0, 0},
    {{ASKS(2), NO_CANCEL, .source_fails = true}, {0, 0, ENOMEM, 0}, 0, 0},
    {{ASKS(5), NO_CANCEL, .source_fails = true}, {2, 0, EIO, 0}, 0, 0},
    {{NO_CANCEL, .extraction = ADI_EXTRACT_LATER, .holds = true}, {3, 0, 0, 0}, ADI_ASYNC_EACH, 0},
    {{ASKS(3), NO_CANCEL, .holds = true}, {3, 0, 0, 0}, ADI_ASYNC_ALL, 3},
    {{ASKS(3), NO_CANCEL, .holds = true}, {3, 0, 0, 0}, ADI_ASYNC_UNREAD, 0},
    {{ASKS(2), NO_CANCEL, .source_fails = true}, {1, 0, EIO, 1 << 20}, 0, 0},
    {{ASKS(2), NO_CANCEL, .source_fails = true, .has_no_error = true}, {1, 0, EIO, 0}, 0, 0},
    {{ASKS(2), .then = 1, NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(((int64_t)1 << 32) + 1), NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
    {{ASKS(INT64_MAX), NO_CANCEL, .holds = true}, {4, 0, 0, 0}, 0, 0},
};

static bool open_trial(struct adi_test *test, const struct scenario *scenario,
                       struct adi_async_trial *trial) {
    bool goes = adi_async_trial_open(test, &scenario->conduct, &scenario->design, trial);
    trial->hold = scenario->hold;
    trial->first = scenario->first;
    trial->fields = test->now->scenario->play == adi_play_async;
    return goes;
}

static void play(struct adi_async_trial *trial) {
    if (adi_async_trial_produce(trial)) adi_async_trial_end(trial);
}

/* What came on this thread, within the hand-over, could not be held; nor could nothing at all. */
static void play_scenario(struct adi_test *test, const struct scenario *scenario) {
    struct adi_async_trial trial;
    if (open_trial(test, scenario, &trial)) {
        play(&trial);
        if (!trial.was_held) adi_async_trial_look(&trial);
    }
    adi_async_trial_close(&trial);
}

void adi_play_async(struct adi_test *test) {
    play_scenario(test, &scenarios[test->now->scenario->parameter]);
}

/* Is what differs from a scenario in one thing alone played without a finding? */
static bool goes_without(struct adi_test *test, const struct scenario *scenario) {
    play_scenario(test, scenario);
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->over;
}

/* Where what is extracted within the call, behind the same requests, is right. */
void adi_play_async_copied(struct adi_test *test) {
    struct scenario scenario = scenarios[test->now->scenario->parameter], within = scenario;
    within.conduct.extraction = ADI_EXTRACT_WITHIN;
    if (!goes_without(test, &within)) return;
    scenario.conduct.is_known = true;
    adi_play_tell_as(test, "async/task-depends-on-address");
    play_scenario(test, &scenario);
    adi_play_tell_as(test, NULL);
}

/* AS-053: cancel is thread-safe. Without a sanitizer a race shows by its consequences alone, so
 * that it is tried many times. */
void adi_play_async_cancelled_threads(struct adi_test *test) {
    struct scenario scenario = scenarios[test->now->scenario->parameter];
    bool is_deep = adi_device_type_is_cpu(test->device->ops->type) &&
                   strcmp(test->now->type->name, "struct") == 0;
    if (!goes_without(test, &scenario) || !is_deep || test->muted) return;
    scenario.conduct.is_quick = true;
    test->brief = true;
    for (int i = 0; i < CANCELLED && !adi_test_is_long(test) && goes_without(test, &scenario); i++)
        continue;
    test->brief = false;
}

/* The same, where each race is seen that there is, whether it had any consequence or not. */
void adi_play_async_cancelled_race(struct adi_test *test) {
    if (dlsym(RTLD_DEFAULT, "__tsan_init") == NULL)
        adi_play_skip(test, "what several threads do at once is seen by luck only: the adapter is "
                            "not built with ThreadSanitizer (-fsanitize=thread)");
    else
        play_scenario(test, &scenarios[test->now->scenario->parameter]);
}

/* AS-046: requests add up, however large they are. Where one at a time is right. */
/* AS-048: that as many as can be counted are too many may be said by on_error. */
void adi_play_async_requested(struct adi_test *test) {
    struct scenario scenario = scenarios[test->now->scenario->parameter];
    if (!goes_without(test, &scenarios[1])) return;
    scenario.conduct.is_known = scenario.conduct.at_schema < MANY;
    play_scenario(test, &scenario);
}

/* Where no more comes than was requested before the cancel, if nothing is requested after it. */
void adi_play_async_after_cancel(struct adi_test *test) {
    struct scenario scenario = scenarios[test->now->scenario->parameter], without = scenario;
    without.conduct.after_cancel = 0;
    scenario.conduct.is_known = true;
    if (goes_without(test, &without)) play_scenario(test, &scenario);
}

void adi_play_async_outlived(struct adi_test *test) {
    struct scenario scenario = scenarios[0];
    struct adi_async_trial trial;
    if (!goes_without(test, &scenario)) return;
    scenario.conduct.holds = false;
    scenario.conduct.is_known = true;
    if (open_trial(test, &scenario, &trial)) {
        play(&trial);
        adi_async_trial_count(&trial);
        adi_play_tell_as(test, "async/chunk-depends-on-stream");
        adi_async_trial_look(&trial);
        adi_async_let_go(test, trial.handler, trial.sound);
        adi_play_tell_as(test, NULL);
    }
    adi_async_trial_close(&trial);
}

/* ---- what no consumer does ---- */

/* Is the type of the case refused, with whatever handler? */
static bool is_refused_anyway(struct adi_test *test, int *code) {
    struct adi_async_trial trial;
    test->refused = false;
    if (open_trial(test, &scenarios[0], &trial)) play(&trial);
    *code = trial.code;
    adi_async_trial_close(&trial);
    return test->refused && *code != 0;
}

/* Nothing but a crash or a hang counts. */
void adi_play_async_malformed(struct adi_test *test) {
    struct adi_async_trial trial;
    bool muted = test->muted;
    int code = 0;
    bool goes = open_trial(test, &scenarios[test->now->scenario->parameter], &trial);
    adi_play_crash_rule(test, "async/malformed-input-crashes");
    test->muted = true;
    if (goes) play(&trial);
    adi_async_trial_close(&trial);
    bool refuses = test->refused && is_refused_anyway(test, &code);
    test->muted = muted;
    if (goes) test->refused = test->skipped = false;
    if (refuses) adi_play_refused(test, code);
    test->judged = goes && !refuses;
    adi_play_crash_rule(test, NULL);
}

/* ---- the layout of ArrowAsyncProducer ---- */

/* Ambiguity 27. */
void adi_play_async_layout(struct adi_test *test) {
    struct adi_async_trial trial;
    if (open_trial(test, &scenarios[0], &trial)) {
        play(&trial);
        if (trial.handler->evidence == ADI_LAYOUT_UNKNOWN && test->n_findings == 0 &&
            !test->refused)
            adi_play_skip(test, "neither additional_metadata nor private_data of the producer is "
                                "set: nothing tells the layouts apart");
    }
    adi_async_trial_close(&trial);
}

/* ---- held queues ---- */

/* DV-016, AS-037: a task's array comes with its own event, which stands for all that writes it. */
void adi_play_async_held(struct adi_test *test) {
    struct scenario scenario = scenarios[test->now->scenario->parameter];
    if (!adi_queue_may_hold(test)) return;
    do {
        adi_queue_hold(test, true, false);
        play_scenario(test, &scenario);
        adi_queue_let_run(test);
    } while (--scenario.first > 0 && test->n_findings == 0 && !test->refused && !test->skipped &&
             !test->over);
}
