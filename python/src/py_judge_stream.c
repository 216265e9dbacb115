/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: asking an object for one.
 */
#include <errno.h>

#include "case.h"
#include "move.h"
#include "py_array.h"
#include "py_chunks.h"
#include "py_device.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_leaks.h"
#include "py_stream.h"
#include "schema.h"
#include "stream.h"

static struct adi_py_subject *const subject = &adi_py_subject;

static bool is_of_device(void) {
    return subject->protocol == ADI_PY_ARROW_DEVICE_STREAM;
}

static const char *name(void) {
    return is_of_device() ? "arrow_device_array_stream" : "arrow_array_stream";
}

/* What is in its capsule, which the caller gives up; NULL with an exception. */
static void *ask(PyObject *object, PyObject **capsule) {
    *capsule = PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
    subject->is_refused = *capsule == NULL;
    void *within = *capsule == NULL ? NULL : adi_py_ask_within(*capsule, name());
    bool is_live = within != NULL &&
                   (is_of_device() ? ((struct ArrowDeviceArrayStream *)within)->release != NULL
                                   : ((struct ArrowArrayStream *)within)->release != NULL);
    if (within != NULL && adi_py_ask_is_live(is_live, name())) return within;
    adi_py_drop(*capsule);
    *capsule = NULL;
    return NULL;
}

/* CS-015: those of a device are looked at in the case. */
static bool has_callbacks(const struct ArrowArrayStream *stream) {
    const char *missing = stream->get_schema == NULL       ? "get_schema"
                          : stream->get_next == NULL       ? "get_next"
                          : stream->get_last_error == NULL ? "get_last_error"
                                                           : NULL;
    if (missing == NULL) return true;
    adi_py_judge_see("stream/callback-missing", ADI_PRODUCER, "NULL", "a callback",
                     "ArrowArrayStream.%s is NULL", missing);
    PyErr_Format(PyExc_ValueError, "%s of the stream is NULL", missing);
    return false;
}

int adi_py_ask_stream(PyObject *object, struct ArrowDeviceArrayStream *out) {
    PyObject *capsule;
    struct adi_error error = {""};
    int code = 0;
    void *within = ask(object, &capsule);
    if (within == NULL) return -1;
    if (!is_of_device() && !has_callbacks(within)) {
        ADI_PY_ASIDE(adi_py_drop(capsule));
        return -1;
    }
    if (is_of_device())
        adi_device_array_stream_move(within, out);
    else
        code = adi_stream_wrap(within, out, &error);
    adi_py_ask_drop(capsule);
    if (code == 0) return 0;
    adi_py_raise(code, PyExc_NotImplementedError, &error);
    return -1;
}

/* ---- what nobody consumes ---- */

static struct {
    void (*on_host)(struct ArrowArrayStream *);
    void (*on_device)(struct ArrowDeviceArrayStream *);
    int calls;
    bool is_uncleared; /* `release` is set behind the call */
} counted;

static void count_host(struct ArrowArrayStream *stream) {
    counted.calls++;
    stream->release = counted.on_host;
    counted.on_host(stream);
    counted.is_uncleared = stream->release != NULL;
}

static void count_device(struct ArrowDeviceArrayStream *stream) {
    counted.calls++;
    stream->release = counted.on_device;
    counted.on_device(stream);
    counted.is_uncleared = stream->release != NULL;
}

static void begin_counting(void *within) {
    struct ArrowDeviceArrayStream *on_device = within;
    struct ArrowArrayStream *on_host = within;
    counted.calls = 0;
    counted.is_uncleared = false;
    if (is_of_device()) {
        counted.on_device = on_device->release;
        on_device->release = count_device;
    } else {
        counted.on_host = on_host->release;
        on_host->release = count_host;
    }
}

static void release(void *within) {
    if (is_of_device())
        adi_device_array_stream_release(within);
    else
        adi_array_stream_release(within);
}

/* Of one that can be had once nothing would be kept the second time. */
static PyObject *ask_another(PyObject *object, const void *unused) {
    PyObject *other = adi_py_ask_another(object);
    (void)unused;
    PyObject *capsule =
        other == NULL ? NULL : PyObject_CallMethod(other, adi_py_method(subject->protocol), NULL);
    Py_XDECREF(other);
    return capsule;
}

void adi_py_judge_stream(PyObject *object) {
    PyObject *capsule;
    void *within = ask(object, &capsule);
    if (within == NULL) {
        adi_py_judge_overlook(); /* it is told where the object is asked again */
        return;
    }
    if (Py_REFCNT(capsule) == 1) { /* else somebody else holds it, and it stays */
        bool has_destructor = PyCapsule_GetDestructor(capsule) != NULL;
        adi_py_judge_overlook();
        begin_counting(within);
        if (!has_destructor) release(within); /* that has been told */
        Py_CLEAR(capsule);
        if (counted.calls == 0 &&
            (!has_destructor || adi_py_dropped_grow(object, ask_another, NULL)))
            adi_py_judge_see("pycapsule/unconsumed-kept", ADI_PRODUCER, "release was not called",
                             "one call", "a capsule that nobody consumed keeps its stream");
        /* CS-021: who consumes one of the host wraps it, and nobody sees that then. */
        if (counted.is_uncleared && !is_of_device())
            adi_py_judge_see("life/release-not-cleared", ADI_PRODUCER, "release is set", "NULL",
                             "the stream's release callback returned, and release was not cleared");
    }
    Py_XDECREF(capsule);
    if (is_of_device()) adi_py_ask_with_keywords(object);
}

/* ---- as the sample ---- */

int adi_py_own_stream(PyObject *object, struct ArrowSchema *schema, struct ArrowArray *arrays,
                      size_t *n_arrays, struct adi_device **device,
                      struct adi_py_stream_bound *bound, struct adi_py_stream_failure *failure) {
    struct ArrowDeviceArrayStream stream;
    struct adi_error error = {""};
    *device = NULL;
    if (adi_py_ask_stream(object, &stream) != 0) return -1;
    *device = adi_py_device_first(stream.device_type, NULL);
    PyObject *made = adi_py_stream_collect(&stream, bound, failure);
    const struct adi_py_chunks *chunks = made == NULL ? NULL : adi_py_stream_chunks(made);
    if (chunks == NULL) {
        ADI_PY_ASIDE(adi_device_array_stream_release(&stream));
        return -1;
    }
    int code = adi_schema_export(&chunks->schema, schema, &error);
    *device = chunks->device;
    *n_arrays = 0;
    for (size_t i = 0; code == 0 && i < chunks->count; i++) {
        ADI_PY_WITH(chunks->chunks[i]->device,
                    code = adi_py_memory_to_host(chunks->chunks[i], &arrays[i], &error));
        if (code == 0) ++*n_arrays;
    }
    /* Behind the copies: chunks that go with the stream are told in a case. */
    ADI_PY_ASIDE(adi_device_array_stream_release(&stream));
    Py_DECREF(made);
    if (code == 0) return 0;
    for (size_t i = 0; i < *n_arrays; i++) adi_array_release(&arrays[i]);
    *n_arrays = 0;
    adi_schema_release(schema);
    adi_py_raise(code, PyExc_NotImplementedError, &error);
    return -1;
}
