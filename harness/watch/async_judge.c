/* SPDX-License-Identifier: Apache-2.0 */
#include "async_judge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lent_text.h"
#include "node.h"
#include "safe_read.h"
#include "tree.h"

/* What this thread is calling, and how deep. */
static _Thread_local const char *calling;
static _Thread_local int depth;

const char *adi_async_calling(void) {
    return calling;
}

void adi_async_call_begins(const char *what) {
    calling = what;
    depth++;
}

int adi_async_call_depth(void) {
    return depth;
}

void adi_async_call_ends(void) {
    if (--depth == 0) calling = NULL;
}

static const char *const names[] = {"on_schema", "on_next_task", "on_error", "release"};

/* Within the lock. */
static void report(struct adi_async_handler *handler, const char *rule, const char *seen,
                   const char *wanted, const char *what) {
    if (handler->is_broken) return;
    handler->is_broken = true;
    adi_report(handler->sink, rule, ADI_PRODUCER, seen, wanted, "%s", what);
}

void adi_async_handler_report(struct adi_async_handler *handler, const char *rule, const char *seen,
                              const char *wanted, const char *what) {
    pthread_mutex_lock(&handler->lock);
    report(handler, rule, seen, wanted, what);
    pthread_mutex_unlock(&handler->lock);
}

/* AS-051, AS-055, AS-058: after a cancel the producer stops, and releases. */
/* AS-009, AS-030, AS-069, AS-080: what is the producer's is not there any more when all is over. */
/* AS-065, AS-070: the handler is released, whatever has come before. */
void adi_async_handler_report_late(struct adi_async_handler *handler) {
    if (handler->is_gone)
        adi_async_handler_report(handler, "async/producer-not-valid", "memory that has changed",
                                 "the producer, until just before the release",
                                 "the producer is gone, and the handler is not released");
    bool has_ended = handler->ends > 0 || handler->errors > 0 || handler->has_refused_schema ||
                     handler->has_refused_task;
    adi_async_handler_report(handler,
                             has_ended ? "async/handler-not-released"
                             : handler->is_cancelled && !handler->has_asked_badly
                                 ? "async/cancel-ignored"
                             : handler->conduct.source_fails ? "async/source-error-lost"
                                                             : "async/request-ignored",
                             "nothing, for a while", "a further callback, or the release",
                             has_ended ? "the handler is not released" : "nothing comes");
}

/* AS-007: who has set the producer goes on, and waits perhaps for what nobody requests before
 * on_schema. */
const char *adi_async_handler_hangs(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    bool waits = handler->calls == 0 && !handler->is_over && handler->at->producer != NULL;
    pthread_mutex_unlock(&handler->lock);
    return waits ? "async/schema-not-first" : NULL;
}

/* ---- what it is called with ---- */

static bool decode(const char *metadata, char **copy, int64_t *bytes, struct adi_error *why) {
    *copy = NULL;
    *bytes = 0;
    return metadata == NULL ||
           adi_safe_reader_metadata(NULL, metadata, (uint8_t **)copy, bytes, why) == 0;
}

/* AS-023: metadata is encoded as that of ArrowSchema, whoever it comes with. */
void adi_async_judge_metadata(struct adi_async_handler *handler, const char *metadata,
                              bool of_error) {
    struct adi_error why = {""};
    char *copy;
    int64_t bytes;
    if (!decode(metadata, &copy, &bytes, &why))
        adi_async_handler_report(
            handler, of_error ? "async/error-metadata-malformed" : "async/metadata-malformed",
            why.text, "a number of pairs, and so many keys and values",
            of_error ? "the metadata of an error" : "the metadata of a task");
    free(copy);
}

bool adi_async_is_errno(int code) {
    return code > 0 && code < 134;
}

/* Ambiguity 71: ECANCELED says that the cancel itself is the error; any other code may be of what
 * went wrong in it, which has to be told. Such a note hides nothing that comes later. */
/* Within the lock. */
static void report_cancel_error(struct adi_async_handler *handler, int code) {
    char text[64];
    snprintf(text, sizeof text, "on_error with code %d", code);
    if (code == ECANCELED)
        report(handler, "async/cancel-ends-in-error", text, "release alone",
               "a cancel has ended in on_error");
    else if (!handler->is_broken)
        adi_report(handler->sink, "async/error-after-cancel", ADI_PRODUCER, text,
                   "release alone, unless the cancel itself has failed",
                   "an error has come behind a cancel");
}

void adi_async_extraction_begins(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    handler->extractions++;
    pthread_mutex_unlock(&handler->lock);
}

void adi_async_extraction_ends(struct adi_async_handler *handler, int code) {
    pthread_mutex_lock(&handler->lock);
    if (code != 0) {
        handler->extract_failed = true;
        handler->extract_code = code;
    }
    if (--handler->extractions == 0 && handler->is_unexplained && !handler->extract_failed)
        report_cancel_error(handler, handler->error_code);
    pthread_mutex_unlock(&handler->lock);
}

#define TEXT_MOST ((size_t)1 << 21) /* bytes of a message that are looked at */

static const char *find_gone(const char *text, const void *frame) {
    if (text == NULL) return NULL;
    if (adi_lent_text_is_freed(text)) return "memory that was freed";
    return adi_lent_text_is_below(text, frame) ? "a frame of the stack that is no more" : NULL;
}

const char *adi_async_find_gone(const char *message, const char *metadata, const void *frame) {
    const char *gone = find_gone(message, frame);
    return gone != NULL ? gone : find_gone(metadata, frame);
}

static const char *find_changed(const char *message) {
    char *copy = NULL;
    const char *now = NULL;
    if (message == NULL) return NULL;
    int code = adi_safe_reader_string(NULL, message, TEXT_MOST, &copy);
    if (code == 0) now = adi_lent_text_changed(message, copy, TEXT_MOST);
    free(copy);
    return code == EFAULT ? "memory that cannot be read, or no end" : now;
}

/* AS-021, AS-078: what comes with an error is valid until on_error returns. */
void adi_async_judge_texts(struct adi_async_handler *handler, const char *message,
                           const char *metadata, const void *frame, const char *gone) {
    if (gone == NULL) gone = adi_async_find_gone(message, metadata, frame);
    if (gone == NULL) gone = find_changed(message);
    if (gone != NULL)
        adi_async_handler_report(handler, "async/error-text-short-lived", gone,
                                 "what is there until on_error returns",
                                 "an error came with a text, or metadata, that is not there");
}

/* AS-048, AS-057: errors of request come by on_error; a cancel is none. */
void adi_async_judge_error(struct adi_async_handler *handler, int code, const char *message) {
    char text[96], *copy = NULL;
    pthread_mutex_lock(&handler->lock);
    handler->has_error = true;
    handler->error_code = code;
    if (message != NULL && adi_safe_reader_string(NULL, message, TEXT_MOST, &copy) == 0)
        snprintf(handler->error_text, sizeof handler->error_text, "%s", copy);
    free(copy);
    snprintf(text, sizeof text, "on_error with code %d", code);
    bool has_reason =
        handler->conduct.source_fails || handler->has_asked_badly || handler->extract_failed;
    if (!adi_async_is_errno(code))
        report(handler, "async/error-code-unknown", text, "the code of an errno",
               "the error has no code");
    else if (handler->is_cancelled && !has_reason && handler->extractions > 0)
        handler->is_unexplained = true;
    else if (handler->is_cancelled && !has_reason)
        report_cancel_error(handler, code);
    pthread_mutex_unlock(&handler->lock);
}

/* Ambiguity 9: of what a failing call has left only `release` is looked at. */
bool adi_async_judge_extracted(struct adi_async_handler *handler, int code,
                               const struct ArrowDeviceArray *out) {
    bool has_array = out != NULL && out->array.release != NULL &&
                     !adi_poisoned(&out->array.release, sizeof out->array.release);
    if (code == 0 && out != NULL && !has_array)
        adi_async_handler_report(handler, "async/extracted-nothing", "0, and no array",
                                 "an array, or an error", "extract_data has given nothing");
    else if (code != 0 && out == NULL)
        adi_async_handler_report(handler, "async/give-up-fails", "an error", "0",
                                 "extract_data with NULL has failed");
    else if (code != 0 && has_array)
        adi_async_handler_report(handler, "life/failure-leaves-output", "release is set",
                                 "untouched, or NULL",
                                 "a failing extract_data left something in its output");
    return code == 0 && has_array;
}

/* ---- the producer ---- */

static size_t producer_bytes(const struct adi_async_handler *handler) {
    return handler->layout == ADI_ASYNC_SHIPPED ? sizeof(struct adi_shipped_producer)
                                                : sizeof(struct adi_published_producer);
}

/* What the adapter says of its headers: where members are. */
static bool judge_layout(struct adi_async_handler *handler) {
    handler->evidence = adi_async_layout_of(&handler->as_it_was, handler->layout);
    if (handler->evidence != ADI_LAYOUT_WRONG) return true;
    report(handler, "async/layout-misstated",
           handler->layout == ADI_ASYNC_SHIPPED ? "offset 24" : "offset 32",
           handler->layout == ADI_ASYNC_SHIPPED ? "offset 32" : "offset 24",
           "additional_metadata is not where the adapter's async_layout has it");
    return false;
}

/* AS-005, AS-060: additional_metadata is NULL or encoded as ArrowSchema.metadata. */
static void keep_producer(struct adi_async_handler *handler) {
    struct adi_error why = {""};
    handler->producer = handler->at->producer;
    if (!judge_layout(handler)) return;
    const char *metadata = adi_async_metadata(&handler->as_it_was.producer, handler->layout);
    if (!decode(metadata, &handler->metadata, &handler->metadata_bytes, &why))
        report(handler, "async/metadata-malformed", why.text,
               "a number of pairs, and so many keys and values",
               "additional_metadata of the producer");
}

/* private_data, and what lies between the members, is the producer's own, who may keep there how
 * far it is. */
static bool is_kept(const struct adi_async_handler *handler, const struct ArrowAsyncProducer *now) {
    const struct ArrowAsyncProducer *before = &handler->as_it_was.producer;
    return handler->at->producer == handler->producer && now->device_type == before->device_type &&
           now->request == before->request && now->cancel == before->cancel &&
           (adi_async_metadata(now, handler->layout) == NULL) ==
               (adi_async_metadata(before, handler->layout) == NULL);
}

/* AS-006, AS-061: the metadata is valid for as long as the producer is. */
static void judge_kept(struct adi_async_handler *handler, const union adi_any_producer *now) {
    struct adi_error why = {""};
    char *copy = NULL;
    int64_t bytes = 0;
    /* AS-072: the producer is valid until just before the release. */
    if (!is_kept(handler, &now->producer))
        report(handler, "async/producer-not-valid", "another one, or other members",
               "what it was in on_schema", "the producer has changed");
    else if (handler->metadata != NULL &&
             (!decode(adi_async_metadata(&now->producer, handler->layout), &copy, &bytes, &why) ||
              bytes != handler->metadata_bytes ||
              memcmp(copy, handler->metadata, (size_t)bytes) != 0))
        report(handler, "async/metadata-short-lived", "something else, or nothing",
               "what it was in on_schema", "additional_metadata of the producer has changed");
    free(copy);
}

/* AS-008, AS-029, AS-071: the producer is there before any callback but release. */
static void judge_producer(struct adi_async_handler *handler, enum adi_async_callback callback) {
    struct ArrowAsyncProducer *producer = handler->at->producer;
    union adi_any_producer now;
    char text[64];
    memset(&now, 0, sizeof now);
    snprintf(text, sizeof text, "%s is called", names[callback]);
    if (producer == NULL)
        report(handler, "async/producer-not-set", "NULL", "an ArrowAsyncProducer", text);
    else if (adi_safe_read(&now, producer, producer_bytes(handler)) != 0)
        report(handler,
               handler->producer == NULL ? "async/producer-not-set" : "async/producer-not-valid",
               "memory that cannot be read", "an ArrowAsyncProducer", text);
    else if (handler->producer != NULL)
        judge_kept(handler, &now);
    else if (now.producer.request == NULL || now.producer.cancel == NULL)
        report(handler, "async/producer-not-set", "a callback of it is NULL", "request and cancel",
               text);
    else if (callback == ADI_ASYNC_SCHEMA) {
        adi_safe_read(&now, producer, sizeof now); /* what the other layout has, if it is there */
        handler->as_it_was = now;
        keep_producer(handler);
    }
}

/* ---- the order of callbacks ---- */

/* AS-044, AS-054: request calls back neither on_next_task nor on_error, nor on_schema, whose place
 * is before it; cancel calls on_error alone. */
static bool judge_thread(struct adi_async_handler *handler, enum adi_async_callback callback) {
    const char *within = adi_async_calling();
    char text[64];
    if (within == NULL) return true;
    snprintf(text, sizeof text, "%s within %s", names[callback], within);
    bool is_cancel = strcmp(within, "cancel") == 0;
    if (callback == (is_cancel ? ADI_ASYNC_ERROR : ADI_ASYNC_RELEASE)) return true;
    report(handler, is_cancel ? "async/cancel-calls-back" : "async/request-calls-back", text,
           "a call from elsewhere, later", "a callback was called by what the consumer had called");
    return false;
}

/* AS-018, AS-073, AS-074: one at a time, by whichever thread. */
static bool judge_overlap(struct adi_async_handler *handler, enum adi_async_callback callback) {
    if (handler->within == 0) return true;
    bool is_task = callback == ADI_ASYNC_TASK && handler->within_task > 0;
    report(handler, is_task ? "async/tasks-at-once" : "async/callbacks-overlap", names[callback],
           "a call when the one before it has returned",
           "a callback was called while another one ran");
    return false;
}

/* AS-010, AS-064, AS-065: who is refused releases, and calls nothing else. */
/* AS-020, AS-063: release is the last call after an error. */
/* AS-035: an extract_data that has failed is followed by on_error. */
static bool judge_order(struct adi_async_handler *handler, enum adi_async_callback callback) {
    const struct {
        bool applies;
        const char *rule, *what;
    } orders[] = {
        {handler->is_refused, "async/called-after-failure", "after produce_async had failed"},
        {handler->is_over, "async/called-after-release", "after the release"},
        {callback == ADI_ASYNC_RELEASE, NULL, NULL},
        {handler->errors > 0, "async/called-after-error", "after on_error"},
        {handler->has_refused_schema, "async/called-after-refused-schema",
         "after on_schema had answered an error"},
        {handler->has_refused_task, "async/called-after-refused-task",
         "after on_next_task had answered an error"},
        {callback == ADI_ASYNC_ERROR, NULL, NULL},
        {callback == ADI_ASYNC_SCHEMA && handler->schemas > 0, "async/schema-not-first", "twice"},
        {callback == ADI_ASYNC_TASK && handler->schemas == 0, "async/schema-not-first",
         "before on_schema"},
        {handler->ends > 0, "async/called-after-end", "after the end"},
        {handler->extract_failed && handler->conduct.extraction != ADI_EXTRACT_LATER,
         "async/extract-error-not-told", "after extract_data had failed"},
    };
    size_t i = 0, n = sizeof orders / sizeof *orders;
    while (i < n && !orders[i].applies) i++;
    if (i == n || orders[i].rule == NULL) return true;
    report(handler, orders[i].rule, names[callback], "no such call", orders[i].what);
    return false;
}

/* AS-007, AS-013: what has begun with on_schema ends with NULL, unless it is broken off. */
static void judge_release(struct adi_async_handler *handler) {
    bool has_ended = handler->ends > 0 || handler->errors > 0 || handler->has_refused_schema ||
                     handler->has_refused_task;
    if (has_ended || (handler->is_asked && handler->schemas == 0)) return;
    if (handler->extract_failed)
        report(handler, "async/extract-error-not-told", "release", "on_error, and then release",
               "extract_data had failed");
    else if (handler->conduct.source_fails && !handler->is_cancelled)
        report(handler, "async/source-error-lost", "release", "on_error, and then release",
               "what the stream is made from has failed");
    else if (!handler->is_cancelled && handler->schemas > 0)
        report(handler, "async/end-missing", "release", "on_next_task with NULL, and then release",
               "the stream has not ended");
}

/* AS-019, AS-042: nothing comes before the first request. */
/* AS-045: a request after cancel counts for nothing. */
/* AS-047: batches do not exceed the sum of the requests. */
static void judge_data(struct adi_async_handler *handler) {
    char seen[64], wanted[64];
    snprintf(seen, sizeof seen, "batch %" PRId64, handler->tasks + 1);
    snprintf(wanted, sizeof wanted, "%" PRId64 " at most", handler->requested);
    if (handler->has_asked_badly) /* AS-050: producers error if n is 0 or less. */
        report(handler, "async/bad-request-accepted", seen, "on_error",
               "request was called with an n that is not above 0");
    else if (handler->requested == 0)
        report(handler, "async/task-without-request", seen, "none before the first request",
               "nothing was requested");
    else if (handler->tasks >= handler->requested)
        report(handler, "async/task-beyond-requests", seen, wanted, "more than was requested");
    else if (handler->is_cancelled && handler->tasks >= handler->before_cancel)
        report(handler, "async/request-after-cancel", seen, "none of those",
               "what was requested after cancel has come");
}

static void judge_end(struct adi_async_handler *handler) {
    if (handler->conduct.source_fails && !handler->extract_failed && !handler->is_cancelled)
        report(handler, "async/source-error-lost", "the end", "on_error",
               "what the stream is made from has failed");
    if (handler->extract_failed && handler->conduct.extraction != ADI_EXTRACT_LATER)
        report(handler, "async/extract-error-not-told", "the end", "on_error",
               "extract_data had failed");
}

static void judge_members(struct adi_async_handler *handler) {
    struct ArrowAsyncDeviceStreamHandler now = *handler->at;
    now.producer = NULL;
    if (memcmp(&now, &handler->original, sizeof now) != 0)
        report(handler, "async/private-data-touched", "another value", "what the consumer has set",
               "a member of the handler was changed");
}

/* Ambiguity 34: nothing says that a handler is moved as an array is. */
static void judge_place(struct adi_async_handler *handler,
                        struct ArrowAsyncDeviceStreamHandler *self) {
    handler->at = self;
    if (self == handler->structure || handler->has_moved || handler->is_refused || handler->is_over)
        return;
    handler->has_moved = true;
    adi_report_aside(handler->sink, "async/handler-moved", "another structure",
                     "the structure that was handed over",
                     "the handler was moved, or copied, and is called where it is now");
}

void adi_async_judge(struct adi_async_handler *handler, struct ArrowAsyncDeviceStreamHandler *self,
                     enum adi_async_callback callback, bool is_data) {
    pthread_mutex_lock(&handler->lock);
    handler->calls++;
    judge_place(handler, self);
    bool goes = judge_order(handler, callback) && judge_thread(handler, callback) &&
                judge_overlap(handler, callback);
    if (goes && !handler->is_over) judge_members(handler);
    if (goes && callback != ADI_ASYNC_RELEASE) judge_producer(handler, callback);
    if (goes && callback == ADI_ASYNC_RELEASE) judge_release(handler);
    if (goes && callback == ADI_ASYNC_TASK && is_data) judge_data(handler);
    if (goes && callback == ADI_ASYNC_TASK && !is_data) judge_end(handler);
    handler->schemas += callback == ADI_ASYNC_SCHEMA;
    handler->ends += callback == ADI_ASYNC_TASK && !is_data;
    handler->errors += callback == ADI_ASYNC_ERROR;
    handler->releases += callback == ADI_ASYNC_RELEASE;
    handler->is_releasing = handler->is_releasing || callback == ADI_ASYNC_RELEASE;
    handler->within++;
    handler->within_task += callback == ADI_ASYNC_TASK;
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
}
