/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes out of an asynchronous stream, and what went in.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "async_kept.h"
#include "batches.h"
#include "check.h"
#include "device_types.h"
#include "move.h"
#include "play_async.h"
#include "schema.h"

/* ---- what goes in ---- */

/* Chunks of several shapes, each of the type of the case. One without rows is not the last: who
 * takes it for the end, and who loses the last one, loses rows. */
static struct adi_stream_design design_of(const struct adi_async_design *design) {
    static const char *const some[] = {NULL, "nulls", "offset"}, *const all[ADI_ASYNC_CHUNKS] = {
                                                                     NULL, "nulls", "empty",
                                                                     "offset"};
    const char *const *shapes = design->chunks == ADI_ASYNC_CHUNKS ? all : some;
    struct adi_stream_design made = {.n = design->chunks};
    for (size_t i = 0; i < design->chunks; i++)
        made.chunks[i] = (struct adi_stream_chunk){shapes[i], i, false};
    return made;
}

bool adi_async_column_make(struct adi_test *test, const struct adi_async_design *design,
                           struct adi_column *column) {
    const struct adi_stream_design made = design_of(design);
    struct adi_error error = {""};
    if (adi_column_make(test, &made, column, &error) == 0) return true;
    adi_play_error(test, "no source", &error);
    return false;
}

bool adi_async_source(struct adi_test *test, const struct adi_async_design *design,
                      struct ArrowArrayStream *source) {
    struct adi_column made;
    struct adi_batches batches = {0};
    struct adi_error error = {""};
    if (!adi_async_column_make(test, design, &made)) return false;
    int code = 0;
    for (size_t i = 0; i < made.n && code == 0; i++)
        code = adi_batches_add(&batches, &made.chunks[i], 1, &error);
    adi_schema_move(&made.schema, &batches.schema);
    char *text = design->text_bytes > 0 ? malloc(design->text_bytes + 1) : NULL;
    if (text != NULL) {
        memset(text, 'x', design->text_bytes);
        text[design->text_bytes] = '\0';
    }
    adi_last_error_set(&batches.error, design->failure,
                       text != NULL ? text : "the source has failed");
    free(text);
    adi_last_error_set(&batches.schema_error, design->schema_failure, "the source has no schema");
    if (code == 0) code = adi_batches_stream(&batches, source, &error);
    adi_batches_release(&batches);
    adi_column_free(&made);
    if (code != 0) adi_play_error(test, "no source", &error);
    return code == 0;
}

/* ---- the same rows of both ---- */

struct compared {
    struct adi_test *test;
    const struct ArrowSchema *schema, *wanted;
    const struct ArrowDeviceArray *array;
    const char *rule;
};

static bool is_same(void *compared_at, const struct ArrowArray *slice,
                    const struct ArrowArray *wanted) {
    const struct compared *compared = compared_at;
    struct ArrowDeviceArray part = *compared->array;
    part.array = *slice;
    return adi_exported_compare(compared->test, compared->schema, &part, compared->wanted, wanted,
                                compared->rule, NULL);
}

static bool compare(struct adi_test *test, const struct ArrowSchema *schema,
                    const struct ArrowDeviceArray *array, struct adi_column *wanted,
                    const char *rule) {
    struct compared compared = {test, schema, &wanted->schema, array, rule};
    int64_t more = adi_column_compare(wanted, schema, &array->array, is_same, &compared);
    if (more > 0)
        adi_report(&test->sink, rule, ADI_PRODUCER, NULL, NULL,
                   "there are more rows than went in, by %" PRId64, more);
    return more == 0;
}

/* ---- what comes out ---- */

static int by_number(const void *a, const void *b) {
    int64_t first = ((const struct adi_async_taken *)a)->number;
    int64_t second = ((const struct adi_async_taken *)b)->number;
    return (first > second) - (first < second);
}

/* AS-041: each array should be of the device type of the producer. One that the device of the
 * case cannot reach stays what it says: that is not what was asked for. */
static void judge_type(struct adi_test *test, const struct adi_async_handler *handler,
                       struct adi_exported *chunk) {
    ArrowDeviceType said = handler->as_it_was.producer.device_type, type = test->device->ops->type;
    ArrowDeviceType seen = chunk->array->device_type;
    if (seen == said || adi_exported_is_empty_on_cpu(chunk)) return;
    if (seen != type && !adi_chunk_is_in_reach(test->device, chunk)) return;
    adi_report(&test->sink, "async/chunk-of-other-type", ADI_PRODUCER, NULL, NULL,
               "a batch is of device type %d, the producer of type %d", seen, said);
    if (seen != type) adi_chunk_take_as(test->device, chunk);
}

bool adi_async_judge_event(struct adi_test *test, struct adi_async_handler *handler,
                           struct adi_async_taken *taken) {
    const struct adi_exported chunk = {.schema = &handler->schema, .array = &taken->array};
    struct adi_device *device = test->device;
    adi_play_step(test, "wait", "for the event of batch %" PRId64, taken->number);
    if (taken->array.device_type != device->ops->type) return true;
    test->device = adi_chunk_device(test, chunk.array);
    bool covered = adi_queue_judge(test, &chunk);
    test->device = device;
    return covered;
}

bool adi_async_judge_events(struct adi_test *test, struct adi_async_handler *handler,
                            int64_t first) {
    bool sound = true;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < handler->n_taken && sound; i++)
            if ((handler->taken[i].number == first) == (turn == 0))
                sound = adi_async_judge_event(test, handler, &handler->taken[i]);
    return sound;
}

/* AS-003, AS-011: each batch is of the schema that on_schema was called with. */
static bool look_at(struct adi_test *test, struct adi_async_handler *handler,
                    struct ArrowDeviceArray *array, struct adi_column *wanted, const char *rule) {
    struct adi_exported chunk = {.schema = &handler->schema, .array = array};
    struct adi_error why = {""};
    if (!adi_play_is_identified(test->device, chunk.schema, chunk.array, &why)) {
        adi_play_unidentified(test, &why);
        return false;
    }
    return adi_play_check_array(test, &chunk) && compare(test, chunk.schema, array, wanted, rule);
}

static bool look(struct adi_test *test, struct adi_async_handler *handler,
                 struct ArrowDeviceArray *array, struct adi_column *wanted, const char *rule) {
    struct adi_exported chunk = {.schema = &handler->schema, .array = array};
    struct adi_device *device = test->device;
    judge_type(test, handler, &chunk);
    test->device = adi_chunk_device(test, array);
    bool sound = look_at(test, handler, array, wanted, rule);
    test->device = device;
    return sound;
}

static bool is_of_type(struct adi_test *test, const struct ArrowSchema *schema,
                       const struct ArrowSchema *wanted) {
    struct adi_error why = {""};
    if (adi_schema_compare_type(schema, wanted, &why) == 0) return true;
    adi_report(&test->sink, "schema/type-differs", ADI_PRODUCER, NULL, NULL, "schema.%s", why.text);
    return false;
}

bool adi_async_judge_count(struct adi_test *test, const struct adi_async_handler *handler,
                           const struct adi_column *wanted, const char *rule) {
    const struct adi_async_conduct *conduct = &handler->conduct;
    bool is_whole = handler->ends > 0 && !conduct->gives_up && !handler->is_cancelled &&
                    !handler->has_asked_badly && !conduct->source_fails;
    int64_t left = adi_column_rows(wanted);
    for (size_t i = 0; i < handler->n_taken && left > 0; i++)
        if (handler->taken[i].array.array.length > 0) left -= handler->taken[i].array.array.length;
    if (!is_whole || left <= 0) return true;
    adi_report(&test->sink, rule, ADI_PRODUCER, NULL, NULL,
               "the stream has ended, and %" PRId64 " rows that went in have not come out", left);
    return false;
}

/* AS-046: what was requested comes, all of it, and nothing else. */
bool adi_async_look(struct adi_test *test, struct adi_async_handler *handler,
                    struct adi_column *wanted, const char *rule) {
    wanted->at = 0;
    wanted->row = 0;
    if (handler->schema.release == NULL) return true;
    if (!adi_async_is_kept(handler)) return false;
    adi_play_step(test, "read", "%zu batches, compared with what was handed over",
                  handler->n_taken);
    qsort(handler->taken, handler->n_taken, sizeof *handler->taken, by_number);
    bool sound = adi_check_schema(&handler->schema, &test->sink) &&
                 is_of_type(test, &handler->schema, &wanted->schema);
    for (size_t i = 0; i < handler->n_taken && sound; i++)
        sound = look(test, handler, &handler->taken[i].array, wanted, rule);
    sound = sound && adi_async_judge_count(test, handler, wanted, rule);
    return sound;
}

/* AS-037: arrays are the consumer's, who releases them on their own. */
void adi_async_let_go(struct adi_test *test, struct adi_async_handler *handler, bool sound) {
    for (size_t i = 0; i < handler->n_taken && sound; i++) {
        struct ArrowArray *array = &handler->taken[i].array.array;
        struct adi_watch *watch = adi_watch_open(&adi_kind_array, array, &test->sink, true, false);
        if (array->release != NULL) adi_call_release_array(array);
        adi_watch_close(watch);
    }
    handler->n_taken = 0;
    if (sound && handler->schema.release != NULL) adi_call_release_schema(&handler->schema);
    handler->schema.release = NULL;
}
