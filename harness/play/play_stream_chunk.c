/* SPDX-License-Identifier: Apache-2.0
 *
 * A chunk that has come out of a stream: it is judged as any array is, on the device that it names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_types.h"
#include "node.h"
#include "play_stream.h"

/* ---- where it is ---- */

static bool is_there(const struct adi_node *node, const struct adi_bytes *bytes, void *unused) {
    (void)node, (void)unused;
    return bytes->buffer != NULL;
}

static bool has_buffers(const struct adi_exported *chunk) {
    struct adi_node *tree = adi_tree_copy(chunk->schema, chunk->array, NULL);
    bool found = adi_buffer_find(tree, is_there, NULL) != NULL;
    adi_tree_free(tree);
    return found;
}

/* DV-042: chunks of one stream may be on devices of other ids. */
struct adi_device *adi_chunk_device(const struct adi_test *test,
                                    const struct ArrowDeviceArray *chunk) {
    const struct adi_device_type *type = adi_device_type_find(test->device->ops->type);
    if (type == NULL || type->ids != ADI_IDS_EXACT || chunk->device_type != type->type ||
        chunk->device_id == test->device->id)
        return test->device;
    struct adi_device *other = adi_stream_device(test, chunk->device_id);
    return other == NULL ? test->device : other;
}

/* What lies in a chunk of another type is looked at as the stream's: can it be reached from there?
 */
struct reach {
    struct adi_sink sink; /* first */
    struct adi_sink *out;
    bool is_out_of_reach;
};

static void look_for_reach(struct adi_sink *sink, const struct adi_found *finding) {
    struct reach *reach = (struct reach *)(void *)sink;
    if (strcmp(finding->rule->id, "device/buffer-not-accessible") == 0)
        reach->is_out_of_reach = true;
}

bool adi_chunk_is_in_reach(struct adi_device *device, const struct adi_exported *chunk) {
    struct ArrowDeviceArray as_stream = *chunk->array;
    struct reach reach = {.sink.violated = look_for_reach};
    bool is_starved; /* this is about no values */
    as_stream.device_type = device->ops->type;
    as_stream.device_id = device->id;
    as_stream.sync_event = NULL;
    adi_play_check_ready(&reach.sink, chunk->schema, &as_stream, device, &is_starved);
    return !reach.is_out_of_reach;
}

void adi_chunk_take_as(const struct adi_device *device, struct adi_exported *chunk) {
    chunk->array->device_type = device->ops->type;
    chunk->array->device_id = device->id;
}

/* DV-049: a chunk is accessible from the stream's type of device. */
/* DV-042, DV-043, DV-046: and should be of that type. */
bool adi_chunk_judge_type(struct adi_sink *sink, const struct ArrowDeviceArrayStream *stream,
                          struct adi_device *device, size_t number, struct adi_exported *chunk) {
    ArrowDeviceType type = chunk->array->device_type;
    if (type == stream->device_type) return true;
    struct adi_words seen = adi_words("%" PRId32, type);
    struct adi_words wanted = adi_words("%" PRId32, stream->device_type);
    const bool empty = !has_buffers(chunk);
    const bool in_reach = empty || adi_chunk_is_in_reach(device, chunk);
    const char *rule = !in_reach                               ? "stream/chunk-not-accessible"
                       : empty && adi_device_type_is_cpu(type) ? "stream/bufferless-chunk-on-cpu"
                                                               : "stream/chunk-of-other-type";
    adi_report(sink, rule, ADI_PRODUCER, seen.text, wanted.text,
               "chunk %zu is of type %s, the stream of type %s%s", number,
               adi_device_type_name(type), adi_device_type_name(stream->device_type),
               in_reach ? "" : ", from where its buffers cannot be reached");
    /* From here on it is looked at as what the stream says. */
    adi_chunk_take_as(device, chunk);
    return in_reach;
}

static bool judge_type(struct adi_stream_output *output, struct adi_exported *chunk) {
    return adi_chunk_judge_type(output->sink, output->structure, output->test->device,
                                output->chunks, chunk);
}

/* DV-010: who hands a chunk on without a copy hands its device on. */
static void judge_relayed(struct adi_stream_output *output, const struct ArrowDeviceArray *chunk) {
    const struct adi_device *device = &output->input->device;
    const struct adi_device_type *type = adi_device_type_find(device->ops->type);
    if (output->input->design.n == 0) return; /* it is made up */
    if (!adi_role_relays(output->test->now->scenario->role) || output->input->has_other ||
        type == NULL || chunk->device_id == output->input->given->chunks[0].input->real.device_id)
        return;
    adi_report(output->sink, "device/relay-changes-device", ADI_PRODUCER, NULL, NULL,
               "a chunk of device id %lld came out with %lld",
               (long long)output->input->given->chunks[0].input->real.device_id,
               (long long)chunk->device_id);
}

/* ---- what it is ---- */

struct shape {
    struct adi_sink sink; /* first */
    struct adi_words differs;
};

static void look_for_shape(struct adi_sink *sink, const struct adi_found *finding) {
    static const char *const rules[] = {"array/child-count-differs", "array/buffer-count-differs",
                                        "array/dictionary-missing", "array/dictionary-unexpected"};
    struct shape *shape = (struct shape *)(void *)sink;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (shape->differs.text[0] == '\0' && strcmp(finding->rule->id, rules[i]) == 0)
            shape->differs = adi_words("%s", finding->message);
}

/* CS-001, DV-041: all chunks are of one schema. One that has come and was right shows that what
 * differs is not how arrays of it are made. */
static bool judge_schema(struct adi_stream_output *output, const struct adi_exported *chunk) {
    struct shape shape = {.sink.violated = look_for_shape};
    if (output->chunks < 2) return true;
    adi_check_array(chunk->schema, chunk->array, NULL, &shape.sink);
    if (shape.differs.text[0] == '\0') return true;
    adi_report(output->sink, "stream/chunk-of-other-schema", ADI_PRODUCER, shape.differs.text,
               "as in the chunks before it", "chunk %zu is not of the stream's schema",
               output->chunks);
    return false;
}

/* CS-008, DV-052: what is not the end is a valid array. */
static bool look(struct adi_stream_output *output, struct adi_exported *chunk) {
    struct adi_test *test = output->test;
    struct adi_error why = {""};
    bool relays = adi_role_relays(test->now->scenario->role);
    if (relays && !adi_play_judge_move(&test->sink, chunk->schema, chunk->array)) return false;
    if (!judge_schema(output, chunk) || !judge_type(output, chunk)) return false;
    judge_relayed(output, chunk->array);
    if (!adi_play_can_identify(test->device, chunk->schema, chunk->array, &why)) {
        adi_play_unidentified(test, &why);
        adi_call_release_array(&chunk->array->array);
        output->refused = true;
        return false;
    }
    bool sound = adi_queue_judge(test, chunk) && adi_play_check_array(test, chunk);
    output->unsound = !sound;
    if (sound)
        chunk->array_watch =
            adi_watch_open(&adi_kind_array, &chunk->array->array, output->sink, true, false);
    return sound && chunk->array_watch != NULL;
}

bool adi_stream_output_look(struct adi_stream_output *output, struct adi_exported *chunk) {
    struct adi_test *test = output->test;
    struct adi_device *device = test->device;
    const struct adi_column *wanted = &output->input->wanted;
    chunk->schema = output->schema;
    if (output->kind == &adi_kind_array_stream) return true;
    const size_t at = wanted->at + (wanted->at < wanted->n && wanted->row > 0);
    if (at < wanted->n && (wanted->row == 0 || wanted->row == wanted->chunks[wanted->at].length)) {
        chunk->wanted_schema = &wanted->schema;
        chunk->wanted = &wanted->chunks[at];
    }
    test->device = adi_chunk_device(test, chunk->array);
    bool sound = look(output, chunk);
    test->device = device;
    if (!sound && !output->refused) output->unsound = true;
    return sound;
}

/* ---- what is in it ---- */

static bool compare_copy(struct adi_stream_output *output, const struct ArrowArray *slice,
                         const struct ArrowArray *wanted) {
    struct adi_test *test = output->test;
    struct adi_error why = {""};
    test->judged = true;
    int code =
        adi_play_judge_copy(&test->sink, adi_play_exports_on_cpu(test->adapter), output->schema,
                            slice, &output->input->wanted.schema, wanted, &why);
    if (code == ENOMEM) adi_play_error(test, "it cannot be compared", &why);
    output->unsound = code == EINVAL || code == EBADMSG;
    return code == 0;
}

static bool compare_chunk(struct adi_stream_output *output, const struct adi_exported *chunk,
                          const struct ArrowArray *slice, const struct ArrowArray *wanted,
                          const char *rule) {
    struct adi_test *test = output->test;
    struct adi_device *device = test->device;
    struct ArrowDeviceArray array = *chunk->array;
    array.array = *slice;
    test->device = adi_chunk_device(test, chunk->array);
    bool same = adi_exported_compare(test, output->schema, &array, &output->input->wanted.schema,
                                     wanted, rule, NULL);
    test->device = device;
    return same;
}

static void report_more(struct adi_stream_output *output, const char *rule) {
    struct adi_test *test = output->test;
    bool consumes = test->now->scenario->role == ADI_CONSUMES_STREAM;
    bool overlooked =
        adi_role_imports(test->now->scenario->role) && adi_stream_input_has_ended(output->input);
    bool failed =
        adi_role_imports(test->now->scenario->role) && adi_stream_input_has_failed(output->input);
    adi_report(&test->sink,
               overlooked ? "stream/end-overlooked"
               : failed   ? "stream/error-overlooked"
               : consumes ? "array/misread"
                          : rule,
               consumes || overlooked || failed ? ADI_CONSUMER : ADI_PRODUCER, NULL, NULL,
               "there are more rows than the %" PRId64 " that went in",
               adi_column_rows(&output->input->wanted));
    output->unsound = overlooked || failed;
}

struct compared {
    struct adi_stream_output *output;
    const struct adi_exported *chunk;
    const char *rule;
};

static bool is_same(void *compared_at, const struct ArrowArray *slice,
                    const struct ArrowArray *wanted) {
    const struct compared *compared = compared_at;
    struct adi_stream_output *output = compared->output;
    return output->kind == &adi_kind_array_stream
               ? compare_copy(output, slice, wanted)
               : compare_chunk(output, compared->chunk, slice, wanted, compared->rule);
}

bool adi_stream_output_compare(struct adi_stream_output *output, const struct adi_exported *chunk,
                               struct adi_column *wanted, const char *rule) {
    struct compared compared = {output, chunk, rule};
    adi_play_step(output->test, "read", "compared with what was handed over");
    int64_t more =
        adi_column_compare(wanted, output->schema, &chunk->array->array, is_same, &compared);
    /* Of one that goes on nobody knows with what. */
    if (more > 0 && output->beyond) return true;
    if (more > 0) report_more(output, rule);
    return more == 0;
}

void adi_stream_output_release_chunk(struct adi_stream_output *output, struct adi_exported *chunk) {
    if (chunk->array == NULL || output->unsound || chunk->array->array.release == NULL) return;
    if (output->elsewhere)
        adi_call_release_elsewhere(&chunk->array->array);
    else
        adi_call_release_array(&chunk->array->array);
}

void adi_stream_output_free_chunk(struct adi_exported *chunk) {
    adi_watch_close(chunk->array_watch);
    free(chunk->array);
    *chunk = (struct adi_exported){.schema = NULL};
}
