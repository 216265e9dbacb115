/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking an object for tensors of DLPack, as a consumer does.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "dlpack.h"
#include "dlpack_extent.h"
#include "dlpack_type.h"
#include "heap.h"
#include "play_tensor.h"
#include "py_array.h"
#include "py_device.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_exchange.h"
#include "py_judge_leaks.h"
#include "tree.h"

static struct adi_py_subject *const subject = &adi_py_subject;

static const struct layout {
    const char *name, *used;
} layouts[] = {{"dltensor", "used_dltensor"}, {"dltensor_versioned", "used_dltensor_versioned"}};

/* ---- the arguments ---- */

static bool set(PyObject *keywords, const char *name, PyObject *value) {
    bool is_set = value != NULL && PyDict_SetItemString(keywords, name, value) == 0;
    Py_XDECREF(value);
    return is_set;
}

/* The version that is asked for: not a later one than the era has. */
static PyObject *version_of(const struct adi_dlpack_request *request) {
    uint32_t minor = request->max_minor;
    if (request->max_major == 1 && minor > subject->era.minor) minor = subject->era.minor;
    return Py_BuildValue("(II)", request->max_major, minor);
}

/* `is_old`: `stream` alone. */
static PyObject *keywords_of(const struct adi_dlpack_request *request, bool is_old) {
    PyObject *keywords = PyDict_New();
    bool is_set = keywords != NULL;
    is_old = is_old || subject->era.has_stream_only;
    if (is_set && request->stream != ADI_DLPACK_NONE)
        is_set = set(keywords, "stream", PyLong_FromLongLong(request->stream));
    if (is_set && !is_old && request->max_major > 0)
        is_set = set(keywords, "max_version", version_of(request));
    if (is_set && !is_old && request->device_type != 0)
        is_set = set(keywords, "dl_device",
                     Py_BuildValue("(ii)", request->device_type, request->device_id));
    if (is_set && !is_old && request->copy >= 0)
        is_set = set(keywords, "copy", PyBool_FromLong(request->copy));
    if (is_set) return keywords;
    Py_XDECREF(keywords);
    return NULL;
}

/* What a producer of the era cannot be asked for. */
static bool is_askable(const struct adi_dlpack_request *request) {
    if (!subject->era.has_stream_only || (request->device_type == 0 && request->copy < 0))
        return true;
    PyErr_SetString(PyExc_BufferError,
                    "it was not asked: dl_device and copy came later than the profile");
    return false;
}

static PyObject *call(PyObject *object, const struct adi_dlpack_request *request, bool is_old) {
    if (!is_askable(request)) return NULL;
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *nothing = PyTuple_New(0);
    PyObject *keywords = keywords_of(request, is_old);
    PyObject *given = method == NULL || nothing == NULL || keywords == NULL
                          ? NULL
                          : PyObject_Call(method, nothing, keywords);
    Py_XDECREF(method);
    Py_XDECREF(nothing);
    Py_XDECREF(keywords);
    return given;
}

/* AAX-31: who knows `stream` only is asked without the others, where they say nothing. */
/* A TypeError may be about something else: then it comes again. */
static PyObject *ask(PyObject *object, const struct adi_dlpack_request *request) {
    PyObject *type, *value, *trace, *given = call(object, request, false);
    bool may_leave_out = request->max_major > 0 && request->device_type == 0 && request->copy < 0;
    if (given != NULL || !may_leave_out || !PyErr_ExceptionMatches(PyExc_TypeError)) return given;
    PyErr_Fetch(&type, &value, &trace);
    given = call(object, request, true);
    if (given == NULL) {
        adi_py_judge_overlook();
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    adi_py_judge_see("array-api/keyword-missing", ADI_PRODUCER, "TypeError",
                     "stream, max_version, dl_device and copy",
                     "__dlpack__ does not take the keywords of 2023.12");
    return given;
}

/* ---- the capsule ---- */

/* DLP-11, DLP-13: the layout is known by the name. */
static int look_into(PyObject *capsule, struct adi_dlpack *out) {
    *out = (struct adi_dlpack){NULL, NULL};
    for (int i = 0; i < 2 && PyCapsule_CheckExact(capsule); i++) {
        if (!PyCapsule_IsValid(capsule, layouts[i].name)) continue;
        void *tensor = PyCapsule_GetPointer(capsule, layouts[i].name);
        if (i == 0)
            out->legacy = tensor;
        else
            out->versioned = tensor;
        return i;
    }
    bool is_capsule = PyCapsule_CheckExact(capsule);
    const char *seen = is_capsule ? PyCapsule_GetName(capsule) : "no capsule";
    adi_py_judge_overlook();
    adi_py_judge_see("dlpack/capsule-name-differs", ADI_PRODUCER, seen == NULL ? "NULL" : seen,
                     "\"dltensor\" or \"dltensor_versioned\"", "__dlpack__ gave %s%s%s",
                     is_capsule ? "a capsule named \"" : "no capsule",
                     is_capsule && seen != NULL ? seen : "", is_capsule ? "\"" : "");
    PyErr_Format(PyExc_ValueError, "__dlpack__ gave %R, and not a capsule with a tensor", capsule);
    return -1;
}

/* AAX-29: who has not heard of `max_version` leaves it out, and is given a tensor, or refused as of
 * any array that has none. */
static void judge_refusal_of_legacy(void) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        adi_py_judge_see("array-api/export-exception-differs", ADI_PRODUCER, "TypeError",
                         "a tensor, or BufferError",
                         "__dlpack__ is called without max_version, whose default is None");
}

/* AAI-05, AAX-27: what cannot be exported is a BufferError. */
static void judge_refusal(void) {
    const struct adi_scenario *now = adi_case_scenario();
    if (now != NULL && strcmp(now->name, "dlpack-legacy") == 0) judge_refusal_of_legacy();
    bool is_plain = now != NULL && strcmp(now->name, "dlpack") == 0;
    if (!is_plain || PyErr_ExceptionMatches(PyExc_BufferError) ||
        PyErr_ExceptionMatches(PyExc_MemoryError))
        return;
    adi_py_judge_see("array-api/export-exception-differs", ADI_PRODUCER, "another exception",
                     "BufferError", "__dlpack__ refuses an array");
}

/* DLP-20: it outlives whatever has it. */
/* Where a text lies is the only thing that can be seen of that. */
void adi_py_judge_capsule_name(PyObject *capsule, enum adi_party party) {
    Dl_info found;
    const struct adi_scenario *now = adi_case_scenario();
    const char *name = PyCapsule_GetName(capsule);
    adi_py_judge_overlook();
    bool is_plain = now != NULL &&
                    (strcmp(now->name, "dlpack") == 0 || strcmp(now->name, "consume-dlpack") == 0);
    if (!is_plain || name == NULL || dladdr(name, &found) != 0) return;
    adi_py_judge_see("dlpack/capsule-name-not-static", party, "memory of the heap",
                     "a text that is compiled in", "the name \"%s\" of a capsule", name);
}

int adi_py_ask_tensor(PyObject *object, const struct adi_dlpack_request *request,
                      struct adi_dlpack *out) {
    if (subject->protocol == ADI_PY_EXCHANGE) return adi_py_ask_exchange(object, request, out);
    PyObject *capsule = ask(object, request);
    subject->is_refused = capsule == NULL;
    if (capsule == NULL) {
        judge_refusal();
        return -1;
    }
    if (PyCapsule_CheckExact(capsule)) adi_py_judge_capsule_name(capsule, ADI_PRODUCER);
    int layout = look_into(capsule, out);
    int code = layout < 0 ? -1 : PyCapsule_SetName(capsule, layouts[layout].used);
    if (adi_case_sink() == NULL) {
        adi_py_drop(subject->capsules);
        subject->capsules = capsule;
    } else if (!subject->keeps_capsules) {
        adi_py_drop(capsule);
    }
    return code;
}

static void overlook(struct adi_sink *sink, const struct adi_found *found) {
    (void)sink;
    (void)found;
}

/* ---- what becomes of capsules ---- */

static struct {
    void (*legacy)(struct DLManagedTensor *);
    void (*versioned)(struct DLManagedTensorVersioned *);
    int calls;
    bool withheld; /* the call is not passed on */
} counted;

static void count_legacy(struct DLManagedTensor *tensor) {
    counted.calls++;
    if (counted.withheld) return;
    tensor->deleter = counted.legacy;
    counted.legacy(tensor);
}

static void count_versioned(struct DLManagedTensorVersioned *tensor) {
    counted.calls++;
    if (counted.withheld) return;
    tensor->deleter = counted.versioned;
    counted.versioned(tensor);
}

/* false: there is no deleter to count. */
static bool begin_counting(struct adi_dlpack *tensor, bool withheld) {
    counted.calls = 0;
    counted.withheld = withheld;
    if (tensor->legacy != NULL) {
        counted.legacy = tensor->legacy->deleter;
        if (counted.legacy == NULL) return false;
        tensor->legacy->deleter = count_legacy;
    } else {
        counted.versioned = tensor->versioned->deleter;
        if (counted.versioned == NULL) return false;
        tensor->versioned->deleter = count_versioned;
    }
    return true;
}

static void end_counting(struct adi_dlpack *tensor) {
    if (tensor->legacy != NULL)
        tensor->legacy->deleter = counted.legacy;
    else
        tensor->versioned->deleter = counted.versioned;
}

/* Is it what its capsule is named for, as far as that can be seen? */
static bool has_layout(const struct adi_dlpack *tensor) {
    struct DLManagedTensor legacy;
    return tensor->legacy != NULL ? adi_safe_read(&legacy, tensor->legacy, sizeof legacy) == 0
                                  : adi_tensor_has_version(tensor->versioned);
}

/* Of what is not, the destructor is not to call a deleter: it is kept. */
static int take(PyObject *object, const struct adi_dlpack_request *request, PyObject **capsule,
                struct adi_dlpack *out) {
    *capsule = call(object, request, false);
    int layout = *capsule == NULL ? -1 : look_into(*capsule, out);
    if (layout >= 0 && has_layout(out)) return layout;
    adi_py_judge_overlook(); /* it is told where the object is asked again */
    if (layout < 0) Py_XDECREF(*capsule);
    *capsule = NULL;
    return -1;
}

static PyObject *ask_again(PyObject *object, const void *request) {
    return call(object, request, false);
}

/* DLP-14: what nobody took is deleted with its capsule. */
/* A destructor may call the function itself that `deleter` names, as JAX's does: then it is seen by
 * what many leave behind, and what may be gone is left alone. */
static void judge_dropped(PyObject *object, const struct adi_dlpack_request *request) {
    PyObject *capsule;
    struct adi_dlpack tensor;
    if (take(object, request, &capsule, &tensor) < 0) return;
    if (Py_REFCNT(capsule) > 1) { /* somebody else holds it, and it stays */
        Py_DECREF(capsule);
        return;
    }
    bool has_destructor = PyCapsule_GetDestructor(capsule) != NULL;
    bool is_counted = begin_counting(&tensor, false);
    Py_DECREF(capsule);
    if (is_counted && counted.calls == 0 && !has_destructor) {
        adi_py_judge_see("dlpack/capsule-not-deleted", ADI_PRODUCER, "no call of the deleter",
                         "one call", "a capsule that nobody consumed keeps its tensor");
        end_counting(&tensor);
        adi_dlpack_delete(&tensor);
    } else if (is_counted && counted.calls == 0 &&
               adi_py_dropped_grow(object, ask_again, request)) {
        adi_py_judge_see("dlpack/capsule-not-deleted", ADI_PRODUCER,
                         "more is held with each of them", "as much as before",
                         "capsules that nobody consumed keep their tensors");
    }
}

/* DLP-17: what was taken is not. */
static void judge_consumed(PyObject *object, const struct adi_dlpack_request *request) {
    PyObject *capsule;
    struct adi_dlpack tensor;
    int layout = take(object, request, &capsule, &tensor);
    if (layout < 0) return;
    bool is_counted = begin_counting(&tensor, true);
    PyCapsule_SetName(capsule, layouts[layout].used);
    Py_DECREF(capsule);
    if (is_counted && counted.calls > 0) {
        adi_py_judge_see("dlpack/used-capsule-deleted", ADI_PRODUCER, "a call of the deleter",
                         "none", "a capsule named \"%s\" deletes its tensor", layouts[layout].used);
        subject->keeps_capsules = true;
    }
    if (is_counted) end_counting(&tensor);
    adi_dlpack_delete(&tensor);
}

#define METAL 8

/* A tensor of 1.3, on a device if that is not 0. */
static struct adi_dlpack_request request_on(int32_t type, int32_t copy) {
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    request.device_type = type;
    request.copy = copy;
    return request;
}

/* AAX-19: what comes is where it was asked for. What it is otherwise is told in a case. */
static void judge_place(PyObject *capsule, const struct adi_dlpack_request *request,
                        const char *what) {
    static const struct adi_tensor_asked asked = {1, 3, 0, 0, -1};
    struct adi_sink nowhere = {.violated = overlook};
    struct adi_dlpack tensor;
    struct adi_tensor seen;
    if (look_into(capsule, &tensor) < 0) {
        adi_py_judge_overlook();
    } else if (!has_layout(&tensor)) {
        Py_INCREF(capsule); /* its destructor is not to call a deleter */
    } else if (adi_check_tensor(&tensor, &asked, &seen, &nowhere) == ADI_TENSOR_SOUND &&
               request->device_type != 0 &&
               (int32_t)seen.tensor.device.device_type != request->device_type) {
        struct adi_error text;
        adi_error_set(&text, 0, "a tensor on device (%d, %d)", (int)seen.tensor.device.device_type,
                      (int)seen.tensor.device.device_id);
        adi_py_judge_see("dlpack/device-differs", ADI_PRODUCER, text.text, "BufferError",
                         "a tensor was asked for %s", what);
    }
}

/* Drops what comes. Is it refused, by whichever exception? TypeError is of who does not know the
 * keyword, which is another matter. */
static bool is_refused(PyObject *object, const struct adi_dlpack_request *request,
                       const char *what) {
    PyObject *given = call(object, request, false);
    bool refused = given == NULL && !PyErr_ExceptionMatches(PyExc_TypeError);
    bool is_right = !refused || PyErr_ExceptionMatches(PyExc_BufferError) ||
                    PyErr_ExceptionMatches(PyExc_MemoryError);
    bool is_export = request->device_type == 0 && request->copy == 1;
    adi_py_judge_overlook();
    if (given != NULL) judge_place(given, request, what);
    Py_XDECREF(given);
    if (!is_right)
        adi_py_judge_see(
            is_export ? "array-api/export-exception-differs" : "array-api/exception-differs",
            ADI_PRODUCER, "another exception", "BufferError", "a tensor was asked for %s", what);
    return refused;
}

/* AAX-23, AAX-27: so is a copy that may not be made, and one that cannot be. */
static void judge_copies(PyObject *object) {
    const struct adi_dlpack_request in_place = request_on(0, 0), copied = request_on(0, 1);
    if (subject->era.has_stream_only) return;
    is_refused(object, &in_place, "with copy False");
    is_refused(object, &copied, "with copy True");
}

/* AAX-19, AAX-20, AAX-21, DLP-08: what cannot be had is a BufferError; on the CPU it can be. */
static void judge_devices(PyObject *object) {
    const struct adi_dlpack_request metal = request_on(METAL, -1), cpu = request_on(kDLCPU, -1),
                                    in_place = request_on(kDLCPU, 0);
    if (subject->era.has_stream_only) return;
    is_refused(object, &metal, "on a device of Metal");
    if (adi_device_type_is_cpu(subject->type)) return;
    is_refused(object, &in_place, "on the CPU, with copy False");
    if (is_refused(object, &cpu, "on the CPU"))
        adi_py_judge_see("array-api/host-copy-refused", ADI_PRODUCER, "an exception", "a tensor",
                         "a tensor was asked for on the CPU");
}

void adi_py_judge_tensor(PyObject *object) {
    const struct adi_dlpack_request request = {.size = sizeof request,
                                               .max_major = 1,
                                               .max_minor = 3,
                                               .copy = -1,
                                               .stream = ADI_DLPACK_NONE};
    judge_dropped(object, &request);
    judge_consumed(object, &request);
    if (subject->is_refused) return; /* it refuses whatever is asked for */
    judge_devices(object);
    judge_copies(object);
}

/* What is of another kind than it is said to be is not read. */
static int consume(struct adi_device *device, struct adi_dlpack *in,
                   const struct adi_dlpack_arguments *arguments, struct adi_dlpack *host,
                   struct adi_error *error) {
    ADI_TRY(adi_dlpack_memory_check(device, &in->versioned->dl_tensor, error));
    return adi_dlpack_consume(device, in, arguments, host, error);
}

int adi_py_own_tensor(PyObject *object, struct adi_dlpack *host, struct adi_device **device_out) {
    static const struct adi_tensor_asked asked = {1, 3, 0, 0, -1};
    struct adi_dlpack_request request = adi_tensor_request(1, 3);
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_sink nowhere = {.violated = overlook};
    struct adi_dlpack tensor;
    struct adi_tensor seen;
    struct adi_error error = {""};
    int64_t id;
    ArrowDeviceType type;
    if (adi_py_ask_tensor(object, &request, &tensor) != 0) return -1;
    /* What is wrong with it is told in a case. */
    enum adi_tensor_is is = adi_check_tensor(&tensor, &asked, &seen, &nowhere);
    int code = is == ADI_TENSOR_SOUND ? 0 : EINVAL;
    if (code != 0) adi_error_set(&error, code, "the tensor is not sound");
    if (code == 0) code = adi_dlpack_device_to_arrow(seen.tensor.device, &type, &id, &error);
    struct adi_device *device = code == 0 ? adi_py_device(type, id, &error) : NULL;
    if (code == 0 && device == NULL) code = ENODEV;
    if (code == 0) {
        arguments.stream = adi_py_stream_of(device);
        /* NULL strides may be wrong, and can be read. */
        struct DLManagedTensorVersioned copy = {
            .version = {1, 1}, .flags = seen.flags, .dl_tensor = seen.tensor};
        struct adi_dlpack readable = {.versioned = &copy};
        *device_out = device;
        ADI_PY_WITH(device, code = consume(device, &readable, &arguments, host, &error));
    }
    /* No memory is that large: it is the strides that lead nowhere. */
    struct adi_dlpack_extent extent;
    if (code == ENOMEM &&
        adi_dlpack_measure(&seen.tensor, (DLPackVersion){0, 0}, seen.flags, &extent, NULL) == 0 &&
        extent.high - extent.low > ADI_TENSOR_SPAN_MOST)
        code = EINVAL;
    if (is != ADI_TENSOR_NONE) adi_dlpack_delete(&tensor);
    if (code == 0) return 0;
    adi_py_raise(code, PyExc_BufferError, &error);
    return -1;
}
