/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream that an implementation gives: its structure, and what its callbacks answer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_types.h"
#include "move.h"
#include "node.h"
#include "play_stream.h"
#include "sample_own.h"
#include "schema.h"

/* A stream of more chunks than this, with rows or without, is none that ends. */
#define CHUNKS_MOST 256

bool adi_stream_output_prepare(struct adi_test *test, struct adi_stream_input *input,
                               struct adi_stream_output *output) {
    const unsigned role = test->now->scenario->role;
    const struct adi_device *device = test->device;
    bool to_host = role == ADI_CONSUMES_STREAM;
    *output = (struct adi_stream_output){.test = test, .input = input};
    output->kind = to_host ? &adi_kind_array_stream : &adi_kind_device_array_stream;
    output->adapters = adi_adapters_sink(test);
    bool own = !to_host || (adi_call_roles(test->adapter, device->ops->type, device->id) &
                            ADI_ARRAY_STREAMS) != 0;
    output->sink = own ? &test->sink : &output->adapters.sink;
    output->structure = malloc(output->kind->size);
    if (output->structure != NULL) {
        memset(output->structure, ADI_POISON_BYTE, output->kind->size);
        return true;
    }
    adi_play_error(test, "no room for a stream", &(struct adi_error){"out of memory"});
    return false;
}

/* ---- the structure ---- */

static bool is_untouched(const void *member, size_t bytes) {
    return adi_poisoned(member, bytes);
}

void adi_stream_output_untouched(struct adi_stream_output *output) {
    const char *release = (const char *)output->structure + output->kind->release;
    if (adi_kind_release(output->kind, output->structure) != NULL &&
        !is_untouched(release, sizeof(void *)))
        adi_report(output->sink, "life/failure-leaves-output", output->test->party,
                   "release is set", "untouched, or NULL",
                   "a failing call left something in its output stream");
    output->unsound = true;
}

bool adi_stream_output_check(struct adi_stream_output *output) {
    output->unsound = !adi_stream_judge_structure(output->kind, output->structure,
                                                  output->test->device->ops->type, output->sink);
    if (output->unsound) return false;
    output->watch = adi_watch_open(output->kind, output->structure, output->sink, true, false);
    return output->watch != NULL;
}

/* ---- errors ---- */

/* Has all that was handed over come? Behind a last chunk without rows nobody can tell. */
static bool is_whole(const struct adi_stream_output *output) {
    const struct adi_column *wanted = &output->input->wanted;
    return output->rows > 0 && output->rows >= adi_column_rows(wanted) &&
           wanted->chunks[wanted->n - 1].length > 0;
}

static bool judge_failure(struct adi_stream_output *output, bool of_schema, int code) {
    struct adi_test *test = output->test;
    const struct adi_words what = adi_words("the stream failed after %" PRId64 " of %" PRId64
                                            " rows, and what it is made of did not",
                                            output->rows, adi_column_rows(&output->input->wanted));
    const struct adi_stream_so_far so_far = {.schema = output->schema != NULL,
                                             .begun = output->rows > 0,
                                             .whole = is_whole(output),
                                             .over = output->ended,
                                             .known = output->known,
                                             .consumes =
                                                 test->now->scenario->role == ADI_CONSUMES_STREAM,
                                             .lost = what.text};
    return adi_stream_judge_failure(&so_far, of_schema, code, output->sink, &test->sink);
}

/* A callback has answered an error: as what the stream is made of did, or else it refuses. */
static void take_failure(struct adi_stream_output *output, const char *phase, int code) {
    struct adi_test *test = output->test;
    struct adi_stream_input *input = output->input;
    const struct adi_stream_design *design = &input->design;
    const bool of_schema = strcmp(phase, "get_schema") == 0;
    adi_play_step(test, phase, "returned %d (%s)", code, strerror(code));
    adi_stream_judge_code(output->sink, code);
    const char *text = adi_call_stream_error(output->kind, output->structure, output->elsewhere);
    adi_stream_judge_text(output->sink, text);
    test->judged = true;
    if (design->failure != 0 || design->schema_failure != 0) {
        output->surfaced = true;
        return;
    }
    /* Nothing says what get_schema is to give behind the end. */
    if (of_schema && output->ended && output->schema != NULL) return;
    output->refused = true;
    if (!of_schema && adi_stream_input_is_consumed(input)) {
        adi_report(&test->sink, "stream/end-overlooked", ADI_CONSUMER, strerror(code),
                   "the end of what was made of it", "the end of a stream came out as an error");
        return;
    }
    if (judge_failure(output, of_schema, code)) return;
    char *copy = adi_stream_text_copy(text);
    adi_play_refused_so(test, code, copy == NULL ? "" : copy);
    free(copy);
}

/* ---- the schema ---- */

/* CS-001, CS-003, DV-041, DV-047: all chunks are of one schema, so it is the same each time. */
/* Names, flags and metadata are of it, too. */
static void judge_same(struct adi_stream_output *output, struct ArrowSchema *again) {
    struct adi_error why = {""};
    if (!adi_check_schema(again, output->sink)) {
        output->unsound = true;
        return;
    }
    if (adi_schema_compare(again, output->schema, &why) != 0)
        adi_report(output->sink, "stream/schema-changes", ADI_PRODUCER, NULL,
                   "the same schema at each call", "get_schema gave another schema than before: %s",
                   why.text);
    adi_call_release_schema(again);
}

static bool take_schema(struct adi_stream_output *output, struct ArrowSchema *schema) {
    struct adi_test *test = output->test;
    struct adi_error why = {""};
    output->unsound = !adi_check_schema(schema, output->sink);
    if (output->unsound) {
        free(schema);
        return false;
    }
    output->schema = schema;
    output->schema_watch = adi_watch_open(&adi_kind_schema, schema, output->sink, true, false);
    if (output->schema_watch == NULL) return false;
    int code = adi_schema_compare_type(schema, &output->input->wanted.schema, &why);
    bool consumes = test->now->scenario->role == ADI_CONSUMES_STREAM;
    if (code == 0) return true;
    if (consumes)
        adi_report(&test->sink, "array/misread", ADI_CONSUMER, NULL, NULL,
                   "the copy's type: schema.%s", why.text);
    else
        adi_report(output->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s",
                   why.text);
    return false;
}

bool adi_stream_output_schema(struct adi_stream_output *output) {
    struct ArrowSchema *schema = malloc(sizeof *schema);
    if (output->unsound || schema == NULL) {
        free(schema);
        return false;
    }
    memset(schema, ADI_POISON_BYTE, sizeof *schema);
    adi_play_step(output->test, "get_schema", output->schema == NULL ? "" : "once more");
    int code = adi_call_stream_schema(output->kind, output->structure, schema, output->elsewhere);
    adi_stream_input_calm(output->input);
    if (code != 0) {
        take_failure(output, "get_schema", code);
        free(schema);
        return false;
    }
    if (output->schema == NULL) return take_schema(output, schema);
    judge_same(output, schema);
    free(schema);
    return !output->unsound;
}

/* ---- chunks ---- */

static void judge_left(struct adi_stream_output *output, const struct ArrowDeviceArray *out) {
    if (out->array.release != NULL && !is_untouched(&out->array.release, sizeof(void *)))
        adi_report(output->sink, "life/failure-leaves-output", output->test->party,
                   "release is set", "untouched, or NULL",
                   "a failing get_next left something in its output");
}

/* CS-007, DV-051: at the end the array is released, whatever was there before. */
static bool is_marked(struct adi_stream_output *output, const struct ArrowDeviceArray *out) {
    bool endless = output->chunks > CHUNKS_MOST;
    bool written = !is_untouched(&out->array.release, sizeof(void *));
    if (written && !endless) return true;
    adi_report(output->sink, "stream/end-not-marked", ADI_PRODUCER,
               endless ? "chunk after chunk" : "what was there before the call", "NULL",
               endless ? "the stream gives more chunks than it has values, and no end"
                       : "get_next answered 0, and `release` of the array was not written");
    output->unsound = true;
    return false;
}

struct probe {
    struct adi_sink sink; /* first */
    bool is_broken;
};

static void note(struct adi_sink *sink, const struct adi_found *found) {
    struct probe *probe = (struct probe *)(void *)sink;
    probe->is_broken = probe->is_broken || found->rule->level == ADI_MUST;
}

/* Is it one's own, of which no more is known than its beginning? */
static bool is_open(const struct adi_stream_output *output) {
    return output->test->now->type == adi_sample_own_type() && adi_sample_own_is_open();
}

/* DV-051: what is no array behind the last row is the end, which a producer has wrapped. */
static bool is_wrapped_end(struct adi_stream_output *output, const struct ArrowDeviceArray *out) {
    struct probe probe = {.sink.violated = note};
    const struct ArrowSchema *schema =
        output->schema != NULL ? output->schema : &output->input->wanted.schema;
    if (is_open(output) || output->rows < adi_column_rows(&output->input->wanted)) return false;
    adi_check_array(schema, out, NULL, &probe.sink);
    if (!probe.is_broken) return false;
    adi_report(output->sink, "stream/end-not-marked", ADI_PRODUCER,
               "a structure that is no array of the stream's type", "NULL in `release`",
               "behind the last row get_next gave something that is not marked released");
    output->unsound = true;
    return true;
}

/* More than are wanted are too many, however many those are. */
static void count_rows(struct adi_stream_output *output, int64_t length) {
    const int64_t most = adi_column_rows(&output->input->wanted) + 1;
    if (length <= 0) return;
    output->rows = length > most - output->rows ? most : output->rows + length;
}

/* Has it failed before where it goes on now? What it gives then is to be compared with nothing. */
static bool goes_beyond(const struct adi_stream_output *output, int64_t length) {
    return output->test->now->type == adi_sample_own_type() && adi_sample_own_failure(false) != 0 &&
           length > adi_column_rows(&output->input->wanted) - output->rows;
}

/* Does all that is known of it end in this chunk, or before? It is the last to be looked at, since
 * there need not be an end. */
static bool is_last_known(const struct adi_stream_output *output, int64_t length) {
    const int64_t left = adi_column_rows(&output->input->wanted) - output->rows;
    return is_open(output) && (left <= 0 || length > left);
}

bool adi_stream_output_next(struct adi_stream_output *output, struct adi_exported *chunk) {
    *chunk = (struct adi_exported){.schema = output->schema, .array = malloc(sizeof *chunk->array)};
    if (output->unsound || output->ended || output->refused || chunk->array == NULL) return false;
    if (output->beyond) {
        output->test->judged = true;
        return false;
    }
    memset(chunk->array, ADI_POISON_BYTE, sizeof *chunk->array);
    adi_play_step(output->test, "get_next", "chunk %zu", ++output->chunks);
    int code =
        adi_call_stream_next(output->kind, output->structure, chunk->array, output->elsewhere);
    adi_stream_input_calm(output->input);
    if (code != 0) {
        judge_left(output, chunk->array);
        take_failure(output, "get_next", code);
        return false;
    }
    if (!is_marked(output, chunk->array)) return false;
    output->ended = chunk->array->array.release == NULL;
    if (output->ended || is_wrapped_end(output, chunk->array)) return false;
    if (goes_beyond(output, chunk->array->array.length)) {
        output->refused = true;
        adi_call_release_array(&chunk->array->array);
        return false;
    }
    output->beyond = is_last_known(output, chunk->array->array.length);
    count_rows(output, chunk->array->array.length);
    return true;
}

void adi_stream_output_ask_again(struct adi_stream_output *output) {
    struct ArrowDeviceArray out;
    if (!output->ended || output->unsound) return;
    memset(&out, ADI_POISON_BYTE, sizeof out);
    adi_play_step(output->test, "get_next", "behind the end");
    output->input->given->may_go_on = true;
    adi_play_crash_rule(output->test, "stream/next-after-end");
    int code = adi_call_stream_next(output->kind, output->structure, &out, output->elsewhere);
    adi_play_crash_rule(output->test, NULL);
    output->input->is_told = false;
    if (code == 0 && out.array.release == NULL) return;
    adi_report(output->sink, "stream/next-after-end", ADI_PRODUCER,
               code != 0 ? strerror(code) : "an array", "the end again",
               "get_next was called once more, and did not give the end again");
    output->unsound = code == 0;
}

/* ---- the end ---- */

static void judge_lost(struct adi_stream_output *output) {
    struct adi_test *test = output->test;
    bool imports = adi_role_imports(test->now->scenario->role);
    adi_report(&test->sink, imports ? "stream/error-overlooked" : "stream/source-error-lost",
               imports ? ADI_CONSUMER : ADI_PRODUCER, "the end of the stream", "an error",
               "what the stream is made of has failed, and the stream ended as if nothing had "
               "happened");
}

/* CS-005: a callback that fails says so. */
void adi_stream_output_judge_end(struct adi_stream_output *output) {
    if (!output->ended || output->unsound) return; /* maybe it was never made */
    const struct adi_stream_input *input = output->input;
    const struct adi_stream_design *design = &input->design;
    struct adi_test *test = output->test;
    bool consumes = test->now->scenario->role == ADI_CONSUMES_STREAM;
    test->judged = true;
    if (design->failure != 0 || design->schema_failure != 0) {
        /* Of one's own nothing is lost that comes this time. */
        if (test->now->type != adi_sample_own_type()) judge_lost(output);
        return;
    }
    int64_t seen = adi_column_seen(&input->wanted), rows = adi_column_rows(&input->wanted);
    const struct adi_words what =
        adi_words("the stream ended after %" PRId64 " of %" PRId64 " rows", seen, rows);
    if (seen < rows)
        adi_stream_report_lost(&test->sink, consumes, "the end of the stream", what.text);
}

void adi_stream_output_move(struct adi_stream_output *output) {
    void *moved = malloc(output->kind->size);
    if (moved == NULL || output->unsound) {
        free(moved);
        return;
    }
    adi_play_step(output->test, "move", "the stream, to a new address; the old one is overwritten");
    memcpy(moved, output->structure, output->kind->size);
    adi_kind_set_release(output->kind, output->structure, NULL);
    adi_watch_moved(output->watch, output->structure, moved);
    memset(output->structure, ADI_POISON_BYTE, output->kind->size);
    free(output->structure);
    output->structure = moved;
}

void adi_stream_output_release(struct adi_stream_output *output) {
    if (output->unsound || adi_kind_release(output->kind, output->structure) == NULL) return;
    adi_play_step(output->test, "release", "the stream");
    adi_call_stream_release(output->kind, output->structure, output->elsewhere);
}

void adi_stream_output_close(struct adi_stream_output *output) {
    if (output->schema_watch != NULL && output->schema->release != NULL)
        adi_call_release_schema(output->schema);
    adi_watch_close(output->schema_watch);
    if (output->watch != NULL) adi_stream_output_release(output);
    adi_watch_close(output->watch);
    free(output->schema);
    free(output->structure);
}
