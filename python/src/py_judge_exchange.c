/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking an object for tensors by DLPack's exchange API, as a consumer does that has a stream of
 * its own. All other rules of tensors are the harness's.
 */
#include "py_judge_exchange.h"

#include <errno.h>
#include <string.h>

#include "attribution.h"
#include "dlpack_stream.h"
#include "dlpack_type.h"
#include "play_tensor.h"
#include "py_device.h"

/* ---- answers ---- */

/* DLH-65: 0 and a result, or -1 and an exception. */
bool adi_py_exchange_answered(const char *function, int code, bool has_result) {
    bool has_raised = PyErr_Occurred() != NULL;
    bool is_right = code == 0 ? has_result && !has_raised : code == -1 && has_raised;
    if (!is_right)
        adi_py_judge_see("exchange/answer-differs", ADI_PRODUCER,
                         code != 0     ? has_raised ? "another number, and an exception"
                                                    : "a number, and no exception"
                         : has_raised  ? "0, and an exception"
                         : !has_result ? "0, and no result"
                                       : "0",
                         "0 and a result, or -1 and an exception", "%s returned %d", function,
                         code);
    if (code == 0 && has_result) {
        adi_py_judge_overlook();
        return true;
    }
    if (!has_raised) PyErr_Format(PyExc_ValueError, "%s gave nothing, and no exception", function);
    return false;
}

/* DLH-62: what cannot be described. */
static void judge_exception(void) {
    if (PyErr_ExceptionMatches(PyExc_BufferError)) return;
    adi_py_judge_see("exchange/exception-differs", ADI_PRODUCER, "another exception", "BufferError",
                     "managed_tensor_from_py_object_no_sync refused an object");
}

/* ---- tensors ---- */

static void overlook(struct adi_sink *sink, const struct adi_found *found) {
    (void)sink;
    (void)found;
}

static bool look_at(struct DLManagedTensorVersioned *tensor, struct adi_tensor *seen) {
    static const struct adi_tensor_asked asked = {1, 3, 0, 0, -1};
    struct adi_sink nowhere = {.violated = overlook};
    const struct adi_dlpack handed = {.versioned = tensor};
    return adi_check_tensor(&handed, &asked, seen, &nowhere) == ADI_TENSOR_SOUND;
}

static struct DLManagedTensorVersioned *tensor_of(const DLPackExchangeAPI *api, PyObject *object) {
    struct DLManagedTensorVersioned *tensor = NULL;
    int code = api->managed_tensor_from_py_object_no_sync(object, &tensor);
    if (adi_py_exchange_answered("managed_tensor_from_py_object_no_sync", code, tensor != NULL))
        return tensor;
    judge_exception();
    return NULL;
}

struct DLManagedTensorVersioned *adi_py_exchange_tensor(const DLPackExchangeAPI *api,
                                                        PyObject *object, struct adi_tensor *seen) {
    struct DLManagedTensorVersioned *tensor = tensor_of(api, object);
    if (tensor == NULL || look_at(tensor, seen)) return tensor;
    PyErr_SetString(PyExc_ValueError, "the tensor is not sound");
    return NULL;
}

static const DLPackExchangeAPI *table_of(PyObject *object) {
    const DLPackExchangeAPI *api = adi_py_exchange_of(Py_TYPE(object));
    if (api != NULL && api->managed_tensor_from_py_object_no_sync != NULL) return api;
    if (PyErr_Occurred() != NULL) return NULL;
    PyObject *own = PyObject_GetAttrString(object, ADI_PY_EXCHANGE_CAPSULE);
    adi_py_judge_overlook();
    PyErr_Format(own == NULL && api == NULL ? PyExc_AttributeError : PyExc_TypeError,
                 "the type of %R has no exchange API", object);
    Py_XDECREF(own);
    return NULL;
}

bool adi_py_exchange_where(PyObject *object, int32_t out[2]) {
    struct adi_tensor seen;
    const DLPackExchangeAPI *api = table_of(object);
    struct DLManagedTensorVersioned *tensor =
        api == NULL ? NULL : adi_py_exchange_tensor(api, object, &seen);
    if (tensor == NULL) return false;
    out[0] = (int32_t)seen.tensor.device.device_type;
    out[1] = seen.tensor.device.device_id;
    adi_dlpack_delete(&seen.handed_out);
    return true;
}

/* ---- order ---- */

static struct adi_device *device_of(const struct adi_tensor *seen) {
    ArrowDeviceType type;
    int64_t id;
    if (adi_dlpack_device_to_arrow(seen->tensor.device, &type, &id, NULL) != 0) return NULL;
    return adi_py_device(type, id, NULL);
}

/* Is it still to be written when __dlpack__ gives it without any order? */
static bool was_pending(PyObject *object) {
    struct adi_tensor seen;
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *nothing = PyTuple_New(0),
             *keywords = Py_BuildValue("{si,s(ii)}", "stream", -1, "max_version", 1, 3);
    PyObject *capsule = method == NULL || nothing == NULL || keywords == NULL
                            ? NULL
                            : PyObject_Call(method, nothing, keywords);
    bool is_pending = false;
    if (capsule != NULL && PyCapsule_IsValid(capsule, "dltensor_versioned") &&
        look_at(PyCapsule_GetPointer(capsule, "dltensor_versioned"), &seen)) {
        struct adi_device *device = device_of(&seen);
        is_pending = device != NULL && adi_tensor_is_pending(device, &seen);
    }
    adi_py_judge_overlook();
    Py_XDECREF(capsule);
    Py_XDECREF(keywords);
    Py_XDECREF(nothing);
    Py_XDECREF(method);
    return is_pending;
}

/* What the host does once the stream has done all that it has now. */
static int come_behind(struct adi_device *device, int64_t stream, struct adi_error *why) {
    struct adi_dlpack_queue queue;
    void *event = NULL;
    ADI_TRY(adi_dlpack_stream(device->ops->type, stream, &queue, why));
    ADI_TRY(adi_dlpack_record(device, queue, &event, why));
    if (event == NULL) return 0;
    int code = device->ops->wait_host(device, event, why);
    device->ops->event_free(device, event);
    return code;
}

/* DLH-60, DLH-67, DLH-80: the current work stream comes behind what writes the tensor. */
static bool is_ordered(const DLPackExchangeAPI *api, const struct adi_tensor *seen) {
    struct adi_error why = {""};
    void *handle = NULL;
    DLDevice where = seen->tensor.device;
    struct adi_device *device = device_of(seen);
    if (device == NULL || api->current_work_stream == NULL ||
        adi_dlpack_numbers(device->ops->type) != ADI_DLPACK_NUMBERED)
        return true;
    int code = api->current_work_stream(where.device_type, where.device_id, &handle);
    if (code != 0) {
        adi_py_judge_overlook(); /* it is told where each function is looked at */
        return true;
    }
    int64_t stream = adi_py_exchange_number((int32_t)where.device_type, handle);
    bool before = adi_attribution_enter(false);
    ADI_PY_WITH(device, code = come_behind(device, stream, &why));
    bool is_pending = code == 0 && adi_tensor_is_pending(device, seen);
    adi_attribution_enter(before);
    if (is_pending)
        adi_py_judge_see("exchange/stream-unordered", ADI_PRODUCER,
                         "a command that writes the tensor and has not run",
                         "a stream that waits for it",
                         "what was put on the current work stream did not wait for what writes the "
                         "tensor");
    return !is_pending;
}

/* DLH-59: nobody waits on the host. */
static void judge_wait(bool was, const struct adi_tensor *seen) {
    struct adi_device *device = device_of(seen);
    if (was && device != NULL && !adi_tensor_is_pending(device, seen))
        adi_py_judge_see("exchange/synchronizes", ADI_PRODUCER,
                         "all that writes the tensor has run", "no wait",
                         "managed_tensor_from_py_object_no_sync waits, and __dlpack__ with stream "
                         "-1 does not");
}

/* ---- a request ---- */

/* What the table cannot be asked for. */
static const char *lack_of(const struct adi_dlpack_request *request,
                           const struct adi_tensor *seen) {
    DLDevice where = seen->tensor.device;
    struct adi_dlpack_queue queue;
    if (request->max_major == 0) return "gives no tensors from before 1.0";
    if (request->copy == 1) return "makes no copies";
    if (request->device_type != 0 && (request->device_type != (int32_t)where.device_type ||
                                      request->device_id != where.device_id))
        return "gives a tensor where it lies";
    if (adi_dlpack_stream((int32_t)where.device_type, request->stream, &queue, NULL) != 0)
        return "is not told of a stream";
    return NULL;
}

int adi_py_ask_exchange(PyObject *object, const struct adi_dlpack_request *request,
                        struct adi_dlpack *out) {
    struct adi_tensor seen;
    const DLPackExchangeAPI *api = table_of(object);
    if (api == NULL) return -1;
    bool pending = request->stream != ADI_DLPACK_NONE && was_pending(object);
    struct DLManagedTensorVersioned *tensor = tensor_of(api, object);
    if (tensor == NULL) return -1;
    *out = (struct adi_dlpack){.versioned = tensor};
    if (!look_at(tensor, &seen)) return 0; /* whoever has asked tells why that is */
    judge_wait(pending, &seen);
    const char *lack = lack_of(request, &seen);
    if (lack != NULL)
        PyErr_Format(PyExc_BufferError, "the exchange API %s", lack);
    else if (request->stream == -1 || is_ordered(api, &seen))
        return 0;
    else
        PyErr_SetString(PyExc_ValueError, "the tensor is not ordered by the current work stream");
    adi_dlpack_delete(out);
    return -1;
}
