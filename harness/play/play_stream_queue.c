/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios with streams on a device whose queues are paused, and paused again from chunk to
 * chunk: what has not been waited for has not happened.
 */
#include "play_stream.h"

static void hold(struct adi_test *test, bool again) {
    adi_queue_hold(test, true, again);
}

/* The event of chunk n covers chunk n: queues are paused again before each. */
void adi_play_stream_held(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    if (!adi_queue_may_hold(test)) return;
    hold(test, false);
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    hold(test, true);
    while (goes && adi_stream_trial_take(&trial, &chunk, "array/data-differs")) {
        adi_stream_trial_let_go(&trial, &chunk);
        hold(test, true);
    }
    adi_stream_output_judge_end(&trial.output);
    adi_queue_let_run(test);
    adi_stream_trial_close(&trial);
}

/* All are asked for before the first is looked at. */
void adi_play_stream_all_held(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunks[ADI_STREAM_HELD + 1] = {{.schema = NULL}};
    size_t n = 0;
    if (!adi_queue_may_hold(test)) return;
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
    adi_queue_let_run(test);
    adi_stream_trial_close(&trial);
}

/* Chunks, and the stream, are released before anybody has waited. */
void adi_play_stream_unread(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    if (!adi_queue_may_hold(test)) return;
    hold(test, false);
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    while (goes && adi_stream_output_next(&trial.output, &chunk)) {
        test->judged = true;
        adi_stream_trial_let_go(&trial, &chunk);
    }
    if (goes) adi_stream_output_free_chunk(&chunk);
    if (goes) adi_stream_output_release(&trial.output);
    adi_queue_let_run(test);
    adi_stream_trial_close(&trial);
}

/* The harness's queues, before each chunk: who waits for the first has not waited for the second.
 */
void adi_play_stream_pending(struct adi_test *test) {
    if (!adi_queue_may_hold(test)) return;
    adi_queue_hold(test, false, false);
    adi_stream_trial_whole(test, &adi_stream_of_three, true);
    adi_queue_let_run(test);
}

void adi_play_stream_copy_held(struct adi_test *test) {
    if (!adi_queue_may_hold(test)) return;
    hold(test, false);
    adi_stream_trial_whole(test, &adi_stream_of_three, false);
    adi_queue_let_run(test);
}
