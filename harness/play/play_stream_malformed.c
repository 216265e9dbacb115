/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams that no producer gives, for consumers. No document binds anybody here, so nothing is
 * judged but a crash and a hang, and these are notes.
 */
#include <errno.h>
#include <string.h>

#include "move.h"
#include "play_stream.h"

#define TEXT_BYTES  (1 << 20)
#define CHUNKS_MOST 64

static const char *text_of(enum adi_stream_oddity oddity) {
    static char longest[TEXT_BYTES + 1];
    if (oddity == ADI_STREAM_TEXT_BINARY) return "\377\376\200 failed";
    if (oddity == ADI_STREAM_TEXT_LONG) return memset(longest, 'x', TEXT_BYTES);
    return "the source has failed";
}

static struct adi_stream_design design_of(enum adi_stream_oddity oddity) {
    bool fails = oddity == ADI_STREAM_TEXT_BINARY || oddity == ADI_STREAM_TEXT_LONG ||
                 oddity == ADI_STREAM_ERROR_NULL;
    struct adi_stream_design design = adi_stream_of_three;
    design.failure = fails ? EIO : 0;
    design.text = text_of(oddity);
    design.ends_early = oddity == ADI_STREAM_ENDS_TWICE ? 1 : 0;
    return design;
}

/* ---- what is wrong with the stream ---- */

/* One pair: of the key the length is negative, or of the value there is less than its length. */
static void put_metadata(struct adi_stream_input *input, bool is_negative) {
    static const char negative[] = "\1\0\0\0\377\377\377\377key\5\0\0\0value";
    static const char cut[] = "\1\0\0\0\3\0\0\0key\377\377\0\0value";
    char *metadata = adi_guard_alloc(ADI_REGION_STRING, sizeof cut - 1, 1, "metadata");
    if (metadata == NULL) return;
    memcpy(metadata, is_negative ? negative : cut, sizeof cut - 1);
    adi_guard_seal();
    for (size_t i = 0; i < input->n; i++) input->chunks[i].pair.schema->metadata = metadata;
}

static void put_other_schema(struct adi_stream_input *input) {
    static const struct ArrowSchema text = {.format = "u", .name = ""},
                                    number = {.format = "l", .name = ""};
    const char *own = input->wanted.schema.format;
    input->guarded.schema = strcmp(own, text.format) == 0 ? &number : &text;
    for (size_t i = 0; i < input->n; i++) {
        adi_schema_release(input->chunks[i].pair.schema);
        input->chunks[i].pair.schema = NULL;
    }
}

static void spoil(struct adi_stream_input *input, enum adi_stream_oddity oddity) {
    struct ArrowDeviceArrayStream *stream = input->structure;
    if (oddity == ADI_STREAM_METADATA_NEGATIVE || oddity == ADI_STREAM_METADATA_CUT)
        put_metadata(input, oddity == ADI_STREAM_METADATA_NEGATIVE);
    if (oddity == ADI_STREAM_SCHEMA_OTHER) put_other_schema(input);
    if (oddity == ADI_STREAM_SCHEMA_NULL) stream->get_schema = NULL;
    if (oddity == ADI_STREAM_NEXT_NULL) stream->get_next = NULL;
    if (oddity == ADI_STREAM_ERROR_NULL) stream->get_last_error = NULL;
}

/* ---- what is made of it ---- */

/* It is asked for, and looked at by nobody. */
static void drain(struct adi_stream_output *output) {
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowDeviceArray chunk = {.array.release = NULL};
    adi_play_step(output->test, "get_schema", "of what came out");
    int code = adi_call_stream_schema(output->kind, output->structure, &schema, false);
    if (code == 0 && schema.release != NULL) adi_call_release_schema(&schema);
    for (size_t i = 0; i < CHUNKS_MOST && code == 0; i++) {
        adi_play_step(output->test, "get_next", "chunk %zu", i + 1);
        code = adi_call_stream_next(output->kind, output->structure, &chunk, false);
        if (code == 0 && chunk.array.release == NULL) return;
        if (code == 0) adi_call_release_array(&chunk.array);
    }
    if (code != 0) adi_call_stream_error(output->kind, output->structure, false);
}

/* Is a stream of the type refused that nothing is wrong with, too? */
static bool is_refused_anyway(struct adi_test *test) {
    struct adi_stream_trial trial;
    test->refused = false;
    adi_stream_trial_open(test, &adi_stream_of_three, false, &trial);
    adi_stream_trial_close(&trial);
    return test->refused;
}

void adi_play_consume_stream_malformed(struct adi_test *test) {
    const enum adi_stream_oddity oddity = (enum adi_stream_oddity)test->now->scenario->parameter;
    const struct adi_stream_design design = design_of(oddity);
    struct adi_stream_trial trial = {.test = test};
    bool muted = test->muted, refuses = false;
    int code = 0;
    bool goes = adi_stream_input_open(test, &design, false, &trial.input) &&
                adi_stream_output_prepare(test, &trial.input, &trial.output);
    if (goes) {
        spoil(&trial.input, oddity);
        adi_play_step(test, "break", "%s", test->now->scenario->what);
    }
    adi_play_crash_rule(test, "stream/malformed-input-crashes");
    test->muted = true; /* whatever else it does with this, it was not asked for */
    adi_guard_ignore(true);
    if (goes) {
        code = adi_stream_trial_call(&trial);
        trial.is_open = code == 0 && !test->leaves_values;
        adi_stream_input_judge(&trial.input, code);
        if (trial.is_open) drain(&trial.output);
        if (trial.is_open) adi_stream_output_release(&trial.output);
        trial.output.unsound = true; /* it is released, or was never made */
    }
    adi_stream_trial_close(&trial);
    adi_guard_ignore(false);
    if (goes && code != 0) refuses = is_refused_anyway(test);
    test->muted = muted;
    if (goes) test->refused = test->skipped = false;
    if (refuses) adi_play_refused(test, code);
    test->judged = goes && !refuses;
    adi_play_crash_rule(test, NULL);
}
