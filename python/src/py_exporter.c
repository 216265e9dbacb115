/* SPDX-License-Identifier: Apache-2.0 */
#include "py_exporter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "py_array_struct.h"
#include "py_blocks.h"

/* A view as it was handed out. */
struct view {
    struct view *next;
    int ndim;
    Py_ssize_t numbers[]; /* shape and strides, and both once more as they were */
};

struct exporter {
    PyObject_HEAD char *memory;
    Py_ssize_t size, offset, itemsize, len;
    int ndim;
    Py_ssize_t *shape, *strides; /* in `blocks` */
    const char *format;
    struct adi_py_block *blocks;
    struct view *views;
    PyObject *asked;
    Py_ssize_t granted, released;
    bool is_read_only, is_altered;
};

static PyTypeObject *type;

/* ---- the buffer protocol ---- */

static bool is_contiguous(const struct exporter *self, bool is_fortran) {
    Py_ssize_t next = self->itemsize;
    for (int i = 0; i < self->ndim; i++) {
        int at = is_fortran ? i : self->ndim - 1 - i;
        if (self->shape[at] > 1 && self->strides[at] != next) return false;
        next *= self->shape[at];
    }
    return true;
}

static bool asks(int flags, int way) {
    return (flags & way) == way;
}

/* BUF-18, BUF-21: whoever asks gets what it has asked for, or none. */
static const char *refused(const struct exporter *self, int flags) {
    bool c = is_contiguous(self, false), fortran = is_contiguous(self, true);
    if (asks(flags, PyBUF_WRITABLE) && self->is_read_only) return "it is read-only";
    if (!asks(flags, PyBUF_STRIDES) && !c) return "it has strides";
    if (asks(flags, PyBUF_C_CONTIGUOUS) && !c) return "it is not C-contiguous";
    if (asks(flags, PyBUF_F_CONTIGUOUS) && !fortran) return "it is not Fortran-contiguous";
    if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !c && !fortran) return "it is not contiguous";
    return NULL;
}

static struct view *new_view(struct exporter *self) {
    size_t n = (size_t)self->ndim;
    struct view *view = calloc(1, sizeof *view + 4 * n * sizeof *view->numbers);
    if (view == NULL) return NULL;
    for (size_t i = 0; i < 4 * n; i++)
        view->numbers[i] = (i / n) % 2 == 0 ? self->shape[i % n] : self->strides[i % n];
    view->ndim = self->ndim;
    view->next = self->views;
    self->views = view;
    return view;
}

static int get_buffer(PyObject *object, Py_buffer *out, int flags) {
    struct exporter *self = (struct exporter *)object;
    const char *why = refused(self, flags);
    out->obj = NULL;
    PyObject *row = Py_BuildValue("(iN)", flags, PyBool_FromLong(why == NULL));
    int code = row == NULL ? -1 : PyList_Append(self->asked, row);
    Py_XDECREF(row);
    if (code != 0) return -1;
    if (why != NULL) {
        PyErr_SetString(PyExc_BufferError, why);
        return -1;
    }
    struct view *view = new_view(self);
    if (view == NULL) return PyErr_NoMemory() == NULL ? -1 : 0;
    bool has_shape = asks(flags, PyBUF_ND) && self->ndim > 0;
    *out = (Py_buffer){
        .buf = self->memory + self->offset,
        .obj = Py_NewRef(object),
        .len = self->len,
        .itemsize = self->itemsize,
        .readonly = self->is_read_only,
        .ndim = self->ndim,
        .format = asks(flags, PyBUF_FORMAT) ? (char *)(uintptr_t)self->format : NULL,
        .shape = has_shape ? view->numbers : NULL,
        .strides = has_shape && asks(flags, PyBUF_STRIDES) ? view->numbers + self->ndim : NULL,
        .internal = view,
    };
    self->granted++;
    return 0;
}

static bool is_known(const struct exporter *self, const struct view *view) {
    const struct view *at = self->views;
    while (at != NULL && at != view) at = at->next;
    return at != NULL;
}

static void look_at(struct exporter *self, const struct view *view) {
    size_t half = 2 * (size_t)view->ndim;
    if (memcmp(view->numbers, view->numbers + half, half * sizeof *view->numbers) != 0)
        self->is_altered = true;
}

/* BUF-13, BUF-16: shape, strides and internal are the exporter's. */
static void release_buffer(PyObject *object, Py_buffer *given) {
    struct exporter *self = (struct exporter *)object;
    self->released++;
    if (!is_known(self, given->internal)) self->is_altered = true;
    /* What is released once too often takes a reference with it that it does not have. */
    if (self->released > self->granted) Py_INCREF(object);
}

/* ---- what became of it ---- */

static PyObject *get_address(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((struct exporter *)self)->memory);
}

static PyObject *get_size(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSsize_t(((struct exporter *)self)->size);
}

static PyObject *get_asked(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((struct exporter *)self)->asked);
}

static PyObject *get_released(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSsize_t(((struct exporter *)self)->released);
}

static PyObject *get_altered(PyObject *object, void *unused) {
    struct exporter *self = (struct exporter *)object;
    (void)unused;
    for (const struct view *at = self->views; at != NULL; at = at->next) look_at(self, at);
    return PyBool_FromLong(self->is_altered);
}

static PyObject *get_data(PyObject *object, PyObject *unused) {
    const struct exporter *self = (const struct exporter *)object;
    (void)unused;
    return PyBytes_FromStringAndSize(self->memory, self->size);
}

static void dealloc(PyObject *object) {
    struct exporter *self = (struct exporter *)object;
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    for (struct view *at = self->views, *next; at != NULL; at = next) {
        next = at->next;
        free(at);
    }
    adi_py_blocks_free(self->blocks);
    Py_XDECREF(self->asked);
    free_object(object);
    Py_DECREF((PyObject *)type);
}

/* ---- made ---- */

static Py_ssize_t *numbers_of(PyObject *tuple, struct adi_py_block **blocks) {
    Py_ssize_t n = PyTuple_Size(tuple);
    Py_ssize_t *numbers =
        n < 0 ? NULL : adi_py_blocks_take(blocks, ((size_t)n + 1) * sizeof *numbers);
    for (Py_ssize_t i = 0; numbers != NULL && i < n; i++)
        numbers[i] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, i));
    return PyErr_Occurred() == NULL ? numbers : NULL;
}

static bool fill(struct exporter *self, const char *bytes, PyObject *format, PyObject *shape,
                 PyObject *strides) {
    self->asked = PyList_New(0);
    self->shape = numbers_of(shape, &self->blocks);
    self->strides = self->shape == NULL ? NULL : numbers_of(strides, &self->blocks);
    if (self->asked == NULL || self->strides == NULL) return false;
    self->ndim = (int)PyTuple_Size(shape);
    self->format = adi_py_blocks_text(&self->blocks, format, "format");
    self->memory = adi_py_blocks_take(&self->blocks, (size_t)self->size);
    if (self->format == NULL || self->memory == NULL) return false;
    memcpy(self->memory, bytes, (size_t)self->size);
    self->len = self->itemsize;
    for (int i = 0; i < self->ndim; i++) self->len *= self->shape[i];
    return true;
}

PyObject *adi_py_exporter(PyObject *module, PyObject *arguments) {
    const char *bytes;
    PyObject *format, *shape, *strides;
    Py_ssize_t size, itemsize, offset;
    int is_read_only;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#OnO!O!np", &bytes, &size, &format, &itemsize, &PyTuple_Type,
                          &shape, &PyTuple_Type, &strides, &offset, &is_read_only))
        return NULL;
    struct exporter *self = (struct exporter *)PyType_GenericAlloc(type, 0);
    if (self == NULL) return NULL;
    self->size = size;
    self->itemsize = itemsize;
    self->offset = offset;
    self->is_read_only = is_read_only != 0;
    if (fill(self, bytes, format, shape, strides)) return (PyObject *)self;
    Py_DECREF((PyObject *)self);
    return NULL;
}

/* ---- as __array_struct__ ---- */

struct held {
    struct adi_py_array_struct shown; /* first */
    PyObject *exporter;
};

static void destroy_struct(PyObject *capsule) {
    struct held *held = PyCapsule_GetPointer(capsule, NULL);
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
    if (held == NULL) return;
    Py_XDECREF(held->shown.descr);
    Py_DECREF(held->exporter);
    free(held);
}

/* NPI-16, NPI-20: the capsule keeps the object, and who takes it out keeps it, too. */
PyObject *adi_py_exporter_struct(PyObject *module, PyObject *arguments) {
    PyObject *object, *owner, *descr;
    int kind;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OCO", type, &object, &owner, &kind, &descr)) return NULL;
    struct exporter *self = (struct exporter *)object;
    struct held *held = calloc(1, sizeof *held);
    if (held == NULL) return PyErr_NoMemory();
    held->exporter = Py_NewRef(object);
    held->shown = (struct adi_py_array_struct){
        .two = 2,
        .nd = self->ndim,
        .typekind = (char)kind,
        .itemsize = (int)self->itemsize,
        .flags = ADI_PY_ALIGNED | ADI_PY_NOTSWAPPED |
                 (is_contiguous(self, false) ? ADI_PY_C_CONTIGUOUS : 0) |
                 (self->is_read_only ? 0 : ADI_PY_WRITEABLE),
        .shape = self->shape,
        .strides = self->strides,
        .data = self->memory + self->offset,
        .descr = descr == Py_None ? NULL : Py_NewRef(descr),
    };
    PyObject *capsule = PyCapsule_New(held, NULL, destroy_struct);
    if (capsule != NULL && PyCapsule_SetContext(capsule, Py_NewRef(owner)) == 0) return capsule;
    Py_XDECREF(capsule);
    return NULL;
}

PyObject *adi_py_exporter_buffer_of(PyObject *module, PyObject *object) {
    Py_buffer view;
    (void)module;
    if (PyObject_GetBuffer(object, &view, PyBUF_FULL_RO) != 0) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    PyObject *both =
        Py_BuildValue("(NN)", PyLong_FromVoidPtr(view.buf), PyBool_FromLong(view.readonly));
    PyBuffer_Release(&view);
    return both;
}

int adi_py_exporter_begin(PyObject *module) {
    static PyGetSetDef members[] = {
        {"address", get_address, NULL, NULL, NULL},    {"size", get_size, NULL, NULL, NULL},
        {"asked", get_asked, NULL, NULL, NULL},        {"released", get_released, NULL, NULL, NULL},
        {"is_altered", get_altered, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL},
    };
    static PyMethodDef methods[] = {
        {"data", get_data, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_tp_getset, members},
        {Py_tp_methods, methods},
        {Py_bf_getbuffer, get_buffer},
        {Py_bf_releasebuffer, release_buffer},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "adicheck._core.Exporter",
        .basicsize = sizeof(struct exporter),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    (void)module;
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    return type == NULL ? -1 : 0;
}
