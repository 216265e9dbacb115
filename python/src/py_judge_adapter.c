/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots. The harness calls them without the GIL, since callbacks of the implementation may want
 * it on other threads; each takes it for as long as it works with Python.
 */
#include <errno.h>
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "devices.h"
#include "dlpack.h"
#include "move.h"
#include "py_array.h"
#include "py_device.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_exchange.h"
#include "schema.h"
#include "worker.h"

struct adi_py_subject adi_py_subject;
static struct adi_py_subject *const subject = &adi_py_subject;

/* ---- exceptions ---- */

static int code_of(PyObject *type) {
    const struct {
        PyObject *exception;
        int code;
    } codes[] = {{PyExc_MemoryError, ENOMEM},
                 {PyExc_BufferError, ENOTSUP},
                 {PyExc_NotImplementedError, ENOTSUP},
                 {PyExc_OSError, EIO}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (PyErr_GivenExceptionMatches(type, codes[i].exception)) return codes[i].code;
    return EINVAL;
}

/* What a producer raises may be passed on, and then says where it was raised. What the frames have
 * hold of is given up at once, since it is looked for. */
static void keep_trace(PyObject *value, PyObject *trace) {
    PyObject *module = PyImport_ImportModule("traceback");
    PyObject *nothing =
        module == NULL ? NULL : PyObject_CallMethod(module, "clear_frames", "O", trace);
    if (nothing != NULL) PyException_SetTraceback(value, trace);
    Py_XDECREF(nothing);
    Py_XDECREF(module);
    adi_py_judge_overlook();
}

int adi_py_judge_failed(void) {
    PyObject *type = NULL, *value = NULL, *trace = NULL, *name = NULL, *text = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    adi_py_judge_keep_mistake(type, value);
    int code = type == NULL ? EINVAL : code_of(type);
    if (type != NULL) name = PyObject_GetAttrString(type, "__name__");
    if (value != NULL) text = PyObject_Str(value);
    const char *name_text = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
    const char *words = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, NULL);
    adi_error_set(&subject->error, code, "%s: %s", name_text == NULL ? "an exception" : name_text,
                  words == NULL ? "" : words);
    adi_py_judge_overlook();
    Py_XDECREF(name);
    Py_XDECREF(text);
    if (!subject->is_consumer && value != NULL && trace != NULL) keep_trace(value, trace);
    Py_XDECREF(trace); /* its frames hold what the call was given */
    Py_XDECREF(type);
    PyObject *other = subject->is_first_kept ? value : subject->raised;
    if (!subject->is_first_kept) subject->raised = value;
    Py_XDECREF(other);
    return code;
}

static const char *last_error(struct adi_adapter *adapter) {
    (void)adapter;
    return subject->error.text;
}

/* ---- roles ---- */

static unsigned roles(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id) {
    bool is_tensor = adi_py_is_tensor(subject->protocol);
    bool is_stream = (subject->protocol & ADI_PY_ARROW_STREAMS) != 0;
    (void)adapter;
    if (subject->is_consumer) {
        if (adi_device_of(type) == NULL) return 0;
        return is_tensor ? ADI_CONSUMES_DLPACK : is_stream ? ADI_CONSUMES_STREAM : ADI_CONSUMES;
    }
    bool is_there = type == subject->type && (id == subject->id || adi_device_type_is_cpu(type));
    if (!is_there) return 0;
    return is_tensor ? ADI_PRODUCES_DLPACK : is_stream ? ADI_PRODUCES_STREAM : ADI_PRODUCES;
}

static int open_subject(struct adi_adapter *adapter, const struct adi_host *host) {
    (void)adapter;
    if (subject->is_consumer) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    adi_worker_charge(host, ADI_PRODUCER); /* it exports, and nobody imports */
    int code = adi_py_own_begin() == 0 ? 0 : adi_py_judge_failed();
    adi_worker_charge(host, ADI_BOTH);
    PyGILState_Release(state);
    return code;
}

/* ---- as a producer ---- */

/* Is it the case of the export alone, or none? */
static bool is_first(void) {
    const struct adi_scenario *now = adi_case_scenario();
    return now == NULL || strcmp(now->name, "export") == 0 || strcmp(now->name, "dlpack") == 0 ||
           strcmp(now->name, "stream") == 0;
}

static PyObject *make(void) {
    subject->error.text[0] = '\0';
    if (adi_py_judge_was_mistaken()) return NULL;
    if (!subject->is_read && !is_first()) {
        subject->is_first_kept = subject->raised != NULL;
        return PyErr_Format(PyExc_ValueError,
                            "it was not asked: its first export was refused, or cannot be read");
    }
    PyObject *object = PyObject_CallNoArgs(subject->callable);
    return object == NULL ? NULL : adi_py_judge_unconsumed(object);
}

/* What was exported outlives its object, in a cycle or not. */
static void drop_exporter(PyObject *object) {
    Py_XDECREF(object);
    if (is_first()) adi_py_collect_cycles();
}

static int produce(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = 0;
    (void)adapter, (void)type, (void)id;
    adi_schema_release(schema);
    adi_array_release(host);
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *object = make();
    if (object == NULL || adi_py_ask_array(object, schema_out, out) != 0)
        code = adi_py_judge_failed();
    drop_exporter(object);
    PyGILState_Release(state);
    return code;
}

static int produce_stream(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id,
                          struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    int code = 0;
    (void)adapter, (void)type, (void)id;
    adi_array_stream_release(host);
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *object = make();
    if (object == NULL || adi_py_ask_stream(object, out) != 0) code = adi_py_judge_failed();
    drop_exporter(object);
    PyGILState_Release(state);
    return code;
}

static int ask_tensor(struct adi_dlpack_array *array, const struct adi_dlpack_request *request,
                      struct adi_dlpack_tensor *out) {
    struct adi_dlpack tensor = {NULL, NULL};
    PyGILState_STATE state = PyGILState_Ensure();
    int code =
        adi_py_ask_tensor(array->private_data, request, &tensor) == 0 ? 0 : adi_py_judge_failed();
    PyGILState_Release(state);
    if (code == 0) *out = (struct adi_dlpack_tensor){tensor.legacy, tensor.versioned};
    return code;
}

static void release_tensors(struct adi_dlpack_array *array) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)array->private_data);
    PyGILState_Release(state);
    array->release = NULL;
}

static bool has_method(PyObject *object, const char *name) {
    PyObject *method = PyObject_GetAttrString(object, name);
    bool has = method != NULL;
    Py_XDECREF(method);
    adi_py_judge_overlook();
    return has;
}

/* AAI-02: where a tensor is can be asked. It may be refused, and an array may have neither. */
static void judge_device_missing(PyObject *object) {
    PyObject *type, *value, *trace;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return;
    PyErr_Fetch(&type, &value, &trace);
    if (has_method(object, "__dlpack__") && !has_method(object, "__dlpack_device__"))
        adi_py_judge_see("array-api/device-invalid", ADI_PRODUCER, "no such attribute",
                         "a tuple (DLDeviceType, int)",
                         "there is __dlpack__, and no __dlpack_device__");
    PyErr_Restore(type, value, trace);
}

static bool read_device(PyObject *object, int32_t out[2]) {
    int type, id;
    if (subject->protocol == ADI_PY_EXCHANGE && !has_method(object, "__dlpack_device__"))
        return adi_py_exchange_where(object, out);
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    if (device == NULL) {
        judge_device_missing(object);
        return false;
    }
    bool is_read = PyTuple_Check(device) && PyArg_ParseTuple(device, "ii", &type, &id);
    /* AAD-02: a tuple of a member of the enumeration and a number. */
    bool is_member =
        is_read && (adi_device_type_find(type) != NULL || type == kDLMAIA || type == kDLTrn);
    if (!is_member) {
        adi_py_judge_overlook();
        adi_py_judge_see("array-api/device-invalid", ADI_PRODUCER,
                         is_read ? "a type that DLPack does not have"
                                 : adi_py_judge_repr(device).text,
                         "a tuple (DLDeviceType, int)", "__dlpack_device__ gave no device");
        PyErr_Format(PyExc_TypeError, "__dlpack_device__ gave %R, and not a pair", device);
        is_read = false;
    }
    Py_DECREF(device);
    if (!is_read) return false;
    out[0] = type;
    out[1] = id;
    return true;
}

static int produce_dlpack(struct adi_adapter *adapter, int32_t type, int32_t id,
                          const struct DLManagedTensorVersioned *host,
                          struct adi_dlpack_array *out) {
    int32_t device[2] = {0, 0};
    int code = 0;
    (void)adapter, (void)type, (void)id, (void)host;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *object = make();
    if (object == NULL || !read_device(object, device)) code = adi_py_judge_failed();
    if (code == 0)
        *out = (struct adi_dlpack_array){.size = sizeof *out,
                                         .device_type = device[0],
                                         .device_id = device[1],
                                         .dlpack = ask_tensor,
                                         .release = release_tensors,
                                         .private_data = Py_NewRef(object)};
    Py_XDECREF(object);
    PyGILState_Release(state);
    return code;
}

/* ---- as a consumer ---- */

/* Hands an object over that gives what it was made of, and takes what comes back; `given` is gone
 * afterwards. NULL with an exception. */
static PyObject *use(PyObject *given) {
    subject->error.text[0] = '\0';
    PyObject *object =
        given == NULL ? NULL : PyObject_CallFunctionObjArgs(subject->wrap, given, NULL);
    PyObject *result =
        object == NULL ? NULL : PyObject_CallFunctionObjArgs(subject->callable, object, NULL);
    adi_py_drop(object);
    return result;
}

static int copy_out(PyObject *result, struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                    struct adi_error *error) {
    struct ArrowDeviceArray shared;
    struct ArrowSchema schema;
    int code;
    struct adi_py_memory *memory = adi_py_judge_result(result);
    if (memory == NULL) return adi_py_judge_failed();
    code = adi_schema_export(&memory->schema, &schema, error);
    if (code == 0 && adi_py_is_cpu(memory->device)) {
        code = adi_py_memory_share(memory, &shared, error);
        if (code == 0) adi_array_move(&shared.array, host_out);
    } else if (code == 0) {
        ADI_PY_WITH(memory->device, code = adi_py_memory_to_host(memory, host_out, error));
    }
    if (code == 0)
        *schema_out = schema;
    else
        adi_schema_release(&schema);
    adi_py_memory_drop(memory);
    return code;
}

/* Are its values not to be compared? What one call leaves, the case leaves: a copy that came out
 * of another call of it would be nobody's. */
static bool is_left(const PyObject *result) {
    struct adi_sink *sink = adi_case_sink();
    return result == Py_None || (sink != NULL && adi_trial_of(sink)->leaves_values);
}

static int consume(struct adi_adapter *adapter, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct adi_error error = {""};
    (void)adapter;
    if (subject->protocol == ADI_PY_ARROW_ARRAY && !adi_device_type_is_cpu(in->device_type)) {
        adi_error_set(&subject->error, ENOTSUP, "__arrow_c_array__ is for memory of the CPU");
        return ENOTSUP;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *given = adi_py_given_array(schema, in);
    PyObject *result = adi_py_judge_as_given(given, use(given), false);
    int code = result == NULL ? adi_py_judge_failed() : 0;
    if (code == 0 && is_left(result)) {
        schema_out->release = NULL;
        host_out->release = NULL;
        adi_case_leave_values();
    } else if (code == 0) {
        code = copy_out(result, schema_out, host_out, &error);
        if (code != 0 && error.text[0] != '\0')
            adi_error_set(&subject->error, code, "%s", error.text);
    }
    Py_XDECREF(result);
    adi_py_given_end(given);
    Py_XDECREF(given);
    PyGILState_Release(state);
    return code;
}

static int consume_stream(struct adi_adapter *adapter, struct ArrowDeviceArrayStream *in,
                          struct ArrowArrayStream *host_out) {
    struct adi_error error = {""};
    (void)adapter;
    if (subject->protocol == ADI_PY_ARROW_STREAM && !adi_device_type_is_cpu(in->device_type)) {
        adi_error_set(&subject->error, ENOTSUP, "__arrow_c_stream__ is for memory of the CPU");
        return ENOTSUP;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *given = adi_py_given_stream(in);
    PyObject *result = adi_py_judge_as_given(given, use(given), true);
    int code = result == NULL ? adi_py_judge_failed() : 0;
    if (code == 0 && is_left(result)) {
        host_out->release = NULL;
        adi_case_leave_values();
    } else if (code == 0) {
        code = adi_py_judge_result_stream(result, host_out, &error);
        if (code != 0 && error.text[0] != '\0')
            adi_error_set(&subject->error, code, "%s", error.text);
    }
    Py_XDECREF(result);
    adi_py_given_end(given);
    Py_XDECREF(given);
    PyGILState_Release(state);
    return code;
}

static int tensor_out(PyObject *result, struct adi_dlpack *host_out, struct adi_error *error) {
    static const struct adi_dlpack_arguments defaults = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack_arguments to_cpu = defaults;
    PyObject *module = PyImport_ImportModule("adicheck._given_back");
    PyObject *array = module == NULL ? NULL : PyObject_CallMethod(module, "as_array", "O", result);
    Py_XDECREF(module);
    struct adi_dlpack_source *source =
        array == NULL ? NULL : adi_py_array_source((struct adi_py_array *)array);
    int code =
        source == NULL ? adi_py_judge_failed() : adi_dlpack_ask(source, &to_cpu, host_out, error);
    Py_XDECREF(array);
    return code;
}

/* Is what is handed over of the layout from before 1.0? */
static bool is_legacy(void) {
    const struct adi_scenario *now = adi_case_scenario();
    return now != NULL && strcmp(now->name, "consume-dlpack-legacy") == 0;
}

/* AAS-03, DLP-04: a device that the consumer does not have is a BufferError. */
static void judge_refusal(int32_t device_type) {
    struct adi_sink *sink = adi_case_sink();
    if (device_type != kDLTrn || sink == NULL || PyErr_ExceptionMatches(PyExc_BufferError)) return;
    /* What else goes wrong with it is told as one mistake. */
    struct adi_mistake *mistake = &adi_trial_of(sink)->mistake, kept = *mistake;
    *mistake = adi_mistake(NULL, false);
    adi_py_judge_see("array-api/refusal-differs", ADI_CONSUMER, "another exception", "BufferError",
                     "a tensor of a device that nobody has here is refused");
    *mistake = kept;
}

static int consume_dlpack(struct adi_adapter *adapter, struct adi_dlpack_array *in,
                          struct adi_dlpack_tensor *host_out) {
    struct adi_error error = {""};
    struct adi_dlpack tensor = {NULL, NULL};
    (void)adapter;
    if (subject->protocol == ADI_PY_EXCHANGE && is_legacy()) {
        adi_error_set(&subject->error, ENOTSUP, "the exchange API has no tensor from before 1.0");
        return ENOTSUP;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *given = adi_py_given_tensor(in);
    PyObject *result = use(given);
    if (result == NULL) judge_refusal(in->device_type);
    int code = result == NULL ? adi_py_judge_failed() : 0;
    if (code == 0) adi_py_given_taken(given);
    if (code == 0 && result == Py_None)
        adi_case_leave_values();
    else if (code == 0)
        code = tensor_out(result, &tensor, &error);
    if (code != 0 && error.text[0] != '\0') adi_error_set(&subject->error, code, "%s", error.text);
    Py_XDECREF(result);
    adi_py_given_end(given);
    Py_XDECREF(given);
    PyGILState_Release(state);
    in->release(in);
    in->release = NULL;
    if (code == 0) *host_out = (struct adi_dlpack_tensor){tensor.legacy, tensor.versioned};
    return code;
}

struct adi_adapter *adi_py_judge_adapter(void) {
    static struct adi_adapter adapter = {
        .size = sizeof adapter,
        .version = ADI_ADAPTER_VERSION,
        .name = "python",
        .release_name = "",
        .roles = roles,
        .open = open_subject,
        .close = adi_py_judge_close,
        .produce = produce,
        .consume = consume,
        .bytes_allocated = adi_py_judge_before_weighing,
        .last_error = last_error,
        .produce_stream = produce_stream,
        .consume_stream = consume_stream,
        .produce_dlpack = produce_dlpack,
        .consume_dlpack = consume_dlpack,
    };
    return &adapter;
}
