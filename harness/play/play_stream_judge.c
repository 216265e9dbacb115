/* SPDX-License-Identifier: Apache-2.0
 *
 * What a stream looks like, and what it says of an error: whoever asked for it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "lent_text.h"
#include "node.h"
#include "play_stream.h"
#include "safe_read.h"

/* ---- the structure ---- */

static const struct {
    const char *name;
    size_t in_device, in_host;
} callbacks[] = {
    {"get_schema", offsetof(struct ArrowDeviceArrayStream, get_schema),
     offsetof(struct ArrowArrayStream, get_schema)},
    {"get_next", offsetof(struct ArrowDeviceArrayStream, get_next),
     offsetof(struct ArrowArrayStream, get_next)},
    {"get_last_error", offsetof(struct ArrowDeviceArrayStream, get_last_error),
     offsetof(struct ArrowArrayStream, get_last_error)},
    {"release", offsetof(struct ArrowDeviceArrayStream, release),
     offsetof(struct ArrowArrayStream, release)},
};

static bool is_of_device(const struct adi_kind *kind) {
    return kind == &adi_kind_device_array_stream;
}

/* CS-015, DV-059: all four callbacks are there, release among them. */
static bool judge_callbacks(const struct adi_kind *kind, const void *structure,
                            struct adi_sink *sink) {
    for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
        const char *at = (const char *)structure +
                         (is_of_device(kind) ? callbacks[i].in_device : callbacks[i].in_host);
        bool is_null = adi_kind_pointer(at, 0) == NULL;
        if (!is_null && !adi_poisoned(at, sizeof(void *))) continue;
        adi_report(sink, "stream/callback-missing", ADI_PRODUCER,
                   is_null ? "NULL" : "what was there before the call", "a callback", "%s.%s is %s",
                   kind->name, callbacks[i].name, is_null ? "NULL" : "not written");
        return false;
    }
    return true;
}

/* DV-045: the stream says on which type of device it produces. */
static bool judge_type(const struct adi_kind *kind, const void *structure, ArrowDeviceType type,
                       struct adi_sink *sink) {
    const struct ArrowDeviceArrayStream *stream = structure;
    if (!is_of_device(kind) || stream->device_type == type) return true;
    struct adi_words seen = adi_words("%" PRId32, stream->device_type);
    struct adi_words wanted = adi_words("%" PRId32, type);
    adi_report(sink, "stream/device-type-invalid", ADI_PRODUCER, seen.text, wanted.text,
               "device_type of the stream is %s where type %s was asked for",
               adi_device_type_name(stream->device_type), adi_device_type_name(type));
    return false;
}

static void judge_private_data(const struct adi_kind *kind, const void *structure,
                               struct adi_sink *sink) {
    const char *data = adi_kind_pointer(structure, kind->private_data);
    const char *begin = structure;
    if (data >= begin && data < begin + kind->size)
        adi_report(sink, "life/points-into-itself", ADI_PRODUCER, NULL, NULL,
                   "%s.private_data points into the structure itself", kind->name);
}

bool adi_stream_judge_structure(const struct adi_kind *kind, const void *structure,
                                ArrowDeviceType type, struct adi_sink *sink) {
    if (!judge_callbacks(kind, structure, sink) || !judge_type(kind, structure, type, sink))
        return false;
    judge_private_data(kind, structure, sink);
    return true;
}

/* ---- errors ---- */

static void report_short_lived(struct adi_sink *sink, const char *seen) {
    adi_report(sink, "stream/error-text-short-lived", ADI_PRODUCER, seen,
               "the same until the next call of a callback of the stream",
               "the text of an error changed while nobody called the stream");
}

/* CS-011, DV-055: a text is UTF-8, and ends in a zero byte. */
/* CS-013, DV-057: it is there until the next call of a callback of the stream. */
void adi_stream_judge_text(struct adi_sink *sink, const char *text) {
    char *copy = NULL;
    if (text == NULL) return;
    if (adi_lent_text_is_freed(text)) {
        report_short_lived(sink, "memory that was freed");
        return;
    }
    int code = adi_safe_reader_string(NULL, text, ADI_STREAM_TEXT_MOST, &copy);
    int64_t at = copy == NULL ? -1 : adi_utf8_error(copy, (int64_t)strlen(copy));
    if (code == EFAULT || at >= 0) {
        struct adi_words seen = adi_words(code == EFAULT ? "memory that cannot be read, or no end"
                                                         : "byte %" PRId64 " is no UTF-8",
                                          at);
        adi_report(sink, "stream/error-text-invalid", ADI_PRODUCER, seen.text,
                   "UTF-8 that ends in a zero byte, or NULL",
                   "what get_last_error of the stream gives is no text");
    } else if (code == 0) {
        adi_play_scribble_stack();
        const char *now = adi_lent_text_changed(text, copy, ADI_STREAM_TEXT_MOST);
        if (now != NULL) report_short_lived(sink, now);
    }
    free(copy);
}

char *adi_stream_text_copy(const char *text) {
    char *copy = NULL;
    if (text != NULL && adi_safe_reader_string(NULL, text, ADI_STREAM_TEXT_MOST, &copy) != 0)
        copy = NULL;
    return copy;
}

/* The last errno value of Linux; none of the systems that this runs on has a greater one. */
#define LAST_ERRNO 133

/* CS-017: error codes are to be read like errno numbers. */
void adi_stream_judge_code(struct adi_sink *sink, int code) {
    struct adi_words seen = adi_words("%d", code);
    if (code < 1 || code > LAST_ERRNO)
        adi_report(sink, "stream/error-code-unknown", ADI_PRODUCER, seen.text, "an errno value",
                   "a callback of the stream answered with no errno value");
}

/* What a producer may answer that has given other chunks, but cannot take, or reach, the one that
 * comes next (ambiguity 40). EIO, for one, says that something failed. */
static const int refusals[] = {ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL,    ENOMEM, ENODEV,
                               ENXIO,   E2BIG,      ERANGE, EOVERFLOW, ENOSPC};

static bool code_refuses(int code) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i] == code) return true;
    return false;
}

/* ---- what does not come ---- */

static void report_no_schema(struct adi_sink *sink, bool again, int code) {
    const struct adi_words seen = adi_words("%s", strerror(code));
    adi_report(
        sink, "stream/schema-changes", ADI_PRODUCER, seen.text, "the same schema at each call",
        again ? "get_schema has given a schema before, and failed when it was called once more"
              : "chunks have come, and get_schema, which is to give their schema, failed");
}

static void report_no_end(struct adi_sink *sink, int code) {
    const struct adi_words seen = adi_words("%s", strerror(code));
    adi_report(sink, "stream/end-not-marked", ADI_PRODUCER, seen.text,
               "0, and NULL in `release` of the array",
               "behind the last row get_next answered an error instead of the end");
}

void adi_stream_report_lost(struct adi_sink *sink, bool consumes, const char *seen,
                            const char *message) {
    struct adi_found found = {
        .rule = adi_rule_named(consumes ? "array/misread" : "array/data-differs"),
        .party = consumes ? ADI_CONSUMER : ADI_PRODUCER,
        .mend = consumes ? "ask for chunks until one is marked released, which alone is the end, "
                           "and give out the rows of each"
                         : "give out all rows before the end: what is read ahead, the last chunk, "
                           "and what comes behind a chunk without rows"};
    adi_see(&found, seen, "all rows", "%s", message);
    sink->violated(sink, &found);
}

/* CS-005: what has been given once is no refusal of its type, and the end is no error. Chunks have
 * a schema (ambiguity 59). */
/* Memory may be short at any time, and nothing says what is to come behind the end or an error. */
bool adi_stream_judge_failure(const struct adi_stream_so_far *so_far, bool of_schema, int code,
                              struct adi_sink *stream, struct adi_sink *values) {
    if (code == ENOMEM || so_far->over) return false;
    if (of_schema && (so_far->schema || so_far->begun)) {
        report_no_schema(stream, so_far->schema, code);
        return true;
    }
    if (!of_schema && so_far->whole) {
        report_no_end(stream, code);
        return true;
    }
    if (!so_far->known && (!so_far->begun || code_refuses(code))) return false;
    const struct adi_words seen = adi_words("%s", strerror(code));
    adi_report(values, "stream/fails-by-itself", so_far->consumes ? ADI_CONSUMER : ADI_PRODUCER,
               seen.text, "all rows, or a code that refuses", "%s", so_far->lost);
    return true;
}
