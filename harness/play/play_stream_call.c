/* SPDX-License-Identifier: Apache-2.0
 *
 * The callbacks of a stream: what is called is code of the implementation's. Nothing else knows
 * their signatures.
 */
#include <pthread.h>

#include "move.h"
#include "play_stream.h"
#include "unwind.h"

struct call {
    void *stream, *out;
    void (*code)(void *call);
    int answer;
    const char *text;
};

/* ---- of either kind ---- */

static void host_schema(void *call_at) {
    struct call *call = call_at;
    struct ArrowArrayStream *stream = call->stream;
    call->answer = stream->get_schema(stream, call->out);
}

static void device_schema(void *call_at) {
    struct call *call = call_at;
    struct ArrowDeviceArrayStream *stream = call->stream;
    call->answer = stream->get_schema(stream, call->out);
}

static void host_next(void *call_at) {
    struct call *call = call_at;
    struct ArrowArrayStream *stream = call->stream;
    struct ArrowDeviceArray *out = call->out;
    call->answer = stream->get_next(stream, &out->array);
    if (call->answer == 0) *out = adi_device_array_of_cpu(&out->array);
}

static void device_next(void *call_at) {
    struct call *call = call_at;
    struct ArrowDeviceArrayStream *stream = call->stream;
    call->answer = stream->get_next(stream, call->out);
}

static void host_error(void *call_at) {
    struct call *call = call_at;
    struct ArrowArrayStream *stream = call->stream;
    call->text = stream->get_last_error(stream);
}

static void device_error(void *call_at) {
    struct call *call = call_at;
    struct ArrowDeviceArrayStream *stream = call->stream;
    call->text = stream->get_last_error(stream);
}

static void host_release(void *call_at) {
    struct ArrowArrayStream *stream = ((struct call *)call_at)->stream;
    adi_unwind_enter();
    stream->release(stream);
    adi_unwind_leave();
}

static void device_release(void *call_at) {
    struct ArrowDeviceArrayStream *stream = ((struct call *)call_at)->stream;
    adi_unwind_enter();
    stream->release(stream);
    adi_unwind_leave();
}

/* ---- here, or elsewhere ---- */

static void *run(void *call_at) {
    struct call *call = call_at;
    call->code(call);
    return NULL;
}

static void run_elsewhere(void *call_at) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, call_at) != 0) {
        run(call_at);
        return;
    }
    pthread_join(thread, NULL);
}

static void make(const char *phase, struct call *call, bool elsewhere) {
    adi_call_code(phase, elsewhere ? run_elsewhere : call->code, call);
}

static bool is_host(const struct adi_kind *kind) {
    return kind == &adi_kind_array_stream;
}

int adi_stream_schema(const struct adi_kind *kind, void *stream, struct ArrowSchema *out) {
    struct call call = {stream, out, is_host(kind) ? host_schema : device_schema, 0, NULL};
    call.code(&call);
    return call.answer;
}

int adi_stream_next(const struct adi_kind *kind, void *stream, struct ArrowDeviceArray *out) {
    struct call call = {stream, out, is_host(kind) ? host_next : device_next, 0, NULL};
    call.code(&call);
    return call.answer;
}

const char *adi_stream_error(const struct adi_kind *kind, void *stream) {
    struct call call = {stream, NULL, is_host(kind) ? host_error : device_error, 0, NULL};
    call.code(&call);
    return call.text;
}

int adi_call_stream_schema(const struct adi_kind *kind, void *stream, struct ArrowSchema *out,
                           bool elsewhere) {
    struct call call = {stream, out, is_host(kind) ? host_schema : device_schema, 0, NULL};
    make("get_schema", &call, elsewhere);
    return call.answer;
}

int adi_call_stream_next(const struct adi_kind *kind, void *stream, struct ArrowDeviceArray *out,
                         bool elsewhere) {
    struct call call = {stream, out, is_host(kind) ? host_next : device_next, 0, NULL};
    make("get_next", &call, elsewhere);
    return call.answer;
}

const char *adi_call_stream_error(const struct adi_kind *kind, void *stream, bool elsewhere) {
    struct call call = {stream, NULL, is_host(kind) ? host_error : device_error, 0, NULL};
    make("get_last_error", &call, elsewhere);
    return call.text;
}

void adi_call_stream_release(const struct adi_kind *kind, void *stream, bool elsewhere) {
    struct call call = {stream, NULL, is_host(kind) ? host_release : device_release, 0, NULL};
    make("release", &call, elsewhere);
}

/* ---- what another one was asked ---- */

enum {
    OF_SCHEMA = 1,
    FAILED = 2,
    ENDED = 4
};

static unsigned char answer(int code, bool ended) {
    return (unsigned char)(code != 0 ? FAILED : ended ? ENDED : 0);
}

void adi_stream_calls_add(struct adi_stream_calls *calls, bool schema, int code, bool ended) {
    if (calls->n == sizeof calls->made) return;
    calls->made[calls->n++] = (unsigned char)((schema ? OF_SCHEMA : 0) | answer(code, ended));
}

static unsigned char ask(const struct adi_kind *kind, void *stream, bool for_schema) {
    struct ArrowSchema schema = {.release = NULL};
    struct ArrowDeviceArray chunk = {.array.release = NULL};
    int code = for_schema ? adi_call_stream_schema(kind, stream, &schema, false)
                          : adi_call_stream_next(kind, stream, &chunk, false);
    const bool ended = !for_schema && chunk.array.release == NULL;
    if (code == 0 && schema.release != NULL) adi_call_release_schema(&schema);
    if (code == 0 && chunk.array.release != NULL) adi_call_release_array(&chunk.array);
    return answer(code, ended);
}

bool adi_stream_calls_answered(const struct adi_stream_calls *calls, const struct adi_kind *kind,
                               void *stream) {
    for (size_t i = 0; i < calls->n; i++) {
        const unsigned char wanted = calls->made[i] & (FAILED | ENDED);
        const unsigned char given = ask(kind, stream, (calls->made[i] & OF_SCHEMA) != 0);
        if (i + 1 < calls->n && given != wanted) return false;
        if (i + 1 == calls->n && (given == FAILED || given == wanted)) return false;
    }
    return true;
}
