/* SPDX-License-Identifier: Apache-2.0
 *
 * What a consumer under test is given, behind an object of cases.py that shows one protocol: the
 * harness's own structures, in capsules. A second call of a method gives the same capsules, unless
 * they were consumed.
 */
#include <stdlib.h>
#include <string.h>

#include "move.h"
#include "py_arguments.h"
#include "py_array.h"
#include "py_capsule.h"
#include "py_error.h"
#include "py_judge.h"
#include "py_judge_exchange.h"
#include "py_schema.h"
#include "schema.h"
#include "stream.h"

struct given {
    PyObject_HEAD struct ArrowSchema schema;
    PyObject *type; /* a copy of that; NULL: there is none */
    struct ArrowDeviceArray array;
    struct ArrowDeviceArrayStream stream;
    PyObject *pair;                   /* NULL: not asked for yet; of a stream, its capsule */
    struct adi_dlpack_array *tensors; /* NULL: none, or the call is over */
    PyObject *capsules;               /* of tensors: a list; NULL: none */
    bool is_over;
};

static PyTypeObject *type;

static struct given *new_given(void) {
    struct given *self = (struct given *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->schema.release = NULL;
    self->array.array.release = NULL;
    self->stream.release = NULL;
    return self;
}

PyObject *adi_py_given_array(struct ArrowSchema *schema, struct ArrowDeviceArray *in) {
    struct given *self = new_given();
    if (self == NULL) return NULL;
    if (schema->release != NULL && in->array.release != NULL)
        self->type = adi_py_schema_copy(schema);
    PyErr_Clear();
    adi_schema_move(schema, &self->schema);
    adi_device_array_move(in, &self->array);
    return (PyObject *)self;
}

PyObject *adi_py_given_stream(struct ArrowDeviceArrayStream *in) {
    struct given *self = new_given();
    if (self == NULL) return NULL;
    adi_device_array_stream_move(in, &self->stream);
    return (PyObject *)self;
}

PyObject *adi_py_given_tensor(struct adi_dlpack_array *tensor) {
    struct given *self = new_given();
    if (self == NULL) return NULL;
    adi_py_exchange_begin();
    self->tensors = tensor;
    self->capsules = PyList_New(0);
    return (PyObject *)self;
}

static bool is_over(const struct given *self) {
    if (self->is_over)
        PyErr_SetString(PyExc_ValueError, "this object was for one call, which is over");
    return self->is_over;
}

/* ---- Arrow ---- */

/* schema(): a capsule with a copy. */
static PyObject *give_schema(PyObject *object, PyObject *unused) {
    struct given *self = (struct given *)object;
    struct ArrowSchema copy;
    struct adi_error error = {""};
    (void)unused;
    if (is_over(self)) return NULL;
    if (self->pair != NULL || self->schema.release == NULL) {
        PyErr_SetString(PyExc_ValueError, "the schema has been handed out");
        return NULL;
    }
    int code = adi_schema_export(&self->schema, &copy, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_schema(&copy);
}

static bool is_consumed(PyObject *pair, bool on_host) {
    const char *name = on_host ? "arrow_array" : "arrow_device_array";
    const struct ArrowSchema *schema =
        PyCapsule_GetPointer(PyTuple_GetItem(pair, 0), "arrow_schema");
    const struct ArrowArray *array = PyCapsule_GetPointer(PyTuple_GetItem(pair, 1), name);
    return schema == NULL || array == NULL || schema->release == NULL || array->release == NULL;
}

static PyObject *make_pair(struct given *self, bool on_host) {
    PyObject *schema = adi_py_capsule_schema(&self->schema);
    PyObject *array = NULL;
    if (schema != NULL && on_host)
        array = adi_py_capsule_array(&self->array.array);
    else if (schema != NULL)
        array = adi_py_capsule_device_array(&self->array);
    if (array != NULL) self->pair = PyTuple_Pack(2, schema, array);
    Py_XDECREF(schema);
    Py_XDECREF(array);
    return self->pair;
}

static PyObject *once(void) {
    PyErr_Clear();
    PyErr_SetString(PyExc_ValueError, "what this object gives was consumed: it gives it once");
    return NULL;
}

/* array(on_host): the pair of capsules, which is consumed once. */
static PyObject *give_array(PyObject *object, PyObject *on_host) {
    struct given *self = (struct given *)object;
    bool is_host = PyObject_IsTrue(on_host) == 1;
    if (is_over(self)) return NULL;
    if (self->pair == NULL) return Py_XNewRef(make_pair(self, is_host));
    return is_consumed(self->pair, is_host) ? once() : Py_NewRef(self->pair);
}

static PyObject *make_stream(struct given *self, bool on_host) {
    struct ArrowArrayStream unwrapped;
    struct adi_error error = {""};
    if (!on_host) return adi_py_capsule_device_stream(&self->stream);
    int code = adi_stream_unwrap(&self->stream, &unwrapped, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_stream(&unwrapped);
}

/* stream(on_host): the capsule, which is consumed once. */
static PyObject *give_stream(PyObject *object, PyObject *on_host) {
    struct given *self = (struct given *)object;
    bool is_host = PyObject_IsTrue(on_host) == 1;
    if (is_over(self)) return NULL;
    if (self->pair == NULL) {
        self->pair = make_stream(self, is_host);
        return Py_XNewRef(self->pair);
    }
    const struct ArrowArrayStream *host =
        is_host ? PyCapsule_GetPointer(self->pair, "arrow_array_stream") : NULL;
    const struct ArrowDeviceArrayStream *device =
        is_host ? NULL : PyCapsule_GetPointer(self->pair, "arrow_device_array_stream");
    bool is_live =
        (host != NULL && host->release != NULL) || (device != NULL && device->release != NULL);
    return is_live ? Py_NewRef(self->pair) : once();
}

/* ---- DLPack ---- */

static bool read_request(PyObject *stream, PyObject *version, PyObject *device, PyObject *copy,
                         struct adi_dlpack_request *out) {
    int64_t pair[2];
    if (stream != Py_None && !adi_py_int64(stream, &out->stream)) return false;
    if (version != Py_None) {
        if (!adi_py_pair(version, "max_version", pair)) return false;
        out->max_major = (uint32_t)pair[0];
        out->max_minor = (uint32_t)pair[1];
    }
    if (device != Py_None) {
        if (!adi_py_pair(device, "dl_device", pair)) return false;
        out->device_type = (int32_t)pair[0];
        out->device_id = (int32_t)pair[1];
    }
    if (copy != Py_None) out->copy = PyObject_IsTrue(copy);
    return PyErr_Occurred() == NULL;
}

int adi_py_given_ask(PyObject *given, const struct adi_dlpack_request *request,
                     struct adi_dlpack *out) {
    struct given *self = (struct given *)given;
    struct adi_dlpack_tensor answer = {NULL, NULL};
    int code;
    if (Py_TYPE(given) != type || is_over(self) || self->tensors == NULL) return -1;
    Py_BEGIN_ALLOW_THREADS;
    code = self->tensors->dlpack(self->tensors, request, &answer);
    Py_END_ALLOW_THREADS;
    if (code != 0) {
        struct adi_error error;
        adi_error_set(&error, code, "there is no such tensor: %s", strerror(code));
        adi_py_raise(code, PyExc_BufferError, &error);
        return -1;
    }
    *out = (struct adi_dlpack){answer.legacy, answer.versioned};
    return 0;
}

/* AAX-18: a 2-tuple. */
static void judge_pair(PyObject *pair, const char *what) {
    if (pair == Py_None || (PyTuple_Check(pair) && PyTuple_Size(pair) == 2)) return;
    adi_py_judge_see("array-api/argument-malformed", ADI_CONSUMER, adi_py_judge_repr(pair).text,
                     "a tuple of two integers", "__dlpack__ was called with %s", what);
}

/* dlpack(stream, max_version, dl_device, copy) */
static PyObject *give_tensor(PyObject *object, PyObject *arguments) {
    struct given *self = (struct given *)object;
    struct adi_dlpack_request request = {
        .size = sizeof request, .copy = -1, .stream = ADI_DLPACK_NONE};
    struct adi_dlpack tensor = {NULL, NULL};
    PyObject *stream, *version, *device, *copy;
    if (!PyArg_ParseTuple(arguments, "OOOO", &stream, &version, &device, &copy)) return NULL;
    judge_pair(version, "max_version");
    judge_pair(device, "dl_device");
    if (!read_request(stream, version, device, copy, &request) ||
        adi_py_given_ask(object, &request, &tensor) != 0)
        return NULL;
    PyObject *capsule = adi_py_capsule_dlpack(&tensor);
    if (capsule == NULL || PyList_Append(self->capsules, capsule) == 0) return capsule;
    Py_DECREF(capsule);
    return NULL;
}

static PyObject *give_device(PyObject *object, PyObject *unused) {
    struct given *self = (struct given *)object;
    (void)unused;
    if (is_over(self) || self->tensors == NULL) return NULL;
    return Py_BuildValue("(ii)", self->tensors->device_type, self->tensors->device_id);
}

/* AAS-01, DLP-15, DLP-16: who takes a tensor renames its capsule, which is dropped then. */
static void judge_names(const struct given *self) {
    Py_ssize_t n = self->capsules == NULL ? 0 : PyList_Size(self->capsules);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *capsule = PyList_GetItem(self->capsules, i);
        if (!PyCapsule_IsValid(capsule, "dltensor") &&
            !PyCapsule_IsValid(capsule, "dltensor_versioned")) {
            adi_py_judge_capsule_name(capsule, ADI_CONSUMER);
            return;
        }
    }
    if (n > 0)
        adi_py_judge_see("dlpack/capsule-not-renamed", ADI_CONSUMER, "its name is as it was",
                         "\"used_dltensor\" or \"used_dltensor_versioned\"",
                         "a tensor was taken out of a capsule that is not named as used");
}

/* ---- the end ---- */

/* PC-005, PC-006: a capsule whose release was not cleared gives back what its consumer has, and
 * the watch over that tells it. */
void adi_py_given_end(PyObject *given) {
    struct given *self = (struct given *)given;
    if (given == NULL) return;
    self->is_over = true;
    self->tensors = NULL;
    Py_CLEAR(self->pair);
    Py_CLEAR(self->capsules);
    adi_device_array_release(&self->array);
    adi_device_array_stream_release(&self->stream);
    adi_schema_release(&self->schema);
}

PyObject *adi_py_given_type(PyObject *given) {
    struct given *self = (struct given *)given;
    return self == NULL ? NULL : self->type;
}

void adi_py_given_taken(PyObject *given) {
    const struct given *self = (struct given *)given;
    judge_names(self);
    if (self->tensors != NULL) adi_py_exchange_taken(self->tensors->device_type);
}

static void dealloc(PyObject *object) {
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    adi_py_given_end(object);
    Py_CLEAR(((struct given *)object)->type);
    free_object(object);
    Py_DECREF((PyObject *)type);
}

int adi_py_given_begin(PyObject *module) {
    static PyMethodDef methods[] = {
        {"schema", give_schema, METH_NOARGS, NULL},
        {"array", give_array, METH_O, NULL},
        {"stream", give_stream, METH_O, NULL},
        {"dlpack", give_tensor, METH_VARARGS, NULL},
        {"dlpack_device", give_device, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {0, NULL}};
    static PyType_Spec spec = {
        .name = "adicheck._core.Given",
        .basicsize = sizeof(struct given),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    (void)module;
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    return type == NULL ? -1 : 0;
}
