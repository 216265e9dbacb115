/* SPDX-License-Identifier: Apache-2.0 */
#include "py_watch_buffer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A buffer that was granted; it stays until the lender goes, since it may be released again. */
struct loan {
    struct loan *next;
    Py_buffer given; /* by the object */
    bool is_released;
    size_t n;             /* numbers that are shown */
    Py_ssize_t numbers[]; /* shape and strides as they are shown, and again as they were given */
};

struct lender {
    PyObject ob_base;
    struct loan *loans; /* the newest first */
    Py_ssize_t granted, released;
    bool is_altered;
};

static PyTypeObject *type;

static Py_ssize_t *copy_numbers(struct loan *loan, size_t all, const Py_ssize_t *from) {
    size_t ndim = (size_t)loan->given.ndim;
    Py_ssize_t *to = loan->numbers + loan->n;
    if (from == NULL) return NULL;
    memcpy(to, from, ndim * sizeof *to);
    memcpy(to + all, from, ndim * sizeof *to);
    loan->n += ndim;
    return to;
}

static int get_buffer(PyObject *object, Py_buffer *out, int flags) {
    struct lender *self = (struct lender *)object;
    Py_buffer given;
    out->obj = NULL;
    PyObject *of = PyObject_GetAttrString(object, "_obj");
    int code = of == NULL ? -1 : PyObject_GetBuffer(of, &given, flags);
    Py_XDECREF(of);
    if (code != 0) return -1;
    size_t all = 2 * (size_t)given.ndim;
    struct loan *loan = calloc(1, sizeof *loan + 2 * all * sizeof *loan->numbers);
    if (loan == NULL) {
        PyBuffer_Release(&given);
        PyErr_NoMemory();
        return -1;
    }
    loan->given = given;
    *out = given;
    out->obj = Py_NewRef(object);
    out->internal = loan;
    out->shape = copy_numbers(loan, all, given.shape);
    out->strides = copy_numbers(loan, all, given.strides);
    loan->next = self->loans;
    self->loans = loan;
    self->granted++;
    return 0;
}

/* BUF-13, BUF-16: shape, strides and internal are the exporter's. */
static bool is_altered(const struct loan *loan) {
    const Py_ssize_t *were = loan->numbers + 2 * (size_t)loan->given.ndim;
    return memcmp(loan->numbers, were, loan->n * sizeof *were) != 0;
}

/* Where `internal` was written to, it is one of the same memory. */
static struct loan *loan_of(struct lender *self, const Py_buffer *view) {
    struct loan *at = self->loans;
    while (at != NULL && at != view->internal) at = at->next;
    if (at != NULL) return at;
    self->is_altered = true;
    for (at = self->loans; at != NULL; at = at->next)
        if (!at->is_released && at->given.buf == view->buf) return at;
    return NULL;
}

static void release_buffer(PyObject *object, Py_buffer *view) {
    struct lender *self = (struct lender *)object;
    struct loan *loan = loan_of(self, view);
    self->released++;
    /* What is released once too often takes a reference with it that it does not have. */
    if (loan == NULL || loan->is_released) {
        Py_INCREF(object);
        return;
    }
    self->is_altered = self->is_altered || is_altered(loan);
    loan->is_released = true;
    PyBuffer_Release(&loan->given);
}

static void dealloc(PyObject *object) {
    struct lender *self = (struct lender *)object;
    PyTypeObject *of = Py_TYPE(object);
    freefunc free_object = (freefunc)PyType_GetSlot(of, Py_tp_free);
    for (struct loan *at = self->loans, *next; at != NULL; at = next) {
        next = at->next;
        if (!at->is_released) PyBuffer_Release(&at->given);
        free(at);
    }
    free_object(object);
    Py_DECREF((PyObject *)of);
}

PyObject *adi_py_watch_has_buffer(PyObject *module, PyObject *object) {
    (void)module;
    return PyBool_FromLong(PyObject_CheckBuffer(object));
}

PyObject *adi_py_watch_lent(PyObject *module, PyObject *lender) {
    struct lender *self = (struct lender *)lender;
    (void)module;
    if (!PyObject_TypeCheck(lender, type)) {
        PyErr_SetString(PyExc_TypeError, "not a lender");
        return NULL;
    }
    if (self->granted == 0) Py_RETURN_NONE;
    bool altered = self->is_altered;
    for (const struct loan *at = self->loans; at != NULL; at = at->next)
        altered = altered || (!at->is_released && is_altered(at));
    return Py_BuildValue("(nnN)", self->granted, self->released, PyBool_FromLong(altered));
}

int adi_py_watch_buffer_begin(PyObject *module) {
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_bf_getbuffer, get_buffer},
        {Py_bf_releasebuffer, release_buffer},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "adicheck._core.Lender",
        .basicsize = sizeof(struct lender),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    type = (PyTypeObject *)PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddObjectRef(module, "Lender", (PyObject *)type);
}
