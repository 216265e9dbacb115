/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes out of an asynchronous stream, and what went in.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "check.h"
#include "device_types.h"
#include "move.h"
#include "play_async.h"

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

static bool has_more(const struct adi_column *column) {
    return adi_column_seen(column) < adi_column_rows(column);
}

static bool compare(struct adi_test *test, const struct ArrowSchema *schema,
                    const struct ArrowDeviceArray *array, struct adi_column *wanted,
                    const char *rule) {
    struct ArrowDeviceArray part = *array;
    struct ArrowArray rows;
    int64_t from = 0;
    do {
        if (!adi_column_next(wanted, schema, &array->array, &from, &part.array, &rows)) break;
        if (!adi_exported_compare(test, schema, &part, &wanted->schema, &rows, rule, NULL))
            return false;
    } while (from < array->array.length);
    if (from >= array->array.length) return true;
    adi_report(&test->sink, rule, ADI_PRODUCER, NULL, NULL,
               "there are more rows than went in, by %" PRId64, array->array.length - from);
    return false;
}

/* ---- what comes out ---- */

static int by_number(const void *a, const void *b) {
    int64_t first = ((const struct adi_async_taken *)a)->number;
    int64_t second = ((const struct adi_async_taken *)b)->number;
    return (first > second) - (first < second);
}

/* AS-041: each array is of the device type of the producer. */
static void judge_type(struct adi_test *test, const struct adi_async_handler *handler,
                       const struct adi_exported *chunk) {
    ArrowDeviceType said = handler->as_it_was.producer.device_type;
    if (chunk->array->device_type != said && !adi_exported_is_empty_on_cpu(chunk))
        adi_report(&test->sink, "async/chunk-of-other-type", ADI_PRODUCER, NULL, NULL,
                   "a batch is of device type %d, the producer of type %d",
                   chunk->array->device_type, said);
}

bool adi_async_judge_event(struct adi_test *test, struct adi_async_handler *handler,
                           struct adi_async_taken *taken) {
    const struct adi_exported chunk = {.schema = &handler->schema, .array = &taken->array};
    adi_play_step(test, "wait", "for the event of batch %" PRId64, taken->number);
    return taken->array.device_type != test->device->ops->type || adi_queue_judge(test, &chunk);
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
static bool look(struct adi_test *test, struct adi_async_handler *handler,
                 struct ArrowDeviceArray *array, struct adi_column *wanted, const char *rule) {
    struct adi_exported chunk = {.schema = &handler->schema, .array = array};
    struct adi_error why = {""};
    judge_type(test, handler, &chunk);
    if (!adi_play_is_identified(test->device, chunk.schema, chunk.array, &why)) {
        adi_play_unidentified(test, &why);
        return false;
    }
    return adi_play_check_array(test, &chunk) && compare(test, chunk.schema, array, wanted, rule);
}

/* AS-046: what was requested comes, all of it, and nothing else. */
bool adi_async_look(struct adi_test *test, struct adi_async_handler *handler,
                    struct adi_column *wanted, const char *rule) {
    wanted->at = 0;
    wanted->row = 0;
    if (handler->schema.release == NULL) return true;
    adi_play_step(test, "read", "%zu batches, compared with what was handed over",
                  handler->n_taken);
    qsort(handler->taken, handler->n_taken, sizeof *handler->taken, by_number);
    bool sound = adi_check_schema(&handler->schema, &test->sink);
    for (size_t i = 0; i < handler->n_taken && sound; i++)
        sound = look(test, handler, &handler->taken[i].array, wanted, rule);
    bool is_whole = handler->ends > 0 && !handler->conduct.gives_up && !handler->is_cancelled &&
                    !handler->conduct.source_fails;
    if (sound && is_whole && has_more(wanted)) {
        adi_report(&test->sink, rule, ADI_PRODUCER, NULL, NULL,
                   "the stream has ended, and rows that went in have not come out");
        sound = false;
    }
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
