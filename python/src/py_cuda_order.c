/* SPDX-License-Identifier: Apache-2.0 */
#include "py_cuda_order.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "attribution.h"
#include "dlpack_stream.h"
#include "py_blocks.h"
#include "py_cuda.h"
#include "py_device.h"
#include "py_error.h"

#define MOST          8
#define COMMANDS_MOST 256

/* What the runtime has said of the implementation since it was cleared. */
static struct {
    bool is_of_touches; /* else of order */
    size_t count;
    char texts[MOST][512];
} told;

static void clear(bool is_of_touches) {
    memset(&told, 0, sizeof told);
    told.is_of_touches = is_of_touches;
}

/* That memory of others is written is none of it. Maybe in a signal handler. */
static void on_misuse(void *context, enum adi_misuse misuse, bool is_event, const char *text) {
    bool is_early = misuse == ADI_MISUSE_EARLY || misuse == ADI_MISUSE_UNORDERED;
    bool is_asked_for = told.is_of_touches ? misuse == ADI_MISUSE_DEREFERENCED : is_early;
    (void)context;
    (void)is_event;
    if (!is_asked_for || told.count == MOST) return;
    strncpy(told.texts[told.count], text, sizeof told.texts[0] - 1);
    told.count++;
}

static PyObject *sentences(void) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < told.count; i++) {
        PyObject *text = PyUnicode_FromString(told.texts[i]);
        if (text == NULL || PyList_Append(list, text) != 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* ---- whose calls they are ---- */

static bool was_theirs; /* the calls of this thread, before */

static bool begin(struct adi_device *device, bool is_of_touches) {
    const struct adi_device_ops *ops = device->ops;
    const struct adi_interceptor *interceptor =
        ADI_DEVICE_HAS(ops, interceptor) ? ops->interceptor() : NULL;
    if (interceptor == NULL) return false;
    clear(is_of_touches);
    adi_attribution_set(interceptor);
    was_theirs = adi_attribution_enter(false);
    interceptor->subscribe(on_misuse, NULL);
    return true;
}

static void end(void) {
    adi_interceptor_resume();
    adi_interceptor_current()->subscribe(NULL, NULL);
    adi_attribution_enter(was_theirs);
    adi_attribution_set(NULL);
}

/* The implementation's own code. */
static PyObject *as_theirs(struct adi_device *device, PyObject *callable, PyObject *argument) {
    void *before = NULL;
    bool has_context = ADI_DEVICE_HAS(device->ops, restore_context);
    if (has_context) device->ops->push_context(device, &before);
    bool was = adi_attribution_enter(true);
    PyObject *result = PyObject_CallFunctionObjArgs(callable, argument, NULL);
    adi_attribution_enter(was);
    if (has_context) device->ops->restore_context(device, before);
    return result;
}

static int finish(struct adi_device *device, struct adi_error *error) {
    void *event = NULL;
    ADI_TRY(device->ops->event(device, &event, error));
    int code = device->ops->wait_host(device, event, error);
    device->ops->event_free(device, event);
    return code;
}

PyObject *adi_py_order_finish(PyObject *module, PyObject *name) {
    struct adi_device *device = adi_py_device_named(name);
    struct adi_error error = {""};
    int code = 0;
    (void)module;
    if (device == NULL) return NULL;
    ADI_PY_WITH(device, code = finish(device, &error));
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return Py_NewRef(Py_None);
}

/* ---- a consumer ---- */

static const int32_t written[6] = {1, 2, 3, 4, 5, 6};

/* Memory whose producer works on a stream of its own, and on a queue that nobody else has. */
struct lent {
    struct adi_device own, *device; /* `own`, or NULL: it is not open */
    void *buffer, *stream;
};

/* The stream comes behind what the device has queued. */
static int put_behind(const struct lent *lent, struct adi_error *error) {
    void *event = NULL;
    ADI_TRY(lent->device->ops->event(lent->device, &event, error));
    int code = lent->device->ops->wait_on(lent->device, lent->stream, event, error);
    lent->device->ops->event_free(lent->device, event);
    return code;
}

/* What is written anew later is written as theirs, and is theirs. */
static int lend(struct lent *lent, const struct adi_device *like, bool is_held,
                struct adi_error *error) {
    static const int32_t before[6] = {-1, -1, -1, -1, -1, -1};
    const struct adi_device_ops *ops = like->ops;
    ADI_TRY(ops->open(like->id, &lent->own, error));
    lent->device = &lent->own;
    bool was = adi_attribution_enter(!is_held);
    int code = ops->alloc(lent->device, sizeof before, &lent->buffer, error);
    adi_attribution_enter(was);
    if (code != 0) return code;
    ADI_TRY(ops->write(lent->device, lent->buffer, 0, before, sizeof before, error));
    ADI_TRY(finish(lent->device, error));
    ADI_TRY(ops->queue_open(lent->device, &lent->stream, error));
    if (is_held) adi_interceptor_pause(false);
    ADI_TRY(ops->write(lent->device, lent->buffer, 0, written, sizeof written, error));
    ADI_TRY(put_behind(lent, error));
    return is_held ? 0 : finish(lent->device, error);
}

/* What the producer does next, behind all that its stream has to do. It is done as theirs, so that
 * two uses that are not ordered are told. */
static int write_anew(const struct lent *lent, struct adi_error *error) {
    const struct adi_device_ops *ops = lent->device->ops;
    void *event = NULL;
    bool was = adi_attribution_enter(true);
    int code = ops->record_on(lent->device, lent->stream, &event, error);
    if (code == 0) code = ops->wait(lent->device, event, error);
    if (event != NULL) ops->event_free(lent->device, event);
    if (code == 0) code = ops->write(lent->device, lent->buffer, 0, written, sizeof written, error);
    adi_attribution_enter(was);
    return code;
}

static void take_back(struct lent *lent) {
    struct adi_error error = {""};
    adi_interceptor_resume();
    if (lent->device == NULL) return;
    finish(lent->device, &error);
    if (lent->stream != NULL) lent->device->ops->queue_close(lent->device, lent->stream);
    if (lent->buffer != NULL) lent->device->ops->free(lent->device, lent->buffer);
    lent->device->ops->close(lent->device);
}

static PyObject *show(const struct lent *lent, PyObject *shown_of) {
    PyObject *pointer = PyLong_FromVoidPtr(lent->buffer);
    PyObject *stream = PyLong_FromVoidPtr(lent->stream);
    PyObject *shown = pointer == NULL || stream == NULL
                          ? NULL
                          : PyObject_CallFunctionObjArgs(shown_of, pointer, stream, NULL);
    Py_XDECREF(pointer);
    Py_XDECREF(stream);
    return shown;
}

/* Has somebody else written to it, or queued that? The simulation knows who has work to do. */
static bool is_altered(const struct lent *lent) {
    struct adi_error error = {""};
    int32_t seen[6];
    adi_interceptor_resume();
    if (finish(lent->device, &error) != 0) return false;
    if (adi_interceptor_pending(lent->buffer, 0, sizeof seen)) return true;
    return lent->device->ops->read(lent->device, lent->buffer, 0, seen, sizeof seen, &error) == 0 &&
           memcmp(seen, written, sizeof seen) != 0;
}

static PyObject *consume(struct lent *lent, struct adi_device *like, PyObject *callable,
                         PyObject *shown_of, bool is_later, bool *is_written) {
    struct adi_error error = {""};
    int code = 0;
    ADI_PY_WITH(like, code = lend(lent, like, !is_later, &error));
    PyObject *shown = code == 0 ? show(lent, shown_of) : NULL;
    if (code != 0) adi_py_raise(code, PyExc_NotImplementedError, &error);
    if (shown == NULL) return NULL;
    if (is_later) adi_interceptor_pause(true);
    PyObject *result = as_theirs(like, callable, shown);
    if (!is_later) ADI_PY_WITH(like, *is_written = is_altered(lent));
    if (is_later && result != NULL) {
        clear(false);
        ADI_PY_WITH(like, code = write_anew(lent, &error));
    }
    Py_DECREF(shown);
    if (code == 0 || result == NULL) return result;
    Py_DECREF(result);
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

PyObject *adi_py_order_consumer(PyObject *module, PyObject *arguments) {
    PyObject *callable, *shown_of, *name;
    struct lent lent = {.buffer = NULL};
    int is_later;
    bool is_written = false;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOUp", &callable, &shown_of, &name, &is_later)) return NULL;
    struct adi_device *like = adi_py_device_named(name);
    if (like == NULL) return NULL;
    if (!begin(like, false)) Py_RETURN_NONE;
    PyObject *result = consume(&lent, like, callable, shown_of, is_later != 0, &is_written);
    ADI_PY_WITH(like, take_back(&lent));
    PyObject *both = result == NULL
                         ? NULL
                         : Py_BuildValue("(ONN)", result, sentences(), PyBool_FromLong(is_written));
    Py_XDECREF(result);
    end();
    return both;
}

PyObject *adi_py_order_touches(PyObject *module, PyObject *arguments) {
    PyObject *callable, *argument, *name;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOU", &callable, &argument, &name)) return NULL;
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    bool is_seen = begin(device, true);
    PyObject *result = is_seen ? as_theirs(device, callable, argument)
                               : PyObject_CallFunctionObjArgs(callable, argument, NULL);
    if (is_seen) end();
    PyObject *both = result == NULL ? NULL : Py_BuildValue("(ON)", result, sentences());
    Py_XDECREF(result);
    return both;
}

/* ---- a producer ---- */

static int see(PyObject *list, const char *rule, const char *message, const char *seen,
               const char *wanted) {
    PyObject *row = Py_BuildValue("(ssss)", rule, message, seen, wanted);
    int code = row == NULL ? -1 : PyList_Append(list, row);
    Py_XDECREF(row);
    return code;
}

/* Commands that came into queues since the count began, and have not run; more are not told apart.
 */
static struct {
    pthread_mutex_t lock;
    size_t count;
    struct command {
        unsigned long long queue, seq;
    } at[COMMANDS_MOST];
} left = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Lines of calls, docs/simulation.md: of a command that is queued, and of one that runs. Any
 * thread. */
static void on_line(bool implementation, const char *line) {
    struct command command;
    const char *where = strstr(line, "\"queue\":");
    bool is_queued = strstr(line, "\"command\":") != NULL, runs = strstr(line, "\"run\":") != NULL;
    (void)implementation;
    if ((!is_queued && !runs) || where == NULL ||
        sscanf(where, "\"queue\":%llu,\"seq\":%llu", &command.queue, &command.seq) != 2)
        return;
    pthread_mutex_lock(&left.lock);
    for (size_t i = 0; runs && i < left.count; i++)
        if (left.at[i].queue == command.queue && left.at[i].seq == command.seq)
            left.at[i] = left.at[--left.count];
    if (is_queued && left.count < COMMANDS_MOST) left.at[left.count++] = command;
    pthread_mutex_unlock(&left.lock);
}

static void count_commands(bool on) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    left.count = 0;
    if (ADI_INTERCEPTOR_HAS(interceptor, trace)) interceptor->trace(on ? on_line : NULL);
}

/* No queue has anything left: a call has returned that does not wait for its copy. */
static const char *rule_of_pending(size_t commands) {
    return commands > 0 ? "cai/work-unordered" : "cai/copy-unordered";
}

/* CAI3-22: the stream is there as long as the object is. */
/* CAI3-04, CAI3-05, CAI3-13, CAI3-14: whoever waits for it has waited for all. */
static int look(const struct adi_cuda_array *array, struct adi_device *device, PyObject *list) {
    struct adi_cuda_array_extent extent;
    struct adi_error error = {""};
    struct adi_dlpack_queue queue;
    void *event = NULL;
    size_t commands = left.count; /* before there is one of this side */
    int code = 0;
    bool has_stream = array->version >= 3 && array->has_stream == ADI_ENTRY_GIVEN;
    if (array->version < 3 || adi_cuda_array_check(array, &extent, &error) != 0) return 0;
    const void *buffer = (const void *)(uintptr_t)array->data;
    if (has_stream && adi_dlpack_stream(kDLCUDA, array->stream, &queue, &error) == 0) {
        ADI_PY_WITH(device, code = adi_dlpack_record(device, queue, &event, &error));
        if (code != 0)
            return see(list, "cai/stream-gone", "stream: nothing can be put into it", error.text,
                       "a stream that lives as long as the object");
    }
    int64_t bytes = extent.end - extent.lowest;
    bool is_pending = adi_interceptor_pending(buffer, extent.lowest, bytes);
    if (is_pending && event == NULL)
        code = see(list, rule_of_pending(commands), "the memory is still being written",
                   "no stream", "the stream that writes it, or none that does");
    else if (is_pending &&
             !adi_interceptor_covers(*(const void **)event, buffer, extent.lowest, bytes))
        code = see(list, rule_of_pending(commands),
                   "the memory is still being written when all that is in the stream is done",
                   "a stream that does not wait for it", "one that comes behind all work");
    if (event != NULL) ADI_PY_WITH(device, device->ops->event_free(device, event));
    return code;
}

static PyObject *look_at(PyObject *object) {
    struct adi_py_block *blocks = NULL;
    struct adi_cuda_array array;
    struct adi_device *device;
    struct adi_error error = {""};
    PyObject *list = PyList_New(0);
    bool was = adi_attribution_enter(true);
    PyObject *entries = PyObject_GetAttrString(object, "__cuda_array_interface__");
    adi_attribution_enter(was);
    bool is_read = entries != NULL && adi_py_cuda_read(entries, &blocks, &array) == 0 &&
                   adi_py_cuda_device(&array, &device, &error) == 0;
    PyErr_Clear(); /* it is told where the entries are looked at */
    if (list != NULL && is_read && look(&array, device, list) != 0) Py_CLEAR(list);
    adi_py_blocks_free(blocks);
    Py_XDECREF(entries);
    return list;
}

PyObject *adi_py_order_producer(PyObject *module, PyObject *arguments) {
    PyObject *make, *name;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OU", &make, &name)) return NULL;
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    if (!begin(device, false)) Py_RETURN_NONE;
    adi_interceptor_pause(true);
    count_commands(true);
    PyObject *object = as_theirs(device, make, NULL);
    PyObject *list = object == NULL ? NULL : look_at(object);
    count_commands(false);
    adi_interceptor_resume();
    Py_XDECREF(object);
    end();
    return list;
}
