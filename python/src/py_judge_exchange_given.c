/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that a consumer under test is given, on classes of Python's. What they are called with is
 * counted; what they give is the reference's, or the harness's.
 */
#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "dlpack_stream.h"
#include "py_judge_exchange.h"

static struct adi_py_subject *const subject = &adi_py_subject;

enum kind {
    PLAIN,
    OTHER,
    MAJOR_2,
    CHAIN,
    CHAINED,
    NO_DLTENSOR,
    GIVEN,
    KINDS
};

static DLPackExchangeAPI tables[KINDS];

/* What a class has; of a table that another leads to, that one. */
static const struct {
    const char *name;
    enum kind owner;
} kinds[KINDS] = {
    [PLAIN] = {"plain", PLAIN},       [OTHER] = {"other", OTHER},
    [MAJOR_2] = {"major-2", MAJOR_2}, [CHAIN] = {"chain", CHAIN},
    [CHAINED] = {"", CHAIN},          [NO_DLTENSOR] = {"no-dltensor", NO_DLTENSOR},
    [GIVEN] = {"given", GIVEN},
};

/* Calls of functions: of another major version, with objects of other classes, and of each. */
static struct { int forbidden, other_type, managed, borrowed, stream; } calls;

/* ---- the functions ---- */

static void *table_at(PyObject *type) {
    PyObject *attribute = PyObject_GetAttrString(type, ADI_PY_EXCHANGE_CAPSULE);
    void *table = attribute == NULL ? NULL : PyCapsule_GetPointer(attribute, ADI_PY_EXCHANGE_NAME);
    adi_py_judge_overlook();
    Py_XDECREF(attribute);
    return table;
}

/* DLH-61, DLH-69: whose table is it, and of which version? false with an exception. */
static bool may_be_called(enum kind kind, PyObject *object) {
    if (kind == MAJOR_2 || kind == CHAIN) {
        calls.forbidden++;
        PyErr_SetString(PyExc_BufferError, "this function is of version 2.0");
        return false;
    }
    if (table_at((PyObject *)Py_TYPE(object)) == &tables[kinds[kind].owner]) return true;
    calls.other_type++;
    PyErr_SetString(PyExc_TypeError, "this function is of another type");
    return false;
}

/* The harness's own, on the device of the case. */
static int managed_of_given(PyObject *object, struct DLManagedTensorVersioned **out) {
    struct adi_dlpack_request request = {.size = sizeof request,
                                         .max_major = 1,
                                         .max_minor = 3,
                                         .copy = -1,
                                         .stream = ADI_DLPACK_NONE};
    struct adi_dlpack tensor = {NULL, NULL};
    struct adi_sink *sink = adi_case_sink();
    PyObject *given = PyObject_GetAttrString(object, "_given");
    if (sink != NULL) request.stream = adi_dlpack_own_stream(adi_trial_of(sink)->device);
    int code = given == NULL ? -1 : adi_py_given_ask(given, &request, &tensor);
    Py_XDECREF(given);
    if (code != 0) return -1;
    *out = tensor.versioned;
    return 0;
}

static int managed(enum kind kind, PyObject *object, struct DLManagedTensorVersioned **out) {
    calls.managed++;
    if (!may_be_called(kind, object)) return -1;
    if (kind == GIVEN) return managed_of_given(object, out);
    PyObject *array = PyObject_GetAttrString(object, "_array");
    int code = array == NULL
                   ? -1
                   : adi_py_exchange_api()->managed_tensor_from_py_object_no_sync(array, out);
    Py_XDECREF(array);
    return code;
}

/* DLH-64, DLH-78: until the call is over; _exchange.py overwrites the memory then. */
static int borrowed(enum kind kind, PyObject *object, DLTensor *out) {
    calls.borrowed++;
    if (!may_be_called(kind, object)) return -1;
    PyObject *array = PyObject_GetAttrString(object, "_array");
    int code =
        array == NULL ? -1 : adi_py_exchange_api()->dltensor_from_py_object_no_sync(array, out);
    Py_XDECREF(array);
    return code;
}

static int work_stream(DLDeviceType type, int32_t id, void **out) {
    struct adi_sink *sink = subject->protocol == ADI_PY_EXCHANGE ? adi_case_sink() : NULL;
    calls.stream++;
    if (sink == NULL) return adi_py_exchange_api()->current_work_stream(type, id, out);
    int64_t stream = adi_dlpack_own_stream(adi_trial_of(sink)->device);
    *out = stream == ADI_DLPACK_NONE ? NULL : (void *)(uintptr_t)stream;
    return 0;
}

#define FUNCTIONS(kind)                                                                            \
    static int managed_##kind(void *object, struct DLManagedTensorVersioned **out) {               \
        return managed(kind, object, out);                                                         \
    }                                                                                              \
    static int borrowed_##kind(void *object, DLTensor *out) {                                      \
        return borrowed(kind, object, out);                                                        \
    }

FUNCTIONS(PLAIN)
FUNCTIONS(OTHER)
FUNCTIONS(MAJOR_2)
FUNCTIONS(CHAIN)
FUNCTIONS(CHAINED)
FUNCTIONS(NO_DLTENSOR)
FUNCTIONS(GIVEN)

#define ROW(kind, version_of, before, borrows)                                                     \
    tables[kind] = (DLPackExchangeAPI) {                                                           \
        .header = {.version = version_of, .prev_api = before},                                     \
        .managed_tensor_allocator = reference->managed_tensor_allocator,                           \
        .managed_tensor_from_py_object_no_sync = managed_##kind,                                   \
        .managed_tensor_to_py_object_no_sync = reference->managed_tensor_to_py_object_no_sync,     \
        .dltensor_from_py_object_no_sync = borrows, .current_work_stream = work_stream             \
    }

static void fill_tables(void) {
    const DLPackExchangeAPI *reference = adi_py_exchange_api();
    const DLPackVersion ours = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, next = {2, 0};
    ROW(PLAIN, ours, NULL, borrowed_PLAIN);
    ROW(OTHER, ours, NULL, borrowed_OTHER);
    ROW(MAJOR_2, next, NULL, borrowed_MAJOR_2);
    ROW(CHAINED, ours, NULL, borrowed_CHAINED);
    ROW(CHAIN, next, &tables[CHAINED].header, borrowed_CHAIN);
    ROW(NO_DLTENSOR, ours, NULL, NULL);
    ROW(GIVEN, ours, NULL, NULL);
    (void)borrowed_NO_DLTENSOR, (void)borrowed_GIVEN;
}

/* ---- Python's side ---- */

PyObject *adi_py_exchange_given(PyObject *module, PyObject *kind) {
    const char *name = PyUnicode_Check(kind) ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
    (void)module;
    if (PyErr_Occurred() != NULL) return NULL;
    if (tables[PLAIN].current_work_stream == NULL) fill_tables();
    for (int i = 0; name != NULL && i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return PyCapsule_New(&tables[i], ADI_PY_EXCHANGE_NAME, NULL);
    return PyErr_Format(PyExc_ValueError, "%R is no such table", kind);
}

PyObject *adi_py_exchange_calls(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *told = Py_BuildValue("{s:i,s:i,s:i,s:i,s:i}", "forbidden", calls.forbidden,
                                   "other_type", calls.other_type, "managed", calls.managed,
                                   "borrowed", calls.borrowed, "stream", calls.stream);
    memset(&calls, 0, sizeof calls);
    return told;
}

/* ---- a case of the harness's ---- */

void adi_py_exchange_begin(void) {
    memset(&calls, 0, sizeof calls);
}

/* DLH-60, DLH-80: on which stream? */
void adi_py_exchange_taken(int32_t device_type) {
    if (calls.managed > 0 && calls.stream == 0 &&
        adi_dlpack_numbers(device_type) == ADI_DLPACK_NUMBERED)
        adi_py_judge_see("exchange/stream-unasked", ADI_CONSUMER, "no call", "a call",
                         "a tensor was taken, and current_work_stream was not called");
}
