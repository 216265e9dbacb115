/* SPDX-License-Identifier: Apache-2.0 */
#include "py_array.h"

#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "dlpack_type.h"
#include "move.h"
#include "py_device.h"
#include "py_error.h"
#include "py_protocols.h"
#include "py_schema.h"

int64_t adi_py_stream_of(const struct adi_device *device) {
    int family = (int)adi_device_type_of(device->ops->type)->family;
    if (family == kDLCUDA) return 1;
    if (family == kDLROCM) return 0;
    return ADI_DLPACK_NONE;
}

/* ---- the one made of the other ---- */

static int open_source(struct adi_py_memory *memory, struct adi_dlpack_source **out,
                       struct adi_error *error) {
    struct ArrowDeviceArray shared;
    ADI_TRY(adi_py_memory_share(memory, &shared, error));
    int code =
        adi_dlpack_open(memory->device, &memory->schema, &shared, ADI_DLPACK_READ_ONLY, out, error);
    if (code != 0) adi_device_array_release(&shared);
    return code;
}

static int open_memory(struct adi_device *device, struct adi_dlpack_source *source,
                       struct adi_py_memory **out, struct adi_error *error) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack tensor;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    arguments.stream = adi_py_stream_of(device);
    ADI_TRY(adi_dlpack_ask(source, &arguments, &tensor, error));
    int code = adi_dlpack_import(device, &tensor, &arguments, &schema, &array, error);
    if (code != 0) {
        adi_dlpack_delete(&tensor);
        return code;
    }
    *out = adi_py_memory_new(device, &schema, &array, error);
    if (*out != NULL) return 0;
    adi_device_array_release(&array);
    adi_schema_release(&schema);
    return ENOMEM;
}

/* Another thread may have been quicker while the device was worked with. */
struct adi_dlpack_source *adi_py_array_source(struct adi_py_array *self) {
    struct adi_dlpack_source *made = NULL;
    struct adi_error error;
    int code;
    if (self->source != NULL) return self->source;
    ADI_PY_WITH(self->device, code = open_source(self->memory, &made, &error));
    if (code != 0) {
        adi_py_raise(code, PyExc_BufferError, &error);
        return NULL;
    }
    if (self->source == NULL)
        self->source = made;
    else
        adi_dlpack_close(made);
    return self->source;
}

struct adi_py_memory *adi_py_array_memory(struct adi_py_array *self) {
    struct adi_py_memory *made = NULL;
    struct adi_error error;
    int code;
    if (self->memory != NULL) return self->memory;
    ADI_PY_WITH(self->device, code = open_memory(self->device, self->source, &made, &error));
    if (code != 0) {
        adi_py_raise(code, PyExc_NotImplementedError, &error);
        return NULL;
    }
    if (self->memory == NULL)
        self->memory = made;
    else
        adi_py_memory_drop(made);
    return self->memory;
}

const DLTensor *adi_py_array_view(struct adi_py_array *self, uint64_t *flags) {
    if (!adi_py_is_cpu(self->device)) {
        PyErr_SetString(PyExc_BufferError, "it is not in memory of the host");
        return NULL;
    }
    struct adi_dlpack_source *source = adi_py_array_source(self);
    return source == NULL ? NULL : adi_dlpack_describe(source, flags);
}

bool adi_py_array_has_source(struct adi_py_array *self) {
    if (self->source != NULL) return true;
    /* A null count that is not known would have to be counted, on the device. */
    if (self->memory->array.array.null_count != 0) return false;
    bool has = adi_py_array_source(self) != NULL;
    PyErr_Clear();
    return has;
}

bool adi_py_array_has_memory(struct adi_py_array *self) {
    const char *format;
    if (self->memory != NULL) return true;
    DLDataType type = adi_dlpack_describe(self->source, NULL)->dtype;
    return adi_dlpack_type_to_arrow(type, &format, NULL) == 0;
}

/* ---- making and ending ---- */

static struct adi_py_array *new_array(struct adi_device *device, struct adi_py_memory *memory,
                                      struct adi_dlpack_source *source,
                                      const struct adi_py_showing *showing) {
    struct adi_py_array seen = {.device = device,
                                .memory = memory,
                                .source = source,
                                .is_tensor = memory == NULL,
                                .cuda_version = showing->cuda_version};
    PyTypeObject *type = adi_py_protocols_class(&seen, showing->protocols);
    PyObject *self = type == NULL ? NULL : PyType_GenericAlloc(type, 0);
    Py_XDECREF((PyObject *)type);
    if (self == NULL) {
        adi_py_memory_drop(seen.memory);
        adi_dlpack_close(seen.source);
        return NULL;
    }
    memcpy((char *)self + sizeof(PyObject), (char *)&seen + sizeof(PyObject),
           sizeof seen - sizeof(PyObject));
    return (struct adi_py_array *)self;
}

PyObject *adi_py_array_of_memory(struct adi_py_memory *memory,
                                 const struct adi_py_showing *showing) {
    return (PyObject *)new_array(memory->device, memory, NULL, showing);
}

PyObject *adi_py_array_of_source(struct adi_device *device, struct adi_dlpack_source *source,
                                 const struct adi_py_showing *showing) {
    return (PyObject *)new_array(device, NULL, source, showing);
}

PyObject *adi_py_array_of_arrow(struct adi_device *device, struct ArrowSchema *schema,
                                struct ArrowDeviceArray *array,
                                const struct adi_py_showing *showing) {
    struct adi_error error = {""};
    struct adi_py_memory *memory = adi_py_memory_new(device, schema, array, &error);
    if (memory != NULL) return adi_py_array_of_memory(memory, showing);
    adi_device_array_release(array);
    adi_schema_release(schema);
    return adi_py_raise(ENOMEM, PyExc_NotImplementedError, &error);
}

/* Deleters of others may wait for the GIL, or for a device. */
static void give_back(struct adi_py_array *self) {
    PyThreadState *state = adi_py_is_cpu(self->device) ? NULL : PyEval_SaveThread();
    adi_cuda_array_release(&self->cuda);
    adi_dlpack_close(self->source);
    adi_py_memory_drop(self->memory);
    if (state != NULL) PyEval_RestoreThread(state);
}

static void dealloc(PyObject *object) {
    struct adi_py_array *self = (struct adi_py_array *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    ADI_PY_ASIDE(give_back(self));
    free_object(object);
    Py_DECREF(type);
}

/* ---- what it says of itself ---- */

static PyObject *get_device(PyObject *self, void *unused) {
    (void)unused;
    return adi_py_device_text(((struct adi_py_array *)self)->device);
}

static PyObject *get_type(PyObject *self, void *unused) {
    (void)unused;
    struct adi_py_memory *memory = adi_py_array_memory((struct adi_py_array *)self);
    return memory == NULL ? NULL : adi_py_schema_copy(&memory->schema);
}

static PyObject *get_protocols(PyObject *self, void *unused) {
    (void)unused;
    return adi_py_protocols_names(((struct adi_py_array *)self)->protocols);
}

/* to_pylist(): what values.py makes of it. */
PyObject *adi_py_to_pylist(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *values = PyImport_ImportModule("adicheck._values");
    PyObject *list = values == NULL ? NULL : PyObject_CallMethod(values, "to_pylist", "O", self);
    Py_XDECREF(values);
    return list;
}

static PyMethodDef methods[] = {
    {"to_pylist", adi_py_to_pylist, METH_NOARGS, "The values, as a list."},
    {NULL, NULL, 0, NULL},
};

static PyObject *repr(PyObject *object) {
    struct adi_py_array *self = (struct adi_py_array *)object;
    PyObject *device = adi_py_device_text(self->device);
    if (device == NULL) return NULL;
    PyObject *text;
    if (self->is_tensor)
        text = PyUnicode_FromFormat("<adicheck.Array: a tensor on %U>", device);
    else
        text = PyUnicode_FromFormat("<adicheck.Array: %lld of \"%s\" on %U>",
                                    (long long)self->memory->array.array.length,
                                    self->memory->schema.format, device);
    Py_DECREF(device);
    return text;
}

static PyGetSetDef members[] = {
    {"device", get_device, NULL, "where it is: \"cpu\", \"cuda:1\"", NULL},
    {"type", get_type, NULL, "its Schema; of a tensor the one that Arrow would have", NULL},
    {"protocols", get_protocols, NULL, "the names of what it shows", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject *base;

int adi_py_array_begin(PyObject *module) {
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_tp_repr, repr},
        {Py_tp_getset, members},
        {Py_tp_methods, methods},
        {Py_tp_doc, "Memory of the reference implementation, under the protocols that it shows."},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "adicheck.Array",
        .basicsize = sizeof(struct adi_py_array),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    base = (PyTypeObject *)PyType_FromSpec(&spec);
    return base == NULL ? -1 : PyModule_AddObjectRef(module, "Array", (PyObject *)base);
}

PyObject *adi_py_array_type(void) {
    return (PyObject *)base;
}

bool adi_py_array_check(PyObject *object) {
    return PyObject_TypeCheck(object, base);
}
