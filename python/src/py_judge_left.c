/* SPDX-License-Identifier: Apache-2.0
 *
 * Exports by each protocol, for who looks whether anything is left of them. What is wrong with them
 * is told elsewhere: here it says that nothing can be said.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "check_tensor.h"
#include "device_types.h"
#include "dlpack_extent.h"
#include "heap.h"
#include "move.h"
#include "play.h"
#include "py_error.h"
#include "py_exchange.h"
#include "py_judge.h"
#include "py_judge_leaks.h"
#include "schema.h"
#include "tree.h"

static struct adi_py_subject *const subject = &adi_py_subject;

#define PAGE    4096 /* bytes: what somebody writes down of a call is less */
#define PRIVATE 64   /* bytes of what private_data leads to */
#define SMALL   48   /* bytes: of less it is not known */

/* ---- parts ---- */

static void add_part(struct adi_py_taken *taken, size_t i, const void *at, size_t bytes) {
    taken->parts[i] = (struct adi_py_part){at, bytes};
}

/* It may be a number. */
static void add_private(struct adi_py_taken *taken, size_t i, const void *at) {
    char byte;
    if (at != NULL && adi_safe_read(&byte, at, sizeof byte) == 0) add_part(taken, i, at, PRIVATE);
}

static void add_array(struct adi_py_taken *taken, const struct ArrowArray *array) {
    add_private(taken, 1, array->private_data);
    add_part(taken, 2, array->buffers, 0);
    for (int64_t i = 0; i < array->n_buffers && i < 3 && array->buffers != NULL; i++)
        add_part(taken, 3 + (size_t)i, array->buffers[i], PAGE);
}

static size_t bytes_of(const DLTensor *tensor, uint64_t flags) {
    struct adi_dlpack_extent extent;
    if (adi_dlpack_measure(tensor, (DLPackVersion){0, 0}, flags, &extent, NULL) != 0) return PAGE;
    int64_t bytes = extent.high - extent.low;
    return bytes > PAGE ? (size_t)bytes : PAGE;
}

static void add_tensor(struct adi_py_taken *taken) {
    const struct DLManagedTensor *legacy = taken->tensor.legacy;
    const struct DLManagedTensorVersioned *versioned = taken->tensor.versioned;
    const DLTensor *tensor = legacy != NULL ? &legacy->dl_tensor : &versioned->dl_tensor;
    if (legacy != NULL)
        add_part(taken, 0, legacy, sizeof *legacy);
    else
        add_part(taken, 0, versioned, sizeof *versioned);
    add_private(taken, 1, legacy != NULL ? legacy->manager_ctx : versioned->manager_ctx);
    add_part(taken, 2, tensor->shape, 0);
    add_part(taken, 3, tensor->strides, 0);
    add_part(taken, 4, tensor->data, bytes_of(tensor, 0));
}

/* ---- tensors ---- */

/* AAX-31: who knows no such keyword is asked without. */
static PyObject *ask_tensor(PyObject *object) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *nothing = PyTuple_New(0);
    PyObject *keywords = Py_BuildValue("{s(II)}", "max_version", 1, (unsigned)subject->era.minor);
    PyObject *capsule = NULL;
    if (method != NULL && nothing != NULL && keywords != NULL && !subject->era.has_stream_only)
        capsule = PyObject_Call(method, nothing, keywords);
    if (capsule == NULL && method != NULL && nothing != NULL) {
        adi_py_judge_overlook();
        capsule = PyObject_CallNoArgs(method);
    }
    Py_XDECREF(method);
    Py_XDECREF(nothing);
    Py_XDECREF(keywords);
    adi_py_judge_overlook();
    return capsule;
}

static bool take_tensor(PyObject *object, struct adi_py_taken *out) {
    struct DLManagedTensor legacy;
    PyObject *capsule = ask_tensor(object);
    bool is_right = false;
    if (capsule != NULL && Py_REFCNT(capsule) == 1 && PyCapsule_IsValid(capsule, "dltensor")) {
        out->tensor.legacy = PyCapsule_GetPointer(capsule, "dltensor");
        is_right = adi_safe_read(&legacy, out->tensor.legacy, sizeof legacy) == 0 &&
                   PyCapsule_SetName(capsule, "used_dltensor") == 0;
    } else if (capsule != NULL && Py_REFCNT(capsule) == 1 &&
               PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        out->tensor.versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        is_right = adi_tensor_has_version(out->tensor.versioned) &&
                   out->tensor.versioned->version.major == 1 &&
                   PyCapsule_SetName(capsule, "used_dltensor_versioned") == 0;
    }
    if (is_right) {
        add_tensor(out);
        adi_py_drop(capsule);
    }
    adi_py_judge_overlook();
    return is_right; /* else the capsule is kept, since nobody knows what its destructor does */
}

static bool take_exchanged(PyObject *object, struct adi_py_taken *out) {
    const DLPackExchangeAPI *api = adi_py_exchange_of(Py_TYPE(object));
    int code = api == NULL || api->managed_tensor_from_py_object_no_sync == NULL
                   ? -1
                   : api->managed_tensor_from_py_object_no_sync(object, &out->tensor.versioned);
    adi_py_judge_overlook();
    if (code != 0 || !adi_tensor_has_version(out->tensor.versioned)) return false;
    add_tensor(out);
    return true;
}

static void end_tensor(struct adi_py_taken *taken) {
    adi_dlpack_delete(&taken->tensor);
}

static void *end_there(void *taken) {
    end_tensor(taken);
    return NULL;
}

/* DLP-21: on a thread of its own. */
static void end_elsewhere(struct adi_py_taken *taken) {
    pthread_t thread;
    Py_BEGIN_ALLOW_THREADS;
    if (pthread_create(&thread, NULL, end_there, taken) == 0)
        pthread_join(thread, NULL);
    else
        end_there(taken);
    Py_END_ALLOW_THREADS;
}

/* ---- Arrow ---- */

static void *within(PyObject *capsule, const char *name) {
    return capsule != NULL && Py_REFCNT(capsule) == 1 && PyCapsule_IsValid(capsule, name)
               ? PyCapsule_GetPointer(capsule, name)
               : NULL;
}

static bool take_pair(PyObject *both, struct adi_py_taken *out) {
    bool is_device = subject->protocol == ADI_PY_ARROW_DEVICE_ARRAY;
    bool is_pair = PyTuple_Check(both) && PyTuple_Size(both) == 2;
    struct ArrowSchema *schema = is_pair ? within(PyTuple_GetItem(both, 0), "arrow_schema") : NULL;
    void *array =
        is_pair ? within(PyTuple_GetItem(both, 1), is_device ? "arrow_device_array" : "arrow_array")
                : NULL;
    if (schema == NULL || array == NULL || schema->release == NULL ||
        ((struct ArrowArray *)array)->release == NULL)
        return false;
    adi_schema_move(schema, &out->schema);
    if (is_device)
        adi_device_array_move(array, &out->array);
    else
        adi_array_move(array, &out->array.array);
    add_private(out, 0, out->schema.private_data);
    add_part(out, 6, out->schema.format, 0);
    add_array(out, &out->array.array);
    return true;
}

static bool take_array(PyObject *object, struct adi_py_taken *out) {
    PyObject *both = PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
    bool is_taken = both != NULL && take_pair(both, out);
    adi_py_drop(both);
    adi_py_judge_overlook();
    return is_taken;
}

static void end_array(struct adi_py_taken *taken) {
    adi_array_release(&taken->array.array);
    adi_schema_release(&taken->schema);
}

static bool has_callbacks(const struct adi_py_taken *taken) {
    return taken->stream.release != NULL
               ? taken->stream.get_schema != NULL && taken->stream.get_next != NULL
               : taken->host_stream.get_schema != NULL && taken->host_stream.get_next != NULL;
}

/* What is done with a stream is done without the GIL. */
static void pull(struct adi_py_taken *out) {
    struct ArrowDeviceArrayStream *stream = &out->stream;
    struct ArrowArrayStream *host = &out->host_stream;
    if (!has_callbacks(out)) return;
    int code = stream->release != NULL ? stream->get_schema(stream, &out->schema)
                                       : host->get_schema(host, &out->schema);
    if (code != 0) {
        out->schema.release = NULL;
        return;
    }
    code = stream->release != NULL ? stream->get_next(stream, &out->array)
                                   : host->get_next(host, &out->array.array);
    if (code != 0) out->array.array.release = NULL;
}

static bool take_stream(PyObject *object, struct adi_py_taken *out) {
    bool is_device = subject->protocol == ADI_PY_ARROW_DEVICE_STREAM;
    PyObject *capsule = PyObject_CallMethod(object, adi_py_method(subject->protocol), NULL);
    void *stream = within(capsule, is_device ? "arrow_device_array_stream" : "arrow_array_stream");
    if (stream != NULL && is_device) adi_device_array_stream_move(stream, &out->stream);
    if (stream != NULL && !is_device) adi_array_stream_move(stream, &out->host_stream);
    bool is_taken = out->stream.release != NULL || out->host_stream.release != NULL;
    adi_py_drop(capsule);
    adi_py_judge_overlook();
    if (!is_taken) return false;
    Py_BEGIN_ALLOW_THREADS;
    pull(out);
    Py_END_ALLOW_THREADS;
    add_private(out, 0, is_device ? out->stream.private_data : out->host_stream.private_data);
    if (out->array.array.release != NULL) add_array(out, &out->array.array);
    return true;
}

static void end_stream(struct adi_py_taken *taken) {
    Py_BEGIN_ALLOW_THREADS;
    adi_array_release(&taken->array.array);
    adi_schema_release(&taken->schema);
    adi_device_array_stream_release(&taken->stream);
    adi_array_stream_release(&taken->host_stream);
    Py_END_ALLOW_THREADS;
}

/* ---- judging ---- */

const struct adi_py_exporting *adi_py_exporting(void) {
    static const struct adi_py_exporting tensors = {take_tensor, end_tensor},
                                         exchanged = {take_exchanged, end_tensor},
                                         arrays = {take_array, end_array},
                                         streams = {take_stream, end_stream};
    if (subject->protocol == ADI_PY_EXCHANGE) return &exchanged;
    if (adi_py_is_tensor(subject->protocol)) return &tensors;
    return (subject->protocol & ADI_PY_ARROW_STREAMS) != 0 ? &streams : &arrays;
}

static void add(struct adi_error *text, int64_t count, const char *what) {
    size_t length = strlen(text->text);
    if (count > 0)
        snprintf(text->text + length, sizeof text->text - length, "%s%lld %s%s",
                 length > 0 ? ", " : "", (long long)count, what, count > 1 ? "s" : "");
}

static struct adi_error text_of(struct adi_py_load each) {
    struct adi_error seen = {""};
    add(&seen, each.references, "reference");
    add(&seen, each.blocks, "block");
    if (each.bytes >= SMALL) add(&seen, each.bytes, "byte");
    return seen;
}

/* A tensor's rule is another, which the case knows. */
static void tell(struct adi_py_load each) {
    const struct adi_error seen = text_of(each);
    adi_py_judge_see("life/memory-leaked", ADI_PRODUCER, seen.text, "nothing",
                     "each export leaves something behind when it has been released: references "
                     "to its object, blocks of Python's, bytes of the C library's");
}

PyObject *adi_py_judge_weighs(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyBool_FromLong(adi_heap_bytes() != 0);
}

/* PC-031: what was taken is not released by its capsule, which is done to each of them: what that
 * breaks shows in the first. */
static bool try_one(struct adi_test *test, PyObject *object) {
    struct adi_py_taken taken;
    memset(&taken, 0, sizeof taken);
    if (!adi_py_is_tensor(subject->protocol))
        adi_play_crash_rule(test, "pycapsule/consumed-released");
    bool is_taken = adi_py_exporting()->take(object, &taken);
    adi_play_crash_rule(test, NULL);
    if (is_taken) ADI_PY_ASIDE(adi_py_exporting()->end(&taken));
    return is_taken;
}

/* What is all given back on this thread, and not on another, is bound to this one. */
static void judge_left_elsewhere(struct adi_test *test, PyObject *object) {
    const struct adi_py_exporting elsewhere = {adi_py_exporting()->take, end_elsewhere};
    struct adi_py_load each = {0, 0, 0};
    adi_play_crash_rule(test, "dlpack/deleter-bound-to-thread");
    enum adi_py_leaks found = adi_py_leaks_of(object, &elsewhere, &each);
    adi_play_crash_rule(test, NULL);
    if (found == ADI_PY_LEAKS)
        adi_py_judge_see("dlpack/deleter-bound-to-thread", ADI_PRODUCER, text_of(each).text,
                         "nothing",
                         "a deleter that another thread calls leaves something behind, and none "
                         "where this thread calls it");
}

void adi_py_judge_left(PyObject *object) {
    struct adi_sink *sink = adi_case_sink();
    struct adi_py_load each = {0, 0, 0};
    if (sink == NULL || subject->keeps_capsules || adi_heap_bytes() != 0 ||
        !adi_device_type_is_cpu(subject->type))
        return;
    struct adi_test *test = adi_trial_of(sink);
    if (test->muted) return;
    if (!try_one(test, object)) return;
    enum adi_py_leaks found = adi_py_leaks_of(object, adi_py_exporting(), &each);
    if (found == ADI_PY_LEAKS_UNKNOWN) /* what others did meanwhile may be over */
        found = adi_py_leaks_of(object, adi_py_exporting(), &each);
    if (found == ADI_PY_LEAKS) tell(each);
    if (found == ADI_PY_LEAKS_NOT && sink->satisfied != NULL)
        sink->satisfied(sink,
                        adi_rule_named(adi_py_is_tensor(subject->protocol) ? "dlpack/memory-leaked"
                                                                           : "life/memory-leaked"));
    if (found == ADI_PY_LEAKS_NOT && adi_py_is_tensor(subject->protocol))
        judge_left_elsewhere(test, object);
}
