/* SPDX-License-Identifier: Apache-2.0 */
#include "py_stream.h"

#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "import.h"
#include "move.h"
#include "py_arguments.h"
#include "py_array.h"
#include "py_arrow.h"
#include "py_capsule.h"
#include "py_chunks.h"
#include "py_device.h"
#include "py_error.h"
#include "py_schema.h"
#include "schema.h"
#include "stream.h"
#include "type.h"

struct object {
    PyObject_HEAD struct adi_py_chunks *chunks;
};

static PyTypeObject *base, *on_host, *on_device;

static PyObject *object_of(struct adi_py_chunks *chunks) {
    PyTypeObject *type = adi_py_is_cpu(chunks->device) ? on_host : on_device;
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL)
        adi_py_chunks_drop(chunks);
    else
        ((struct object *)self)->chunks = chunks;
    return self;
}

static struct adi_py_chunks *chunks_of(PyObject *self) {
    return ((struct object *)self)->chunks;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    ADI_PY_ASIDE(adi_py_chunks_drop(chunks_of(self)));
    free_object(self);
    Py_DECREF(type);
}

/* ---- made of arrays ---- */

static int add_array(struct adi_py_chunks *chunks, PyObject *object, struct adi_error *error) {
    if (!adi_py_array_check(object))
        return adi_error_set(error, EINVAL, "a chunk is no adicheck.Array");
    struct adi_py_array *array = (struct adi_py_array *)object;
    struct adi_py_memory *memory = adi_py_array_memory(array);
    struct adi_error why = {""};
    if (memory == NULL) return EINVAL; /* the exception is set */
    if (array->device != chunks->device)
        return adi_error_set(error, EINVAL, "a chunk is on another device");
    if (adi_schema_compare_type(&memory->schema, &chunks->schema, &why) != 0)
        return adi_error_set(error, EINVAL, "a chunk is of another type: %s", why.text);
    ADI_TRY(adi_py_chunks_add(chunks, memory, error));
    adi_py_memory_keep(memory);
    return 0;
}

PyObject *adi_py_stream(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *schema_object, *arrays, *name;
    struct ArrowSchema copy;
    struct adi_error error = {""};
    if (!PyArg_ParseTuple(arguments, "OO!O", &schema_object, &PyList_Type, &arrays, &name))
        return NULL;
    const struct ArrowSchema *schema = adi_py_schema_get(schema_object);
    struct adi_device *device = adi_py_device_named(name);
    if (device == NULL) return NULL;
    if (schema == NULL) return PyErr_Format(PyExc_TypeError, "%R is no Schema", schema_object);
    int code = adi_schema_export(schema, &copy, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    struct adi_py_chunks *chunks = adi_py_chunks_new(device, &copy, &error);
    if (chunks == NULL) {
        adi_schema_release(&copy);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; code == 0 && i < PyList_Size(arrays); i++)
        code = add_array(chunks, PyList_GetItem(arrays, i), &error);
    if (code == 0) return object_of(chunks);
    ADI_PY_ASIDE(adi_py_chunks_drop(chunks));
    if (PyErr_Occurred() != NULL) return NULL;
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

/* ---- as a producer ---- */

static PyObject *c_schema(PyObject *self, PyObject *unused) {
    (void)unused;
    struct ArrowSchema copy;
    struct adi_error error = {""};
    int code = adi_schema_export(&chunks_of(self)->schema, &copy, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return adi_py_capsule_schema(&copy);
}

/* `self`, or its values in another representation. */
static PyObject *represented(PyObject *self, PyObject *requested) {
    if (requested == NULL || requested == Py_None) return Py_NewRef(self);
    PyObject *values = PyImport_ImportModule("adicheck._values");
    if (values == NULL) return NULL;
    PyObject *made = PyObject_CallMethod(values, "represent_stream", "OO", self, requested);
    Py_DECREF(values);
    if (made == NULL || PyObject_TypeCheck(made, base)) return made;
    Py_DECREF(made);
    return PyErr_Format(PyExc_TypeError, "no stream came out of adicheck._values");
}

static PyObject *exported(PyObject *self, PyObject *requested, bool is_device) {
    PyObject *shown = represented(self, requested);
    struct ArrowDeviceArrayStream stream;
    struct ArrowArrayStream unwrapped;
    struct adi_error error = {""};
    if (shown == NULL) return NULL;
    int code = adi_py_chunks_stream(chunks_of(shown), &stream, &error);
    Py_DECREF(shown);
    if (code == 0 && is_device) return adi_py_capsule_device_stream(&stream);
    if (code == 0) {
        code = adi_stream_unwrap(&stream, &unwrapped, &error);
        if (code == 0) return adi_py_capsule_stream(&unwrapped);
        adi_device_array_stream_release(&stream);
    }
    return adi_py_raise(code, PyExc_NotImplementedError, &error);
}

static PyObject *c_stream(PyObject *self, PyObject *const *arguments, Py_ssize_t n_arguments,
                          PyObject *names) {
    PyObject *requested = NULL;
    static struct adi_py_function function = {.name = "__arrow_c_stream__"};
    const struct adi_py_parameter parameters[] = {{"requested_schema", &requested}};
    if (!adi_py_arguments(&function, parameters, 1, 1, ADI_PY_REFUSED, arguments, n_arguments,
                          names))
        return NULL;
    return exported(self, requested, false);
}

static PyObject *c_device_stream(PyObject *self, PyObject *const *arguments, Py_ssize_t n_arguments,
                                 PyObject *names) {
    PyObject *requested = NULL;
    static struct adi_py_function function = {.name = "__arrow_c_device_stream__"};
    const struct adi_py_parameter parameters[] = {{"requested_schema", &requested}};
    if (!adi_py_arguments(&function, parameters, 1, 1, ADI_PY_MAY_BE_NONE, arguments, n_arguments,
                          names))
        return NULL;
    return exported(self, requested, true);
}

/* ---- as a consumer ---- */

/* Calls of somebody else's stream may need the GIL on whatever thread does its work. */
static int ask_schema(struct ArrowDeviceArrayStream *stream, struct ArrowSchema *out) {
    int code;
    out->release = NULL;
    Py_BEGIN_ALLOW_THREADS;
    code = stream->get_schema(stream, out);
    Py_END_ALLOW_THREADS;
    return code;
}

static int ask_next(struct ArrowDeviceArrayStream *stream, struct ArrowDeviceArray *out) {
    int code;
    out->array.release = NULL;
    Py_BEGIN_ALLOW_THREADS;
    code = stream->get_next(stream, out);
    Py_END_ALLOW_THREADS;
    return code;
}

static int failed(struct ArrowDeviceArrayStream *stream, const char *callback, int code,
                  struct adi_error *error) {
    const char *text = stream->get_last_error(stream);
    if (code == EINVAL || code == ENOMEM || code == ENOTSUP)
        return adi_error_set(error, code, "%s: %s", callback, text == NULL ? "" : text);
    return adi_error_set(error, EIO, "%s answered %d: %s", callback, code,
                         text == NULL ? "" : text);
}

static int add_chunk(struct adi_py_chunks *chunks, struct ArrowDeviceArray *array,
                     struct adi_error *error) {
    struct adi_py_memory *memory = NULL;
    struct ArrowDeviceArray taken = {.array.release = NULL};
    struct ArrowSchema schema = {.release = NULL};
    struct adi_device *device = adi_py_device_of(array, error);
    int code =
        device == NULL ? ENODEV : adi_py_arrow_check_parts(&chunks->schema, &array->array, error);
    if (code == 0) code = adi_import(device, &chunks->schema, array, &taken, error);
    if (code == 0) code = adi_schema_export(&chunks->schema, &schema, error);
    if (code == 0) {
        memory = adi_py_memory_new(device, &schema, &taken, error);
        code = memory == NULL ? ENOMEM : adi_py_chunks_add(chunks, memory, error);
    }
    if (code == 0) {
        if (chunks->count == 1) chunks->device = device;
        return 0;
    }
    adi_py_memory_drop(memory);
    adi_device_array_release(&taken);
    adi_device_array_release(array);
    adi_schema_release(&schema);
    return code;
}

/* What it holds on the host; 0 where that is not to be read yet. */
static int64_t bytes_of(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        struct adi_device *device) {
    struct adi_type type;
    int64_t whole = 0, bytes;
    if (!adi_py_is_cpu(device) || adi_type_parse(schema->format, &type, NULL) != 0) return 0;
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (adi_type_buffer_bytes(&type, array, i, device, &bytes, NULL) == 0) whole += bytes;
    for (int64_t i = 0; i < schema->n_children; i++)
        whole += bytes_of(schema->children[i], array->children[i], device);
    return whole;
}

/* How much has been read, and how much is to be. */
struct so_far {
    struct adi_py_stream_bound *bound; /* NULL: there is none */
    int64_t rows, bytes;
};

static void count(struct so_far *so_far, const struct adi_py_chunks *chunks) {
    const struct adi_py_memory *last = chunks->chunks[chunks->count - 1];
    so_far->rows += last->array.array.length;
    so_far->bytes += bytes_of(&chunks->schema, &last->array.array, last->device);
}

static bool is_enough(const struct so_far *so_far, const struct adi_py_chunks *chunks) {
    const struct adi_py_stream_bound *bound = so_far->bound;
    return bound != NULL && (chunks->count >= bound->chunks || so_far->rows >= bound->rows ||
                             so_far->bytes >= bound->bytes);
}

static int cut(struct adi_py_stream_bound *bound) {
    bound->goes_on = bound->is_cut = true;
    return 0;
}

/* `failure`: NULL, where one is an error. Ctrl-C ends it, with an exception. */
static int read_chunks(struct ArrowDeviceArrayStream *stream, struct adi_py_chunks *chunks,
                       struct adi_py_stream_bound *bound, struct adi_py_stream_failure *failure,
                       struct adi_error *error) {
    struct so_far so_far = {.bound = bound};
    for (;;) {
        struct ArrowDeviceArray array;
        int code = ask_next(stream, &array);
        if (code != 0 && failure != NULL) {
            failure->code = code;
            return 0;
        }
        if (code != 0) return failed(stream, "get_next", code, error);
        if (array.array.release == NULL) return 0;
        if (is_enough(&so_far, chunks)) {
            bound->goes_on = true;
            adi_device_array_release(&array);
            return 0;
        }
        code = add_chunk(chunks, &array, error);
        if (code == EINVAL && bound != NULL && bound->keeps) return cut(bound);
        if (code != 0) return code;
        if (bound != NULL) count(&so_far, chunks);
        if (PyErr_CheckSignals() != 0) return EINTR;
    }
}

static int read_stream(struct ArrowDeviceArrayStream *stream, struct adi_py_chunks **out,
                       struct adi_py_stream_bound *bound, struct adi_py_stream_failure *failure,
                       struct adi_error *error) {
    struct ArrowSchema schema;
    if (stream->release == NULL)
        return adi_error_set(error, EINVAL,
                             "release of the stream is NULL: consumed before, or never set");
    if (stream->get_schema == NULL || stream->get_next == NULL || stream->get_last_error == NULL)
        return adi_error_set(error, EINVAL, "a callback of the stream is NULL");
    struct adi_device *device = adi_py_device_first(stream->device_type, error);
    if (device == NULL) return ENODEV;
    int code = ask_schema(stream, &schema);
    if (code != 0 && failure != NULL)
        *failure = (struct adi_py_stream_failure){.code = code, .of_schema = true};
    if (code != 0) return failed(stream, "get_schema", code, error);
    code = adi_py_schema_check(&schema, error);
    if (code == 0) {
        *out = adi_py_chunks_new(device, &schema, error);
        if (*out == NULL) code = ENOMEM;
    }
    if (code != 0) {
        adi_schema_release(&schema);
        return code;
    }
    code = read_chunks(stream, *out, bound, failure, error);
    if (code == 0) return 0;
    adi_py_chunks_drop(*out);
    return code;
}

PyObject *adi_py_stream_collect(struct ArrowDeviceArrayStream *stream,
                                struct adi_py_stream_bound *bound,
                                struct adi_py_stream_failure *failure) {
    struct adi_py_chunks *chunks = NULL;
    struct adi_error error = {""};
    int code = read_stream(stream, &chunks, bound, failure, &error);
    if (code == 0) return object_of(chunks);
    return PyErr_Occurred() != NULL ? NULL : adi_py_raise(code, PyExc_NotImplementedError, &error);
}

static PyObject *all_of(struct ArrowDeviceArrayStream *stream, struct adi_py_stream_bound *bound) {
    PyObject *made = adi_py_stream_collect(stream, bound, NULL);
    ADI_PY_ASIDE(adi_device_array_stream_release(stream));
    return made;
}

PyObject *adi_py_stream_from_device_stream(PyObject *capsule, struct adi_py_stream_bound *bound) {
    struct ArrowDeviceArrayStream *within = adi_py_capsule_get(capsule, "arrow_device_array_stream",
                                                               "__arrow_c_device_stream__"),
                                  stream;
    if (within == NULL) return NULL;
    adi_device_array_stream_move(within, &stream);
    return all_of(&stream, bound);
}

PyObject *adi_py_stream_from_stream(PyObject *capsule, struct adi_py_stream_bound *bound) {
    struct ArrowDeviceArrayStream stream;
    struct ArrowArrayStream *within =
        adi_py_capsule_get(capsule, "arrow_array_stream", "__arrow_c_stream__");
    struct adi_error error = {""};
    if (within == NULL) return NULL;
    int code =
        within->release == NULL
            ? adi_error_set(&error, EINVAL,
                            "release of the stream is NULL: consumed before, or never set")
        : within->get_schema == NULL || within->get_next == NULL || within->get_last_error == NULL
            ? adi_error_set(&error, EINVAL, "a callback of the stream is NULL")
            : adi_stream_wrap(within, &stream, &error);
    if (code != 0) return adi_py_raise(code, PyExc_NotImplementedError, &error);
    return all_of(&stream, bound);
}

const struct adi_py_chunks *adi_py_stream_chunks(PyObject *object) {
    if (PyObject_TypeCheck(object, base)) return chunks_of(object);
    PyErr_Format(PyExc_TypeError, "%R is no adicheck.Stream", object);
    return NULL;
}

/* ---- what it says ---- */

static PyObject *get_device(PyObject *self, void *unused) {
    (void)unused;
    return adi_py_device_text(chunks_of(self)->device);
}

static PyObject *get_type(PyObject *self, void *unused) {
    (void)unused;
    return adi_py_schema_copy(&chunks_of(self)->schema);
}

static PyObject *get_chunks(PyObject *self, void *unused) {
    (void)unused;
    static const struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct adi_py_chunks *chunks = chunks_of(self);
    PyObject *all = PyTuple_New((Py_ssize_t)chunks->count);
    for (size_t i = 0; all != NULL && i < chunks->count; i++) {
        PyObject *chunk = adi_py_array_of_memory(adi_py_memory_keep(chunks->chunks[i]), &showing);
        if (chunk != NULL && PyTuple_SetItem(all, (Py_ssize_t)i, chunk) == 0) continue;
        Py_CLEAR(all);
    }
    return all;
}

static PyObject *repr(PyObject *self) {
    struct adi_py_chunks *chunks = chunks_of(self);
    PyObject *device = adi_py_device_text(chunks->device);
    if (device == NULL) return NULL;
    PyObject *text = PyUnicode_FromFormat("<adicheck.Stream: %zu chunks of \"%s\" on %U>",
                                          chunks->count, chunks->schema.format, device);
    Py_DECREF(device);
    return text;
}

static PyGetSetDef members[] = {
    {"device", get_device, NULL, "where it is: \"cpu\", \"cuda:1\"", NULL},
    {"type", get_type, NULL, "the Schema of all chunks", NULL},
    {"chunks", get_chunks, NULL, "the Arrays, as a tuple", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"to_pylist", adi_py_to_pylist, METH_NOARGS, "The values of all chunks, as a list."},
    {NULL, NULL, 0, NULL},
};

/* The PyCapsule interface recommends the device's version alone where the data is not the host's.
 */
#define DEVICE_METHODS                                                                             \
    {"__arrow_c_schema__", c_schema, METH_NOARGS, "The type, as a capsule."}, {                    \
        "__arrow_c_device_stream__", ADI_PY_FAST(c_device_stream),                                 \
            "A stream of device arrays, as a capsule."                                             \
    }

static PyMethodDef device_methods[] = {DEVICE_METHODS, {NULL, NULL, 0, NULL}};
static PyMethodDef host_methods[] = {
    DEVICE_METHODS,
    {"__arrow_c_stream__", ADI_PY_FAST(c_stream), "A stream of arrays, as a capsule."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject *derive(PyMethodDef *own) {
    PyType_Slot slots[] = {{Py_tp_methods, own}, {0, NULL}};
    PyType_Spec spec = {
        .name = "adicheck.Stream",
        .basicsize = sizeof(struct object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    PyObject *bases = PyTuple_Pack(1, base);
    PyTypeObject *type =
        bases == NULL ? NULL : (PyTypeObject *)PyType_FromSpecWithBases(&spec, bases);
    Py_XDECREF(bases);
    return type;
}

int adi_py_stream_begin(PyObject *module) {
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, repr},
        {Py_tp_getset, members},
        {Py_tp_methods, methods},
        {Py_tp_doc, "Chunks of one type, as a stream of the reference implementation."},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "adicheck.Stream",
        .basicsize = sizeof(struct object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    base = (PyTypeObject *)PyType_FromSpec(&spec);
    if (base == NULL) return -1;
    on_host = derive(host_methods);
    on_device = derive(device_methods);
    if (on_host == NULL || on_device == NULL) return -1;
    return PyModule_AddObjectRef(module, "Stream", (PyObject *)base);
}
