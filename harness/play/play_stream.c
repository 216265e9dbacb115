/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios with streams: what one does with a stream, and in which order. Who produces, who
 * consumes and who relays is asked the same.
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "play_stream.h"
#include "schema.h"

/* Chunks of other offsets, without rows, without buffers, with nulls, of other dictionaries. */
static const struct adi_stream_design several = {.chunks = {{NULL, 0, false},
                                                            {"offset", 1, false},
                                                            {"empty", 2, false},
                                                            {"nulls", 3, false},
                                                            {"one", 4, false}},
                                                 .n = 5};
static const struct adi_stream_design on_two_devices = {
    .chunks = {{NULL, 0, false}, {NULL, 1, true}, {NULL, 2, false}}, .n = 3};

/* A stream that is there while another is judged: nothing ends with it. */
static void close_another(struct adi_stream_trial *trial) {
    bool nested = trial->test->nested;
    trial->test->nested = true;
    adi_stream_trial_close(trial);
    trial->test->nested = nested;
}

/* ---- the whole stream ---- */

/* Is a stream of three chunks, with nothing else about it, played without a finding? */
static bool goes_plain(struct adi_test *test) {
    test->is_prelude = true;
    adi_stream_trial_whole(test, &adi_stream_of_three, false);
    test->is_prelude = false;
    adi_play_skip_ended(test);
    return adi_stream_trial_goes_on(test);
}

/* Parameter: 0: a stream of no chunks, which says nothing of the type: one that has some comes
 * first where it may be refused; 1: also the one that other cases play first; 2: of two devices. */
void adi_play_stream(struct adi_test *test) {
    static const struct adi_stream_design nothing = {.n = 0};
    static const struct adi_stream_design *const designs[] = {&nothing, &several, &on_two_devices};
    int64_t which = test->now->scenario->parameter;
    if (which == 0 && adi_role_imports(test->now->scenario->role) && !goes_plain(test)) return;
    if (which == 1) adi_stream_trial_whole(test, &adi_stream_of_three, false);
    if (test->n_findings == 0 && !test->skipped && !test->closed)
        adi_stream_trial_whole(test, designs[which], false);
}

/* ---- the schema ---- */

/* CS-003, DV-047: get_schema may be called at any time, and repeatedly. */
void adi_play_stream_schema(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output) && adi_stream_output_schema(&trial.output);
    test->judged = test->judged || goes;
    while (goes && adi_stream_trial_take(&trial, &chunk, "array/data-differs")) {
        adi_stream_trial_let_go(&trial, &chunk);
        goes = adi_stream_output_schema(&trial.output);
    }
    adi_stream_output_judge_end(&trial.output);
    if (trial.output.ended) adi_stream_output_schema(&trial.output);
    adi_stream_trial_close(&trial);
}

/* The chunks are looked at when their schema has come, behind all of them. */
void adi_play_stream_schema_last(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunks[ADI_STREAM_HELD + 1] = {{.schema = NULL}};
    size_t n = 0;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial);
    while (goes && n < ADI_STREAM_HELD && adi_stream_output_next(&trial.output, &chunks[n])) n++;
    if (goes) adi_stream_output_free_chunk(&chunks[n]);
    goes = goes && adi_stream_output_schema(&trial.output);
    for (size_t i = 0; i < n; i++) {
        goes = goes && adi_stream_output_look(&trial.output, &chunks[i]) &&
               adi_stream_output_compare(&trial.output, &chunks[i], &trial.input.wanted,
                                         "array/data-differs");
        adi_stream_trial_let_go(&trial, &chunks[i]);
    }
    if (goes) adi_stream_output_judge_end(&trial.output);
    adi_stream_trial_close(&trial);
}

/* ---- its end before its end ---- */

void adi_play_stream_left(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    int64_t n = test->now->scenario->parameter;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial);
    if (goes && n > 0) goes = adi_stream_output_schema(&trial.output);
    for (int64_t i = 0; i < n && goes; i++) {
        goes = adi_stream_trial_take(&trial, &chunk, "array/data-differs");
        if (goes) adi_stream_trial_let_go(&trial, &chunk);
    }
    test->judged = test->judged || goes;
    adi_stream_trial_close(&trial);
}

/* ---- what outlives it ---- */

static void look_again(struct adi_stream_trial *trial, struct adi_exported *chunks, size_t n) {
    struct adi_test *test = trial->test;
    struct adi_column *wanted = &trial->input.wanted;
    adi_play_crash_rule(test, "stream/chunk-depends-on-stream");
    wanted->at = 0;
    wanted->row = 0;
    for (size_t i = 0; i < n && adi_stream_trial_goes_on(test); i++)
        adi_stream_output_compare(&trial->output, &chunks[i], wanted,
                                  "stream/chunk-depends-on-stream");
}

/* Is the schema what it was? */
static void look_at_schema_again(struct adi_stream_trial *trial) {
    struct adi_stream_output *output = &trial->output;
    struct adi_error why = {""};
    adi_play_step(trial->test, "read", "the schema");
    adi_play_tell_as(trial->test, "stream/schema-depends-on-stream");
    if (adi_check_schema(output->schema, output->sink) &&
        adi_schema_compare(output->schema, &trial->input.wanted.schema, &why) != 0 &&
        adi_schema_compare_type(output->schema, &trial->input.wanted.schema, &why) != 0)
        adi_report(output->sink, "stream/schema-depends-on-stream", ADI_PRODUCER, NULL, NULL,
                   "schema.%s", why.text);
    adi_play_tell_as(trial->test, NULL);
}

/* What its release gave back, another stream may be laid out in. */
static void open_another(struct adi_test *test, struct adi_stream_trial *another) {
    struct adi_exported chunk;
    adi_play_step(test, "produce_stream", "another one");
    if (adi_stream_trial_open(test, &adi_stream_of_three, false, another) &&
        adi_stream_output_schema(&another->output) &&
        adi_stream_output_next(&another->output, &chunk)) {
        adi_stream_output_look(&another->output, &chunk);
        adi_stream_trial_let_go(another, &chunk);
    }
}

/* CS-019, DV-061: what the callbacks gave out is released on its own. */
/* CS-020, DV-062: chunks and schemas live as long as their own release. */
void adi_play_stream_outlived(struct adi_test *test) {
    struct adi_stream_trial trial, another;
    struct adi_exported chunks[ADI_STREAM_HELD + 1] = {{.schema = NULL}};
    size_t n = 0;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial) &&
                adi_stream_output_schema(&trial.output);
    while (goes && n < ADI_STREAM_HELD &&
           adi_stream_trial_take(&trial, &chunks[n], "array/data-differs"))
        n++;
    goes = goes && adi_stream_trial_goes_on(test) && n > 0;
    if (goes) {
        adi_play_crash_rule(test, "stream/chunk-depends-on-stream");
        adi_stream_output_release(&trial.output);
        adi_play_crash_rule(test, NULL);
        open_another(test, &another);
        look_at_schema_again(&trial); /* first: by it the chunks are read */
        look_again(&trial, chunks, n);
    }
    adi_play_crash_rule(test, goes ? "stream/chunk-depends-on-stream" : NULL);
    while (n > 0) adi_stream_trial_let_go(&trial, &chunks[--n]);
    adi_play_crash_rule(test, NULL);
    if (goes) close_another(&another);
    adi_stream_trial_close(&trial);
}

/* ---- elsewhere ---- */

/* CS-021, DV-063: a stream may be moved, as the other structures are. */
void adi_play_stream_moved(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_exported chunk;
    if (!goes_plain(test)) return;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial);
    trial.output.known = true;
    adi_play_tell_as(test, "life/depends-on-address");
    if (goes) adi_stream_output_move(&trial.output);
    goes = goes && adi_stream_output_schema(&trial.output);
    while (goes && adi_stream_trial_take(&trial, &chunk, "life/depends-on-address")) {
        adi_stream_output_move(&trial.output);
        adi_stream_trial_let_go(&trial, &chunk);
    }
    adi_stream_output_judge_end(&trial.output);
    if (goes && !trial.output.unsound) {
        adi_stream_output_move(&trial.output);
        adi_stream_output_release(&trial.output);
    }
    adi_play_tell_as(test, NULL);
    adi_stream_trial_close(&trial);
}

/* CS-022, CS-023, DV-064: get_next may be called by several threads, one after the other. */
void adi_play_stream_thread(struct adi_test *test) {
    struct adi_stream_trial trial;
    if (!goes_plain(test)) return;
    bool goes = adi_stream_trial_open(test, &adi_stream_of_three, false, &trial);
    adi_play_step(test, "threads", "each callback is called on one of its own, one at a time");
    adi_play_tell_as(test, "stream/bound-to-thread");
    trial.output.elsewhere = true;
    trial.output.known = true;
    if (goes && adi_stream_output_schema(&trial.output))
        adi_stream_trial_rest(&trial, "stream/bound-to-thread");
    if (goes) adi_stream_output_release(&trial.output);
    adi_play_tell_as(test, NULL);
    adi_stream_trial_close(&trial);
}

/* ---- errors ---- */

/* Parameter: how many chunks come before; -1: not even the schema. 10 more: there is no text. */
void adi_play_stream_fails(struct adi_test *test) {
    struct adi_stream_trial trial;
    static const int codes[] = {EIO, ENOMEM, EINVAL};
    struct adi_stream_design design = adi_stream_of_three;
    int64_t n = test->now->scenario->parameter;
    design.text = n < 9 ? "the source has failed: \xc3\xa9" : NULL;
    n = n < 9 ? n : n - 10;
    design.n = n < 0 ? 0 : (size_t)n;
    design.failure = n < 0 ? 0 : codes[n % 3];
    design.schema_failure = n < 0 ? EIO : 0;
    if (adi_stream_trial_open(test, &design, false, &trial) &&
        adi_stream_output_schema(&trial.output))
        adi_stream_trial_rest(&trial, "array/data-differs");
    adi_stream_trial_close(&trial);
}

/* ---- a stream that cannot be had ---- */

/* Is a chunk, or the end, made of it? Who cannot have it may say so in any of the calls. */
static bool gives_anything(struct adi_stream_output *output) {
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowDeviceArray chunk = {.array.release = NULL};
    adi_play_step(output->test, "get_schema", "of what came out");
    int code = adi_call_stream_schema(output->kind, output->structure, &schema, false);
    adi_stream_input_calm(output->input);
    if (code != 0) return false;
    if (schema.release != NULL) adi_call_release_schema(&schema);
    adi_play_step(output->test, "get_next", "chunk 1");
    code = adi_call_stream_next(output->kind, output->structure, &chunk, false);
    adi_stream_input_calm(output->input);
    if (code != 0) return false;
    if (chunk.array.release != NULL) adi_call_release_array(&chunk.array);
    return true;
}

/* CS-021: who is given a released structure looks at `release` alone. */
void adi_play_stream_released(struct adi_test *test) {
    struct adi_stream_trial trial;
    if (!goes_plain(test)) return;
    memset(&trial, 0, sizeof trial);
    trial.test = test;
    if (adi_stream_input_open(test, &adi_stream_of_three, false, &trial.input) &&
        adi_stream_output_prepare(test, &trial.input, &trial.output)) {
        adi_guard_spare(true);
        adi_stream_input_judge(&trial.input, ECANCELED); /* it is released */
        adi_play_step(test, "release", "the stream, before it is handed over");
        adi_play_tell_as(test, "life/released-input-used");
        test->judged = true;
        int code = adi_stream_trial_call(&trial);
        if (code == 0 && !test->leaves_values)
            trial.is_open = adi_stream_output_check(&trial.output);
        bool given = trial.is_open && gives_anything(&trial.output);
        if (given)
            adi_report(&test->sink, "life/released-input-used", ADI_CONSUMER, "success",
                       "a refusal", "a released stream was accepted");
        if (trial.is_open) adi_stream_output_release(&trial.output);
        trial.output.unsound = given || !trial.is_open;
        adi_play_tell_as(test, NULL);
    }
    adi_stream_trial_close(&trial);
    adi_guard_spare(false);
}

/* ---- a stream of another device ---- */

/* DV-013: a consumer does not touch buffers of a device type that it cannot access. */
void adi_play_consume_stream_device(struct adi_test *test) {
    struct adi_stream_trial trial;
    struct adi_stream_design design = adi_stream_of_three;
    design.foreign = true;
    design.type = (ArrowDeviceType)test->now->scenario->parameter;
    if (adi_call_roles(test->adapter, design.type, 0) & ADI_CONSUMES_STREAM) {
        adi_play_skip(test, "nothing to refuse: the implementation takes this device type");
        return;
    }
    if (!goes_plain(test)) return;
    memset(&trial, 0, sizeof trial);
    trial.test = test;
    if (adi_stream_input_open(test, &design, false, &trial.input) &&
        adi_stream_output_prepare(test, &trial.input, &trial.output)) {
        adi_play_tell_as(test, "device/buffers-dereferenced");
        adi_play_crash_rule(test, "life/crash"); /* of what it comes is not known */
        test->judged = true;
        int code = adi_stream_trial_call(&trial);
        if (code == 0 && !test->leaves_values)
            trial.is_open = adi_stream_output_check(&trial.output);
        bool given = trial.is_open && gives_anything(&trial.output);
        adi_play_tell_as(test, NULL);
        adi_stream_input_judge(&trial.input, code);
        if (code != 0) adi_stream_output_untouched(&trial.output);
        if (given)
            adi_report(&test->sink, "device/unknown-type-accepted", ADI_CONSUMER, "success",
                       "a refusal", "a stream of device type %d was accepted", design.type);
    }
    adi_stream_trial_close(&trial);
}
