/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios with streams on a device whose queues are paused, and paused again from chunk to
 * chunk: what has not been waited for has not happened.
 */
#include "attribution.h"
#include "play_stream.h"

static bool may_pause(struct adi_test *test) {
    if (adi_interceptor_current() != NULL) return true;
    adi_play_skip(test, "nothing sees this device's calls, so its queues cannot be held");
    return false;
}

static void hold(struct adi_test *test, bool again) {
    if (again) adi_interceptor_resume();
    adi_play_step(test, "hold", "the queues of the implementation");
    adi_interceptor_pause(true);
}

static bool has_expired(void) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    return ADI_INTERCEPTOR_HAS(interceptor, expired) && interceptor->expired();
}

static void let_run(struct adi_test *test) {
    if (has_expired() && adi_stream_trial_goes_on(test))
        adi_play_skip(test, "not judged: the implementation took longer than its queues, or those "
                            "of the harness, can be held; try it on a machine that is less busy");
    adi_interceptor_resume();
}

/* The event of chunk n covers chunk n: queues are paused again before each. */
void adi_play_stream_held(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    if (!may_pause(test)) return;
    hold(test, false);
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    hold(test, true);
    while (goes && adi_stream_trial_take(&trial, &chunk, "array/data-differs")) {
        adi_stream_trial_let_go(&trial, &chunk);
        hold(test, true);
    }
    adi_stream_output_judge_end(&trial.output);
    let_run(test);
    adi_stream_trial_close(&trial);
}

/* All are asked for before the first is looked at. */
void adi_play_stream_all_held(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunks[ADI_STREAM_HELD + 1] = {{.schema = NULL}};
    size_t n = 0;
    if (!may_pause(test)) return;
    hold(test, false);
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    while (goes && n < ADI_STREAM_HELD && adi_stream_output_next(&trial.output, &chunks[n])) n++;
    if (goes) adi_stream_output_free_chunk(&chunks[n]);
    for (size_t i = 0; i < n; i++) {
        goes = goes && adi_stream_output_look(&trial.output, &chunks[i]) &&
               adi_stream_output_compare(&trial.output, &chunks[i], &trial.input.wanted,
                                         "array/data-differs");
        adi_stream_trial_let_go(&trial, &chunks[i]);
    }
    if (goes) adi_stream_output_judge_end(&trial.output);
    let_run(test);
    adi_stream_trial_close(&trial);
}

/* Chunks, and the stream, are released before anybody has waited. */
void adi_play_stream_unread(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    if (!may_pause(test)) return;
    hold(test, false);
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    while (goes && adi_stream_output_next(&trial.output, &chunk)) {
        test->judged = true;
        adi_stream_trial_let_go(&trial, &chunk);
    }
    if (goes) adi_stream_output_free_chunk(&chunk);
    if (goes) adi_stream_output_release(&trial.output);
    let_run(test);
    adi_stream_trial_close(&trial);
}

/* The harness's queues, before each chunk: who waits for the first has not waited for the second.
 */
void adi_play_stream_pending(struct adi_test *test) {
    if (!may_pause(test)) return;
    adi_play_step(test, "hold", "the queues of the harness");
    adi_interceptor_pause(false);
    adi_stream_trial_whole(test, &adi_stream_of_three, true);
    let_run(test);
}

void adi_play_stream_copy_held(struct adi_test *test) {
    if (!may_pause(test)) return;
    hold(test, false);
    adi_stream_trial_whole(test, &adi_stream_of_three, false);
    let_run(test);
}
