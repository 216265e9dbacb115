/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer protocol: a buffer is asked for in several ways, and its members compared with what
 * was asked for.
 */
#include <stdbool.h>
#include <stdio.h>

#include "py_judge_look.h"

static const int ways[] = {PyBUF_SIMPLE,       PyBUF_WRITABLE,     PyBUF_FORMAT,
                           PyBUF_ND,           PyBUF_STRIDES,      PyBUF_STRIDED,
                           PyBUF_RECORDS,      PyBUF_RECORDS_RO,   PyBUF_FULL_RO,
                           PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_ANY_CONTIGUOUS};

/* Orders that are asked for, as PyBuffer_IsContiguous names them. */
static const struct order_asked {
    int flags;
    char order;
} orders[] = {{PyBUF_C_CONTIGUOUS, 'C'}, {PyBUF_F_CONTIGUOUS, 'F'}, {PyBUF_ANY_CONTIGUOUS, 'A'}};

static bool asks(int way, int flags) {
    return (way & flags) == flags;
}

static void see(struct adi_py_look *look, const char *rule, const char *wanted,
                const char *message) {
    look->see(look, rule, NULL, wanted, message);
}

/* BUF-04, BUF-09, BUF-10, BUF-12: the shape, and the bytes of all items. */
static void check_shape(const Py_buffer *view, struct adi_py_look *look) {
    if (view->ndim < 0 || view->ndim > 64) {
        see(look, "buffer/dimensions-too-many", "0 to 64", "ndim is not from 0 to 64");
        return;
    }
    if (view->ndim == 0 && (view->shape != NULL || view->strides != NULL))
        see(look, "buffer/scalar-not-null", "NULL", "ndim is 0, and shape or strides is given");
    if (view->shape == NULL) return;
    Py_ssize_t bytes = view->itemsize;
    for (int i = 0; i < view->ndim; i++) {
        if (view->shape[i] < 0)
            see(look, "buffer/shape-negative", "0 or more", "a size in shape is negative");
        bytes *= view->shape[i];
    }
    if (bytes != view->len) {
        char message[96];
        snprintf(message, sizeof message, "len is %zd, and shape and itemsize make %zd", view->len,
                 bytes);
        see(look, "buffer/len-differs", NULL, message);
    }
}

static bool has_dimensions(const Py_buffer *view) {
    return view->ndim > 0 && view->ndim <= 64;
}

/* BUF-20, BUF-21: what was asked for is there. */
static void check_missing(const Py_buffer *view, int way, struct adi_py_look *look) {
    if (asks(way, PyBUF_FORMAT | PyBUF_ND) && view->format == NULL && view->itemsize != 1)
        see(look, "buffer/format-missing", "the format of an item",
            "format is NULL, and was asked for, and itemsize is not 1");
    if (!has_dimensions(view) || !asks(way, PyBUF_ND)) return;
    if (view->shape == NULL)
        see(look, "buffer/shape-missing", "ndim sizes", "shape is NULL, and was asked for");
    else if (asks(way, PyBUF_STRIDES) && view->strides == NULL)
        see(look, "buffer/strides-missing", "ndim strides", "strides is NULL, and was asked for");
}

/* BUF-20, BUF-21: and nothing beside. A shape or strides, if they are there; NULL: neither. */
static const char *structure_unasked(const Py_buffer *view, int way) {
    if (!has_dimensions(view)) return NULL;
    if (!asks(way, PyBUF_ND) && view->shape != NULL)
        return "shape is given, and nobody asked for it";
    if (!asks(way, PyBUF_STRIDES) && view->strides != NULL)
        return "strides is given, and nobody asked for it";
    return NULL;
}

/* BUF-21: whoever asks for an order gets it. */
static void check_asked_order(const Py_buffer *view, int way, struct adi_py_look *look) {
    if (!has_dimensions(view) || view->shape == NULL || view->strides == NULL) return;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (asks(way, orders[i].flags) && !PyBuffer_IsContiguous(view, orders[i].order))
            see(look, "buffer/not-contiguous", "BufferError",
                "contiguous items were asked for, and others came");
}

/* BUF-15: suboffsets are there only to be followed, by who has asked for them. */
static void check_suboffsets(const Py_buffer *view, int way, struct adi_py_look *look) {
    if (view->suboffsets != NULL && has_dimensions(view) && !asks(way, PyBUF_INDIRECT)) {
        see(look, "buffer/suboffsets-not-null", "NULL",
            "suboffsets is given, and nobody asked for it");
        return;
    }
    bool follows = view->suboffsets == NULL;
    for (int i = 0; view->suboffsets != NULL && i < view->ndim; i++)
        follows = follows || view->suboffsets[i] >= 0;
    if (!follows)
        see(look, "buffer/suboffsets-not-null", "NULL", "suboffsets is given, and none is needed");
}

/* BUF-06: what the format says. One that the module struct does not know says nothing. */
static void check_itemsize(const Py_buffer *view, struct adi_py_look *look) {
    char message[96];
    Py_ssize_t size = view->format == NULL ? -1 : PyBuffer_SizeFromFormat(view->format);
    adi_py_judge_overlook();
    if (size < 0 || size == view->itemsize) return;
    snprintf(message, sizeof message, "itemsize is %zd, and an item of the format has %zd bytes",
             view->itemsize, size);
    see(look, "buffer/itemsize-differs", NULL, message);
}

/* BUF-17: where it is, and how much of it, is the same whatever is asked for. Of a view without
 * a shape Python itself says that it has one dimension. */
static void compare(Py_buffer *first, const Py_buffer *view, struct adi_py_look *look) {
    if (first->obj == NULL) {
        *first = *view;
        first->ndim = -1;
    }
    if (first->ndim < 0 && view->shape != NULL) first->ndim = view->ndim;
    const char *other = view->buf != first->buf             ? "buf"
                        : view->len != first->len           ? "len"
                        : view->itemsize != first->itemsize ? "itemsize"
                                                            : NULL;
    char message[96];
    if (other == NULL && view->shape != NULL && view->ndim != first->ndim) other = "ndim";
    if (other == NULL) return;
    snprintf(message, sizeof message, "%s is not the same for all who ask", other);
    see(look, "buffer/request-dependent", "the same", message);
}

/* BUF-03, BUF-18, BUF-20, BUF-21: what was asked for is what came, and nothing beside. */
static void check_way(const Py_buffer *view, int way, struct adi_py_look *look) {
    check_suboffsets(view, way, look);
    check_missing(view, way, look);
    if (view->obj == NULL) see(look, "buffer/obj-null", "the exporter", "obj is NULL");
    if (asks(way, PyBUF_WRITABLE) && view->readonly)
        see(look, "buffer/writable-read-only", "BufferError",
            "a buffer to write to was asked for, and one to read came");
    if (!asks(way, PyBUF_FORMAT) && view->format != NULL)
        see(look, "buffer/format-unasked", "NULL", "format is given, and nobody asked for it");
    check_shape(view, look);
    check_asked_order(view, way, look);
    check_itemsize(view, look);
}

/* How the items lie, which is known from who asks for strides; and who got them without. */
struct order {
    bool is_other, has_gaps;  /* than that of C; or in any order */
    bool is_shaped, is_plain; /* a shape alone was asked for, or not even that, and given */
    const char *unasked;      /* what came beside; NULL: nothing */
};

static void note_order(const Py_buffer *view, int way, struct order *order) {
    if (order->unasked == NULL) order->unasked = structure_unasked(view, way);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (asks(way, orders[i].flags)) return; /* it may make a copy for that */
    bool is_shaped = view->ndim >= 0 && view->ndim <= 64 && view->shape != NULL;
    if (!asks(way, PyBUF_ND))
        order->is_plain = true;
    else if (!asks(way, PyBUF_STRIDES))
        order->is_shaped = true;
    if (!is_shaped || view->strides == NULL) return;
    order->is_other = order->is_other || !PyBuffer_IsContiguous(view, 'C');
    order->has_gaps = order->has_gaps || !PyBuffer_IsContiguous(view, 'A');
}

/* BUF-21: a shape alone is that of C order. */
/* Without one all bytes lie side by side, in whatever order. */
static void check_order(const struct order *order, struct adi_py_look *look) {
    if ((order->is_other && order->is_shaped) || (order->has_gaps && order->is_plain))
        see(look, "buffer/not-contiguous", "BufferError",
            "strides were not asked for, and are needed");
    if (order->unasked != NULL) see(look, "buffer/structure-unasked", "NULL", order->unasked);
}

/* BUF-19, BUF-23: all who ask are told the same; what cannot be had is a BufferError. */
int adi_py_look_at_buffer(PyObject *object, struct adi_py_look *look) {
    int read_only = -1;
    bool is_given = false, is_told = false;
    Py_buffer first = {.obj = NULL};
    struct order order = {.is_other = false};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Py_buffer view = {.obj = NULL};
        if (PyObject_GetBuffer(object, &view, ways[i]) != 0) {
            is_told = !PyErr_ExceptionMatches(PyExc_BufferError);
            if (is_told)
                see(look, "buffer/exception-differs", "BufferError",
                    "a buffer was refused by another exception");
            adi_py_judge_overlook();
            continue;
        }
        is_given = true;
        compare(&first, &view, look);
        check_way(&view, ways[i], look);
        note_order(&view, ways[i], &order);
        if (read_only >= 0 && read_only != view.readonly && !asks(ways[i], PyBUF_WRITABLE))
            see(look, "buffer/read-only-differs", "the same for all", "readonly is 0, and was 1");
        if (!asks(ways[i], PyBUF_WRITABLE)) read_only = view.readonly;
        PyBuffer_Release(&view);
    }
    check_order(&order, look);
    if (is_given || is_told) return 0;
    PyErr_SetString(PyExc_ValueError, "it gives no buffer, however it is asked");
    return -1;
}
