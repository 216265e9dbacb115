/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>

#include "dlpack_type.h"
#include "py_arguments.h"
#include "py_array.h"
#include "py_capsule.h"
#include "py_device.h"
#include "py_dlpack.h"
#include "py_error.h"
#include "py_exchange.h"

/* What is asked of the producer, and how. */
struct asking {
    int64_t from[2];           /* what __dlpack_device__ says */
    struct adi_device *device; /* of the tensor that comes */
    bool names_device;         /* dl_device is passed */
    PyObject *copy;            /* as it was given; borrowed */
    struct adi_dlpack_arguments arguments;
};

/* ---- where it is, and where it is to be ---- */

static int ask_where(PyObject *object, struct asking *asking) {
    PyObject *said = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    if (said == NULL) return -1;
    bool is_pair = adi_py_pair(said, "what __dlpack_device__ gives", asking->from);
    Py_DECREF(said);
    return is_pair ? 0 : -1;
}

/* A name of ours, or DLPack's pair. */
static int read_wanted(PyObject *wanted, DLDevice *out) {
    struct adi_error error = {""};
    int64_t pair[2];
    if (PyTuple_Check(wanted)) {
        if (!adi_py_pair(wanted, "device", pair)) return -1;
        *out = (DLDevice){(DLDeviceType)pair[0], (int32_t)pair[1]};
        return 0;
    }
    struct adi_device *device = adi_py_device_named(wanted);
    if (device == NULL) return -1;
    int code = adi_dlpack_device_from_arrow(device->ops->type, device->id, out, &error);
    if (code == 0) return 0;
    adi_py_raise(code, PyExc_BufferError, &error);
    return -1;
}

/* Array API, "from_dlpack": BufferError of devices that are not supported. */
static int choose_device(PyObject *wanted, struct asking *asking) {
    DLDevice device = {(DLDeviceType)asking->from[0], (int32_t)asking->from[1]}, other;
    struct adi_error error = {""};
    ArrowDeviceType type;
    int64_t id;
    if (wanted != NULL && wanted != Py_None) {
        if (read_wanted(wanted, &other) != 0) return -1;
        asking->names_device =
            other.device_type != device.device_type || other.device_id != device.device_id;
        device = other;
    }
    int code = adi_dlpack_device_to_arrow(device, &type, &id, &error);
    asking->device = code == 0 ? adi_py_device(type, id, &error) : NULL;
    if (asking->device != NULL) return 0;
    PyErr_SetString(PyExc_BufferError, error.text);
    return -1;
}

/* ---- asking ---- */

static int set(PyObject *keywords, const char *name, PyObject *value) {
    int code = value == NULL ? -1 : PyDict_SetItemString(keywords, name, value);
    Py_XDECREF(value);
    return code;
}

static int fill_keywords(PyObject *keywords, const struct asking *asking, bool is_old) {
    const struct adi_dlpack_arguments *arguments = &asking->arguments;
    if (arguments->stream != ADI_DLPACK_NONE &&
        set(keywords, "stream", PyLong_FromLongLong(arguments->stream)) != 0)
        return -1;
    if (is_old) return 0;
    if (set(keywords, "max_version",
            Py_BuildValue("(ii)", (int)arguments->max_major, (int)arguments->max_minor)) != 0)
        return -1;
    if (asking->names_device &&
        set(keywords, "dl_device",
            Py_BuildValue("(ii)", (int)arguments->device_type, (int)arguments->device_id)) != 0)
        return -1;
    return asking->copy == Py_None ? 0 : set(keywords, "copy", Py_NewRef(asking->copy));
}

static PyObject *call(PyObject *method, const struct asking *asking, bool is_old) {
    PyObject *none = PyTuple_New(0), *keywords = PyDict_New(), *capsule = NULL;
    if (none != NULL && keywords != NULL && fill_keywords(keywords, asking, is_old) == 0)
        capsule = PyObject_Call(method, none, keywords);
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    return capsule;
}

/* Producers from before DLPack 1.0 know `stream` only; what else was asked for they cannot give. A
 * TypeError that comes without it, too, is about something else. */
static PyObject *ask_again(PyObject *method, const struct asking *asking) {
    PyObject *type, *value, *trace;
    const bool is_wanted = asking->names_device || asking->copy == Py_False;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *capsule = call(method, asking, true);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    if (capsule == NULL || !is_wanted) return capsule;
    adi_py_drop(capsule);
    PyErr_SetString(PyExc_BufferError, asking->names_device ? "__dlpack__ does not know dl_device"
                                                            : "__dlpack__ does not know copy");
    return NULL;
}

static PyObject *ask(PyObject *object, struct asking *asking) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    if (method == NULL) return NULL;
    PyObject *capsule = call(method, asking, false);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        capsule = ask_again(method, asking);
    Py_DECREF(method);
    return capsule;
}

/* ---- taking ---- */

/* A producer says twice where its tensor is. */
static int check(const struct adi_dlpack *tensor, const struct asking *asking, bool *is_copied,
                 struct adi_error *error) {
    const DLTensor *within;
    uint64_t flags;
    ADI_TRY(adi_dlpack_look(tensor, &within, NULL, &flags, error));
    *is_copied = (flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
    int type = (int)within->device.device_type, id = within->device.device_id;
    bool is_there = asking->names_device
                        ? type == asking->arguments.device_type && id == asking->arguments.device_id
                        : type == asking->from[0] && id == asking->from[1];
    if (is_there) return 0;
    return adi_error_set(error, EINVAL,
                         "the tensor is on device %d:%d, and __dlpack_device__ gave (%" PRId64
                         ", %" PRId64 ")",
                         type, id, asking->from[0], asking->from[1]);
}

/* copy=True of a producer that does not know it. */
static int copy_once_more(struct asking *asking, struct adi_dlpack_source **source,
                          struct adi_error *error) {
    struct adi_dlpack_arguments arguments = asking->arguments;
    struct adi_dlpack_source *copied = NULL;
    struct adi_dlpack tensor;
    arguments.copy = 1;
    ADI_TRY(adi_dlpack_ask(*source, &arguments, &tensor, error));
    int code = adi_dlpack_relay(asking->device, &tensor, &arguments, &copied, error);
    if (code != 0) {
        adi_dlpack_delete(&tensor);
        return code;
    }
    adi_dlpack_close(*source);
    *source = copied;
    return 0;
}

/* Moves from `tensor`, on failure, too. */
static int relay(struct asking *asking, struct adi_dlpack *tensor, struct adi_dlpack_source **out,
                 struct adi_error *error) {
    bool is_copied;
    struct adi_dlpack_source *source = NULL;
    int code = check(tensor, asking, &is_copied, error);
    if (code == 0)
        code = adi_dlpack_relay(asking->device, tensor, &asking->arguments, &source, error);
    if (code == 0 && asking->copy == Py_True && !is_copied)
        code = copy_once_more(asking, &source, error);
    if (code == 0) {
        *out = source;
        return 0;
    }
    adi_dlpack_close(source);
    adi_dlpack_delete(tensor);
    return code;
}

/* Moves from `tensor`, on failure, too. */
static PyObject *take(struct adi_dlpack *tensor, struct asking *asking) {
    static const struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct adi_dlpack_source *source = NULL;
    struct adi_error error = {""};
    int code;
    ADI_PY_WITH(asking->device, code = relay(asking, tensor, &source, &error));
    if (code == 0) return adi_py_array_of_source(asking->device, source, &showing);
    return adi_py_raise(code, PyExc_BufferError, &error);
}

/* ---- by the exchange API ---- */

/* What has no other way of being asked: of one that has, all that is wanted can be asked for. */
static const DLPackExchangeAPI *table_of(PyObject *object) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    bool has_method = method != NULL;
    Py_XDECREF(method);
    PyErr_Clear();
    return has_method ? NULL : adi_py_exchange_of(Py_TYPE(object));
}

static PyObject *take_by(const DLPackExchangeAPI *api, PyObject *object, PyObject *wanted,
                         struct asking *asking) {
    struct adi_dlpack tensor = {NULL, NULL};
    const DLTensor *within;
    if (adi_py_exchange_ask(api, object, &tensor, &asking->arguments.stream) != 0) return NULL;
    adi_dlpack_look(&tensor, &within, NULL, NULL, NULL);
    asking->from[0] = (int64_t)within->device.device_type;
    asking->from[1] = within->device.device_id;
    bool is_chosen = choose_device(wanted, asking) == 0;
    if (is_chosen && !asking->names_device) return take(&tensor, asking);
    ADI_PY_ASIDE(adi_dlpack_delete(&tensor));
    if (is_chosen)
        PyErr_SetString(PyExc_BufferError, "the exchange API gives a tensor where it lies");
    return NULL;
}

PyObject *adi_py_from_dlpack(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                             PyObject *names) {
    PyObject *wanted = NULL, *copy = Py_None;
    static struct adi_py_function function = {.name = "from_dlpack"};
    const struct adi_py_parameter parameters[] = {{"device", &wanted}, {"copy", &copy}};
    struct asking asking = {.arguments = ADI_DLPACK_DEFAULTS};
    (void)module;
    if (n_arguments != 1)
        return PyErr_Format(PyExc_TypeError,
                            "from_dlpack() takes 1 positional argument, and got "
                            "%zd",
                            n_arguments);
    /* The names' arguments stand behind the positional one. */
    if (!adi_py_arguments(&function, parameters, 2, 0, ADI_PY_REFUSED, arguments + 1, 0, names))
        return NULL;
    if (copy != Py_None && copy != Py_True && copy != Py_False)
        return PyErr_Format(PyExc_TypeError, "copy is True, False or None, and not %R", copy);
    asking.copy = copy;
    const DLPackExchangeAPI *api = table_of(arguments[0]);
    if (api != NULL) return take_by(api, arguments[0], wanted, &asking);
    if (PyErr_Occurred() != NULL) return NULL;
    if (ask_where(arguments[0], &asking) != 0 || choose_device(wanted, &asking) != 0) return NULL;
    if (asking.names_device) {
        DLDevice device;
        adi_dlpack_device_from_arrow(asking.device->ops->type, asking.device->id, &device, NULL);
        asking.arguments.device_type = (int32_t)device.device_type;
        asking.arguments.device_id = device.device_id;
    }
    asking.arguments.stream = adi_py_stream_of(asking.device);
    PyObject *capsule = ask(arguments[0], &asking);
    if (capsule == NULL) return NULL;
    struct adi_dlpack tensor = {NULL, NULL};
    PyObject *made = NULL;
    if (adi_py_capsule_take_dlpack(capsule, &tensor) == 0) made = take(&tensor, &asking);
    adi_py_drop(capsule);
    return made;
}
