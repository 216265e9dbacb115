/* SPDX-License-Identifier: Apache-2.0
 *
 * The attributes of DLPack's exchange API, the table, and what each of its functions does.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "play.h"
#include "py_judge_exchange.h"
#include "tree.h"

static struct adi_py_subject *const subject = &adi_py_subject;

#define MOST_VERSIONS 16
#define NOWHERE       ((void *)(uintptr_t)16) /* not NULL, and no memory */

/* ---- the attributes ---- */

static PyObject *attribute_of(PyObject *object, const char *name) {
    PyObject *attribute = PyObject_GetAttrString(object, name);
    adi_py_judge_overlook();
    return attribute;
}

static bool is_address_of_table(PyObject *number) {
    DLPackExchangeAPIHeader header;
    if (!PyLong_Check(number)) return false;
    const void *address = PyLong_AsVoidPtr(number);
    adi_py_judge_overlook();
    return address != NULL && adi_safe_read(&header, address, sizeof header) == 0;
}

/* AAI-03, DLH-72: on the type, as a capsule of that name; before 1.3, as an int. */
static bool is_attribute_right(PyObject *object, const char *name) {
    PyObject *own = attribute_of(object, name);
    PyObject *attribute = attribute_of((PyObject *)Py_TYPE(object), name);
    bool is_capsule = attribute != NULL && PyCapsule_IsValid(attribute, ADI_PY_EXCHANGE_NAME);
    bool is_address = attribute != NULL && strcmp(name, ADI_PY_EXCHANGE_ADDRESS) == 0 &&
                      is_address_of_table(attribute);
    bool is_right = attribute == NULL ? own == NULL : is_capsule || is_address;
    if (attribute == NULL && own != NULL)
        adi_py_judge_see("exchange/not-on-type", ADI_PRODUCER, "an attribute of the object",
                         "one of its type", "the type has no %s", name);
    else if (!is_right)
        adi_py_judge_see("exchange/not-a-capsule", ADI_PRODUCER, adi_py_judge_repr(attribute).text,
                         strcmp(name, ADI_PY_EXCHANGE_ADDRESS) == 0
                             ? "an int, the address of a table"
                             : "a capsule named \"" ADI_PY_EXCHANGE_NAME "\"",
                         "%s does not lead to a table", name);
    Py_XDECREF(own);
    Py_XDECREF(attribute);
    return is_right;
}

/* ---- the table ---- */

/* Without a look at it: its address, by whichever attribute the type has. */
static const void *address_of(PyObject *object) {
    PyObject *attribute = attribute_of((PyObject *)Py_TYPE(object), ADI_PY_EXCHANGE_CAPSULE);
    if (attribute == NULL)
        attribute = attribute_of((PyObject *)Py_TYPE(object), ADI_PY_EXCHANGE_ADDRESS);
    const void *address = NULL;
    if (attribute != NULL)
        address = PyCapsule_CheckExact(attribute)
                      ? PyCapsule_GetPointer(attribute, ADI_PY_EXCHANGE_NAME)
                      : PyLong_AsVoidPtr(attribute);
    adi_py_judge_overlook();
    Py_XDECREF(attribute);
    return address;
}

/* DLH-74: what the attribute led to is there when nobody has it any more. */
static bool is_kept(PyObject *object) {
    DLPackExchangeAPI first, later;
    PyObject *attribute = attribute_of((PyObject *)Py_TYPE(object), ADI_PY_EXCHANGE_CAPSULE);
    if (attribute == NULL) return true; /* an int owns nothing */
    const void *address = PyCapsule_GetPointer(attribute, ADI_PY_EXCHANGE_NAME);
    bool was = adi_safe_read(&first, address, sizeof first) == 0;
    Py_DECREF(attribute);
    adi_py_collect_cycles();
    PyObject *another = attribute_of((PyObject *)Py_TYPE(object), ADI_PY_EXCHANGE_CAPSULE);
    bool is = adi_safe_read(&later, address, sizeof later) == 0 &&
              memcmp(&first, &later, sizeof later) == 0;
    Py_XDECREF(another);
    if (!was || !is)
        adi_py_judge_see("exchange/table-gone", ADI_PRODUCER,
                         was ? "other bytes" : "memory that cannot be read", "the same table",
                         "the table is not there any more when the capsule is gone");
    return was && is;
}

static bool is_older(DLPackVersion one, DLPackVersion other) {
    return one.major < other.major || (one.major == other.major && one.minor < other.minor);
}

/* DLH-70: each is older than the one before it. */
static bool is_chain_right(const void *address) {
    DLPackExchangeAPIHeader at, before;
    if (adi_safe_read(&before, address, sizeof before) != 0) return false;
    for (int i = 0; before.prev_api != NULL; before = at, i++) {
        bool is_read = adi_safe_read(&at, before.prev_api, sizeof at) == 0;
        if (is_read && i < MOST_VERSIONS && is_older(at.version, before.version)) continue;
        adi_py_judge_see("exchange/chain-invalid", ADI_PRODUCER,
                         is_read ? "a table that is not older" : "memory that cannot be read",
                         "an older table, or NULL",
                         "prev_api of the table of version %u.%u leads to no older table",
                         before.version.major, before.version.minor);
        return false;
    }
    return true;
}

/* DLH-75, DLH-76, DLH-77, DLH-79: all but one are there. */
static bool is_complete(const DLPackExchangeAPI *api) {
    const char *missing = api->managed_tensor_allocator == NULL ? "managed_tensor_allocator"
                          : api->managed_tensor_from_py_object_no_sync == NULL
                              ? "managed_tensor_from_py_object_no_sync"
                          : api->managed_tensor_to_py_object_no_sync == NULL
                              ? "managed_tensor_to_py_object_no_sync"
                          : api->current_work_stream == NULL ? "current_work_stream"
                                                             : NULL;
    if (missing != NULL)
        adi_py_judge_see("exchange/function-missing", ADI_PRODUCER, "NULL", "a function",
                         "%s is NULL", missing);
    return missing == NULL;
}

/* ---- what is borrowed ---- */

static bool same_numbers(const int64_t *there, const int64_t *wanted, int32_t ndim) {
    int64_t copy[ADI_DLPACK_DIMS];
    size_t bytes = (size_t)ndim * sizeof *copy;
    return ndim == 0 ||
           (adi_safe_read(copy, there, bytes) == 0 && memcmp(copy, wanted, bytes) == 0);
}

static const char *difference(const DLTensor *borrowed, const struct adi_tensor *managed) {
    const DLTensor *wanted = &managed->tensor;
    if (memcmp(&borrowed->device, &wanted->device, sizeof wanted->device) != 0) return "device";
    if (memcmp(&borrowed->dtype, &wanted->dtype, sizeof wanted->dtype) != 0) return "dtype";
    if (borrowed->ndim != wanted->ndim) return "ndim";
    if (!same_numbers(borrowed->shape, managed->shape, wanted->ndim)) return "shape";
    if (borrowed->strides != NULL && wanted->strides != NULL &&
        !same_numbers(borrowed->strides, managed->strides, wanted->ndim))
        return "strides";
    bool is_address =
        adi_device_type_of((int)wanted->device.device_type)->buffer == ADI_BUFFER_IS_ADDRESS;
    if (is_address && (char *)borrowed->data + borrowed->byte_offset !=
                          (char *)wanted->data + wanted->byte_offset)
        return "data";
    return NULL;
}

/* Another object is asked, and what was borrowed of this one looked at again. */
static void judge_borrowed_later(const DLPackExchangeAPI *api, const DLTensor *borrowed,
                                 const struct adi_tensor *managed) {
    struct adi_tensor seen;
    DLTensor other;
    PyObject *another = PyObject_CallNoArgs(subject->callable);
    if (another != NULL && Py_TYPE(another) != NULL &&
        adi_py_exchange_of(Py_TYPE(another)) == api) {
        if (api->dltensor_from_py_object_no_sync(another, &other) != 0) adi_py_judge_overlook();
        struct DLManagedTensorVersioned *tensor = adi_py_exchange_tensor(api, another, &seen);
        if (tensor != NULL) adi_dlpack_delete(&seen.handed_out);
    }
    adi_py_judge_overlook();
    Py_XDECREF(another);
    if (!same_numbers(borrowed->shape, managed->shape, borrowed->ndim) ||
        (borrowed->strides != NULL && managed->tensor.strides != NULL &&
         !same_numbers(borrowed->strides, managed->strides, borrowed->ndim)))
        adi_py_judge_see("exchange/borrowed-lost", ADI_PRODUCER, "other numbers", "those of before",
                         "shape or strides of a DLTensor change when another object is asked");
}

/* DLH-63: nothing is allocated, and all is the object's. It may be missing. */
static void judge_borrowing(const DLPackExchangeAPI *api, PyObject *object,
                            const struct adi_tensor *managed) {
    DLTensor borrowed;
    if (api->dltensor_from_py_object_no_sync == NULL) return;
    memset(&borrowed, 0, sizeof borrowed);
    int code = api->dltensor_from_py_object_no_sync(object, &borrowed);
    if (!adi_py_exchange_answered("dltensor_from_py_object_no_sync", code, true)) {
        adi_py_judge_overlook();
        return;
    }
    const char *differs = difference(&borrowed, managed);
    if (differs != NULL)
        adi_py_judge_see("exchange/tensor-differs", ADI_PRODUCER, "another one",
                         "that of the managed tensor",
                         "the DLTensor of the same object has another %s", differs);
    else
        judge_borrowed_later(api, &borrowed, managed);
}

/* ---- the work stream ---- */

/* DLH-66, DLH-67: of the device of a tensor. */
static void judge_work_stream(const DLPackExchangeAPI *api, const struct adi_tensor *seen) {
    void *stream = NULL;
    DLDevice where = seen->tensor.device;
    int code = api->current_work_stream(where.device_type, where.device_id, &stream);
    bool is_answered = adi_py_exchange_answered("current_work_stream", code, true);
    if (!is_answered)
        adi_py_judge_see("exchange/stream-refused", ADI_PRODUCER, "an exception", "a stream",
                         "current_work_stream of device (%d, %d), which the tensor is on",
                         (int)where.device_type, (int)where.device_id);
    adi_py_judge_overlook();
}

/* ---- new tensors ---- */

static void count_error(void *context, const char *kind, const char *message) {
    (void)kind;
    (void)message;
    atomic_fetch_add((atomic_int *)context, 1);
}

/* DLH-56, DLH-57: without the GIL, as whoever has only C, and by a frame that catches nothing. */
static struct DLManagedTensorVersioned *
allocate(const DLPackExchangeAPI *api, const struct adi_tensor *like, DLDevice where, int *errors) {
    struct DLManagedTensorVersioned *tensor = NULL;
    int64_t shape[ADI_DLPACK_DIMS];
    atomic_int calls;
    int code;
    DLTensor prototype = {.data = NOWHERE,
                          .device = where,
                          .ndim = like->tensor.ndim,
                          .dtype = like->tensor.dtype,
                          .shape = shape,
                          .strides = NOWHERE,
                          .byte_offset = 16};
    memcpy(shape, like->shape, sizeof shape);
    atomic_init(&calls, 0);
    Py_BEGIN_ALLOW_THREADS;
    code = api->managed_tensor_allocator(&prototype, &tensor, &calls, count_error);
    Py_END_ALLOW_THREADS;
    adi_py_judge_overlook();
    *errors = atomic_load(&calls);
    if (code != 0) tensor = NULL;
    if (*errors != (tensor == NULL))
        adi_py_judge_see("exchange/error-not-set", ADI_PRODUCER,
                         *errors == 0  ? "no call of SetError"
                         : *errors > 1 ? "several calls of SetError"
                                       : "a call of SetError",
                         tensor == NULL ? "one call" : "none",
                         "the allocator returned %d, %s a tensor", code,
                         tensor == NULL ? "without" : "with");
    return tensor;
}

/* DLH-55: type, shape and device. */
static void judge_allocator(const DLPackExchangeAPI *api, const struct adi_tensor *like) {
    static const struct adi_tensor_asked asked = {1, 3, 0, 0, -1};
    struct adi_sink *sink = adi_case_sink();
    struct adi_tensor seen;
    int errors;
    DLDevice nobodys = {kDLTrn, 0};
    if (sink != NULL) adi_play_crash_rule(adi_trial_of(sink), "exchange/allocated-differs");
    struct DLManagedTensorVersioned *tensor = allocate(api, like, like->tensor.device, &errors);
    if (tensor != NULL && sink != NULL) {
        struct adi_tensor_asked where = asked;
        const struct adi_dlpack handed = {.versioned = tensor};
        where.device_type = (int32_t)like->tensor.device.device_type;
        where.device_id = like->tensor.device.device_id;
        enum adi_tensor_is is = adi_check_tensor(&handed, &where, &seen, sink);
        if (is == ADI_TENSOR_SOUND &&
            (memcmp(&seen.tensor.dtype, &like->tensor.dtype, sizeof seen.tensor.dtype) != 0 ||
             seen.tensor.ndim != like->tensor.ndim ||
             memcmp(seen.shape, like->shape, (size_t)seen.tensor.ndim * sizeof *seen.shape) != 0))
            adi_py_judge_see("exchange/allocated-differs", ADI_PRODUCER, "another type or shape",
                             "that of the prototype", "a tensor was allocated");
        if (is != ADI_TENSOR_NONE) adi_dlpack_delete(&seen.handed_out);
    }
    tensor = allocate(api, like, nobodys, &errors);
    if (tensor != NULL) adi_dlpack_delete(&(struct adi_dlpack){.versioned = tensor});
    if (sink != NULL) adi_play_crash_rule(adi_trial_of(sink), NULL);
}

/* ---- objects of tensors ---- */

/* A tensor of the object's whose deleter is counted. Never freed before the process: an object may
 * keep it. */
struct counted {
    struct DLManagedTensorVersioned tensor; /* first */
    struct DLManagedTensorVersioned *original;
    atomic_int calls;
};

static void count_deletion(struct DLManagedTensorVersioned *self) {
    struct counted *counted = (struct counted *)(void *)self;
    if (atomic_fetch_add(&counted->calls, 1) == 0)
        adi_dlpack_delete(&(struct adi_dlpack){.versioned = counted->original});
}

static bool is_of_library(const DLPackExchangeAPI *api, PyObject *object, PyObject *made) {
    if (PyObject_TypeCheck(made, Py_TYPE(object))) return true;
    bool is = adi_py_exchange_of(Py_TYPE(made)) == api;
    adi_py_judge_overlook();
    return is;
}

static void judge_object(const DLPackExchangeAPI *api, PyObject *object, PyObject *made,
                         const struct adi_tensor *wanted) {
    struct adi_tensor seen;
    const char *differs = NULL;
    if (!is_of_library(api, object, made)) {
        adi_py_judge_see("exchange/object-differs", ADI_PRODUCER, adi_py_judge_repr(made).text,
                         "one of the library's",
                         "a tensor was turned into an object of another class");
        return;
    }
    struct DLManagedTensorVersioned *tensor = adi_py_exchange_tensor(api, made, &seen);
    adi_py_judge_overlook();
    if (tensor == NULL) return;
    differs = difference(&seen.tensor, wanted);
    if (differs != NULL)
        adi_py_judge_see("exchange/object-differs", ADI_PRODUCER, "another one",
                         "that of the tensor",
                         "the object that a tensor was turned into has another %s", differs);
    adi_dlpack_delete(&seen.handed_out);
}

static void judge_calls(int calls, bool is_gone) {
    if (calls == (is_gone ? 1 : 0)) return;
    adi_py_judge_see("exchange/tensor-not-stolen", ADI_PRODUCER,
                     calls == 0   ? "no call of the deleter"
                     : calls == 1 ? "a call of the deleter"
                                  : "several calls of the deleter",
                     is_gone ? "one call" : "none",
                     is_gone ? "the object that a tensor became is gone"
                             : "the object that a tensor became is there");
}

/* DLH-68: who makes an object of a tensor has it; and the object is one of the library's. */
static void judge_stealing(const DLPackExchangeAPI *api, PyObject *object) {
    struct adi_tensor seen;
    void *made = NULL;
    struct counted *counted = calloc(1, sizeof *counted);
    struct DLManagedTensorVersioned *tensor =
        counted == NULL ? NULL : adi_py_exchange_tensor(api, object, &seen);
    if (tensor == NULL) {
        adi_py_judge_overlook();
        free(counted);
        return;
    }
    counted->tensor = *tensor;
    counted->tensor.manager_ctx = NULL;
    counted->tensor.deleter = count_deletion;
    counted->original = tensor;
    int code = api->managed_tensor_to_py_object_no_sync(&counted->tensor, &made);
    if (!adi_py_exchange_answered("managed_tensor_to_py_object_no_sync", code, made != NULL)) {
        adi_py_judge_overlook();
        if (atomic_load(&counted->calls) == 0) count_deletion(&counted->tensor);
        free(counted);
        return;
    }
    judge_calls(atomic_load(&counted->calls), false);
    judge_object(api, object, made, &seen);
    Py_DECREF((PyObject *)made);
    adi_py_collect_cycles();
    int calls = atomic_load(&counted->calls);
    judge_calls(calls, true);
    if (calls > 0) free(counted);
}

/* ---- all of it ---- */

void adi_py_judge_exchange(PyObject *object) {
    struct adi_tensor seen;
    if (!is_attribute_right(object, ADI_PY_EXCHANGE_CAPSULE) ||
        !is_attribute_right(object, ADI_PY_EXCHANGE_ADDRESS) || !is_kept(object) ||
        !is_chain_right(address_of(object)))
        return;
    const DLPackExchangeAPI *api = adi_py_exchange_of(Py_TYPE(object));
    adi_py_judge_overlook();
    if (api == NULL || !is_complete(api)) return;
    struct DLManagedTensorVersioned *tensor = adi_py_exchange_tensor(api, object, &seen);
    adi_py_judge_overlook(); /* it is told where the object is asked again */
    if (tensor == NULL) return;
    judge_work_stream(api, &seen);
    judge_borrowing(api, object, &seen);
    judge_allocator(api, &seen);
    adi_dlpack_delete(&seen.handed_out);
    judge_stealing(api, object);
}
