/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "import.h"
#include "move.h"
#include "py_arguments.h"
#include "py_arrow.h"
#include "py_capsule.h"
#include "py_device.h"
#include "py_error.h"
#include "py_schema.h"
#include "py_stream.h"
#include "tree.h"

int adi_py_arrow_check_parts(const struct ArrowSchema *schema, const struct ArrowArray *array,
                             struct adi_error *error) {
    struct ArrowArray *child, copy;
    if (array->n_children != schema->n_children)
        return adi_error_set(error, EINVAL, "\"%s\" with %lld children", schema->format,
                             (long long)array->n_children);
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (array->children == NULL ||
            adi_safe_read(&child, &array->children[i], sizeof child) != 0)
            return adi_error_set(error, EINVAL, "children has no %lld entries",
                                 (long long)array->n_children);
        if (child == NULL || adi_safe_read(&copy, child, sizeof copy) != 0)
            return adi_error_set(error, EINVAL, "child %lld cannot be read", (long long)i);
        ADI_TRY(adi_py_arrow_check_parts(schema->children[i], child, error));
    }
    if (schema->dictionary == NULL || array->dictionary == NULL) return 0;
    if (adi_safe_read(&copy, array->dictionary, sizeof copy) != 0)
        return adi_error_set(error, EINVAL, "the dictionary cannot be read");
    return adi_py_arrow_check_parts(schema->dictionary, array->dictionary, error);
}

/* Both stay within their capsules until they are known to be well-formed. */
static int take(struct ArrowSchema *schema_in, struct ArrowDeviceArray *array_in,
                struct ArrowSchema *schema, struct ArrowDeviceArray *array,
                struct adi_device **device) {
    struct adi_error error = {""};
    int code = schema_in->release == NULL
                   ? adi_error_set(&error, EINVAL,
                                   "release of the schema is NULL: consumed before, or never set")
                   : adi_py_schema_check(schema_in, &error);
    if (code == 0 && array_in->array.release == NULL)
        code = adi_error_set(&error, EINVAL,
                             "release of the array is NULL: consumed before, or never set");
    if (code == 0) code = adi_py_arrow_check_parts(schema_in, &array_in->array, &error);
    if (code == 0) {
        *device = adi_py_device_of(array_in, &error);
        code = *device == NULL ? ENODEV : 0;
    }
    if (code == 0) code = adi_import(*device, schema_in, array_in, array, &error);
    if (code != 0) {
        adi_py_raise(code, PyExc_NotImplementedError, &error);
        return -1;
    }
    adi_schema_move(schema_in, schema);
    return 0;
}

int adi_py_arrow_take(PyObject *pair, bool is_device, const char *whose, struct ArrowSchema *schema,
                      struct ArrowDeviceArray *array, struct adi_device **device) {
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_Format(PyExc_TypeError, "%s gave %R, and not a pair of capsules", whose, pair);
        return -1;
    }
    struct ArrowSchema *schema_in =
        adi_py_capsule_get(PyTuple_GetItem(pair, 0), "arrow_schema", whose);
    if (schema_in == NULL) return -1;
    void *within = adi_py_capsule_get(PyTuple_GetItem(pair, 1),
                                      is_device ? "arrow_device_array" : "arrow_array", whose);
    if (within == NULL) return -1;
    if (is_device) return take(schema_in, within, schema, array, device);
    struct ArrowArray *host = within;
    struct ArrowDeviceArray on_cpu = adi_device_array_of_cpu(host);
    int code = take(schema_in, &on_cpu, schema, array, device);
    if (code == 0) host->release = NULL;
    return code;
}

static PyObject *array_of(PyObject *pair, bool is_device, const char *whose) {
    static const struct adi_py_showing showing = {.cuda_version = ADI_CUDA_ARRAY_VERSION};
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    struct adi_device *device;
    if (adi_py_arrow_take(pair, is_device, whose, &schema, &array, &device) != 0) return NULL;
    return adi_py_array_of_arrow(device, &schema, &array, &showing);
}

static PyObject *from_device_array(PyObject *given, struct adi_py_stream_bound *bound) {
    (void)bound;
    return array_of(given, true, "__arrow_c_device_array__");
}

static PyObject *from_array(PyObject *given, struct adi_py_stream_bound *bound) {
    (void)bound;
    return array_of(given, false, "__arrow_c_array__");
}

static PyObject *from_schema(PyObject *given, struct adi_py_stream_bound *bound) {
    (void)bound;
    return adi_py_schema_take(NULL, given);
}

/* What carries a device comes first, since it takes in everything; what is whole before what has to
 * be read. */
static const struct {
    const char *method;
    bool has_request;
    PyObject *(*take)(PyObject *given, struct adi_py_stream_bound *bound);
} ways[] = {
    {"__arrow_c_device_array__", true, from_device_array},
    {"__arrow_c_array__", true, from_array},
    {"__arrow_c_device_stream__", true, adi_py_stream_from_device_stream},
    {"__arrow_c_stream__", true, adi_py_stream_from_stream},
    {"__arrow_c_schema__", false, from_schema},
};

/* A capsule of what is requested; None is NULL without an exception. */
static PyObject *request_of(PyObject *requested) {
    if (requested == NULL || requested == Py_None) return NULL;
    if (PyCapsule_CheckExact(requested)) return Py_NewRef(requested);
    PyObject *method = PyObject_GetAttrString(requested, "__arrow_c_schema__");
    if (method == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Format(PyExc_TypeError,
                     "requested_schema has __arrow_c_schema__ or is its capsule, and is not %R",
                     requested);
    PyObject *capsule = method == NULL ? NULL : PyObject_CallNoArgs(method);
    Py_XDECREF(method);
    return capsule;
}

static PyObject *call(PyObject *object, const char *method, PyObject *request) {
    if (request == NULL) return PyObject_CallMethod(object, method, NULL);
    return PyObject_CallMethod(object, method, "O", request);
}

static PyObject *made_of(PyObject *object, PyObject *requested, struct adi_py_stream_bound *bound) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        PyObject *method = PyObject_GetAttrString(object, ways[i].method);
        if (method == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
        PyErr_Clear();
        if (method == NULL) continue;
        Py_DECREF(method);
        PyObject *request = request_of(requested);
        if (request == NULL && PyErr_Occurred() != NULL) return NULL;
        PyObject *given = call(object, ways[i].method, ways[i].has_request ? request : NULL);
        PyObject *made = given == NULL ? NULL : ways[i].take(given, bound);
        adi_py_drop(request);
        adi_py_drop(given);
        return made;
    }
    return PyErr_Format(PyExc_TypeError, "%R has none of the methods of the PyCapsule interface",
                        object);
}

PyObject *adi_py_read_some(PyObject *module, PyObject *arguments) {
    struct adi_py_stream_bound bound = {.bytes = ADI_PY_STREAM_BYTES};
    PyObject *object;
    Py_ssize_t chunks, rows;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Onn", &object, &chunks, &rows)) return NULL;
    bound.chunks = (size_t)chunks;
    bound.rows = rows;
    PyObject *made = made_of(object, NULL, &bound);
    return made == NULL ? NULL : Py_BuildValue("(NO)", made, bound.goes_on ? Py_True : Py_False);
}

PyObject *adi_py_from_arrow(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments,
                            PyObject *names) {
    PyObject *object = NULL, *requested = NULL;
    static struct adi_py_function function = {.name = "from_arrow"};
    const struct adi_py_parameter parameters[] = {{"obj", &object},
                                                  {"requested_schema", &requested}};
    (void)module;
    if (!adi_py_arguments(&function, parameters, 2, 2, ADI_PY_REFUSED, arguments, n_arguments,
                          names))
        return NULL;
    if (object == NULL) return PyErr_Format(PyExc_TypeError, "from_arrow() needs an object");
    return made_of(object, requested, NULL);
}
