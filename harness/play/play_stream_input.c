/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream that an implementation is given, and what becomes of it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attribution.h"
#include "batches.h"
#include "devices.h"
#include "move.h"
#include "play_stream.h"
#include "sample_own.h"
#include "schema.h"
#include "source.h"

/* ---- what is the adapter's ---- */

static void tell_of_adapter(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_test *test = ((struct adi_adapters_sink *)(void *)sink)->test;
    struct adi_error why = {""};
    adi_error_set(&why, 0, "%s: %s; its roles() does not give ADI_ARRAY_STREAMS", finding->rule->id,
                  finding->message);
    adi_play_error(test, "the adapter's own ArrowArrayStream", &why);
}

struct adi_adapters_sink adi_adapters_sink(struct adi_test *test) {
    return (struct adi_adapters_sink){{.violated = tell_of_adapter}, test};
}

/* ---- in guarded memory ---- */

static void on_tell(void *input_at, const char *rule) {
    struct adi_stream_input *input = input_at;
    if (!input->is_told) input->rule_before = input->test->crash_rule;
    input->is_told = true;
    adi_play_crash_rule(input->test, rule != NULL ? rule : input->rule_before);
}

void adi_stream_input_calm(struct adi_stream_input *input) {
    if (input->is_told) adi_play_crash_rule(input->test, input->rule_before);
    input->is_told = false;
}

/* Open as long as the process lives, as the device of the test is: what an implementation keeps of
 * a device it keeps once. */
struct adi_device *adi_stream_device(const struct adi_test *test, int64_t id) {
    static struct adi_device others[ADI_DEVICE_IDS];
    static size_t n;
    const struct adi_device_ops *ops = test->device->ops;
    for (size_t i = 0; i < n; i++)
        if (others[i].ops == ops && others[i].id == id) return &others[i];
    if (n == ADI_DEVICE_IDS || ops->open(id, &others[n], NULL) != 0) return NULL;
    return &others[n++];
}

/* DV-042: chunks of one stream may be on devices of other ids. */
static const struct adi_device *device_of(struct adi_stream_input *input, size_t i) {
    struct adi_device *other = NULL;
    if (input->design.chunks[i].other)
        other = adi_stream_device(input->test, input->device.id == 0 ? 1 : 0);
    input->has_other = input->has_other || other != NULL;
    return other == NULL ? &input->device : other;
}

/* From a copy of what is wanted, which shares its buffers until it is put. */
static int put(struct adi_stream_input *input, size_t i, struct adi_error *error) {
    struct adi_guarded_chunk *chunk = &input->chunks[i];
    struct adi_stream_design one = {.chunks = {input->design.chunks[i]}, .n = 1};
    struct adi_column made;
    int code = adi_column_make(input->test, &one, &made, error);
    adi_guarded_open(&input->inputs[i], device_of(input, i), &input->test->sink);
    chunk->input = &input->inputs[i];
    if (code == 0)
        code =
            adi_guarded_put(&input->inputs[i], &made.schema, &made.chunks[0],
                            input->design.foreign ? ADI_GUARDED_FOREIGN : 0, &chunk->pair, error);
    if (code == 0 && input->design.foreign) {
        chunk->pair.array->device_type = input->design.type;
        chunk->pair.array->device_id = 0;
    }
    adi_column_free(&made);
    /* What is made anew has no schema that somebody may have by then. */
    if (code == 0 && input->is_late && i > 0) {
        adi_schema_release(chunk->pair.schema);
        chunk->pair.schema = NULL;
    }
    return code;
}

void adi_chunk_put_off(struct adi_test *test, size_t which, struct adi_guarded_chunk *chunk) {
    adi_play_step(test, "hold", "the queues of the harness, before chunk %zu", which + 1);
    adi_device_array_release(chunk->pair.array);
    adi_guarded_close(chunk->input);
    adi_interceptor_resume();
    adi_interceptor_pause(false);
}

static void on_ask(void *input_at, size_t i) {
    struct adi_stream_input *input = input_at;
    struct adi_error error = {""};
    if (!input->is_late || i == 0) return;
    adi_chunk_put_off(input->test, i, &input->chunks[i]);
    if (put(input, i, &error) == 0) return;
    adi_play_error(input->test, "no chunk to hand over", &error);
    input->test->over = true;
}

static bool open_guarded(struct adi_stream_input *input, struct adi_error *error) {
    const struct adi_stream_design *design = &input->design;
    for (; input->n < design->n; input->n++)
        if (put(input, input->n, error) != 0) {
            input->n++;
            return false;
        }
    input->hooks =
        (struct adi_guarded_stream_hooks){.context = input, .ask = on_ask, .tell = on_tell};
    const struct adi_guarded_stream_plan plan = {.schema = &input->wanted.schema,
                                                 .chunks = input->chunks,
                                                 .n_chunks = design->n,
                                                 .type = design->foreign ? design->type
                                                                         : input->device.ops->type,
                                                 .failure = design->failure,
                                                 .schema_failure = design->schema_failure,
                                                 .text = design->text,
                                                 .ends_early = design->ends_early,
                                                 .hooks = &input->hooks};
    input->structure =
        adi_guarded_stream_open(&input->guarded, input->kind, &plan, &input->test->sink);
    return input->structure != NULL;
}

/* ---- in plain memory, where nobody is judged by it ---- */

static bool open_plain(struct adi_stream_input *input, struct adi_error *error) {
    const struct adi_stream_design *design = &input->design;
    struct adi_column made;
    struct adi_batches batches = {0};
    int code = adi_column_make(input->test, design, &made, error);
    for (size_t i = 0; i < made.n && code == 0; i++)
        code = adi_batches_add(&batches, &made.chunks[i], 1, error);
    if (code == 0) adi_schema_move(&made.schema, &batches.schema);
    adi_last_error_set(&batches.error, design->failure, design->text);
    adi_last_error_set(&batches.schema_error, design->schema_failure, design->text);
    if (code == 0) code = adi_batches_stream(&batches, &input->plain, error);
    adi_batches_release(&batches);
    adi_column_free(&made);
    if (code != 0) return false;
    input->structure = &input->plain;
    input->watch =
        adi_watch_open(&adi_kind_array_stream, &input->plain, &input->adapters.sink, false, true);
    return input->watch != NULL;
}

/* ---- both ---- */

bool adi_stream_input_open(struct adi_test *test, const struct adi_stream_design *design,
                           bool is_late, struct adi_stream_input *input) {
    struct adi_error error = {""};
    const unsigned role = test->now->scenario->role;
    const struct adi_device_ops *ops = test->device->ops;
    memset(input, 0, sizeof *input);
    input->test = test;
    input->design = *design;
    if (test->now->type == adi_sample_own_type()) {
        input->design.failure = adi_sample_own_failure(false);
        input->design.schema_failure = adi_sample_own_failure(true);
    }
    input->is_late = is_late;
    input->given = &input->guarded;
    input->adapters = adi_adapters_sink(test);
    bool from_host = role == ADI_PRODUCES_STREAM;
    input->kind = from_host ? &adi_kind_array_stream : &adi_kind_device_array_stream;
    input->is_judged = !from_host || (adi_call_roles(test->adapter, ops->type, test->device->id) &
                                      ADI_ARRAY_STREAMS) != 0;
    input->device = *test->device;
    if (from_host) input->device = (struct adi_device){.ops = &adi_device_cpu, .id = -1};
    bool made = adi_column_make(test, design, &input->wanted, &error) == 0 &&
                (input->is_judged ? open_guarded : open_plain)(input, &error);
    if (!made) adi_play_error(test, "no stream to hand over", &error);
    return made;
}

static size_t count_stream(const void *input_at) {
    struct adi_stream_input *input = (struct adi_stream_input *)(uintptr_t)input_at;
    if (!input->is_judged) return input->watch == NULL ? 0 : adi_watch_live(input->watch);
    return adi_guarded_stream_is_live(input->given);
}

static size_t count_live(const void *input_at) {
    struct adi_stream_input *input = (struct adi_stream_input *)(uintptr_t)input_at;
    size_t live = count_stream(input);
    for (size_t i = 0; i < input->n; i++) live += adi_monitor_live(&input->inputs[i].monitor);
    return live;
}

bool adi_stream_input_has_ended(const struct adi_stream_input *input) {
    return input->is_judged && input->given->has_ended;
}

/* One that reads ahead has seen the end before it refuses a chunk. */
bool adi_stream_input_is_consumed(const struct adi_stream_input *input) {
    const struct adi_column *wanted = &input->wanted;
    return !input->may_refuse && adi_role_imports(input->test->now->scenario->role) &&
           adi_stream_input_has_ended(input) && adi_column_seen(wanted) == adi_column_rows(wanted);
}

bool adi_stream_input_has_failed(const struct adi_stream_input *input) {
    return input->is_judged && input->given->has_failed;
}

static void release(struct adi_stream_input *input) {
    if (input->kind == &adi_kind_array_stream)
        adi_array_stream_release(input->structure);
    else
        adi_device_array_stream_release(input->structure);
}

void adi_stream_input_judge(struct adi_stream_input *input, int code) {
    struct adi_test *test = input->test;
    struct adi_sink *sink = input->is_judged ? &test->sink : &input->adapters.sink;
    struct adi_input_watch stream = {.live = count_stream, .stream = input};
    bool gone = adi_kind_release(input->kind, input->structure) == NULL;
    if (code == 0) adi_inputs_judge_taken(sink, "stream", gone);
    /* Where it was copied, the copy lives. */
    if (!gone && code == 0)
        adi_kind_set_release(input->kind, input->structure, NULL);
    else if (!gone)
        release(input);
    /* What has become of the chunks that it has handed out is judged in the end. */
    if (code != 0 && gone && adi_input_watch_is_lost(test, &stream))
        adi_report(sink, "life/failure-keeps-inputs", test->party,
                   "marked released, and its release callback never called",
                   "untouched, or released once", "a failing call lost its input stream");
}

void adi_stream_input_close(struct adi_stream_input *input) {
    struct adi_input_watch inputs = {.live = count_live, .stream = input};
    if (input->structure != NULL) adi_input_watch_end(input->test, &inputs);
    adi_stream_input_calm(input);
    adi_guarded_stream_close(&input->guarded);
    for (size_t i = 0; i < input->n; i++) adi_guarded_close(&input->inputs[i]);
    if (input->watch != NULL) adi_watch_close(input->watch);
    adi_column_free(&input->wanted);
}
