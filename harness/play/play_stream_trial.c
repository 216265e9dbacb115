/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream from its hand-over to its end.
 */
#include <string.h>

#include "play_stream.h"

const struct adi_stream_design adi_stream_of_three = {
    .chunks = {{NULL, 0, false}, {"nulls", 1, false}, {NULL, 2, false}}, .n = 3};

/* ---- a call, and what is around it ---- */

int adi_stream_trial_call(struct adi_stream_trial *trial) {
    struct adi_test *test = trial->test;
    const struct adi_scenario *scenario = test->now->scenario;
    const char *phase = scenario->role == ADI_PRODUCES_STREAM   ? "produce_stream"
                        : scenario->role == ADI_CONSUMES_STREAM ? "consume_stream"
                                                                : "relay_stream";
    const struct adi_call made = {.adapter = test->adapter,
                                  .device = test->device,
                                  .role = scenario->role,
                                  .host_stream = trial->input.structure,
                                  .stream_in = trial->input.structure,
                                  .copy_stream = trial->output.structure,
                                  .stream_out = trial->output.structure};
    const struct adi_stream_design *design = &trial->input.design;
    adi_play_step(test, phase, "%zu chunks%s%s", design->n,
                  design->failure != 0 ? ", then an error" : "",
                  design->schema_failure != 0 ? ", and no schema but an error" : "");
    int code = adi_call(phase, &made);
    adi_stream_input_calm(&trial->input);
    if (code != 0) adi_play_step(test, phase, "returned %d (%s)", code, strerror(code));
    return code;
}

/* A refusal of what fails is how that surfaces. One that reads ahead has seen the end before it
 * refuses what came: that it comes behind the end says nothing. */
static void judge_refusal(struct adi_stream_trial *trial, int code) {
    struct adi_test *test = trial->test;
    const struct adi_stream_design *design = &trial->input.design;
    adi_stream_output_untouched(&trial->output);
    if (design->failure != 0 || design->schema_failure != 0) {
        test->judged = true;
    } else {
        adi_play_refused(test, code);
    }
}

bool adi_stream_trial_open(struct adi_test *test, const struct adi_stream_design *design,
                           bool is_late, struct adi_stream_trial *trial) {
    memset(trial, 0, sizeof *trial);
    trial->test = test;
    if (!adi_stream_input_open(test, design, is_late, &trial->input)) return false;
    if (!adi_stream_output_prepare(test, &trial->input, &trial->output)) return false;
    int code = adi_stream_trial_call(trial);
    adi_stream_input_judge(&trial->input, code);
    if (code != 0)
        judge_refusal(trial, code);
    else if (test->leaves_values) /* whether an error came out is not known either */
        test->judged = design->failure == 0 && design->schema_failure == 0;
    else
        trial->is_open = adi_stream_output_check(&trial->output);
    return trial->is_open;
}

/* Nobody is to blame for what one that is unsound keeps. */
void adi_stream_trial_close(struct adi_stream_trial *trial) {
    struct adi_test *test = trial->test;
    const bool muted = test->muted;
    test->muted = muted || (trial->output.unsound && (trial->is_open || test->n_findings > 0));
    if (trial->output.structure != NULL) adi_stream_output_close(&trial->output);
    adi_stream_input_close(&trial->input);
    test->muted = muted;
}

bool adi_stream_trial_goes_on(const struct adi_test *test) {
    return test->n_findings == 0 && !test->refused && !test->skipped && !test->closed;
}

/* ---- from chunk to chunk ---- */

bool adi_stream_trial_take(struct adi_stream_trial *trial, struct adi_exported *chunk,
                           const char *rule) {
    struct adi_stream_output *output = &trial->output;
    bool came = adi_stream_output_next(output, chunk);
    if (came && adi_stream_output_look(output, chunk) &&
        adi_stream_output_compare(output, chunk, &trial->input.wanted, rule))
        return true;
    if (came) adi_stream_output_release_chunk(output, chunk);
    adi_stream_output_free_chunk(chunk);
    return false;
}

void adi_stream_trial_let_go(struct adi_stream_trial *trial, struct adi_exported *chunk) {
    adi_stream_output_release_chunk(&trial->output, chunk);
    adi_stream_output_free_chunk(chunk);
}

void adi_stream_trial_rest(struct adi_stream_trial *trial, const char *rule) {
    struct adi_exported chunk;
    while (adi_stream_trial_take(trial, &chunk, rule)) adi_stream_trial_let_go(trial, &chunk);
    adi_stream_output_judge_end(&trial->output);
}

void adi_stream_trial_whole(struct adi_test *test, const struct adi_stream_design *design,
                            bool is_late) {
    struct adi_stream_trial trial;
    if (adi_stream_trial_open(test, design, is_late, &trial) &&
        adi_stream_output_schema(&trial.output)) {
        adi_stream_trial_rest(&trial, "array/data-differs");
        adi_exported_fields(test, trial.output.schema, &trial.input.wanted.schema);
        if (test->n_findings == 0) adi_stream_output_ask_again(&trial.output);
    }
    adi_stream_trial_close(&trial);
}
